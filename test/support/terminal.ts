/** Runs the program at a real terminal: a pseudo-terminal that Python's standard library makes. */
import { spawnSync } from "node:child_process";
import path from "node:path";

import { comandaCommand, type Finished, type Machine, type RunOptions, type Running } from "./program.js";

const python = ["/usr/bin/python3", "python3"].find(
  (name) => spawnSync(name, ["-I", "-S", "-c", "import pty, termios"], { stdio: "ignore" }).status === 0,
);

/** Tests at a terminal skip where there is no Python: `describe.skipIf(!terminalAvailable)`. */
export const terminalAvailable = python !== undefined;

/** What is waited for on the terminal, as a regular expression of Python's, and what is typed then. See terminal.py. */
export type Step = readonly [pattern: string, keys: string];

export interface TerminalOptions extends Pick<RunOptions, "env"> {
  readonly steps?: readonly Step[];
  /** Of the terminal; 100 columns and 40 lines where they aren't given. */
  readonly columns?: number;
  readonly rows?: number;
}

/** All that the terminal shows comes as `stdout`: there stdout and stderr are one. */
export function startAtTerminal(
  machine: Machine,
  args: readonly string[],
  options?: TerminalOptions,
): Running {
  return startCommand(machine, [...comandaCommand, ...args], options);
}

/** The program with its process id, which stands before all that it shows. */
export function startWithIdAtTerminal(
  machine: Machine,
  args: readonly string[],
  options?: TerminalOptions,
): Running & { readonly shows: (text: string) => Promise<string> } {
  const line = 'echo "pid $$"; exec "$@"';
  const running = startCommand(machine, ["sh", "-c", line, "sh", ...comandaCommand, ...args], options);
  const shows = async (text: string) =>
    new Promise<string>((resolve, reject) => {
      let seen = "";
      running.child.stdout.on("data", (chunk: string) => {
        seen += chunk;
        if (seen.includes(text)) resolve(seen);
      });
      void running.finished.then(() => reject(new Error(`ended before it has shown ${text}: ${seen}`)));
    });
  return { ...running, shows };
}

function startCommand(
  machine: Machine,
  command: readonly string[],
  { steps = [], env, columns = 100, rows = 40 }: TerminalOptions = {},
): Running {
  const plan = { command, columns, rows, steps };
  const program = path.join(import.meta.dirname, "terminal.py");
  return machine.other([python ?? "python3", "-I", "-S", program, JSON.stringify(plan)], {
    env: { TERM: "xterm-256color", ...env },
  });
}

export async function atTerminal(
  machine: Machine,
  args: readonly string[],
  options?: TerminalOptions,
): Promise<Finished> {
  return startAtTerminal(machine, args, options).finished;
}

/** A line for `sh` at one terminal, in which `comanda` is the program: for several runs after each other. */
export async function shellAtTerminal(
  machine: Machine,
  line: string,
  options?: TerminalOptions,
): Promise<Finished> {
  const text = `comanda() { ${comandaCommand.map((word) => `'${word}'`).join(" ")} "$@"; }\n${line}`;
  return startCommand(machine, ["sh", "-c", text], options).finished;
}

const esc = "\u001b";
const alternateScreen = new RegExp(`${esc}\\[\\?1049h(.*?)${esc}\\[\\?1049l`, "gs");
const drawnLine = new RegExp(`${esc}\\[(\\d+);1H${esc}\\[2K((?:(?!${esc}\\[\\d+;1H).)*)`, "gs");
const colorOrMode = new RegExp(`${esc}\\[(?:\\d*m|\\?\\d+[hl]|\\d+;\\d+H)`, "g");

/** What a terminal has shown, with the last picture of each full screen in the place of what drew it. */
export function withScreens(shown: string): string {
  return shown.replaceAll(
    alternateScreen,
    (_, drawn: string) => `[screen]\n${screenOf(drawn).join("\n")}\n[/screen]\n`,
  );
}

/** The lines of a full screen as its last picture has them; see `src/terminal/screen.ts`. */
export function screenOf(drawn: string): readonly string[] {
  const picture = drawn.slice(drawn.lastIndexOf(`${esc}[2J`));
  const lines = new Map<number, string>();
  for (const [, row, text = ""] of picture.matchAll(drawnLine))
    lines.set(Number(row), text.replaceAll(colorOrMode, "").trimEnd());
  return Array.from({ length: Math.max(0, ...lines.keys()) }, (_, index) => lines.get(index + 1) ?? "");
}
