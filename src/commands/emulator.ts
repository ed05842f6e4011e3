/** `comanda emulator` runs an emulator of the service on this machine. `emulator-exec.ts` implements `exec`. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";

import { isLoopbackHost, parseJson } from "../base/basics.js";
import { localDefaults } from "../base/defaults.js";
import { check, detailsOf } from "../api/input.js";
import { contradiction } from "../base/fields.js";
import { collect, type Command, wholeNumber } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { decodeText, readInput } from "../cli/input.js";
import type { Column } from "../cli/records.js";
import { ComandaError } from "../base/errors.js";
import { readFault } from "../emulator/http/faults.js";
import { startEmulator } from "../emulator/index.js";
import { scenes, type Scene } from "../emulator/inputs.js";
import type { World } from "../emulator/domain/world.js";
import { chooseReadings, describedReadings, type DescribedReading } from "../emulator/readings.js";
import { ownStoresSchema } from "../emulator/seed/cast.js";
import { capitalized, t, translated } from "../languages/language.js";
import { shellWord } from "../state/private-file.js";
import { exec, type ExecOptions } from "./emulator-exec.js";

const usualPort = String(localDefaults.emulatorPort);

const faultHelp = [
  "A fault is one of: status=503, reset, hang, delay=MILLISECONDS, truncate, truncate=head, garbage, not_http, html, empty, redirect=URL, oversize=BYTES, rate_limit=SECONDS. Add conditions after commas:",
  "  method=, path=, operation=  which calls fail",
  "  times=                      how many of them fail",
  "  after=                      how many succeed first",
  "  when=before, when=after     before or after processing; truncate only after",
  "  body=, content_type=        contents of the response",
  "Quote a value that contains a comma.",
].join("\n");

const scenesHelp =
  "--scene mixed has orders in every status. --scene busy has 120 orders a day for fourteen months, like a busy restaurant.";

export default function emulator(group: Command): void {
  const start = group
    .command("start")
    .about(
      "start the emulator",
      "Runs until you interrupt it. All data is generated from the seed and lost when the emulator stops. The environment `local` points to its default port. To sign in to it: comanda login --store demo --env local",
      "With --host 0.0.0.0, other machines and containers can connect. The control API under /_emulator/ then requires the bearer token printed on stderr.",
      scenesHelp,
      faultHelp,
    )
    .option("--port <number>", "port to listen on; 0 picks a free one", usualPort)
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .examples(
      "emulator start",
      "emulator start --scene busy",
      "emulator start --host 0.0.0.0",
      "emulator start --port 4200 --orders 500 --seed 7 --json",
    );
  addSeedOptions(start).does(run);
  addSeedOptions(group.command("exec"))
    .about(
      "run a command with a temporary emulator",
      "Use this to test a script. The command runs with a signed-in store (tokens, an API key and a partner key), with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this comanda in its PATH. comanda then deletes its temporary files and exits with the command's exit code.",
      "Put the emulator's options before -- and the command after it. With --no-limits, comanda doesn't wait for rate limits either.",
      "--matrix runs the command once with the default readings, then once for every other reading. A table lists the readings that break the command; the exit code is 0 only if every run succeeds. If the first run fails, comanda stops. To see the command's output with a reading, run it with --reading instead of --matrix.",
      scenesHelp,
      faultHelp,
    )
    .arguments("<command...>")
    .option("--matrix", "run the command with every reading")
    .examples(
      "emulator exec -- ./close-day.sh",
      "emulator exec --matrix -- ./close-day.sh",
      "emulator exec --seed 7 --fault status=503,path=/dispatch,times=2 -- sh -c 'comanda orders dispatch 1'",
    )
    .does(async (context, options: SeedOptions & { readonly matrix?: boolean }, words) =>
      exec(context, await emulatorOptions(context, options), words, options.matrix === true),
    );
  group
    .command("readings")
    .about(
      "list the points that the specification leaves open",
      "A reading is one interpretation of such a point. A service may use another reading and still follow the specification. By default, the emulator uses the first one listed. Choose another reading with --reading, or try all readings with `emulator exec --matrix`.",
    )
    .takes("format")
    .examples("emulator readings", "emulator readings --json")
    .does(({ output }) => output.records(columns, describedReadings));
}

const columns: readonly Column<DescribedReading>[] = [
  { heading: "Reading", name: "name" },
  { heading: "Section", name: "section" },
  { heading: "Values", name: "values", cell: ({ values }) => values.join(", ") },
  { heading: "Details", name: "text" },
];

interface SeedOptions {
  readonly scene: Scene;
  readonly orders?: string;
  readonly seed: string;
  readonly fault?: readonly string[];
  readonly reading?: readonly string[];
  readonly stores?: string;
  readonly limits: boolean;
}

function addSeedOptions(command: Command): Command {
  const scene = command.createOption("--scene <name>", "generated orders");
  const orders = command.createOption("--orders <number>", "number of orders with --scene mixed");
  return command
    .addOption(scene.choices(scenes).default("mixed"))
    .addOption(orders.default(undefined, String(localDefaults.orders)))
    .option("--seed <number>", "seed of the generated data", String(localDefaults.seed))
    .option("--fault <description>", "make calls fail, such as status=503,times=2 (repeatable)", collect)
    .option("--reading <name=value>", "choose a reading; see emulator readings (repeatable)", collect)
    .option("--stores <file>", "JSON file of stores: [{id, name, time_zone, drivers}]")
    .option("--no-limits", "don't enforce rate limits");
}

/** @throws {ComandaError} `usage`, and `invalid_input` for a fault, a reading or a file of stores that isn't valid */
async function emulatorOptions(context: Context, typed: SeedOptions): Promise<ExecOptions> {
  const { scene, orders, seed, fault = [], reading = [], stores: file, limits } = typed;
  if (scene === "busy" && orders !== undefined) throw contradiction("--scene busy", "--orders");
  const named = reading.map((text) => [text.replace(/=.*/s, ""), text.replace(/^[^=]*=?/, "")] as const);
  return {
    scene,
    seed: wholeNumber("--seed", seed, 0, 4_294_967_295),
    orders: orders === undefined ? undefined : wholeNumber("--orders", orders, 0, 1_000_000),
    stores: file === undefined ? undefined : await readStores(context, file),
    faults: fault.map(readFault),
    readings: chooseReadings(Object.fromEntries(named)),
    rateLimits: limits,
  };
}

async function readStores(context: Context, file: string) {
  const { bytes } = await readInput(context, file);
  const hint = t`For example: ${'[{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]'}`;
  const input = parseJson(decodeText(bytes));
  if (input === undefined) throw new ComandaError("invalid_input", t`${file} isn't valid JSON.`, { hint });
  const checked = check(ownStoresSchema, input, file);
  if (checked.ok) return checked.value;
  // The message about an entry begins with its path, such as `0.drivers.0.id`, and any other with the file.
  const problem = detailsOf(checked).replace(/^\d/, `${file}: $&`).replace(/[^?]$/, "$&.");
  throw new ComandaError("invalid_input", problem.replaceAll(/(?<=^|[:;] )\d+(?=[. ])/g, "[$&]"), { hint });
}

/** Statuses in which `orders dispatch`, `deliver` or `finalize` accepts a delivery order. */
const triedStatuses = ["confirmed", "ready", "released", "delivered"] as const;

/** Returns a few of the first store's delivery orders, so that a first command finds one. */
function ordersToTry({ orders, stores }: World) {
  const [store] = stores.values();
  const newest = store ? orders.ofStore(store.id).toReversed() : [];
  const order_ids = Object.fromEntries(
    triedStatuses.map((status) => {
      const found = newest.filter((order) => order.orderType === "delivery" && order.status === status);
      return [status, found.slice(0, 4).map(({ id }) => id)];
    }),
  );
  return { store: store?.name ?? null, order_ids };
}

/** @throws the signal's reason: only a signal ends the emulator */
async function run(
  context: Context,
  options: SeedOptions & { readonly port: string; readonly host?: string },
): Promise<void> {
  const { signal, output } = context;
  const { quiet } = context.options;
  const { host, scene, seed } = options;
  const port = wholeNumber("--port", options.port, 0, 65_535);
  const seeded = await emulatorOptions(context, options);
  const isOpen = host !== undefined && !isLoopbackHost(host);
  const controlToken = isOpen ? randomBytes(24).toString("base64url") : undefined;
  const { url, baseUrl, authUrl, clientId, redirectUri, world, close } = await startEmulator({
    ...seeded,
    port,
    host,
    ...(controlToken !== undefined && { controlToken }),
    ownsProcess: true,
  });
  try {
    const { store, order_ids } = ordersToTry(world);
    if (output.json) {
      output.value({
        url,
        base_url: baseUrl,
        auth_url: authUrl,
        client_id: clientId,
        redirect_uri: redirectUri,
        scene,
        orders: world.orders.size,
        seed: Number(seed),
        store,
        order_ids,
      });
    } else if (quiet) output.line(url);
    else {
      // The environment "local" has the usual port.
      const name = options.port === usualPort ? "local" : `local-${new URL(url).port}`;
      const addresses = `--base-url ${shellWord(baseUrl)} --auth-url ${shellWord(authUrl)} --client-id ${clientId}`;
      const first = name === "local" ? "" : `comanda env set ${name} ${addresses} && `;
      output.words(t`The emulator is running at ${url} (Ctrl-C ends it).`);
      output.words(t`Sign in from another terminal: ${`${first}comanda login --store demo --env ${name}`}`);
      const toTry = Object.entries(order_ids).filter(([, { length }]) => length > 0);
      if (toTry.length > 0) output.words(t`Some delivery orders of ${store ?? "?"}:`);
      for (const [status, ids] of toTry) output.line(`  ${translated(status)}: ${ids.join(" ")}`);
      output.line(`${t`Orders`}: ${url}/_emulator/orders`);
      output.line(`${capitalized(t`API key`)}: ${url}/_emulator/stores`);
    }
    // --quiet doesn't hide the token, because it is required.
    if (controlToken !== undefined)
      output.warn(t`The control API requires this bearer token: ${controlToken}`);
    signal.throwIfAborted();
    await once(signal, "abort");
    signal.throwIfAborted();
  } finally {
    await close();
  }
}
