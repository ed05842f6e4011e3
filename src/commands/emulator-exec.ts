/** `comanda emulator exec` starts an emulator, and runs a command against it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { isatty } from "node:tty";

import { CommanderError } from "commander";
import type * as z from "zod";

import { foreignVariables, type Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { printable } from "../cli/text.js";
import type * as results from "../core/results.js";
import { fileErrorReason } from "../base/basics.js";
import { systemErrorCode } from "../base/errors.js";
import { startEmulator, type Emulator, type ServerOptions } from "../emulator/index.js";
import { deviations, type ReadingValue } from "../emulator/readings.js";
import { t, translated } from "../languages/language.js";
import { shellWord } from "../state/private-file.js";
import { withEnvironment, withStoreSettings } from "../state/settings.js";
import { openFolder } from "../state/state.js";
import { writing } from "./files.js";

export interface ExecOptions extends ServerOptions {
  readonly readings: Readonly<Record<string, ReadingValue>>;
}

/** @throws {CommanderError} with the command's exit code; with `matrix`, 0 if it succeeds with every reading, else 1 */
export async function exec(
  context: Context,
  emulator: ExecOptions,
  words: readonly string[],
  matrix: boolean,
): Promise<void> {
  // An interrupt waits until the command has ended and its files are removed.
  const running = matrix
    ? runMatrix(context, emulator, words)
    : runInEmulator(context, emulator, words, "inherit");
  context.critical.add(running);
  const exitCode = await running.finally(() => context.critical.delete(running));
  throw new CommanderError(exitCode, "comanda.exec", "");
}

type MatrixResult = z.output<typeof results.matrixRun>;

const columns: readonly Column<MatrixResult>[] = [
  { heading: "Reading", cell: (run) => translated(shownReading(run)) },
  { heading: "Exit code", align: "right", cell: ({ exit_code: code }) => code },
];

/** Returns a reading as `--reading` accepts it. */
function shownReading({ reading, value }: Pick<MatrixResult, "reading" | "value">): string {
  return reading === null ? "default" : `${reading}=${String(value)}`;
}

async function runMatrix(context: Context, options: ExecOptions, words: readonly string[]): Promise<number> {
  const { output } = context;
  const runs: MatrixResult[] = [];
  for (const { reading, value } of [{ reading: null, value: null }, ...deviations]) {
    const shown = translated(shownReading({ reading, value }));
    output.status.show({ progress: `${runs.length}/${deviations.length + 1}: ${shown}` });
    const readings = reading === null ? options.readings : { ...options.readings, [reading]: value };
    const exitCode = await runInEmulator(context, { ...options, readings }, words, "ignore");
    context.signal.throwIfAborted();
    runs.push({ reading, value, exit_code: exitCode, ok: exitCode === 0 });
    // A command that fails with the defaults would fail with every reading.
    if (reading === null && exitCode !== 0) break;
  }
  output.status.show({ progress: undefined });
  const failures = runs.filter(({ ok }) => !ok);
  // JSON contains all runs, the table only failures.
  if (output.json) output.value(runs);
  else {
    if (failures.length > 0) await output.records(columns, failures);
    output.sentence(t`Runs: ${runs.length}, failed: ${failures.length}.`);
  }
  return failures.length === 0 ? 0 : 1;
}

async function runInEmulator(
  context: Context,
  options: ServerOptions,
  words: readonly string[],
  stdio: "inherit" | "ignore",
): Promise<number> {
  const emulator = await startEmulator(options);
  let folder: string | undefined;
  try {
    folder = writing(tmpdir(), () => mkdtempSync(path.join(tmpdir(), "comanda-exec-")));
    const env = await prepare(context, folder, emulator);
    if (options.rateLimits === false) env["COMANDA_RATE_LIMITS"] = "off";
    return await runChild(words, env, context, stdio);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await emulator.close();
  }
}

/**
 * Creates a configuration folder with one signed-in store, and adds this comanda to the path.
 *
 * @returns the command's environment, without the variables of the user's shell that could lead it to a real store
 */
async function prepare(
  { clock, critical, signal, self, env }: Context,
  folder: string,
  { url, baseUrl, authUrl, clientId, redirectUri, partnerKey, service }: Emulator,
): Promise<Record<string, string | undefined>> {
  const [bin, config] = [path.join(folder, "bin"), path.join(folder, "config")];
  const script = `#!/bin/sh\nexec ${self.map(shellWord).join(" ")} "$@"\n`;
  writing(folder, () => {
    mkdirSync(bin);
    writeFileSync(path.join(bin, "comanda"), script, { mode: 0o755 });
  });
  const store = service.world.storeOf();
  const tokens = service.server.install(store.id);
  const { sessions, settings } = openFolder({ folder: config, clock, signal, critical });
  const addresses = { base_url: baseUrl, auth_url: authUrl, redirect_uri: redirectUri };
  const environment = { name: "local", client_id: clientId, ...addresses };
  const now = clock.now();
  const alias = "demo";
  const session = {
    version: 1 as const,
    store: alias,
    environment,
    signed_in_at: now,
    api_key: store.apiKey,
    partner_key: partnerKey,
    tokens: {
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token ?? "",
      expires_at: now + (tokens.expires_in ?? 0) * 1000,
      scopes: (tokens.scope ?? "").split(" "),
      generation: 1,
    },
  };
  await sessions.update(alias, () => Promise.resolve(session));
  await settings.update((current) => ({
    ...withStoreSettings(withEnvironment(current, environment), alias, { time_zone: store.timeZone }),
    default_store: alias,
  }));
  return {
    ...foreignVariables({ env }),
    PATH: [bin, env["PATH"]].filter(Boolean).join(path.delimiter),
    COMANDA_CONFIG_DIR: config,
    COMANDA_STORE: alias,
    COMANDA_EMULATOR_URL: url,
  };
}

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Runs a command in the foreground as a shell would, with this program's streams. Without a terminal, it leads a process group,
 * so that signals reach all of its processes.
 *
 * @returns the command's exit code; 128 plus the signal's number if a signal ended it; 127 if not found, 126 if not executable
 */
async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { signal, stderr, host }: Context,
  stdio: "inherit" | "ignore",
): Promise<number> {
  signal.throwIfAborted();
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let child: ChildProcess | undefined;
  // Listens before the command starts, so that a signal at that moment also ends the command.
  const forward = (name: NodeJS.Signals) => {
    if (child?.pid === undefined) return;
    if (!atTerminal) host.kill(-child.pid, name);
    // A terminal sends Ctrl-C and Ctrl-\\ to the command itself, and many programs give up at a second signal.
    else if (name !== "SIGINT" && name !== "SIGQUIT") child.kill(name);
  };
  for (const name of forwarded) host.on(name, forward);
  try {
    const started = spawn(command, args, { env, stdio, detached: !atTerminal });
    child = started;
    await once(started, "exit");
    const { exitCode, signalCode } = started;
    return exitCode ?? 128 + (signalCode === null ? 0 : constants.signals[signalCode]);
  } catch (error) {
    const isMissing = systemErrorCode(error) === "ENOENT";
    const name = printable(command);
    const problem = isMissing ? t`command not found: ${name}` : `${name}: ${fileErrorReason(error)}.`;
    stderr.write(`comanda: ${problem}\n`);
    return isMissing ? 127 : 126;
  } finally {
    for (const name of forwarded) host.off(name, forward);
  }
}
