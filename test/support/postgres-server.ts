/**
 * One PostgreSQL for all test files of a run: a cluster in a temporary folder, on a free port, run by a user other than root. It
 * starts at the first request for it, and every test has its own database in it.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import type { TestProject } from "vitest/node";

import { freePort, listening } from "./resources.js";

declare module "vitest" {
  interface ProvidedContext {
    /** An address that returns the server's own address, and starts the server at the first request. */
    postgres: string;
  }
}

const versions = "/usr/lib/postgresql";
/** The folder of the newest version's programs, as on Debian; `undefined` if none is installed. */
export const postgresPrograms = (existsSync(versions) ? readdirSync(versions) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => path.join(versions, version, "bin"))
  .find((bin) => existsSync(path.join(bin, "initdb")));

/** Serves an address that starts PostgreSQL at the first request and returns its address. Test files run in other processes. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Cluster> | undefined;
  const server = createServer((_request, response) => {
    (starting ??= startCluster()).then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("postgres", `http://127.0.0.1:${await listening(server)}`);
  server.unref();
  return async () => {
    server.close();
    await (await starting)?.stop();
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** @param configure writes files into the data folder, for the server's user, and returns settings */
export async function startCluster(
  configure: (
    data: string,
    user: { readonly uid: number; readonly gid: number } | undefined,
  ) => readonly string[] = () => [],
) {
  if (postgresPrograms === undefined) throw new Error("PostgreSQL is not installed");
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-postgres-"));
  const user = ordinaryUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = path.join(folder, "data");
  const programs = postgresPrograms;
  const program = (name: string) => path.join(programs, name);
  const init = ["--pgdata", data, "--username", "owner", "--auth", "trust"];
  init.push("--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions");
  // This takes a second or more, during which this process must serve its workers.
  await promisify(execFile)(program("initdb"), init, options);
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "shared_buffers=16MB",
    // Each command of a property test opens a connection, which is closed only when the test ends.
    "max_connections=500",
    ...configure(data, user),
  ];
  const words = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const start = async () => {
    const child = spawn(program("postgres"), words, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    await ready(child);
    return child;
  };
  /** Closes all connections and stops the server. */
  const end = async (child: ChildProcess) => {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  };
  let child = await start();
  return {
    /** Without a database. */
    address: `postgres://owner@127.0.0.1:${port}`,
    /** Contains the server's socket. */
    folder,
    /** Closes all connections. The server accepts new ones when the promise resolves. */
    async restart() {
      await end(child);
      child = await start();
    },
    /** Ends the server and deletes its data. */
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a user to run PostgreSQL, which refuses to run as root. */
export function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function ready(child: ChildProcess): Promise<void> {
  if (!child.stderr) throw new TypeError("no stderr");
  const said: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    if (!line.includes("ready to accept connections")) continue;
    child.stderr.resume();
    return;
  }
  throw new Error(`PostgreSQL does not start: ${said.join("\n")}`);
}
