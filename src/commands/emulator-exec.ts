/** `comanda emulator exec` runs a command against an emulator of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { isatty } from "node:tty";

import type { Column } from "../cli/records.js";
import { Exit } from "../cli/command.js";
import { foreignVariables, type Context, type EndingSignal } from "../cli/context.js";
import { printable } from "../cli/text.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { signInStore, type Emulator, type EmulatorOptions } from "../emulator/index.js";
import { deviations, type ReadingValue } from "../emulator/readings.js";
import { t } from "../languages/language.js";
import { withEnvironment } from "../state/environments.js";
import { withStoreSettings } from "../state/settings.js";
import { shellWord } from "../state/shell-word.js";
import { openFolder } from "../state/state.js";

/** @throws {Exit} with the exit code of the command; with `matrix` 0 where it succeeds under every reading, else 1 */
export async function exec(
  context: Context,
  emulator: EmulatorOptions,
  words: readonly string[],
  { matrix = false, show = false }: { readonly matrix?: boolean; readonly show?: boolean },
): Promise<void> {
  // An interrupt waits for the command, and for the removal of its files.
  const exitCode = await context.critical.run(() =>
    matrix ? runMatrix(context, emulator, words, show) : runInEmulator(context, emulator, words, "inherit"),
  );
  throw new Exit(exitCode);
}

/** One run of the command. */
interface MatrixResult {
  /** Null for the run without a reading. */
  readonly reading: string | null;
  readonly value: ReadingValue | null;
  readonly exit_code: number;
  readonly ok: boolean;
}

const columns: readonly Column<MatrixResult>[] = [
  { heading: "Reading", cell: ({ reading }) => reading ?? "default", isWord: true },
  { heading: "Value", cell: ({ value }) => value },
  { heading: "Exit code", align: "right", cell: ({ exit_code: code }) => code },
];

async function runMatrix(
  context: Context,
  options: EmulatorOptions,
  words: readonly string[],
  show: boolean,
): Promise<number> {
  const { output } = context;
  const given = options.readings === "random" ? {} : options.readings;
  const results: MatrixResult[] = [];
  for (const deviation of [undefined, ...deviations]) {
    const { reading = null, value = null } = deviation ?? {};
    if (show) output.notice(reading === null ? t`The emulator as it is:` : `${reading}=${String(value)}:`);
    else output.status.show("bar", t`${results.length} of ${deviations.length + 1} runs`);
    const readings = { ...given, ...(deviation && { [deviation.reading]: deviation.value }) };
    const stdio = show ? "inherit" : "ignore";
    const exitCode = await runInEmulator(context, { ...options, readings }, words, stdio);
    results.push({ reading, value, exit_code: exitCode, ok: exitCode === 0 });
    // A command that fails here fails under every reading, and would hide the one that breaks it.
    if (reading === null && exitCode !== 0) break;
  }
  output.status.show("bar", undefined);
  const failures = results.filter(({ ok }) => !ok);
  // Programs get all results, people those that break the command.
  if (output.json) output.value(results);
  else {
    if (failures.length > 0) await output.records(columns, failures);
    output.sentence(t`Runs: ${results.length}, failed: ${failures.length}.`);
    if (results[0]?.ok === false)
      output.warn(t`the command fails without a reading already: mend that first`);
    else if (failures.length > 0)
      output.notice(t`To see one fail, give --reading with its name=value in the place of --matrix.`);
  }
  return failures.length === 0 ? 0 : 1;
}

/** @returns the exit code of the command */
async function runInEmulator(
  context: Context,
  options: EmulatorOptions,
  words: readonly string[],
  stdio: "inherit" | "ignore",
): Promise<number> {
  const { startEmulator } = await import("../emulator/index.js");
  const emulator = await startEmulator(options);
  let folder: string | undefined;
  try {
    folder = mkdtempSync(path.join(tmpdir(), "comanda-exec-"));
    const env = await makeMachine(context, folder, emulator);
    if (options.rateLimits === false) env["COMANDA_RATE_LIMITS"] = "off";
    return await runChild(words, env, context, stdio);
  } catch (error) {
    const isOurs = error instanceof ComandaError;
    const isUnsafe = isOurs && error.code === "state_unusable";
    const code = isOurs ? undefined : systemErrorCode(error);
    if (!isUnsafe && code === undefined) throw error;
    throw new ComandaError(
      "configuration",
      isUnsafe ? error.message : t`The temporary folder can't be used: ${code ?? "?"}.`,
      { hint: t`Choose another temporary folder with TMPDIR, which nobody else can write to.`, cause: error },
    );
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await emulator.close();
  }
}

const alias = "demo";

/**
 * Makes a configuration folder with one signed-in store, and puts this very comanda on the path, installed or not.
 *
 * @returns the environment of the command. The variables of the person's shell must not reach it, or it would work at a real store
 */
async function makeMachine(
  { clock, critical, signal, self, env }: Context,
  folder: string,
  { url, baseUrl, authUrl, clientId, redirectUri, partnerKey, service }: Emulator,
): Promise<Record<string, string | undefined>> {
  const [bin, config] = [path.join(folder, "bin"), path.join(folder, "config")];
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec ${self.map(shellWord).join(" ")} "$@"\n`;
  writeFileSync(path.join(bin, "comanda"), script, { mode: 0o755 });
  const { store, tokens } = signInStore(service);
  const { sessions, settings } = openFolder({ folder: config, clock, signal, criticalSections: critical });
  const environment = {
    name: "local",
    base_url: baseUrl,
    auth_url: authUrl,
    client_id: clientId,
    redirect_uri: redirectUri,
  };
  const now = clock.now();
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

/**
 * Runs a command in the foreground as a shell would, with this program's streams, its signals and its exit code. A signal
 * goes to the command alone, which may end in its own way. Without a terminal it leads a group of processes: what it leaves
 * behind gets the signal, too, such as the program that a shell has waited for.
 *
 * @returns the command's exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable
 * @throws {ComandaError} `invalid_input` where the command can't be started for a reason that a shell has no code for
 */
async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { signal, onSignal, stderr, host }: Context,
  stdio: "inherit" | "ignore",
): Promise<number> {
  signal.throwIfAborted();
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let child: ChildProcess | undefined;
  let sentSignal: EndingSignal | undefined;
  // The listener is there before the command starts, so that a signal at that moment doesn't end comanda alone.
  const stopListening = onSignal((name) => {
    // A terminal sends Ctrl-C and Ctrl-\\ to the whole foreground, and a second signal makes many programs give up at once.
    if (atTerminal && (name === "SIGINT" || name === "SIGQUIT")) return;
    sentSignal = name;
    child?.kill(name);
  });
  try {
    const started = spawn(command, args, { env, stdio, detached: !atTerminal });
    child = started;
    const code = await new Promise<number>((resolve, reject) => {
      started.on("error", reject);
      started.on("exit", (exitCode, signalName) => {
        resolve(exitCode ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
      });
    });
    if (!atTerminal && sentSignal && started.pid !== undefined) killGroup(host, started.pid, sentSignal);
    return code;
  } catch (error) {
    const code = systemErrorCode(error) ?? "";
    const exitCode = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 126 }[code];
    if (exitCode !== undefined) {
      const problem = exitCode === 127 ? t`is not found` : t`can't be run`;
      stderr.write(`comanda: ${printable(command)} ${problem}.\n`);
      return exitCode;
    }
    if (code === "") throw error;
    throw new ComandaError("invalid_input", t`The command can't be started: ${code}.`, {
      hint: t`Check the command's name and the length of its arguments.`,
    });
  } finally {
    stopListening();
  }
}

/** Sends a signal to the processes that a group still has, if it has any. */
function killGroup(host: Context["host"], leader: number, name: EndingSignal): void {
  try {
    host.kill(-leader, name);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}
