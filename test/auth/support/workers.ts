/** Starts {@link ./refresh-worker.ts} in processes of their own. */
import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import process from "node:process";

import { build } from "esbuild";

import { bundling } from "../../support/bundling.js";
import type { Outcome, Task } from "./refresh-worker.js";

export interface Worker {
  readonly process: ChildProcess;
  run(task: Task): Promise<Outcome>;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** @returns the file to start workers from */
export async function buildWorker(folder: string): Promise<string> {
  const outfile = path.join(folder, "refresh-worker.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "refresh-worker.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    // CommonJS packages inside ask for built-in modules by `require`.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    logLevel: "warning",
    ...bundling,
  });
  return outfile;
}

export function startWorker(file: string): Worker {
  // What the machine asks of every Node (more certificates, other options) only slows these down.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined, NODE_OPTIONS: undefined };
  const child = fork(file, { env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  return {
    process: child,
    ended,
    run: (task) =>
      new Promise((resolve, reject) => {
        child.once("message", (outcome) => resolve(outcome as Outcome));
        void ended.then((how) => reject(new Error(`the worker ended: ${how}`)));
        child.send(task);
      }),
  };
}
