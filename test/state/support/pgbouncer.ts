/** Runs a real PgBouncer in front of PostgreSQL. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, onTestFinished } from "vitest";

import { freePort, temporaryFolder } from "../../support/resources.js";
import { ordinaryUser } from "../../support/postgres-server.js";
import { queryAt } from "./engines.js";

/** `undefined` if it isn't installed. */
export const pgbouncer = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/**
 * Starts a PgBouncer for one test, and returns the database's address through it.
 *
 * @param more other settings, one a line
 */
export async function startPgBouncer(
  address: string,
  mode: "session" | "transaction" | "statement" = "session",
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
  url.port = String(port);
  const connects = () => queryAt(url.href, "show client_encoding").then(Boolean, () => false);
  await expect.poll(connects, { timeout: 10_000 }).toBe(true);
  return url.href;
}
