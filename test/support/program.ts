/**
 * A person's machine, with a folder of its own and nothing inherited. On it comanda runs in the tests' own process, or
 * as the built program in another one, as a person's shell would start it.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { runLine } from "../../src/cli/program.js";
import { systemClock } from "../../src/base/clock.js";
import { shellWord } from "../../src/state/private-file.js";

import { openStreams, type InProcessOptions } from "./context.js";
import { reachableCommand } from "./reachable.js";

const root = path.resolve(import.meta.dirname, "../..");
const script = path.join(root, "bin", "comanda.js");
/** CI runs the acceptance tests on the newest Node too. */
const node = process.env["COMANDA_TEST_NODE"] ?? process.execPath;

/** How the program is started: for tests that need a shell or a terminal around it. */
export const comandaCommand = [node, script] as const;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; nothing, and closed at once, by default. */
  readonly input?: string;
  /** stdin stays open after the input: a pipe whose writer is silent. */
  readonly stdinStaysOpen?: boolean;
  /** Another user than the one who runs the tests; only the administrator may choose. */
  readonly uid?: number;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** Resolves with the first line of stderr (or stdout) that matches. Rejects where the program ends before. */
  lineOn(stream: "stdout" | "stderr", pattern: RegExp): Promise<string>;
}

function commandOf({ uid }: RunOptions = {}): readonly [string, ...string[]] {
  return uid === undefined ? comandaCommand : reachableCommand(comandaCommand);
}

/** A command line in words: these arguments, or a line that is split at spaces. */
export function wordsOf(line: string | readonly string[]): readonly string[] {
  return typeof line === "string" ? line.split(" ") : line;
}

/** One person's machine: a configuration folder of its own, removed by `remove()`. */
export class Machine {
  readonly folder = mkdtempSync(path.join(tmpdir(), "comanda-acceptance-"));
  readonly env: Record<string, string>;
  /** Everything that any run wrote, for the search for secrets. */
  readonly #written: string[] = [];
  readonly #running = new Set<ChildProcessWithoutNullStreams>();

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.folder,
      COMANDA_CONFIG_DIR: path.join(this.folder, "config"),
      ...env,
    };
  }

  get configFolder(): string {
    return this.env["COMANDA_CONFIG_DIR"] ?? "";
  }

  get written(): string {
    return this.#written.join("\n");
  }

  /** A command line in this process: for what a command does. */
  async inProcess(args: readonly string[], { env, ...options }: InProcessOptions = {}): Promise<Ended> {
    const all = { ...this.env, ...env };
    const { context, written } = openStreams({ clock: systemClock, ...options, env: all });
    const code = await runLine({ ...context, self: comandaCommand }, args);
    const { stdout, stderr } = written();
    this.#written.push(stdout, stderr);
    return { code, stdout, stderr };
  }

  /** The built program: for what the process does. */
  start(args: readonly string[], options?: RunOptions): Running {
    return this.#start(commandOf(options), args, options);
  }

  async run(args: readonly string[], options?: RunOptions): Promise<Finished> {
    return this.start(args, options).finished;
  }

  /** A line for `sh`, in which `comanda` is the program. */
  async shell(line: string, options?: RunOptions): Promise<Finished> {
    const text = `comanda() { ${commandOf(options).map(shellWord).join(" ")} "$@"; }\n${line}`;
    return this.#start(["sh"], ["-c", text], options).finished;
  }

  /** Another program, such as one that makes a terminal. */
  other(command: readonly [string, ...string[]], options?: RunOptions): Running {
    return this.#start(command, [], options);
  }

  /** Ends what a test that failed has left running. */
  stop(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }

  remove(): void {
    this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #start(
    [executable, ...first]: readonly [string, ...string[]],
    args: readonly string[],
    { env = {}, input = "", stdinStaysOpen = false, uid }: RunOptions = {},
  ): Running {
    if (!existsSync(path.join(root, "dist", "cli", "main.js"))) throw new Error("Run `npm run build` first.");
    const child = spawn(executable, [...first, ...args], {
      env: { ...this.env, ...env },
      cwd: this.folder,
      ...(uid !== undefined && { uid }),
    });
    this.#running.add(child);
    const text = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (chunk: string) => {
        text[stream] += chunk;
        this.#written.push(chunk);
      });
    }
    child.stdin.on("error", () => undefined);
    if (stdinStaysOpen) child.stdin.write(input);
    else child.stdin.end(input);
    const finished = new Promise<Finished>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        this.#running.delete(child);
        resolve({ code, signal, ...text });
      });
    });
    return {
      child,
      finished,
      lineOn: (stream, pattern) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const line = text[stream]
              .split("\n")
              .slice(0, -1)
              .find((candidate) => pattern.test(candidate));
            if (line === undefined) return;
            child[stream].off("data", look);
            resolve(line);
          };
          child[stream].on("data", look);
          look();
          void finished.then(({ code, stderr }) => {
            reject(new Error(`ended with ${String(code)} before ${String(pattern)} came:\n${stderr}`));
          });
        }),
    };
  }
}
