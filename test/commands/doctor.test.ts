/** `doctor` finds what is wrong, says what to do, and sends no credential. */
import { chmodSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Finding } from "../../src/commands/doctor/finding.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { useLanguage } from "../../src/languages/language.js";
import { parseJson } from "../support/json.js";
import { StoreDesk } from "../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

/** The emulator's answers carry the desk's time, which stands still: this machine's is another. */
const atAnotherTime = { clock: { now: () => Date.now(), sleep: () => Promise.resolve() } };

async function found(line = "doctor --json", env: Record<string, string> = {}, more = {}) {
  const { code, stdout } = await store.comanda(line, { env, ...more });
  const findings = parseJson(stdout) as Finding[];
  return { code, findings, of: (check: string) => findings.find((one) => one.check === check) };
}

test("where all is well it ends with 0, and asks the service once without a credential", async () => {
  await store.comanda("stores set centro --tz America/Sao_Paulo");
  await store.desk.signIn("centro", store.emulator.baseUrl, "a-token", (session) => ({
    ...session,
    tokens: { access_token: "a-token", expires_at: store.desk.clock.now() + 7_200_000, generation: 1 },
  }));
  const { code, findings, of } = await found();
  expect(code).toBe(0);
  expect(findings.filter(({ status }) => status === "failure")).toEqual([]);
  expect(of("settings folder")).toMatchObject({ status: "ok", hint: null });
  expect(of("store centro")).toMatchObject({ status: "ok", message: "test: signed in" });
  expect(of("service test")).toMatchObject({ status: "ok" });
  expect(of("time zone of centro")).toBeUndefined();
  expect((await store.comanda("doctor")).stdout).toMatch(/^store centro +ok +test: signed in$/m);
  expect(JSON.stringify(store.requests())).not.toMatch(/authorization|x-api-key/i);
});

describe("what is wrong is a line with what to do", () => {
  test("a session that can't be read", async () => {
    writeFileSync(path.join(store.desk.folder, "sessions", "s-centro.json"), "{");
    const { code, of } = await found();
    expect(code).toBe(1);
    expect(of("store centro")?.status).toBe("failure");
    expect(of("store centro")?.hint).toMatch(/./);
  });

  test("a folder of sessions that can't be used, whose stores nobody knows", async () => {
    const sessions = path.join(store.desk.folder, "sessions");
    renameSync(sessions, `${sessions}-elsewhere`);
    symlinkSync(`${sessions}-elsewhere`, sessions);
    const { code, of } = await found();
    expect([code, of("stores")?.message]).toEqual([1, expect.stringContaining("is a link")]);
    // Where all of the folder can't be used, its own line tells it.
    const link = path.join(store.desk.folder, "link");
    symlinkSync(store.desk.folder, link);
    const whole = await found("doctor --json", { COMANDA_CONFIG_DIR: link });
    expect(whole.of("settings folder")?.message).toContain("is a link");
    expect(whole.of("stores")).toBeUndefined();
  });

  test("a hint of several lines stands in one cell", async () => {
    // What is shared on purpose isn't made private.
    chmodSync(path.join(store.desk.folder, "sessions"), 0o1777);
    const { stdout } = await store.comanda("doctor");
    expect(stdout).toContain("Other users can write to");
    expect(stdout).not.toContain(String.raw`\n`);
  });

  test("settings that can't be read", async () => {
    writeFileSync(path.join(store.desk.folder, "settings.json"), '{"version":99}', { mode: 0o600 });
    const { code, of } = await found();
    expect(code).toBe(1);
    expect(of("settings")?.status).toBe("failure");
  });

  test("a service that can't be reached", async () => {
    const gone = await found("doctor --json", {
      COMANDA_BASE_URL: "http://127.0.0.1:9",
      COMANDA_API_KEY: "k",
    });
    expect(gone.code).toBe(1);
    expect(gone.of("service COMANDA_BASE_URL")?.status).toBe("failure");
    expect(gone.of("service COMANDA_BASE_URL")?.hint).toContain("env list");
  });

  test("a clock that is far from the service's", async () => {
    const { of } = await found("doctor --json", {}, atAnotherTime);
    expect(of("clock (test)")?.status).toBe("failure");
    expect(of("clock (test)")?.hint).toContain("NTP");
  });

  test("a store whose zone nobody said", async () => {
    const zone = (await found()).of("time zone of centro");
    expect(zone?.status).toBe("warning");
    expect(zone?.hint).toMatch(/^Set it: comanda stores set centro --tz /);
  });

  test.skipIf(process.getuid?.() === 0)("a folder that can't be written to", async () => {
    chmodSync(store.desk.folder, 0o500);
    const { code, of } = await found();
    chmodSync(store.desk.folder, 0o700);
    expect(code).toBe(1);
    expect(of("settings folder")?.status).toBe("failure");
  });

  test("certificates that aren't there, and a check that is switched off", async () => {
    const { findings } = await found("doctor --json", {
      NODE_EXTRA_CA_CERTS: "/nowhere.pem",
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    });
    expect(findings.filter(({ check }) => check === "certificates").map(({ status }) => status)).toEqual([
      "failure",
      "failure",
    ]);
  });
});

test("names the variables that cron doesn't know, and none of their values", async () => {
  const env = { SSL_CERT_FILE: "/ca.pem", COMANDA_API_KEY: "key_abc", https_proxy: "", EDITOR: "vi" };
  const { of, findings } = await found("doctor --json", env);
  expect(of("crontab")).toMatchObject({ status: "warning" });
  expect(of("crontab")?.message).toContain("COMANDA_API_KEY, COMANDA_CONFIG_DIR");
  expect(of("crontab")?.message).toContain("SSL_CERT_FILE");
  expect(of("crontab")?.message).not.toMatch(/EDITOR|https_proxy/);
  expect(JSON.stringify(findings)).not.toContain("key_abc");
});

test("ends with the lines that a crontab needs, and no value that may be a secret", async () => {
  const env = {
    HOME: "/home/ana maria",
    COMANDA_STORE: "centro",
    COMANDA_API_KEY: "key_abc",
    COMANDA_STATE_KEY: "key_def",
    COMANDA_LANG: "en",
  };
  const { stdout } = await store.comanda("doctor", { env });
  const [, lines = ""] = stdout.split("\nLines for a crontab, to be copied:\n");
  expect(lines.split("\n")).toEqual([
    "HOME='/home/ana maria'",
    expect.stringMatching(/^TZ=\w/),
    "COMANDA_LANG=en",
    `COMANDA_CONFIG_DIR=${store.desk.folder}`,
    "COMANDA_STORE=centro",
    "# COMANDA_API_KEY=…",
    "# COMANDA_STATE_KEY=…",
    "15 6 * * * node comanda sync --quiet --no-input",
    "",
  ]);
});

test("in Portuguese the table has nothing in English, and settings that nobody made are none yet", async () => {
  const { findings, of } = await found();
  expect(of("settings")?.message).toMatch(/^None yet: /);
  await useLanguage("pt-BR");
  const { stdout } = await store.comanda("doctor");
  for (const { check, status } of findings) {
    const row = new RegExp(`^${check.replaceAll(/[()]/g, String.raw`\$&`)} +${status} `, "m");
    expect(stdout).not.toMatch(row);
  }
  expect(stdout).toMatch(/^configurações +certo +Nenhuma ainda/m);
});

describe("the databases and the locks", () => {
  const file = (name = "comanda.db") => path.join(store.desk.folder, name);

  test("are sound, or not there yet", async () => {
    for (const line of ["orders dispatch 1", "summary --period yesterday"]) await store.comanda(line);
    const { of } = await found();
    expect(of("database comanda.db")).toMatchObject({ status: "ok", message: `${file()} is sound.` });
    expect(of("database sales.db")?.status).toBe("ok");
  });

  test("one that is damaged is named with the way out, and stays as it is", async () => {
    await store.comanda("orders dispatch 1");
    const database = openSqlite(file());
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    const bytes = readFileSync(file());
    // The first page, which has the schema, is whole: SQLite opens the file.
    bytes.fill(0xff, 4096 + 100);
    writeFileSync(file(), bytes);
    for (const times of [1, 2]) {
      const { code, of } = await found();
      expect([times, code, of("database comanda.db")]).toEqual([
        times,
        1,
        expect.objectContaining({ status: "failure", message: `${file()} is damaged.` }),
      ]);
      expect(of("database comanda.db")?.hint).toContain("Move it away");
    }
    expect(readFileSync(file())).toEqual(bytes);
  });
});
