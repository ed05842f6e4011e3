/** Runs a real PgBouncer in front of PostgreSQL. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { onTestFinished } from "vitest";

import { freePort } from "../../support/free-port.js";
import { ordinaryUser } from "../../support/postgres-server.js";
import { temporaryFolder } from "../../support/cleanup.js";

/** `undefined` if it isn't installed. */
export const pgbouncer = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

export type PoolMode = "session" | "transaction" | "statement";

/**
 * Starts a PgBouncer for one test, and returns the database's address through it.
 *
 * @param more other settings, one a line
 */
export async function startPgBouncer(
  address: string,
  mode: PoolMode = "session",
  more = "",
): Promise<string> {
  if (pgbouncer === undefined) throw new Error("PgBouncer is not installed");
  const [url, port, user] = [new URL(address), await freePort(), ordinaryUser()];
  const folder = temporaryFolder();
  const settings = `
    [databases]
    * = host=${url.hostname} port=${url.port}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = trust
    auth_file = ${folder}/users
    pool_mode = ${mode}
    ${more}
  `;
  writeFileSync(path.join(folder, "settings"), settings.replaceAll(/^ +/gm, ""));
  writeFileSync(path.join(folder, "users"), `"${url.username}" ""\n`);
  if (user) chownSync(folder, user.uid, user.gid);
  const child = spawn(pgbouncer, [path.join(folder, "settings")], { cwd: folder, ...user, stdio: "ignore" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  for (let tries = 0; tries < 100 && !(await accepts(port)); tries += 1) await delay(50);
  url.port = String(port);
  return url.href;
}

/** Returns whether a program listens on the port. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
