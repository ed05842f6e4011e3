/** Runs programs and measures them from outside, as their users experience them. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { testEnvironment, testSession, testTokens } from "../auth/support/sessions.js";

export const node = process.execPath;
export const comanda = path.resolve("bin/comanda.js");
/** Returns the path of a program from programs/ that run.mjs has built. */
export const program = (name: string) => path.join(import.meta.dirname, "programs", `${name}.cjs`);

export interface Command {
  /** The arguments of Node. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file for stdin. */
  readonly input?: string;
  /** Default 0. */
  readonly exitCode?: number;
}

const environment = { PATH: process.env["PATH"] ?? "", HOME: tmpdir() };

/** Runs a program and measures its milliseconds. @throws {Error} for another exit code */
export function run(
  { args, env, input = "/dev/null", exitCode = 0 }: Command,
  under: readonly string[] = [],
) {
  const stdin = openSync(input, "r");
  const [program = node, ...words] = [...under, node, ...args];
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, words, {
    env: { ...environment, ...env },
    stdio: [stdin, "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const ms = performance.now() - start;
  closeSync(stdin);
  if (status !== exitCode) throw new Error(`${args.join(" ")} ended with ${String(status)}: ${stderr}`);
  return { ms, stdout, stderr };
}

/**
 * Runs the commands alternately (A B A B …), so that a busy moment of the machine affects all of them.
 *
 * @returns for each command its milliseconds, in the order of the rounds; a first round isn't counted
 */
export function paired<Name extends string>(commands: Readonly<Record<Name, Command>>, rounds: number) {
  const names = Object.keys(commands) as Name[];
  const ms = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const { ms: took } = run(commands[name]);
      if (round > 0) ms[name].push(took);
    }
  return ms;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the median of the ratios within each round. */
export function ratio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, index) => value / (b[index] ?? Number.NaN)));
}

/** Returns the peak memory and the CPU time of a run, measured by GNU time. */
export function used(command: Command) {
  const { stderr } = run(command, ["/usr/bin/time", "-f", "%M %U %S"]);
  const [KiB = 0, user = 0, system = 0] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { MiB: KiB / 1024, ms: (user + system) * 1000 };
}

/** Runs the command and returns what it has loaded: the size of the JavaScript files, and the names of Node's own modules. */
export function loadedBy({ args, env, ...command }: Command) {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-loaded-"));
  const report = path.join(folder, "loaded.json");
  try {
    run({ ...command, args: ["--require", program("loaded"), ...args], env: { ...env, LOADED: report } });
    return JSON.parse(readFileSync(report, "utf8")) as { bytes: number; files: number; modules: string[] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Starts a server that runs until it is stopped. Its first line is JSON with its address. */
export async function serve(args: readonly string[]) {
  const child = spawn(node, args, { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  const stop = async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { pid: String(child.pid), url, stop };
}

/** Calls `work` with a configuration folder that is signed in to a bare server in another process. */
export async function atDesk(work: (desk: Desk) => void): Promise<void> {
  const { url, stop } = await serve([program("stub-server")]);
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-desk-"));
  const tokens = testTokens({ access_token: "bench-token", expires_at: Date.now() + 7_200_000 });
  // Figures are cached only for a sign-in with this time, which identifies it.
  const signed_in_at = Date.parse("2026-01-01");
  const session = testSession(testEnvironment({ base_url: url }), { tokens, signed_in_at });
  mkdirSync(path.join(folder, "sessions"), { mode: 0o700 });
  writeFileSync(path.join(folder, "sessions", "s-centro.json"), JSON.stringify(session), { mode: 0o600 });
  const comandaHere = (line: string, env: Command["env"] = {}): Command => ({
    args: [comanda, ...line.split(" ")],
    env: { COMANDA_CONFIG_DIR: folder, HOME: folder, ...env },
  });
  try {
    work({ url, folder, comanda: comandaHere });
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Desk {
  readonly url: string;
  readonly folder: string;
  /** Returns a command line of comanda for this folder. */
  readonly comanda: (line: string, env?: Command["env"]) => Command;
}
