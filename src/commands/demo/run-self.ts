/** Runs this program as another process with a configuration folder of its own. */
import { spawn } from "node:child_process";

import { t } from "../../languages/language.js";
import type { Context } from "../../cli/context.js";

/** The variables of the person's shell must not reach the demo's processes. */
export function isolatedEnvironment(env: Context["env"], folder: string): Record<string, string> {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("COMANDA_") ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(variables), COMANDA_CONFIG_DIR: folder };
}

export interface RunOptions {
  readonly env: Record<string, string>;
  /** The content of stdin. */
  readonly input?: string | undefined;
  /** Called with each whole line of stderr while the process runs. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/**
 * Waits for the end of the process even after a signal, since it may write into its folder until then.
 *
 * @returns the exit code, and the texts of stdout and stderr in the order of arrival
 * @throws {Error} where the process can't be started or ends by a signal
 */
export function runSelf(
  { self: [executable, ...first], signal }: Pick<Context, "self" | "signal">,
  args: readonly string[],
  { env, input, onLine }: RunOptions,
): Promise<{ readonly text: string; readonly code: number }> {
  const child = spawn(executable, [...first, ...args], {
    env,
    signal,
    killSignal: "SIGTERM",
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
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    child.on("error", (error) => {
      failure = error;
      if (child.pid === undefined) reject(error);
    });
    child.on("close", (code, signal) => {
      if (code === null || failure) reject(failure ?? new Error(`ended by ${signal ?? t`a signal`}`));
      else resolve({ code, text });
    });
  });
}
