/** The steps of `comanda help operation`, `sales-db` and `postgres`, as printed there. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { topicText } from "../../src/cli/help/topics.js";
import { newPostgresDatabase, newStateKey, queryAt, stateAt } from "../state/support/engines.js";
import { temporaryFolder } from "../state/support/folder.js";
import { Bench, containing, parseJsonLines } from "../support/bench.js";
import { inJournal } from "../support/journal.js";
import { postgresPrograms, startCluster, type Cluster } from "../support/postgres-server.js";
import { Machine } from "../support/program.js";

const root = path.resolve(import.meta.dirname, "../..");
const names = ["operation", "postgres", "sales-db"] as const;
const topics = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, (await topicText(name)) ?? ""] as const)),
);
const topic = (name: string) => topics[name] ?? "";

/** Returns the command lines of a topic that begin with a program's name, each up to a line without an open quote. */
function linesOf(name: string, program: string): readonly string[] {
  const found = topic(name).match(new RegExp(`^ {2}${program} (?:[^"\n]|"[^"]*")*$`, "gm"));
  return (found ?? []).map((line) => line.trim());
}

const isInstalled = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
const folder = () => bench.machine.configFolder;
const orders = async (config = folder()) => {
  const { stdout } = await bench.inProcess("history --json", { env: { COMANDA_CONFIG_DIR: config } });
  return parseJsonLines(stdout).map((row) => (row as { readonly order_id: string }).order_id);
};

/** Changes that were sent more than a year ago, or now. */
const writes = [
  ["1", "old", "done", null],
  ["2", "old", "unknown", null],
  ["3", "old", "unknown", "not-done"],
  ["4", "new", "done", null],
] as const;
const insertions = (table: string) =>
  writes.map(
    ([order, age, outcome, settled]) =>
      `insert into ${table} (id, sent_at, environment, address, operation, order_id, arguments, attempts, outcome, settled_as)
       values ('${order}', ${age === "old" ? Date.now() - 370 * 86_400_000 : Date.now()}, 'test', 'a', 'dispatchOrder',
         '${order}', '{}', 1, '${outcome}', ${settled === null ? "null" : `'${settled}'`});`,
  );

describe.skipIf(!isInstalled("sqlite3"))("with SQLite's shell", () => {
  const run = (line: string, cwd: string) => execFileSync("sh", ["-ec", line], { cwd, encoding: "utf8" });

  test("a backup made during changes contains every change, and others can read a copy of the stored days", async () => {
    await bench.signIn();
    for (const order of ["7001", "7002"]) await bench.inProcess(`orders dispatch ${order}`);
    await bench.inProcess("stores set centro --tz UTC");
    expect(await bench.inProcess("sync --days 3")).toMatchObject({ code: 0 });
    // The log contains the last change.
    expect(readdirSync(folder())).toContain("comanda.db-wal");
    const backup = temporaryFolder();
    const lines = [...linesOf("operation", "sqlite3").slice(0, 2), ...linesOf("operation", "cp")];
    expect(lines).toHaveLength(3);
    for (const line of lines) run(line.replaceAll("/backup/", `${backup}/`), folder());
    run("chmod 600 comanda.db", backup);
    expect(await orders(backup)).toEqual(["7002", "7001"]);
    const count = "sqlite3 -readonly sales.db 'select count(*) from sales_by_day'";
    expect(run(count, backup)).toBe("3\n");
    const env = { COMANDA_CONFIG_DIR: backup };
    expect(await bench.inProcess("doctor", { env })).toMatchObject({ code: 1 });

    const shared = temporaryFolder();
    chmodSync(shared, 0o755);
    for (const line of [...linesOf("sales-db", "sqlite3").slice(1), ...linesOf("sales-db", "chmod")])
      run(line.replaceAll("/srv/sales/", `${shared}/`), folder());
    // Only root can be another user.
    const other = process.getuid?.() === 0 ? { uid: 54_321 } : {};
    expect(execFileSync("sh", ["-c", count], { ...other, cwd: shared, encoding: "utf8" })).toBe("3\n");
    expect(statSync(path.join(shared, "sales.db")).mode & 0o044).toBe(0o044);
  });

  test("a restored sign-in that was renewed since is reported with that cause", async () => {
    await bench.signInExpired();
    const backup = path.join(temporaryFolder(), "comanda");
    cpSync(folder(), backup, { recursive: true });
    chmodSync(backup, 0o700);
    expect(await bench.inProcess("status --check")).toMatchObject({ code: 0 });
    const env = { COMANDA_CONFIG_DIR: backup };
    const ran = await bench.inProcess("status --check", { env });
    expect(ran).toMatchObject({ code: 3, stderr: containing("comanda login --store centro --env test") });
    expect(ran.stderr).toContain("restored from a backup or copied to another machine");
  });

  test("old entries of the journal are deleted, except unknown changes", async () => {
    await bench.signIn();
    await bench.inProcess("orders dispatch 7001");
    inJournal(folder(), "delete from writes");
    for (const statement of insertions("writes")) inJournal(folder(), statement);
    run(linesOf("operation", "sqlite3").at(-1) ?? "", folder());
    expect((await orders()).sort()).toEqual(["2", "4"]);
  });
});

describe.skipIf(postgresPrograms === undefined)("with PostgreSQL", () => {
  const psql = (line: string, env: Readonly<Record<string, string>>, cwd = "/") =>
    execFileSync("sh", ["-ec", line], {
      cwd,
      encoding: "utf8",
      env: { PATH: `${postgresPrograms ?? ""}:${process.env["PATH"] ?? ""}`, HOME: cwd, ...env },
    });

  test("old entries of the journal are deleted, except unknown changes", async () => {
    const database = await newPostgresDatabase();
    const env = stateAt(database);
    await bench.inProcess("doctor", { env });
    await queryAt(database, insertions("comanda.writes").join("\n"));
    const { hostname, port, username, pathname } = new URL(database);
    const line = linesOf("operation", "psql").at(-1) ?? "";
    const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username };
    psql(line.replace("psql comanda ", `psql ${pathname.slice(1)} `), variables);
    const left = await queryAt(database, "select order_id from comanda.writes order by order_id");
    expect(left).toEqual([{ order_id: "2" }, { order_id: "4" }]);
  });

  describe.skipIf(!isInstalled("openssl"))("on a separate server", () => {
    const files = temporaryFolder();
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster((data, user) => {
        const key = "-nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1";
        for (const line of [
          `openssl req -x509 ${key} -days 2 -subj /CN=ca -keyout ca.key -out ca.crt`,
          `openssl req ${key} -subj /CN=localhost -keyout server.key -out server.csr`,
          `printf 'subjectAltName=DNS:localhost' > names`,
          `openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt`,
        ])
          execFileSync("sh", ["-ec", line], { cwd: files, stdio: "ignore" });
        for (const name of ["server.key", "server.crt"]) {
          writeFileSync(path.join(data, name), readFileSync(path.join(files, name)), { mode: 0o600 });
          if (user) chownSync(path.join(data, name), user.uid, user.gid);
        }
        const here = "127.0.0.1/32";
        const rules = [
          "local all all trust",
          `hostssl all all ${here} scram-sha-256`,
          `hostnossl all owner ${here} trust`,
        ];
        writeFileSync(path.join(data, "pg_hba.conf"), `${rules.join("\n")}\n`);
        return ["ssl=on"];
      });
      return () => cluster.stop();
    });

    test("roles with passwords work over TLS to this machine, and a password is changed", async () => {
      const { port } = new URL(cluster.address);
      const admin = { PGHOST: cluster.folder, PGPORT: port, PGUSER: "owner" };
      cpSync(path.join(root, "examples", "postgres-roles.sql"), path.join(files, "postgres-roles.sql"));
      for (const line of [...linesOf("postgres", "createdb"), linesOf("postgres", "psql")[0] ?? ""])
        psql(line, admin, files);
      const changePassword = (role: string, password: string) =>
        psql(`psql comanda -c "alter role comanda_${role} password '${password}'"`, admin);
      for (const role of ["migrate", "run", "read"]) changePassword(role, role);

      const machine = new Machine({ COMANDA_STATE_KEY: newStateKey(), HOME: temporaryFolder() });
      const address = `localhost:${port}/comanda`;
      const as = (role: string, password: string, line: string) =>
        machine.run(line.split(" "), {
          env: {
            COMANDA_STATE: `postgres://comanda_${role}@${address}?sslmode=verify-full`,
            NODE_EXTRA_CA_CERTS: path.join(files, "ca.crt"),
            PGPASSWORD: password,
          },
        });
      // Without a store, doctor has one problem.
      const created = await as("migrate", "migrate", "doctor --json");
      expect(created.stdout).toContain('"database sales (PostgreSQL)","status":"ok"');
      for (const [option, advice] of [
        ["", "Add ?sslmode=verify-full"],
        ["?sslmode=verify-full", "set NODE_EXTRA_CA_CERTS"],
      ] as const) {
        const env = { COMANDA_STATE: `postgres://comanda_run:run@${address}${option}` };
        const stderr = containing(advice);
        expect(await machine.inProcess("stores list", { env }), option).toMatchObject({ code: 2, stderr });
      }
      const refused = (words: string) => ({ code: 2, stderr: containing(words) });
      expect(await as("read", "read", "stores list")).toMatchObject(refused("comanda help postgres"));

      changePassword("run", "new");
      expect(await as("run", "run", "stores list")).toMatchObject(refused("password authentication failed"));
      expect(await as("run", "new", "stores list")).toMatchObject({ code: 0 });

      const shown = psql(linesOf("postgres", "psql").at(-1) ?? "", {
        PGHOST: "localhost",
        PGPORT: port,
        PGPASSWORD: "read",
        PGSSLMODE: "verify-full",
        PGSSLROOTCERT: path.join(files, "ca.crt"),
      });
      expect(shown).toContain("(0 rows)");
    });

    // The last test, because the server answers no commit afterwards.
    test("nothing is sent and doctor reports a failure while a synchronous standby is down", async () => {
      const env = stateAt(`${cluster.address}/postgres`);
      const { baseUrl } = bench.emulator;
      await bench.inProcess(["env", "set", "test", "--base-url", baseUrl], { env });
      const login = "login --api-key --store centro --env test";
      expect(await bench.inProcess(login, { env, input: bench.keyOf() })).toMatchObject({ code: 0 });
      const standby = "alter system set synchronous_standby_names = 'down'";
      for (const statement of [standby, "select pg_reload_conf()"])
        await queryAt(env.COMANDA_STATE, statement);
      bench.forgetRequests();

      const [dispatched, checked] = await Promise.all([
        bench.inProcess("orders dispatch 7001 --max-wait 0", { env }),
        bench.inProcess("doctor --json", { env }),
      ]);
      const stderr = containing("postgres: the server doesn't answer.");
      expect(dispatched).toMatchObject({ code: 8, stderr });
      expect(checked).toMatchObject({ code: 1, stdout: containing("the server doesn't answer.") });
    });
  });
});
