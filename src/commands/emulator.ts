/** `comanda emulator` runs the whole service on this machine; `emulator-exec.ts` has what `exec` does. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

import { parseJson } from "../base/basics.js";
import { check, detailsOf } from "../api/input.js";
import { collect, type Command, wholeNumber } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { unreadable } from "../cli/input.js";
import type { Column } from "../cli/records.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { readFault } from "../emulator/http/faults.js";
import { startEmulator } from "../emulator/index.js";
import { scenes, type Scene } from "../emulator/inputs.js";
import { chooseReadings, describedReadings, type DescribedReading } from "../emulator/readings.js";
import { ownStoresSchema } from "../emulator/seed/cast.js";
import { t, translated } from "../languages/language.js";
import { exec, type ExecOptions } from "./emulator-exec.js";

const usualPort = "4100";

/** The helps of both commands have it. */
const faultHelp =
  "A fault is one of status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, " +
  "redirect=URL, oversize=BYTES and rate_limit=SECONDS. Behind a comma stand which calls have it (method=, path=, " +
  "operation=), how often (times=), after how many (after=), whether before or after the call is processed (when=), " +
  "and what the answer holds (body=, content_type=). A value in quotes may have commas.";

export default function emulator(group: Command): void {
  const start = group
    .command("start")
    .about(
      "start the service's emulator on this machine",
      "It runs until it is interrupted. The environment `local` points to it on its usual port. Everything it " +
        "holds is made up, the same for the same seed, and gone when it ends.",
      "With --host 0.0.0.0 other machines and containers reach it. Whoever drives it under /_emulator/ then sends as " +
        "Authorization: Bearer the token that it tells on stderr.",
      faultHelp,
    )
    .examples(
      "emulator start",
      "emulator start --scene busy",
      "emulator start --host 0.0.0.0",
      "emulator start --port 4200 --orders 500 --seed 7 --json",
    );
  start
    .option("--port <number>", `where it listens; 0 takes a free port (default: ${usualPort})`, usualPort)
    .option(
      "--host <address>",
      "where it listens, in the place of 127.0.0.1; its control surface then asks for a token",
    );
  addSeedOptions(start).does(run);
  addSeedOptions(group.command("exec"))
    .about(
      "run a command against an emulator of its own, with a store signed in",
      "The command runs with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this very " +
        "comanda on its path. The exit code is the command's own; nothing is left behind. This is how a script is " +
        "tested.",
      "Options of the emulator's stand before the command, and -- between the two. The store has tokens, an " +
        "API key and a partner key. With --no-limits comanda keeps to no rate limit either.",
      "With --matrix the command runs again and again, each time against another service that keeps to the " +
        "specification: first the emulator as it is, then with each reading's other values. A table names the readings " +
        "that break the command, and the exit code is 0 only where every run's is. Where the command fails on the " +
        "emulator as it is, nothing else is run. What it prints is left out without --show.",
      faultHelp,
    )
    .arguments("<command...>")
    .option("--matrix", "run the command under every reading of the specification")
    .option("--show", "with --matrix: let what the command prints through")
    .examples(
      "emulator exec -- ./close-day.sh",
      "emulator exec --matrix -- ./close-day.sh",
      "emulator exec --seed 7 --fault status=503,path=/dispatch,times=2 -- sh -c 'comanda orders dispatch 1'",
    )
    .does(async (context, options: SeedOptions & Parameters<typeof exec>[3], words) =>
      exec(context, await emulatorOptions(options), words, options),
    );
  group
    .command("readings")
    .about(
      "list what the specification leaves open, as switches of the emulator",
      "A service may differ from the emulator in each of them and still keep to the specification. The first value is " +
        "the emulator's own. `emulator start` and `emulator exec` take others with --reading; `emulator exec --matrix` " +
        "tries a command under all of them.",
    )
    .takes("format")
    .examples("emulator readings", "emulator readings --json")
    .does(({ output }) => output.records(columns, describedReadings));
}

const columns: readonly Column<DescribedReading>[] = [
  { heading: "Reading", name: "name", cell: ({ name }) => name },
  {
    heading: "Section",
    name: "section",
    cell: ({ section }) => section,
    tableText: ({ section }) => section.replace(" to ", "-"),
  },
  { heading: "Values", name: "values", cell: ({ values }) => values.join(", ") },
  { heading: "What it is about", name: "text", cell: ({ text }) => translated(text) },
];

/** Commander hands them over unread: {@link emulatorOptions} says what each means. */
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
  const scene = command.createOption(
    "--scene <name>",
    "orders of every kind (default: mixed), or 120 a day as a restaurant has them (busy)",
  );
  return command
    .addOption(scene.choices(scenes).default("mixed"))
    .option("--orders <number>", "how many orders mixed begins with, 2000 without it")
    .option("--seed <number>", "the same seed makes the same orders (default: 1)", "1")
    .option(
      "--fault <description>",
      "let calls fail, for example status=503,path=/dispatch,times=2 (repeatable)",
      collect,
    )
    .option(
      "--reading <name=value>",
      "what the specification leaves open; see emulator readings (repeatable)",
      collect,
    )
    .option("--stores <file>", "stores of your own, as JSON: [{id, name, time_zone, drivers}]")
    .option("--no-limits", "without the service's rate limits");
}

/** @throws {ComandaError} `usage`, and `invalid_input` for a fault, a reading or a file of stores that can't be */
async function emulatorOptions(typed: SeedOptions): Promise<ExecOptions> {
  const { scene, orders, seed, fault = [], reading = [], stores: file, limits } = typed;
  if (scene === "busy" && orders !== undefined) {
    throw new ComandaError("usage", t`The scene busy has its own number of orders.`, {
      hint: t`Leave out --orders, or --scene busy.`,
    });
  }
  const count =
    orders === undefined ? {} : { orders: wholeNumber("--orders", orders, { least: 0, most: 1_000_000 }) };
  const stores = file === undefined ? {} : { stores: await readStores(file) };
  const seedNumber = wholeNumber("--seed", seed, { least: 0, most: 4_294_967_295 });
  try {
    const faults = fault.map(readFault);
    const readings = chooseReadings(
      Object.fromEntries(reading.map((text) => [text.replace(/=.*/s, ""), text.replace(/^[^=]*=?/, "")])),
    );
    return { scene, seed: seedNumber, ...count, ...stores, faults, readings, rateLimits: limits };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new ComandaError("invalid_input", error.message, {
      hint: t`See: comanda emulator start --help, and comanda emulator readings`,
    });
  }
}

async function readStores(file: string) {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const checked = check(ownStoresSchema, parseJson(text), "The list");
  if (checked.ok) return checked.value;
  throw new ComandaError("invalid_input", `${file}: ${detailsOf(checked)}.`, {
    hint: t`For example: [{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]`,
  });
}

interface StartOptions extends SeedOptions {
  readonly port: string;
  /** The address at which other machines can reach it. */
  readonly host?: string;
}

/** @throws the signal's reason, since only a signal ends it */
async function run({ signal, output, options: { quiet } }: Context, options: StartOptions): Promise<void> {
  const { host, scene, seed } = options;
  const port = wholeNumber("--port", options.port, { least: 0, most: 65_535 });
  const seeded = await emulatorOptions(options);
  const controlToken = randomBytes(24).toString("base64url");
  const { url, baseUrl, authUrl, clientId, redirectUri, world, close } = await startEmulator({
    ...seeded,
    port,
    ...(host !== undefined && { host, controlToken }),
    ownsProcess: true,
  }).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const problem =
      code === "EADDRINUSE"
        ? t`Port ${port} is in use.`
        : t`The emulator can't listen at ${`${host ?? "127.0.0.1"}:${port}`}: ${code}.`;
    throw new ComandaError("configuration", problem, {
      hint: t`Take a free port with --port 0, or another one.`,
    });
  });
  try {
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
      });
    } else if (quiet) output.line(url);
    else {
      // On another port than the usual one it needs an environment with its real port.
      const name = options.port === usualPort ? "local" : `local-${new URL(url).port}`;
      const addresses = `--base-url ${baseUrl} --auth-url ${authUrl} --client-id ${clientId}`;
      const first = name === "local" ? "" : `comanda env set ${name} ${addresses} && `;
      output.line(t`The emulator is running at ${url} (Ctrl-C ends it).`);
      output.line(t`Sign in from another terminal: ${`${first}comanda login --store demo --env ${name}`}`);
      output.line(t`Orders to try:                 ${url}/_emulator/orders`);
      output.line(t`API keys of its stores:        ${url}/_emulator/stores`);
    }
    // The token is needed with --quiet, too.
    if (host !== undefined) output.warn(t`the control surface takes this token: ${controlToken}`);
    signal.throwIfAborted();
    await once(signal, "abort");
    signal.throwIfAborted();
  } finally {
    await close();
  }
}
