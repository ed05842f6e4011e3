/** `doctor` finds what is wrong, says what to do, and sends no credential. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import type { Finding } from "../../src/commands/doctor.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { parseJson } from "../support/json.js";
import { startStub } from "../support/stub-service.js";
import { StoreDesk } from "../support/desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

async function found(env: Record<string, string> = {}, more = {}) {
  const { code, stdout } = await store.comanda("doctor --json", { env, ...more });
  const findings = parseJson(stdout) as Finding[];
  return { code, findings, of: (check: string) => findings.find((one) => one.check === check) };
}

test("where all is well it ends with 0, and asks the service once without a credential", async () => {
  await store.comanda("stores set centro --tz America/Sao_Paulo");
  await store.desk.signIn("centro", store.emulator.baseUrl, "a-token", (session) => ({
    ...session,
    tokens: { access_token: "a-token", expires_at: store.desk.clock.now() + 7_200_000, generation: 1 },
  }));
  await store.comanda("orders dispatch 1");
  store.forgetRequests();
  const { code, findings, of } = await found();
  expect([code, findings.filter(({ status }) => status === "failure")]).toEqual([0, []]);
  expect(of("settings folder")).toMatchObject({ status: "ok", hint: null });
  expect(of("database comanda.db")?.message).toMatch(/comanda\.db is sound\.$/);
  expect(of("store centro")).toMatchObject({ status: "ok", message: "test: signed in" });
  expect(of("service test")).toMatchObject({ status: "ok" });
  expect(of("time zone of centro")).toBeUndefined();
  const asked = store.emulator.service.log.entries();
  expect(asked.map(({ method, path, credential }) => [method, path, credential])).toEqual([
    ["HEAD", "/", null],
  ]);
});

const text = (pattern: RegExp) => expect.stringMatching(pattern) as string;

test.each<[string, spoil: (folder: string) => void, env: Record<string, string>, string, object]>([
  [
    "a session that can't be read",
    (folder) => writeFileSync(path.join(folder, "sessions", "s-centro.json"), "{", { mode: 0o600 }),
    {},
    "store centro",
    { hint: text(/./) },
  ],
  [
    "a folder of sessions that others can write to",
    (folder) => chmodSync(path.join(folder, "sessions"), 0o1777),
    {},
    "stores",
    { message: text(/Other users can read or change/) },
  ],
  [
    "a service that can't be reached",
    () => undefined,
    { COMANDA_BASE_URL: "http://127.0.0.1:9", COMANDA_API_KEY: "k" },
    "service COMANDA_BASE_URL",
    { hint: text(/env list/) },
  ],
])("%s is a line with what to do", async (_, spoil, env, check, expected) => {
  spoil(store.desk.folder);
  const { code, of } = await found(env);
  expect([code, of(check)]).toMatchObject([1, { status: "failure", ...expected }]);
});

test("a service whose answers have no date says nothing of the clock", async () => {
  const stub = await startStub();
  stub.behave((response) => {
    response.sendDate = false;
    response.writeHead(404).end();
  });
  const { findings } = await found({ COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: "key" });
  await stub.close();
  const checks = findings.map(({ check }) => check);
  expect(checks).toContain("service COMANDA_BASE_URL");
  expect(checks).not.toContain("clock (COMANDA_BASE_URL)");
});

test("a clock that is far from the service's, and a store whose zone nobody said", async () => {
  // The emulator's answers carry the desk's time, which stands still: this machine's is another.
  const { of } = await found({}, { clock: { now: () => Date.now(), sleep: () => Promise.resolve() } });
  expect(of("clock (test)")).toMatchObject({ status: "failure", hint: text(/NTP/) });
  expect(of("time zone of centro")).toMatchObject({
    status: "warning",
    hint: text(/^Set it: comanda stores set centro --tz (?!UTC)/),
  });
});

test("a database that is damaged is named with the way out, and stays as it is", async () => {
  const file = path.join(store.desk.folder, "comanda.db");
  await store.comanda("orders dispatch 1");
  const database = openSqlite(file);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  const bytes = readFileSync(file);
  // The first page, which has the schema, is whole: SQLite opens the file.
  bytes.fill(0xff, 4096 + 100);
  writeFileSync(file, bytes);
  const { code, of } = await found();
  const finding = { message: `${file} is damaged.`, hint: text(/Move it away/) };
  expect([code, of("database comanda.db")]).toMatchObject([1, finding]);
  expect(readFileSync(file)).toEqual(bytes);
});

test("names the variables that cron doesn't know, and ends with lines to copy that tell no secret", async () => {
  const env = {
    HOME: "/home/ana maria",
    COMANDA_STORE: "centro",
    COMANDA_API_KEY: "key_abc",
    COMANDA_STATE_KEY: "key_def",
    COMANDA_LANG: "en",
    https_proxy: "",
    EDITOR: "vi",
  };
  const { of, findings } = await found(env);
  expect(of("crontab")).toMatchObject({
    status: "warning",
    message: text(/: COMANDA_API_KEY, COMANDA_CONFIG_DIR/),
  });
  expect(of("crontab")?.message).not.toMatch(/EDITOR|https_proxy/);
  expect(JSON.stringify(findings)).not.toMatch(/key_(?:abc|def)/);
  const { stdout } = await store.comanda("doctor", { env });
  const [, lines = ""] = stdout.split("\nLines for a crontab, to be copied:\n");
  expect(lines.split("\n")).toEqual([
    "HOME='/home/ana maria'",
    text(/^TZ=\w/),
    "COMANDA_LANG=en",
    `COMANDA_CONFIG_DIR=${store.desk.folder}`,
    "COMANDA_STORE=centro",
    "# COMANDA_API_KEY=…",
    "# COMANDA_STATE_KEY=…",
    // The program may lie in a folder with a blank.
    text(/^15 6 \* \* \* \S+ (?:\S+comanda\.js|'.+comanda\.js') sync --quiet --no-input$/),
    "",
  ]);
});
