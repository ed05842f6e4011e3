/** Runs a command in the foreground, as a shell would: its own streams, its signals, its exit code. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

import { ComandaError } from "../../errors/index.js";
import { printable } from "../../terminal/escape.js";
import type { Context } from "../context.js";

/** @returns its exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable */
export async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal, stderr }: Pick<Context, "signal" | "stderr">,
): Promise<number> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: "inherit" });
    const forward = () => {
      const interrupt = isInterrupt(signal.reason);
      // A terminal gives Ctrl-C to the whole foreground; a second one makes many programs give up at once.
      if (!interrupt || stderr.isTTY !== true) child.kill(interrupt ? "SIGINT" : "SIGTERM");
    };
    signal.addEventListener("abort", forward, { once: true });
    const done = (settle: () => void) => {
      signal.removeEventListener("abort", forward);
      settle();
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      const code = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 126 }[error.code ?? ""];
      done(() => {
        if (code === undefined) {
          reject(error);
          return;
        }
        stderr.write(`comanda: ${printable(command)} ${code === 127 ? "is not found" : "can't be run"}.\n`);
        resolve(code);
      });
    });
    child.on("exit", (code, ended) => {
      done(() => resolve(code ?? 128 + (ended === null ? 0 : constants.signals[ended])));
    });
  });
}

function isInterrupt(reason: unknown): boolean {
  return reason instanceof ComandaError && reason.code === "interrupted";
}
