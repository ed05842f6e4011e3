/** State in PostgreSQL (`COMANDA_STATE`). */
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { OrderLine } from "../../src/core/orders.js";
import { startEmulator } from "../../src/emulator/index.js";
import { jumpingClock } from "../client/support/clock.js";
import { closing, freePort } from "../support/resources.js";
import { hasPostgres, newPostgresDatabase, newStateKey, queryAt, stateAt } from "../state/support/engines.js";
import { openPostgres, parsePostgresAddress } from "../../src/state/postgres.js";
import { pgbouncer, startPgBouncer } from "../state/support/pgbouncer.js";
import { startStubPostgres } from "../state/support/stub-postgres.js";
import { makeOrder } from "../support/emulators.js";
import { matching, containing, parseJsonLines } from "../support/output.js";
import { Machine } from "../support/program.js";
import { startStub } from "../support/stub-service.js";

const refused = ["28P01", 'password authentication failed for user "ana"'] as const;

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});

describe("a database that can't be used is reported with a hint, and nothing is sent", () => {
  const password = "hush %2F@/";
  const encoded = encodeURIComponent(password);
  const at = (port: number, more = "") => `postgres://ana:${encoded}@127.0.0.1:${port}/shop${more}`;
  const refusing = (code: string, words: string) => async () => at(await startStubPostgres([code, words]));

  const down = async () => at(await freePort());
  const starting = refusing("57P03", "the database system is starting up");
  const wrongPassword = refusing(...refused);
  const pooled = refusing("08P01", "SASL authentication failed");
  const withoutTls = async () => at(await startStubPostgres(), "?sslmode=require");
  const invalid = () => Promise.resolve("postgres://ana:hush @/");
  const retries = /warning: .*the database system is starting up\. comanda retries for up to (?:7|10) s\./;
  const atOnce = (words: string) => new RegExp(`^(?!.*retries).*${words}.*the address in COMANDA_STATE`, "s");

  test.each<[string, 2 | 8, () => Promise<string>, RegExp]>([
    ["a server that is down", 8, down, /postgres:.*ECONNREFUSED.*whether the server is running/s],
    ["a server that doesn't finish starting", 8, starting, retries],
    ["a wrong password", 2, wrongPassword, atOnce("password authentication failed")],
    ["a wrong password, to PgBouncer", 2, pooled, atOnce("SASL authentication failed")],
    ["a server without TLS", 2, withoutTls, /does not support SSL.*must have TLS/s],
    ["an invalid address", 2, invalid, /address of the PostgreSQL database isn/],
  ])("if it is %s", async (_, exitCode, address, reason) => {
    const service = await startStub();
    const env = { COMANDA_STATE: await address(), COMANDA_BASE_URL: service.url, COMANDA_API_KEY: "key_abc" };
    for (const line of ["orders dispatch 1", "stores list", "doctor --debug"]) {
      const { code, stdout, stderr } = await machine.inProcess(line, { env, clock: jumpingClock() });
      // Doctor reports every problem in its list.
      expect({ line, code }).toEqual({ line, code: line.startsWith("doctor") ? 1 : exitCode });
      expect(stdout + stderr).toMatch(reason);
      for (const secret of [password, encoded, "hush"]) expect(stdout + stderr).not.toContain(secret);
    }
    expect(service.requests).toEqual([]);
  });

  test("if its host isn't found, after retries for as long as --max-wait allows", async () => {
    const env = stateAt("postgres://ana@nohost.invalid/shop");
    const clock = jumpingClock();
    const begun = clock.now();
    const words = String.raw`.*nohost\.invalid\.`;
    const stderr = matching(`^warning: ${words} comanda retries for up to 2 s\\.\nerror: ${words}\n`);
    const ran = await machine.inProcess("stores list --max-wait 2s", { env, clock });
    expect(ran).toMatchObject({ code: 8, stderr });
    expect(clock.now() - begun).toBeLessThanOrEqual(2_000);
  });
});

const advice = "Set PGPASSWORD, or add the password to the address in COMANDA_STATE";
test.each([
  ["", { message: matching(/postgres:.*: the server requires a password\.$/), hint: containing(advice) }],
  ["127.0.0.1:PORT:shop:ana:hush", { message: containing("password authentication failed") }],
])("a server that requires a password gets the one in ~/.pgpass, if there is one: %j", async (...row) => {
  const [passwords, error] = row;
  const port = await startStubPostgres(refused, undefined, true);
  const file = path.join(machine.folder, "pgpass");
  writeFileSync(file, passwords.replace("PORT", String(port)), { mode: 0o600 });
  const env = { PGPASSFILE: file, ...stateAt(`postgres://ana@127.0.0.1:${port}/shop`) };
  const { code, stderr } = await machine.run("stores list --quiet --json", { env });
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ error });
});

test.skipIf(!hasPostgres)("doctor reports a database that can't store every character", async () => {
  const address = await newPostgresDatabase();
  await queryAt(address, "create database latin1 template template0 encoding LATIN1 locale 'C'");
  onTestFinished(async () => {
    await queryAt(address, "drop database latin1 with (force)");
  });
  const latin1 = address.replace(/[^/]*$/, "latin1");
  const { code, stdout } = await machine.inProcess("doctor --json", { env: stateAt(latin1) });
  expect(stdout).toContain("/latin1 is LATIN1, but comanda requires UTF8.");
  expect(code).toBe(1);
});

describe.skipIf(!hasPostgres)("two machines of a chain", () => {
  /** Opens two machines. The first has saved the key of the store `centro`. */
  async function openChain(database?: string) {
    const service = closing(await startEmulator({ port: 0, orders: 5 }));
    const env = stateAt(database ?? (await newPostgresDatabase()));
    const [one, other] = [new Machine(env), new Machine(env)];
    const key = service.world.stores.get(501)?.apiKey ?? "";
    const addresses = ["--base-url", service.baseUrl, "--auth-url", service.authUrl];
    const saveKey = async (store: string, places = {}) => {
      const setUp = ["env", "set", "test", ...addresses, "--client-id", service.clientId];
      await one.inProcess(setUp, { env: places });
      const line = `login --api-key --store ${store} --env test`;
      expect(await one.inProcess(line, { env: places, input: key })).toMatchObject({ code: 0 });
    };
    await saveKey("centro");
    return { service, env, one, other, key, saveKey };
  }

  test.skipIf(pgbouncer === undefined)(
    "work with PgBouncer in session mode, with their settings",
    async () => {
      const database = await newPostgresDatabase({ isBare: true });
      const name = new URL(database).pathname.slice(1);
      for (const setting of ["synchronous_commit = off", "default_transaction_isolation = serializable"])
        await queryAt(database, `alter database ${name} set ${setting}`);
      const pooled = await startPgBouncer(database);
      const { env, one, other } = await openChain(pooled);
      const runs = await Promise.all([one, other].map((each) => each.inProcess("orders dispatch 9999")));
      // The order doesn't exist, so the service has answered.
      for (const { code, stderr } of runs) expect(code, stderr).toBe(5);
      const history = await other.inProcess("history --json --order 9999");
      expect(history.stdout.trim().split("\n")).toHaveLength(2);
      const postgres = openPostgres(parsePostgresAddress(env.COMANDA_STATE));
      onTestFinished(() => postgres.close());
      const { rows } = await postgres.database("comanda");
      const shown = `select current_setting('lock_timeout') as lock, current_setting('search_path') as path,
        current_setting('synchronous_commit') as sync, current_setting('transaction_isolation') as isolation`;
      expect(await rows({ lock: "text", path: "text", sync: "text", isolation: "text" }, shown)).toEqual([
        { lock: "30s", path: "comanda, comanda_sales", sync: "on", isolation: "read committed" },
      ]);
    },
  );

  test.skipIf(pgbouncer === undefined).for([
    ["transaction", "server_round_robin = 0"],
    ["statement", "server_round_robin = 1"],
  ] as const)("reject PgBouncer in %s mode with %s", async ([mode, setting]) => {
    const database = await newPostgresDatabase();
    const pooled = await startPgBouncer(database, mode, setting);
    // Several idle connections of the pooler, which a later one may get in any order.
    await Promise.all([1, 2].map(() => queryAt(pooled, "select pg_sleep(0.1)")));
    const env = stateAt(pooled);
    for (const line of ["doctor", "orders dispatch 1"]) {
      const { code, stdout, stderr } = await machine.inProcess(line, { env });
      expect({ line, code }).toEqual({ line, code: line === "doctor" ? 1 : 2 });
      expect((stdout + stderr).replaceAll(/\s+/g, " ")).toMatch(
        /connection pooler.* shares connections between programs.*pool_mode = session/,
      );
    }
  });

  test.each([
    ["53300", "sorry, too many clients already"],
    ["08P01", "server login has been failing, try again later"],
  ])("wait for a server that first answers %s, %s", async (...refusal) => {
    const url = new URL(await newPostgresDatabase());
    const started = new URL(url.href);
    url.port = String(await startStubPostgres(refusal, started));
    const env = stateAt(url.href);
    const listed = await machine.inProcess("stores list --json", { env });
    expect(listed).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  });

  test("name the sign-ins that stay in files, and how to revoke them", async () => {
    const { env, one, saveKey } = await openChain();
    // The default folder is in the home of this process.
    vi.stubEnv("HOME", one.folder);
    const inFiles = { COMANDA_STATE: "", COMANDA_STATE_KEY: "" };
    await saveKey("norte", inFiles);
    await saveKey("sul", { ...inFiles, COMANDA_CONFIG_DIR: "" });
    const stdout = containing('"Not used with COMANDA_STATE, but still valid: norte."');
    expect(await one.inProcess("doctor --json", { env })).toMatchObject({ code: 0, stdout });
    const { code, stderr } = await one.inProcess("logout --all", { env });
    expect(code).toBe(0);
    const commands = [...stderr.matchAll(/stay valid: (\S+)\. To revoke them: (.*)/g)].map(
      ([, store, command]) => ({ store, command }),
    );
    expect(commands).toEqual([
      { store: "norte", command: "COMANDA_STATE= comanda logout --all" },
      { store: "sul", command: "COMANDA_STATE= COMANDA_CONFIG_DIR= comanda logout --all" },
    ]);
    for (const { store, command = "" } of commands.toReversed())
      expect((await one.shell(command, { env })).stdout).toContain(`${store} is signed out.`);
    expect((await one.inProcess("logout --all", { env })).stderr).toBe("No store is signed in.\n");
  });

  test("change the state key with one run of doctor, after which no row needs the old key", async () => {
    const { env, one, other } = await openChain();
    const [before, after] = [env.COMANDA_STATE_KEY, newStateKey()];
    const run = (line: string, key: string) => one.inProcess(line, { env: { COMANDA_STATE_KEY: key } });
    const rows = "select name, content from comanda.sealed order by name";
    const stored = await queryAt(env.COMANDA_STATE, rows);
    // Each machine must know the new key before one of them encrypts with it.
    expect(await run("doctor", `${before},${after}`)).toMatchObject({ code: 0 });
    expect(await queryAt(env.COMANDA_STATE, rows)).toEqual(stored);
    const words = "Sign-ins and settings encrypted with the first state key: 2. No other key is needed.";
    const changed = await run("doctor --json", `${after},${before}`);
    expect(changed).toMatchObject({ code: 0, stdout: containing(words) });
    expect(await run("status", after)).toMatchObject({ code: 0 });
    expect(await run("env list", after)).toMatchObject({ code: 0 });
    // A machine that was forgotten prints what to do, and its doctor changes nothing.
    const sealed = await queryAt(env.COMANDA_STATE, rows);
    for (const line of ["status", "orders dispatch 9999", "doctor"]) {
      const { code, stdout, stderr } = await other.inProcess(line);
      expect({ line, code }).toEqual({ line, code: line === "doctor" ? 1 : 2 });
      expect((stdout + stderr).replaceAll(/\s+/g, " ")).toMatch(
        /can't be decrypted .* set both, NEW,OLD, and run comanda doctor\./,
      );
    }
    expect(await queryAt(env.COMANDA_STATE, rows)).toEqual(sealed);
    // The hint for a lost key.
    const { stderr } = await other.inProcess(["status"]);
    const [, statement = ""] = /run in PostgreSQL: (.*?)\. Then/s.exec(stderr.replaceAll(/\s+/g, " ")) ?? [];
    await queryAt(env.COMANDA_STATE, statement);
    expect(await queryAt(env.COMANDA_STATE, rows)).toHaveLength(1);
  });

  test("report a server that accepts no writes, such as a standby, with doctor", async () => {
    const { env, one } = await openChain();
    const name = new URL(env.COMANDA_STATE).pathname.slice(1);
    expect(await one.inProcess(["doctor"])).toMatchObject({ code: 0 });
    await queryAt(env.COMANDA_STATE, `alter database ${name} set default_transaction_read_only = on`);
    onTestFinished(async () => {
      const reset = `alter database ${name} reset default_transaction_read_only`;
      await queryAt(env.COMANDA_STATE, `begin read write; ${reset}; commit`);
    });
    const stdout = containing("The server is a standby, or read-only. Use the primary server.");
    expect(await one.inProcess("doctor --json")).toMatchObject({ code: 1, stdout });
    expect(await one.inProcess("orders dispatch 9999")).toMatchObject({ code: 2 });
  });

  test("have the same stores, settings and limits", async () => {
    const { env, one, other, key } = await openChain();
    await one.inProcess("stores set centro --tz America/Sao_Paulo");

    const list = await other.inProcess("stores list --json");
    expect(JSON.parse(list.stdout)).toMatchObject([
      { store: "centro", environment: "test", time_zone: "America/Sao_Paulo" },
    ]);
    const counted = async () => {
      const sum = "select count(*)::int as requests from comanda.limit_places";
      const [row] = await queryAt(env.COMANDA_STATE, sum);
      return Number(row?.["requests"]);
    };
    const before = await counted();
    for (const each of [one, other]) expect((await each.inProcess("orders dispatch 9999")).code).toBe(5);
    expect(await counted()).toBe(before + 2);
    await one.inProcess("orders dispatch 9998");
    const history = await other.inProcess("history --json");
    expect(history.stdout).toContain("9998");
    const doctor = await other.inProcess("doctor --json");
    expect(doctor.stdout).toContain('"database comanda (PostgreSQL)"');
    expect(doctor.stdout).not.toMatch(/comanda\.db|settings\.json/);

    // Doctor's check of the key counts too.
    expect(await counted()).toBe(before + 4);
    expect(one.written + other.written).not.toContain(key);
  });

  test("send a list one at a time, and skip the orders that the other machine has done", async () => {
    const { service, env, one, other } = await openChain();
    const ids = [1, 2, 3].map(() => makeOrder(service));
    const line = "orders dispatch - --json --resume";
    const input = `${ids.join("\n")}\n`;
    // One request hangs until the other machine finds the list locked.
    service.service.faults.set([{ operation: "dispatchOrder", hang: true, times: 1 }]);
    const first = one.start(line, { input });
    const done = () => queryAt(env.COMANDA_STATE, "select 1 from comanda.writes where outcome = 'done'");
    await expect.poll(done).toHaveLength(2);
    const holder = `Process ${first.child.pid} on ${hostname()}`;
    const stderr = containing(`${holder} is already sending this list. Nothing was sent.`);
    expect(await other.inProcess(line, { input })).toMatchObject({ code: 8, stdout: "", stderr });
    first.child.kill("SIGKILL");
    await first.finished;

    const resume = async (machine: Machine) => {
      const { code, stdout } = await machine.inProcess(line, { input });
      const rows = parseJsonLines(stdout) as readonly OrderLine[];
      return { code, rows, outcomes: rows.map(({ outcome }) => outcome).sort() };
    };
    const rest = await resume(other);
    expect(rest).toMatchObject({ code: 10, outcomes: ["skipped", "skipped", "unknown"] });
    const unknown = rest.rows.find(({ outcome }) => outcome === "unknown");
    await one.inProcess(["history", "settle", unknown?.order_id ?? "", "done"]);
    expect(await resume(one)).toMatchObject({ code: 0, outcomes: ["skipped", "skipped", "skipped"] });
    expect(service.service.log.entries().filter(({ path }) => path.endsWith("/dispatch"))).toHaveLength(3);
  });
});
