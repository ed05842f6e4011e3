/** The folder of another program, in which this package is installed, and a server that it runs. */
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { startEmulator } from "../../src/library/emulator.js";
import { closing, freePort, temporaryFolder } from "./resources.js";

export const root = path.resolve(import.meta.dirname, "../..");
export const modules = path.join(root, "node_modules");

/** Runs a program, and rejects with its output if it fails. */
export const run = promisify(execFile);

/** Compiles programs of this folder strictly, and returns what the compiler prints about them. */
export function compiled(
  folder: string,
  args: readonly string[],
  typescript = path.join(modules, "typescript"),
): string {
  const options = ["--strict", "--module", "nodenext", "--target", "es2022"];
  const line = [path.join(typescript, "bin", "tsc"), ...options, ...args];
  const { stdout, stderr } = spawnSync(process.execPath, line, { cwd: folder, encoding: "utf8" });
  return stdout + stderr;
}

/**
 * Installs this package in a new folder, which is removed afterwards.
 *
 * @param names the other packages that the program has installed
 * @param options.isPacked whether the package is as npm packs it, which takes longer than a copy of what was built
 */
export function packageUser(names: readonly string[], { isPacked = true } = {}) {
  const folder = temporaryFolder();
  const installed = path.join(folder, "node_modules", "comanda");
  mkdirSync(installed, { recursive: true });
  for (const name of names) symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module", "private": true }');
  if (isPacked) installPacked(folder, installed);
  else
    for (const name of ["package.json", "bin", "dist", "examples"])
      cpSync(path.join(root, name), path.join(installed, name), { recursive: true });
  return { folder, installed };
}

const notCopied = new Set(["node_modules", ".git"]);

function installPacked(folder: string, installed: string): void {
  // Packs a copy, because npm reads every package that is installed next to this one, which takes longer than packing.
  const source = path.join(folder, "source");
  cpSync(root, source, { recursive: true, filter: (file) => !notCopied.has(path.relative(root, file)) });
  const flags = ["--ignore-scripts", "--silent", "--pack-destination", folder];
  execFileSync("npm", ["pack", ...flags], { cwd: source });
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", path.join(folder, archive), "-C", installed, "--strip-components=1"]);
  rmSync(source, { recursive: true });
}

/** Starts an emulator that knows the callback of a server at a free port, and returns what starts and connects that server. */
export async function serverIn(folder: string, ...args: readonly string[]) {
  const address = `http://127.0.0.1:${await freePort()}`;
  const redirectUri = `${address}/callback`;
  const portal = closing(await startEmulator({ orders: 50, redirectUris: [redirectUri] }));
  const { authUrl, baseUrl, clientId } = portal;
  const env = { AUTH_URL: authUrl, BASE_URL: baseUrl, CLIENT_ID: clientId, REDIRECT_URI: redirectUri };
  /** Returns what ends the server. */
  const start = async () => {
    const program = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    await once(program.stdout, "data");
    return async () => {
      program.kill("SIGTERM");
      await once(program, "exit");
    };
  };
  /** Allows access in a browser, and returns the callback's address and the browser's cookie. */
  const connect = async (page: string) => {
    const connected = await fetch(address + page, { redirect: "manual" });
    const callback = await portal.authorize(connected.headers.get("location") ?? "");
    return { callback, headers: { cookie: connected.headers.getSetCookie()[0]?.split(";")[0] ?? "" } };
  };
  return { address, portal, start, connect };
}
