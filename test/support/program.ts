/**
 * A user's machine, with a separate folder and an empty environment. comanda runs in the tests' own process, or as the built program
 * in another process, as a shell would start it.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { runLine } from "../../src/cli/main.js";
import { systemClock } from "../../src/base/clock.js";
import { shellWord } from "../../src/state/private-file.js";

import { afterwards } from "./resources.js";
import { checkDocuments } from "./documents.js";
import { openStreams, type InProcessOptions } from "./context.js";
import { reachableCommand } from "./reachable.js";

const root = path.resolve(import.meta.dirname, "../..");
const script = path.join(root, "bin", "comanda.js");

/** The command that starts the program, for tests that run it in a shell or a terminal. */
export const comandaCommand = [process.execPath, script] as const;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Finished extends Omit<Ended, "code"> {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The contents of stdin; by default, it is empty and closed. */
  readonly input?: string;
  /** Leaves stdin open after the input, as a pipe with a silent writer does. */
  readonly stdinStaysOpen?: boolean;
  /** Another user than the one who runs the tests; only root may choose one. */
  readonly uid?: number;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** Resolves with the first matching line of the stream. Rejects if the program ends first. */
  lineOn(stream: "stdout" | "stderr", pattern: RegExp): Promise<string>;
}

function commandOf({ uid }: RunOptions = {}): readonly [string, ...string[]] {
  return uid === undefined ? comandaCommand : reachableCommand(comandaCommand);
}

/** The arguments of a command line, or their text, which is split at spaces. */
export type Line = string | readonly string[];

export function wordsOf(line: Line): readonly string[] {
  return typeof line === "string" ? line.split(" ") : line;
}

/** One user's machine, with a separate configuration folder, which is removed afterwards. */
export class Machine {
  readonly folder = mkdtempSync(path.join(tmpdir(), "comanda-acceptance-"));
  readonly env: Record<string, string>;
  /** The output of all runs, to search it for secrets. */
  readonly #written: string[] = [];
  readonly #running = new Set<ChildProcessWithoutNullStreams>();

  constructor(env: Readonly<Record<string, string>> = {}) {
    const own = { HOME: this.folder, COMANDA_CONFIG_DIR: path.join(this.folder, "config") };
    this.env = { PATH: process.env["PATH"] ?? "", ...own, ...env };
    afterwards(() => {
      this.stop();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  get configFolder(): string {
    return this.env["COMANDA_CONFIG_DIR"] ?? "";
  }

  get written(): string {
    return this.#written.join("\n");
  }

  /** Runs a command line in this process, to test a command's behavior. */
  async inProcess(line: Line, { env, ...options }: InProcessOptions = {}): Promise<Ended> {
    const args = wordsOf(line);
    const all = { ...this.env, ...env };
    const { context, written } = openStreams({ clock: systemClock, ...options, env: all });
    const code = await runLine({ ...context, self: comandaCommand }, args);
    const { stdout, stderr } = written();
    this.#written.push(stdout, stderr);
    checkDocuments(args, { stdout, stderr });
    return { code, stdout, stderr };
  }

  /** Starts the built program, to test the process's behavior. */
  start(line: Line, options?: RunOptions): Running {
    const args = wordsOf(line);
    const running = this.#start(commandOf(options), args, options);
    const finished = running.finished.then((ended) => {
      // A process that was killed may have printed a part of a document.
      if (ended.code !== null) checkDocuments(args, ended);
      return ended;
    });
    return { ...running, finished };
  }

  async run(line: Line, options?: RunOptions): Promise<Finished> {
    return this.start(line, options).finished;
  }

  /** Runs a line in `sh`, in which `comanda` is the program. */
  async shell(line: string, options?: RunOptions): Promise<Finished> {
    const text = `comanda() { ${commandOf(options).map(shellWord).join(" ")} "$@"; }\n${line}`;
    return this.#start(["sh"], ["-c", text], options).finished;
  }

  /** Starts another program, such as one that creates a terminal. */
  other(command: readonly [string, ...string[]], options?: RunOptions): Running {
    return this.#start(command, [], options);
  }

  /** Stops processes that a failed test left running. */
  stop(): void {
    for (const child of this.#running) child.kill("SIGKILL");
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
            const complete = text[stream].split("\n").slice(0, -1);
            const line = complete.find((candidate) => pattern.test(candidate));
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
