/** `comanda demo` runs real processes with real HTTP and a real sign-in against the emulator. */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import type { OrderStatus } from "../api/values.js";
import type { Command } from "../cli/command.js";
import { foreignVariables, type Context } from "../cli/context.js";
import { exitCodeOf } from "../base/errors.js";
import { decideAsOwner } from "../emulator/http/oauth.js";
import { capitalized, t, translated } from "../languages/language.js";
import { shellWord } from "../state/private-file.js";
import { writing } from "./files.js";

export default function demo(command: Command): void {
  command
    .details(
      "Starts an emulator of the service, signs in to a store and processes orders from start to finish, showing each command with its output. Your own stores and settings aren't touched.",
    )
    .printsText()
    .examples("demo")
    .does((context) => showTour(context, command.parent ?? command));
}

interface Step {
  /** By default, what the command's help says that it does. */
  readonly title?: string;
  /** The expected exit code; 0 by default. */
  readonly exit?: number;
  /** The content of `key.txt`, which is its stdin. */
  readonly key?: string;
  /** Called with the whole stderr after each part. */
  readonly onStderr?: (text: string) => void;
}

/** The files of the tour need less. */
const sampleBytes = 1024 * 1024;

/** @throws {Error} if a step ends with another exit code than expected */
async function showTour(context: Context, program: Command): Promise<void> {
  const { output } = context;
  const { style } = output.view;
  const { startEmulator } = await import("../emulator/index.js");
  const { createOrder } = await import("../emulator/domain/new-order.js");
  const folder = writing(tmpdir(), () => mkdtempSync(path.join(tmpdir(), "comanda-demo-")));
  // The emulator must have the address before a sign-in listens there.
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const emulator = await startEmulator({ port: 0, scene: "busy", seed: 1, redirectUris: [redirectUri] });
  const { url, baseUrl, authUrl, clientId, service, world } = emulator;

  async function step(line: string, { exit = 0, title, ...given }: Step = {}) {
    const args = line.split(" ");
    const group = program.commands.find((each) => each.name() === args[0]);
    await group?.load?.();
    const named = group?.commands.find((each) => each.name() === args[1]) ?? group;
    const description = title ?? translated(named?.summary() ?? "");
    const typed = ["$ comanda", ...args.map(shellWord), ...(given.key === undefined ? [] : ["< key.txt"])];
    output.text(`\n${style.dim(`# ${capitalized(description)}`)}\n${style.bold(typed.join(" "))}\n`);
    const { code, text } = await runSelf(context, folder, args, given);
    for (const each of text.trimEnd().split("\n")) output.line(each);
    if (code !== exit) throw new Error(`"comanda ${line}" exited with code ${code}, not ${exit}.`);
    if (code !== 0) output.line(`${t`Exit code`}: ${code}`);
  }

  try {
    // On a full disk, a command of the tour would fail.
    writing(tmpdir(), () => writeFileSync(path.join(folder, "sample"), Buffer.alloc(sampleBytes)));
    output.line(t`For this tour, an emulator of the service runs at ${url}.`);
    const addresses = `--base-url ${baseUrl} --auth-url ${authUrl} --client-id ${clientId}`;
    await step(`env set demo ${addresses} --redirect-uri ${redirectUri}`);
    let owner: Promise<unknown> | undefined;
    await step("login --store centro --env demo --tz America/Sao_Paulo --no-browser", {
      title: t`Sign in to a store (a script acts as the owner)`,
      onStderr(text) {
        const [, address] = /^(https?:.*)\n/m.exec(text) ?? [];
        if (address !== undefined) owner ??= fetch(decideAsOwner(service, address, {}));
      },
    });
    await owner;
    // The owner allowed the first store. The first driver and each new order belong to it.
    const { apiKey: key } = world.storeOf();
    const [driver = 0] = world.drivers.keys();
    const create = (status: OrderStatus) => createOrder(world, { status }).id;
    const order = create("confirmed");
    const exit = exitCodeOf.status_conflict;
    await step("status");
    await step(`driver assign ${order} ${driver} --fee 7.50`);
    for (const action of ["dispatch", "deliver", "finalize"]) await step(`orders ${action} ${order}`);
    await step(`orders cancel ${create("confirmed")}`);
    await step(`orders dispatch ${order}`, {
      title: t`A finalized order can no longer be changed.`,
      exit,
    });
    await step(`orders finalize ${create("waiting_to_catch")} ${create("waiting_to_catch")} ${order}`, {
      title: t`Finalize several orders, including one that is already finalized`,
      exit: exitCodeOf.some_failed,
    });
    await step(`orders finalize ${order} --json`, {
      title: t`print JSON; errors are JSON on stderr`,
      exit,
    });
    await step("stores set centro --currency BRL --locale pt-BR");
    await step("summary --period last-month");
    await step("summary --period last-month --compare year --filter status!=canceled", {
      title: t`Compare them with a year earlier, without canceled orders`,
    });
    await step("grouped --by hour --period last-month --chart");
    await step("logout");
    const title = t`save the API key shown in the store portal`;
    await step("login --api-key --store centro --env demo", { title, key });
    await step("prefill --order-type takeout --customer-name Ana --item 3002x2 --item 3001");
    output.text("\n");
    output.words(
      t`The tour is over, and its files were deleted. To try comanda yourself, start the emulator, and sign in from another terminal:`,
    );
    // After `npm run demo`, comanda may not be installed as a command.
    const self = context.self.map(shellWord).join(" ");
    output.line(`${self} emulator start`);
    output.line(`${self} login --store demo --env local`);
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs this program as another process with its own configuration folder. Even after a signal, waits until the process has
 * ended, because it may write into its folder until then.
 *
 * @returns the exit code, and the output of stdout and stderr in the order of arrival
 */
async function runSelf(
  { self: [executable, ...first], env, signal }: Context,
  folder: string,
  args: readonly string[],
  { key, onStderr }: Step,
): Promise<{ readonly text: string; readonly code: number }> {
  const child = spawn(executable, [...first, ...args], {
    env: { ...foreignVariables({ env }), COMANDA_CONFIG_DIR: folder },
    signal,
    killSignal: "SIGTERM",
  });
  // The process may end before it has read its stdin.
  child.stdin.on("error", () => undefined).end(key);
  let [text, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    stderr += chunk;
    onStderr?.(stderr);
  });
  let failure: Error | undefined;
  child.on("error", (error) => (failure = error));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  signal.throwIfAborted();
  if (failure ?? code === null) throw failure ?? new Error(`ended by ${child.signalCode ?? "?"}`);
  return { code, text };
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new TypeError("a TCP server has a port");
  return address.port;
}
