/** Runs programs and measures them from outside, as whoever waits for them does. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { median } from "./figure.js";

export const node = process.env["COMANDA_TEST_NODE"] ?? process.execPath;
export const comanda = [node, path.resolve("bin/comanda.js")] as const;

/** One of programs/, as run.mjs has built it beside this. */
export function program(name: string): string {
  return path.join(import.meta.dirname, `${name}.cjs`);
}

export interface Command {
  readonly args: readonly [executable: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin is read from. */
  readonly input?: string;
  /** Default 0. */
  readonly exitCode?: number;
}

/** Milliseconds from start to end; throws where the program doesn't end as it should. */
export async function timed({ args: [executable, ...args], env = {}, input, exitCode = 0 }: Command) {
  const stdin = input === undefined ? undefined : openSync(input, "r");
  try {
    const start = performance.now();
    const child = spawn(executable, args, {
      env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...env },
      stdio: [stdin ?? "ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout = tail(stdout + text)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr = tail(stderr + text)));
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    const ms = performance.now() - start;
    if (code !== exitCode)
      throw new Error(`${args.join(" ")} ended with ${String(code)}: ${stdout}${stderr}`);
    return { ms, stdout, stderr };
  } finally {
    if (stdin !== undefined) closeSync(stdin);
  }
}

const tail = (text: string) => text.slice(-4096);

/**
 * Runs the commands in turn (A B A B …), so that a busy moment of the machine hits all of them.
 *
 * @returns for each command its milliseconds, in the order of the rounds; a first round isn't counted
 */
export async function paired<Name extends string>(
  commands: Readonly<Record<Name, Command>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(commands) as Name[];
  const ms = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const { ms: took } = await timed(commands[name]);
      if (round > 0) ms[name].push(took);
    }
  }
  return ms;
}

/** The median of the ratios within each round. */
export function ratio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, index) => value / (b[index] ?? Number.NaN)));
}

const gnuTime = "/usr/bin/time";

export interface Usage {
  /** The largest memory. */
  readonly peakMiB: number;
  /** Of the processor, the program's own and the system's for it. */
  readonly seconds: number;
}

/** What a run takes; `undefined` where GNU time isn't installed. */
export function usage({ args, env = {}, input }: Command): Usage | undefined {
  if (!existsSync(gnuTime)) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-usage-"));
  const stdin = input === undefined ? undefined : openSync(input, "r");
  try {
    const file = path.join(folder, "usage");
    const { error, status } = spawnSync(gnuTime, ["-f", "%M %U %S", "-o", file, ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...env },
      stdio: [stdin ?? "ignore", "ignore", "ignore"],
    });
    if (error) throw error;
    const last = readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "";
    const [kib = NaN, user = NaN, system = NaN] = last.split(" ").map(Number);
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${String(status)}`);
    return { peakMiB: kib / 1024, seconds: user + system };
  } finally {
    if (stdin !== undefined) closeSync(stdin);
    rmSync(folder, { recursive: true, force: true });
  }
}

export function peakMiB(command: Command): number | undefined {
  return usage(command)?.peakMiB;
}

export function medianPeakMiB(command: Command): number | undefined {
  const peaks = Array.from({ length: 5 }, () => peakMiB(command)).filter((peak) => peak !== undefined);
  return peaks.length === 0 ? undefined : median(peaks);
}

/** A program that serves until it is stopped. The first line that it prints is taken for its JSON greeting. */
export async function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(node, args, {
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.on("error", reject).on("exit", () => reject(new Error(`${args.join(" ")} did not start`)));
  });
  return {
    pid: String(child.pid),
    greeting: JSON.parse(line) as Readonly<Record<string, unknown>>,
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}
