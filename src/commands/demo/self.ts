/** Runs this program as another process with a configuration folder of its own. */
import { spawn, type ChildProcess } from "node:child_process";

import type { Context } from "../../toolkit/context.js";
import { t } from "../../shared/language.js";

export interface SelfRun {
  /** The texts of stdout and stderr in the order of arrival. */
  readonly text: string;
  readonly code: number;
}

/** The variables of the person's shell must not reach the demo's processes. */
export function isolatedEnvironment(env: Context["env"], folder: string): Record<string, string> {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("COMANDA_") ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(variables), COMANDA_CONFIG_DIR: folder };
}

/**
 * @param input the content of stdin
 * @param onLine called with each whole line of stderr while the process runs
 * @throws {Error} where the process can't be started or ends by a signal
 */
export async function runSelf(
  { self: [executable, ...first], signal }: Pick<Context, "self" | "signal">,
  args: readonly string[],
  { env, onLine, input }: { env: Record<string, string>; onLine?: (line: string) => void; input?: string },
): Promise<SelfRun> {
  const child = spawn(executable, [...first, ...args], {
    env,
    signal,
    killSignal: "SIGTERM",
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The process may end before it has read its stdin.
  child.stdin.on("error", () => undefined).end(input);
  let text = "";
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine?.(line);
  });
  return { code: await exitCodeOf(child), text };
}

/**
 * Runs a command in which the person takes part, so it gets this program's terminal.
 *
 * @returns its exit code
 * @throws {Error} where the process can't be started or ends by a signal
 */
export async function handOver(
  { self: [executable, ...first], signal }: Pick<Context, "self" | "signal">,
  args: readonly string[],
  env: Record<string, string>,
): Promise<number> {
  return exitCodeOf(
    spawn(executable, [...first, ...args], { env, signal, killSignal: "SIGTERM", stdio: "inherit" }),
  );
}

/**
 * Waits for the end of the process even after a signal, since it may write into its folder until then.
 *
 * @returns the exit code, when all output has been read
 */
async function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    child.on("error", (error) => {
      failure = error;
      if (child.pid === undefined) reject(error);
    });
    child.on("close", (code, signal) => {
      if (code === null || failure) reject(failure ?? new Error(`ended by ${signal ?? t`a signal`}`));
      else resolve(code);
    });
  });
}
