/** A machine for `run`: a folder of its own, streams that are read back, and no process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { onTestFinished } from "vitest";

import { openContext } from "../../src/cli/context.js";
import type { GlobalOptions } from "../../src/cli/global-options.js";
import type { Command } from "../../src/toolkit/command.js";
import { createMachine, type Machine } from "../../src/toolkit/machine.js";
import { runAndPresent } from "../../src/toolkit/command.js";
import { ComandaError } from "../../src/client/errors.js";
import type { Session } from "../../src/state/sessions.js";

import { Sink, testContext, testGlobals, type GivenContext } from "./context.js";

export interface TestMachine {
  readonly machine: Machine;
  /** Where its state lies. */
  readonly folder: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

export interface MachineOptions extends Partial<GlobalOptions> {
  /** Of another machine, whose state this one has too. */
  readonly folder?: string;
  readonly context?: GivenContext;
}

/** Its folder is removed when the test has finished. */
export async function openMachine({
  folder = temporaryFolder(),
  context: given = {},
  ...options
}: MachineOptions = {}): Promise<TestMachine> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const env = { COMANDA_CONFIG_DIR: folder, NO_COLOR: "1", ...given.env };
  const context = testContext({ stdout, stderr, ...given, env });
  const machine = createMachine(await openContext(context, testGlobals(options)));
  return { machine, folder, stdout, stderr };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-machine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with options made by hand, and presents its result. Rejects with what the command throws. */
export async function run<Options, Result>(
  command: Command<Options, Result>,
  test: TestMachine,
  options: Options,
): Promise<Written & { readonly result: Result }> {
  const written = startReading(test);
  const result = await runAndPresent(command, test.machine, options);
  return { result, ...written() };
}

/** The same for a command that fails: what it has written by then, and its error. */
export async function runToFailure<Options, Result>(
  command: Command<Options, Result>,
  test: TestMachine,
  options: Options,
): Promise<Written & { readonly error: ComandaError }> {
  const written = startReading(test);
  try {
    await run(command, test, options);
  } catch (error) {
    if (error instanceof ComandaError) return { error, ...written() };
    throw error;
  }
  throw new Error("the command did not fail");
}

/** @returns what has been written since */
function startReading({ stdout, stderr }: TestMachine): () => Written {
  const [out, err] = [stdout.text.length, stderr.text.length];
  return () => ({ stdout: stdout.text.slice(out), stderr: stderr.text.slice(err) });
}

/** Keeps a session as a sign-in would have. */
export async function keepSession(
  { machine }: TestMachine,
  store: string,
  fields: Partial<Session> = {},
): Promise<void> {
  const { sessions } = await machine.state();
  const session: Session = {
    version: 1,
    store,
    environment: {
      name: "test",
      base_url: "http://127.0.0.1:4100",
      auth_url: "http://127.0.0.1:4100/portal/authorize",
      client_id: "test",
      redirect_uri: "http://127.0.0.1:8765/callback",
    },
    ...fields,
  };
  await sessions.update(store, () => Promise.resolve(session));
}
