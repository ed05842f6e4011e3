/** Runs the program in a real terminal: a pseudo-terminal created by Python's standard library. */
import { spawnSync } from "node:child_process";
import path from "node:path";

import { comandaCommand, wordsOf } from "./program.js";
import type { Finished, Line, Machine, RunOptions, Running } from "./program.js";

const python = ["/usr/bin/python3", "python3"].find(
  (name) => spawnSync(name, ["-I", "-S", "-c", "import pty, termios"], { stdio: "ignore" }).status === 0,
);

/** Tests in a terminal are skipped without Python: `describe.skipIf(!terminalAvailable)`. */
export const terminalAvailable = python !== undefined;

/** A Python regular expression to wait for on the terminal, and the keys that are typed then. See terminal.py. */
export type Step = readonly [pattern: string, keys: string];

export interface TerminalOptions extends Pick<RunOptions, "env"> {
  readonly steps?: readonly Step[];
  /** The width of the terminal; 100 by default. */
  readonly columns?: number;
}

/** Starts the program. Everything that the terminal shows is in `stdout`, because a terminal joins stdout and stderr. */
export function startAtTerminal(machine: Machine, line: Line, options?: TerminalOptions): Running {
  return startCommand(machine, [...comandaCommand, ...wordsOf(line)], options);
}

function startCommand(
  machine: Machine,
  command: readonly string[],
  { steps = [], env, columns = 100 }: TerminalOptions = {},
): Running {
  const plan = { command, columns, rows: 40, steps };
  const program = path.join(import.meta.dirname, "terminal.py");
  return machine.other([python ?? "python3", "-I", "-S", program, JSON.stringify(plan)], {
    env: { TERM: "xterm-256color", ...env },
  });
}

export async function atTerminal(machine: Machine, line: Line, options?: TerminalOptions): Promise<Finished> {
  return startAtTerminal(machine, line, options).finished;
}

/** Runs a line of `sh` in one terminal, in which `comanda` is the program, for several runs in sequence. */
export async function shellAtTerminal(
  machine: Machine,
  line: string,
  options?: TerminalOptions,
): Promise<Finished> {
  const text = `comanda() { ${comandaCommand.map((word) => `'${word}'`).join(" ")} "$@"; }\n${line}`;
  return startCommand(machine, ["sh", "-c", text], options).finished;
}
