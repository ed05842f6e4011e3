/** A newer version is told of at a terminal only, once a day; whatever goes wrong with that is never heard. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { askRelease } from "../../src/cli/ask-release.js";
import { environmentOfAsking, tellOfUpdate, type Ran } from "../../src/cli/update-notice.js";
import { TransportError, type HttpAnswer, type HttpRequest } from "../../src/client/index.js";
import type { Context } from "../../src/commands/index.js";
import { ComandaError } from "../../src/shared/errors.js";
import { realSystem } from "../../src/shared/system.js";
import { isNewerRelease, releasedVersion } from "../../src/state/updates.js";
import { Sink, testContext, testGlobals } from "../support/context.js";
import { parseJson } from "../support/json.js";

const url = "https://releases.example/comanda/latest";
const noon = Date.parse("2026-11-20T15:00:00Z");
const hour = 3_600_000;
const notice = "There is a newer comanda: 0.2.0. This is 0.1.0.";

let folder: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "comanda-updates-"));
  now = noon;
  set({ updates_url: url });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stored = () => path.join(folder, "updates.json");
const inStore = () => parseJson(readFileSync(stored(), "utf8"));
const set = (settings: object) =>
  writeFileSync(path.join(folder, "settings.json"), JSON.stringify({ version: 1, ...settings }), {
    mode: 0o600,
  });
const know = (data: object) => writeFileSync(stored(), JSON.stringify(data), { mode: 0o600 });
const knowOf = (latest: unknown) => know({ version: 1, url, asked_at: now, latest });

function contextOf(given: Partial<Context> = {}): Context {
  return testContext({
    version: "0.1.0",
    stderr: new Sink(200),
    clock: { now: () => now, sleep: () => Promise.resolve() },
    ...given,
    env: { COMANDA_CONFIG_DIR: folder, ...given.env },
  });
}

interface Seen {
  readonly said: string;
  /** How many processes were started to ask. */
  readonly started: number;
}

async function after(
  line: Partial<Omit<Ran, "globals">> & { readonly globals?: Partial<Ran["globals"]> } = {},
  given: Partial<Context> = {},
): Promise<Seen> {
  const stderr = new Sink(200);
  let started = 0;
  await tellOfUpdate(
    contextOf({ stderr, ...given }),
    { command: line.command ?? "comanda orders dispatch", globals: testGlobals(line.globals) },
    () => {
      started += 1;
      return Promise.resolve();
    },
  );
  return { said: stderr.text, started };
}

const nothing: Seen = { said: "", started: 0 };

/** What the process that asks keeps of an answer. */
async function afterAnswer(answer: Partial<HttpAnswer> | TransportError): Promise<HttpRequest[]> {
  const requests: HttpRequest[] = [];
  const send = (request: HttpRequest) => {
    requests.push(request);
    return answer instanceof TransportError
      ? Promise.reject(answer)
      : Promise.resolve({ status: 200, headers: {}, body: "", ...answer });
  };
  const context = contextOf({ openTransport: () => ({ send, close: () => Promise.resolve() }) });
  await askRelease(context).catch((error: unknown) => {
    if (!(error instanceof ComandaError)) expect(error).toBe(answer);
  });
  return requests;
}

describe("at a terminal", () => {
  test("is told of once a day, and asked for once a day", async () => {
    expect(await after()).toEqual({ said: "", started: 1 });
    expect(await after()).toEqual(nothing);
    await afterAnswer({ body: '{"name":"comanda","version":"0.2.0"}' });
    expect((await after()).said).toContain(notice);
    expect(await after()).toEqual(nothing);
    now += 23 * hour;
    expect(await after()).toEqual(nothing);
    now += hour;
    const nextDay = await after();
    expect(nextDay).toMatchObject({ started: 1 });
    expect(nextDay.said).toContain(notice);
    expect(await after()).toEqual(nothing);
  });

  test("a clock that was years ahead silences nothing for years", async () => {
    await after();
    now -= 3 * 365 * 24 * hour;
    expect(await after()).toMatchObject({ started: 1 });
    expect(await after()).toMatchObject({ started: 0 });
  });

  test("ten processes at once tell once and start one", async () => {
    know({ version: 1, url, latest: "0.2.0" });
    const seen = await Promise.all(Array.from({ length: 10 }, () => after()));
    expect(seen.filter(({ said }) => said.includes(notice))).toHaveLength(1);
    expect(seen.filter(({ started }) => started > 0)).toHaveLength(1);
  });

  test("says how to turn it off, in the width of the terminal", async () => {
    knowOf("0.2.0");
    const stderr = new Sink(40);
    await after({}, { stderr });
    expect(stderr.text).toContain("COMANDA_NO_UPDATE_NOTICE=1");
    expect(Math.max(...stderr.text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  test("what another address has answered doesn't count", async () => {
    know({ version: 1, url: "https://elsewhere.example/", asked_at: now, latest: "9.9.9" });
    expect(await after()).toEqual({ said: "", started: 1 });
    expect(inStore()).toEqual({ version: 1, url, asked_at: noon });
  });
});

describe("nothing is read, told or asked", () => {
  beforeEach(() => knowOf("0.2.0"));

  test.each<[string, Parameters<typeof after>[0], Partial<Context>?]>([
    ["without a terminal", {}, { stderr: new Sink() }],
    ["with --quiet", { globals: { quiet: true } }],
    ["with --json", { globals: { format: "json" } }],
    ["with --format csv", { globals: { format: "csv" } }],
    ["with --no-input", { globals: { input: false } }],
    ["by COMANDA_NO_UPDATE_NOTICE", {}, { env: { COMANDA_NO_UPDATE_NOTICE: "1" } }],
    ["by NO_UPDATE_NOTIFIER", {}, { env: { NO_UPDATE_NOTIFIER: "1" } }],
    ["on a build server", {}, { env: { CI: "true" } }],
    ["on another build server", {}, { env: { CI_SERVER: "yes" } }],
    ["under emulator exec", {}, { env: { COMANDA_EMULATOR_URL: "http://127.0.0.1:4100" } }],
    ["after version", { command: "comanda version" }],
    ["after help", { command: "comanda help" }],
    ["after completion", { command: "comanda completion" }],
    ["after emulator exec", { command: "comanda emulator exec" }],
    ["after demo", { command: "comanda demo" }],
  ])("%s", async (_, line, given) => {
    expect(await after(line, given)).toEqual(nothing);
    now += 24 * hour;
    expect(await after(line, given)).toEqual(nothing);
  });

  test.each([
    ["no address", {}],
    ["off", { updates_url: "off" }],
    ["http to another machine", { updates_url: "http://releases.example/" }],
    ["a file", { updates_url: "file:///etc/passwd" }],
    ["a password in the address", { updates_url: "https://a:b@releases.example/" }],
  ])("where the setting is %s", async (_, settings) => {
    set(settings);
    now += 24 * hour;
    expect(await after()).toEqual(nothing);
    expect(await afterAnswer({ body: '{"version":"0.2.0"}' })).toEqual([]);
  });

  test("where the variable is empty it is as if it weren't set", async () => {
    expect((await after({}, { env: { NO_UPDATE_NOTIFIER: "", CI: "false" } })).said).toContain(notice);
  });
});

test("a package names an address of its own, and the setting goes before it", async () => {
  const releases = "https://package.example/latest";
  set({});
  expect(await after({}, { releases })).toMatchObject({ started: 1 });
  expect(inStore()).toMatchObject({ url: releases });
  set({ updates_url: "off" });
  now += 24 * hour;
  expect(await after({}, { releases })).toEqual(nothing);
});

describe("the disk", () => {
  test.each<[string, () => void]>([
    ["a link to another file", () => symlinkSync(path.join(folder, "settings.json"), stored())],
    ["a folder", () => mkdirSync(stored())],
    ["a later version's", () => know({ version: 2, url, latest: "0.2.0" })],
  ])("has %s in its place: nothing is said and nothing changed", async (_, make) => {
    make();
    expect(await after()).toEqual(nothing);
    expect(readFileSync(path.join(folder, "settings.json"), "utf8")).toContain(url);
  });

  test.each(["", "{", "[]", "null", '{"url":1}'])("has %j there: it is written anew", async (text) => {
    writeFileSync(stored(), text, { mode: 0o600 });
    expect(await after()).toEqual({ said: "", started: 1 });
    expect(inStore()).toMatchObject({ url, asked_at: now });
  });

  test("can't be written to: nothing is told, as it would be told each time; --debug says why", async () => {
    know({ version: 1, url, latest: "0.2.0" });
    const full = (): never => {
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    };
    const system = { ...realSystem, disk: { ...realSystem.disk, write: full } };
    expect(await after({}, { system })).toEqual(nothing);
    expect((await after({ globals: { debug: true } }, { system })).said).toMatch(/debug: .*newer version/);
    expect((await after()).said).toContain(notice);
  });

  test("is another user's: nothing is said", async () => {
    knowOf("0.2.0");
    const host = { ...process, pid: process.pid, getuid: () => 4711 } as unknown as Context["host"];
    expect(await after({}, { host })).toEqual(nothing);
  });
});

describe("an answer", () => {
  test.each([
    ["of a registry", '{"name":"comanda","version":"0.2.0"}'],
    ["of a code host", '{"tag_name":"v0.2.0","prerelease":false,"draft":false}'],
    ["with a byte order mark", '\uFEFF{"version":"0.2.0"}'],
  ])("%s is told of", async (_, body) => {
    await after();
    await afterAnswer({ body });
    expect((await after()).said).toContain(notice);
  });

  test.each([
    ["with escape sequences", { body: JSON.stringify({ version: "0.2.0\u001b[2J" }) }],
    ["with a second line", { body: JSON.stringify({ version: "0.2.0\nrun this" }) }],
    ["of an older version", { body: '{"version":"0.0.9"}' }],
    ["of this version", { body: '{"version":"0.1.0"}' }],
    ["of a prerelease", { body: '{"version":"0.2.0-rc.1"}' }],
    ["of a release marked as a prerelease", { body: '{"tag_name":"v0.2.0","prerelease":true}' }],
    ["of a draft", { body: '{"tag_name":"v0.2.0","draft":true}' }],
    ["of a version that was withdrawn", { body: '{"version":"0.2.0","deprecated":"broken"}' }],
    ["with a number of a million digits", { body: `{"version":"0.${"9".repeat(100_000)}.0"}` }],
    ["with a number for a version", { body: '{"version":2}' }],
    ["that is HTML", { body: "<html><h1>0.2.0</h1></html>" }],
    ["that is a list", { body: '[{"version":"0.2.0"}]' }],
    ["that is empty", { body: "" }],
    ["that leads elsewhere", { status: 302, headers: { location: url }, body: '{"version":"0.2.0"}' }],
    ["of a failure", { status: 500, body: '{"version":"0.2.0"}' }],
    ["that is too large", new TransportError("bad_answer", true, "more than 262144 bytes")],
    ["that never comes", new TransportError("timeout", true, "no answer")],
  ])("%s is not", async (_, answer) => {
    await after();
    expect(await afterAnswer(answer)).toHaveLength(1);
    expect(await after()).toEqual(nothing);
  });

  test("of nothing newer takes back what was known; a failure doesn't", async () => {
    knowOf("0.2.0");
    await afterAnswer({ status: 503 });
    expect(inStore()).toMatchObject({ latest: "0.2.0" });
    await afterAnswer({ body: "{}" });
    expect(await after()).toEqual(nothing);
  });
});

test("no credential, store or debugger goes along with the question", async () => {
  const env = {
    ...{ PATH: "/bin", HTTPS_PROXY: "http://proxy.example", NODE_EXTRA_CA_CERTS: "/ca.pem" },
    ...{ COMANDA_ACCESS_TOKEN: "secret", COMANDA_API_KEY: "secret", COMANDA_STORE: "centro" },
    ...{ COMANDA_CONFIG_DIR: folder, AWS_SECRET_ACCESS_KEY: "secret", NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    NODE_OPTIONS: "--inspect-brk",
  };
  expect(environmentOfAsking(env)).toEqual({
    ...{ PATH: "/bin", HTTPS_PROXY: "http://proxy.example", NODE_EXTRA_CA_CERTS: "/ca.pem" },
    COMANDA_CONFIG_DIR: folder,
  });
  const [request] = await afterAnswer({ body: "{}" });
  expect(request).toEqual({
    method: "GET",
    url,
    headers: { accept: "application/json", "user-agent": "comanda/0.1.0" },
  });
});

test.each([
  ["0.1.1", "0.1.0", true],
  ["0.10.0", "0.9.9", true],
  ["1.0.0", "0.99.99", true],
  ["0.9.9", "0.10.0", false],
  ["1.0.0", "1.0.0", false],
  ["1.0.0", "1.0.0-rc.1", true],
  ["0.9.9", "1.0.0-rc.1", false],
  ["1.0.0", "something", false],
])("%s is newer than %s: %s", (version, own, expected) => {
  expect(isNewerRelease(version, own)).toBe(expected);
});

test.each(["01.0.0", "1.0", "1.0.0.0", "1.0.0+build", " 1.0.0", "V1.0.0", "1.0.0\n", "١.٠.٠"])(
  "%j is no version that is told of",
  (text) => {
    expect(releasedVersion({ version: text })).toBeUndefined();
  },
);
