/** `comanda doctor` finds problems and suggests fixes. */
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { Finding } from "../../src/commands/doctor.js";
import type { Session, Tokens } from "../../src/state/sessions.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { listening } from "../support/resources.js";
import type { InProcessOptions } from "../support/context.js";
import { ofTheApi, page, startStub, type Behaviour } from "../support/stub-service.js";
import { matching, parseJson, StoreDesk } from "../support/desk.js";
import { stateAt } from "../state/support/engines.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});

async function found(options: InProcessOptions = {}) {
  const { code, stdout, stderr } = await store.comanda("doctor --json", options);
  const findings = parseJson(stdout) as Finding[];
  const failures = findings.filter(({ status }) => status === "failure").length;
  expect(stderr.includes("1 problem must be fixed.")).toBe(failures === 1);
  expect(stderr.includes(`${failures} problems must be fixed.`)).toBe(failures > 1);
  return { code, findings, of: (check: string) => findings.find((one) => one.check === check) };
}

/** Returns doctor's exit code and what it reports about a check. */
async function finding(check: string, options?: InProcessOptions) {
  const { code, of } = await found(options);
  return { code, ...of(check) };
}

test("doctor exits with code 0 if nothing is wrong, and checks the sign-in and the clock with the service", async () => {
  await store.comanda("stores set centro --tz America/Sao_Paulo");
  await store.comanda("orders dispatch 1");
  store.forgetRequests();
  const { code, findings, of } = await found();
  expect(code).toBe(0);
  expect(findings.filter(({ status }) => status === "failure")).toEqual([]);
  expect(of("settings folder")).toMatchObject({ status: "ok", hint: null });
  expect(of("database comanda.db")?.message).toMatch(/comanda\.db$/);
  expect(of("store centro")).toMatchObject({ status: "ok", message: "test: signed in" });
  expect(of("service test")).toMatchObject({ status: "ok" });
  expect(of("time zone of centro")).toBeUndefined();
  const asked = store.emulator.service.log.entries();
  expect(asked.map(({ method, path, credential }) => [method, path, credential])).toEqual([
    ["GET", "/api/partner/v1/orders/summary", "bearer"],
    ["HEAD", "/", null],
  ]);
});

const damage = (folder: string) =>
  writeFileSync(path.join(folder, "sessions", "s-centro.json"), "{", { mode: 0o600 });
const openUp = (folder: string) => chmodSync(path.join(folder, "sessions"), 0o1777);
const openParent = (folder: string) => chmodSync(path.dirname(folder), 0o777);
const postgres = stateAt("postgres://comanda@127.0.0.1:9/comanda");
const addressOnly = { COMANDA_BASE_URL: "https://a.example" };
const nowhere = { COMANDA_BASE_URL: "http://127.0.0.1:9", COMANDA_API_KEY: "k" };

test.each<[string, Record<string, string>, string, RegExp, spoil?: (folder: string) => void]>([
  ["a session that can't be read", {}, "store centro", /./, damage],
  ["a folder of sessions that others can write to", {}, "stores", /Other users can read or change/, openUp],
  ["an open parent folder, with PostgreSQL", postgres, "settings folder", /Other users/, openParent],
  ["a service that can't be reached", nowhere, "service COMANDA_BASE_URL", /the connection was refused/],
  ["COMANDA_STORE that names no store", { COMANDA_STORE: "typo" }, "COMANDA_STORE", /"typo"/],
  ["an address without a key", addressOnly, "COMANDA_BASE_URL", /TOKEN or COMANDA_API_KEY is missing/],
])("%s is reported with a fix", async (_, env, check, message, spoil) => {
  spoil?.(store.desk.folder);
  const failure = { code: 1, status: "failure", message: matching(message), hint: matching(/./) };
  const told = await finding(check, { env });
  expect(told).toMatchObject(failure);
  // doctor rejects this option.
  expect(told.hint).not.toMatch(/with --store\.$/);
});

describe("a problem that would make a command fail", () => {
  test.each<[string, Partial<Tokens>, Partial<Session>]>([
    ["refused before", { expires_at: 1, refresh_token: "r" }, { refused_at: 1 }],
    ["refused now", { access_token: "x" }, {}],
  ])("is a failure for a sign-in %s, next to an API key", async (_, changed, more) => {
    await store.signIn("centro", 501, ({ tokens, ...session }) => ({
      ...{ ...session, ...more, api_key: store.keyOf() },
      ...(tokens && { tokens: { ...tokens, ...changed } }),
    }));
    expect(await finding("store centro")).toEqual({
      code: 1,
      check: "store centro",
      status: "failure",
      message: "test: refused by the service: sign in again",
      hint: "Sign in: comanda login --store centro --env test",
    });
  });

  const [key, token] = [{ COMANDA_API_KEY: "key_1" }, { COMANDA_ACCESS_TOKEN: "at_1" }];
  const portalHint = matching(/check the address.*comanda env list/);
  const denial = matching(/refused the request \(HTTP 403\)/);
  test.each<[string, Record<string, string>, Behaviour, string, object]>([
    ["a captive portal's page", key, page(200), "service COMANDA_BASE_URL", { hint: portalHint }],
    ["a refused key", key, ofTheApi(401, 4010), "COMANDA_BASE_URL", { hint: matching(/COMANDA_API_KEY/) }],
    ["a refused token, without a body", token, { status: 403 }, "COMANDA_BASE_URL", { message: denial }],
  ])("is a failure for %s", async (_, env, behaviour, check, expected) => {
    const stub = await startStub();
    stub.behave(behaviour);
    const { code, findings, of } = await found({ env: { COMANDA_BASE_URL: stub.url, ...env } });
    expect({ code, ...of(check) }).toMatchObject({ code: 1, status: "failure", ...expected });
    // The stub uses this machine's time, not the test's clock.
    const failed = findings.filter((one) => one.status === "failure" && !one.check.startsWith("clock"));
    expect(failed).toHaveLength(1);
  });

  test("is a failure for a machine without a store; several stores without a default are a warning", async () => {
    await store.comanda("stores remove centro");
    const none = { code: 1, status: "failure", hint: matching(/comanda login --store/) };
    expect(await finding("stores")).toMatchObject(none);
    for (const alias of ["centro", "norte"]) await store.signIn(alias);
    const several = { code: 0, status: "warning", hint: matching(/comanda stores use centro/) };
    expect(await finding("stores")).toMatchObject(several);
  });
});

test("settings of a store that aren't valid are failures, and the other checks go on", async () => {
  const centro = { time_zone: "America/Nowhere", currency: "XXQ" };
  const settings = JSON.stringify({ version: 1, stores: { centro } });
  writeFileSync(path.join(store.desk.folder, "settings.json"), settings, { mode: 0o600 });
  const { code, findings, of } = await found();
  const failures = findings.filter(({ status }) => status === "failure");
  expect(failures.map(({ check, message }) => `${check}: ${message}`)).toEqual([
    `settings of centro: Settings of centro: currency "XXQ" isn't valid.`,
    `time zone of centro: Settings of centro: time_zone "America/Nowhere" isn't valid.`,
  ]);
  for (const { hint } of failures) expect(hint).toMatch(/Set it again: comanda stores set centro --/);
  expect(of("store centro")).toMatchObject({ status: "ok" });
  expect(code).toBe(1);
  // A table separates the lines of a hint.
  const { stdout } = await store.comanda("doctor --format markdown");
  expect(stdout).toContain("BRL, EUR, USD; Set it again: comanda stores set centro --currency BRL");
});

test("a sign-in that the service could not verify is a warning with the reason", async () => {
  store.emulator.service.faults.set([{ status: 503 }]);
  const message = "test: signed in; not checked: the service failed (HTTP 503).";
  expect(await finding("store centro")).toMatchObject({ status: "warning", message });
});

test("a failure of TLS has the hint of any call, not one about the address", async () => {
  // The stub doesn't speak TLS.
  const { port } = new URL((await startStub()).url);
  const env = { COMANDA_BASE_URL: `https://127.0.0.1:${port}`, COMANDA_API_KEY: "key_1" };
  const failure = { code: 1, status: "failure", hint: matching(/set NODE_EXTRA_CA_CERTS\.$/) };
  expect(await finding("service COMANDA_BASE_URL", { env })).toMatchObject(failure);
});

test("a day without sync is a warning, if earlier days are stored", async () => {
  await store.comanda("stores set centro --tz America/Sao_Paulo");
  expect(await finding("sync of centro")).toEqual({ code: 0 });
  await store.comanda("sync --days 3");
  const synced = "2026-11-20 12:00:00 -03:00";
  const message = `Days are stored through 2026-11-19, as of ${synced}.`;
  expect(await finding("sync of centro")).toMatchObject({ status: "ok", message });
  store.desk.pass(24 * 3_600_000);
  expect(await finding("sync of centro")).toMatchObject({
    status: "warning",
    message: `Yesterday, 2026-11-20, isn't stored. The last sync stored days through 2026-11-19, at ${synced}.`,
    hint: matching(/comanda sync --store centro$/),
  });
});

test("an API key that the service rejects is a failure, even if the sign-in works", async () => {
  await store.signIn("centro", 501, (session) => ({ ...session, api_key: "key_wrong" }));
  const failure = { code: 1, status: "failure", hint: matching(/comanda login --api-key --store centro/) };
  expect(await finding("store centro")).toMatchObject(failure);
  // An answer that leaves the key open is a warning.
  const open = { status: 400, body: '{"code":4000,"message":"id"}', path: "/delivered" };
  store.emulator.service.faults.set([open]);
  expect(await finding("store centro")).toMatchObject({ code: 0, status: "warning" });
  store.emulator.service.faults.set([]);
  // A rejected sign-in doesn't hide a rejected key.
  store.emulator.service.server.uninstall(501);
  const { findings } = await found();
  const hints = findings.map(({ hint }) => hint).join("\n");
  expect(hints).toContain("comanda login --store centro --env test");
  expect(hints).toContain("comanda login --api-key --store centro");
});

test("a sign-in for an earlier address of its environment is a warning", async () => {
  await store.signIn("centro", 501, (session) => ({ ...session, api_key: store.keyOf() }));
  const url = "https://new.example";
  await store.comanda(`env set test --base-url ${url} --auth-url ${url}/go --client-id test`);
  expect(await finding("address of centro")).toMatchObject({
    code: 0,
    status: "warning",
    hint: matching(/^To use https:\/\/new\.example: comanda logout --store centro, then comanda login /),
  });
});

describe("within its time limit, doctor", () => {
  test("doesn't wait for a rate limit, and reports it as a warning", async () => {
    for (let call = 1; call <= 5; call += 1)
      await store.comanda(`summary --fresh --period today --tz UTC --filter total=${call}`);
    store.desk.waits.length = 0;
    expect(await finding("store centro")).toMatchObject({
      code: 0,
      status: "warning",
      message: matching(/not checked: rate limit reached/),
      hint: "Try again later.",
    });
    expect(store.desk.waits).toEqual([]);
  });

  test("reports a service that doesn't answer as a warning", async () => {
    store.emulator.service.faults.set([{ hang: true }]);
    const { stdout, code } = await store.comanda("doctor --json --max-wait 300ms");
    const late = (parseJson(stdout) as Finding[]).filter(({ message }) => message.startsWith("Not checked"));
    expect(code).toBe(0);
    expect(late).toMatchObject(["store centro", "stores"].map((check) => ({ check, status: "warning" })));
  });

  test("reports a PostgreSQL server that doesn't answer as a failure", async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await listening(server);
    const env = stateAt(`postgres://comanda@127.0.0.1:${port}/comanda`);
    // Without time, nothing is known about it.
    expect(await store.comanda("doctor --max-wait 0s", { env })).toMatchObject({ code: 0 });
    // A busy machine may take longer than any time limit to load the driver.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = store.comanda("doctor --json --max-wait 300ms", { env });
    await once(server, "connection");
    await vi.advanceTimersByTimeAsync(0.9 * 300);
    const { code, stdout } = await running;
    expect(code).toBe(1);
    expect(parseJson(stdout)).toMatchObject([
      { check: "node" },
      { check: "database PostgreSQL", status: "failure", message: "The server doesn't answer." },
    ]);
  });

  test("reports a database that another process locks as a warning", async () => {
    await store.comanda("orders dispatch 1");
    const other = openSqlite(path.join(store.desk.folder, "comanda.db"));
    other.exec("begin immediate");
    const told = await finding("database comanda.db");
    other.close();
    const message = matching(/^Timed out waiting for another process/);
    expect(told).toMatchObject({ code: 0, status: "warning", message });
  });
});

test("a clock that differs from the service's is a failure, and a store without a time zone a warning", async () => {
  // The emulator's responses have the test clock's time, which differs from this machine's.
  const { of } = await found({ clock: { now: () => Date.now(), sleep: () => Promise.resolve() } });
  expect(of("clock (test)")).toMatchObject({ status: "failure", hint: matching(/NTP/) });
  const hint = matching(/comanda stores set centro --tz <zone>$/);
  expect(of("time zone of centro")).toMatchObject({ status: "warning", hint });
});

test("a damaged database is reported with a fix, and isn't changed", async () => {
  const file = path.join(store.desk.folder, "comanda.db");
  await store.comanda("orders dispatch 1");
  const database = openSqlite(file);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  const bytes = readFileSync(file);
  // The first page, which contains the schema, is intact, so SQLite opens the file.
  bytes.fill(0xff, 4096 + 100);
  writeFileSync(file, bytes);
  expect(await finding("database comanda.db")).toMatchObject({
    code: 1,
    message: `${file} is damaged.`,
    hint: matching(/^While no .*, move .*comanda\.db elsewhere.*history.*--resume.*fees/),
  });
  expect(readFileSync(file)).toEqual(bytes);
});

test("a damaged sales.db is reported once, not for each store", async () => {
  for (const alias of ["centro", "norte"]) {
    await store.signIn(alias);
    await store.comanda(`stores set ${alias} --tz America/Sao_Paulo`);
  }
  const file = store.desk.salesFile;
  writeFileSync(file, "x".repeat(8192), { mode: 0o600 });
  const { findings } = await found();
  const damaged = findings.filter(({ message }) => message === `${file} is damaged.`);
  expect(damaged).toMatchObject([{ check: "database sales.db", status: "failure" }]);
});

test("doctor names the variables that cron doesn't see, and prints lines to copy without secrets", async () => {
  const env = {
    HOME: "/home/ana d'avila",
    COMANDA_STORE: "centro",
    COMANDA_API_KEY: "key_abc",
    COMANDA_STATE_KEY: "key_def",
    // Relative paths are absolute in the lines to copy.
    COMANDA_CONFIG_DIR: path.relative("", store.desk.folder),
    NODE_EXTRA_CA_CERTS: path.relative("", "/ca.pem"),
    COMANDA_LANG: "en",
    https_proxy: "",
    EDITOR: "vi",
  };
  const { of, findings } = await found({ env });
  const message = matching(/: COMANDA_API_KEY, COMANDA_CONFIG_DIR/);
  expect(of("crontab")).toMatchObject({ status: "warning", message });
  expect(of("crontab")?.message).not.toMatch(/EDITOR|https_proxy/);
  expect(JSON.stringify(findings)).not.toMatch(/key_(?:abc|def)/);
  const { stdout } = await store.comanda("doctor", { env });
  const [, lines = ""] = stdout.split("\nLines to copy into a crontab:\n");
  expect(lines.split("\n")).toEqual([
    `HOME="/home/ana d'avila"`,
    matching(/^TZ=\w/),
    "COMANDA_LANG=en",
    "# COMANDA_API_KEY=…",
    `COMANDA_CONFIG_DIR=${store.desk.folder}`,
    "# COMANDA_STATE_KEY=…",
    "COMANDA_STORE=centro",
    "NODE_EXTRA_CA_CERTS=/ca.pem",
    // The program's path may contain a blank.
    matching(/^15 6 \* \* \* \S+ (?:\S+comanda\.js|'.+comanda\.js') sync --quiet --no-input$/),
    "",
  ]);
});

test("doctor prints a crontab line for sync only for stores with a sign-in, because a key can't read sales", async () => {
  const syncLine = async (env = {}) => {
    const { stdout } = await store.comanda("doctor", { env });
    return /^15 6 .*? sync (.*)$/m.exec(stdout)?.[1];
  };
  expect(await syncLine()).toBe("--quiet --no-input");
  const withKeyOnly = (session: Session) => ({ ...session, tokens: undefined, api_key: store.keyOf() });
  await store.signIn("chave", 501, withKeyOnly);
  expect(await syncLine()).toBe("--store centro --quiet --no-input");
  expect(await syncLine({ COMANDA_STORE: "chave" })).toBeUndefined();
  expect(await syncLine({ COMANDA_STORE: "Centro" })).toBe("--quiet --no-input");
  await store.comanda("stores remove centro");
  expect(await syncLine()).toBeUndefined();
});
