import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { list, remove, rename, set, use } from "../../src/commands/stores/index.js";
import { filesIn, snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import { keepSession, openMachine, run, type TestMachine } from "../support/machine.js";
import { parse } from "../support/parse.js";

/** Signed in at `centro`; of `loja-2` there is an API key. */
async function machineWithTwoStores(options: Parameters<typeof openMachine>[0] = {}): Promise<TestMachine> {
  const test = await openMachine(options);
  const tokens = { access_token: "token", expires_at: 1_000, refresh_token: "refresh", generation: 1 };
  await keepSession(test, "centro", { tokens, signed_in_at: 0 });
  await keepSession(test, "loja-2", { api_key: "key_abc" });
  return test;
}

const settingsOf = async ({ machine }: TestMachine) => (await machine.state()).settings.read();
const storesOf = async (test: TestMachine) => (await run(list, test, {})).result;

describe("parse", () => {
  test.each([
    ["stores list", list, [], {}],
    ["stores list --json", list, ["--json"], {}],
    ["stores use", use, ["centro"], { store: "centro" }],
    ["stores use, in another form of Unicode", use, ["prac\u0327a"], { store: "praça" }],
    ["stores rename", rename, ["centro", "downtown"], { from: "centro", to: "downtown" }],
    ["stores remove", remove, ["centro"], { store: "centro" }],
    [
      "stores set",
      set,
      ["centro", "--tz", "America/Manaus", "--currency", "brl", "--locale", "pt_BR"],
      { store: "centro", timeZone: "America/Manaus", currency: "BRL", locale: "pt-BR" },
    ],
    [
      "stores set of one value",
      set,
      ["centro", "--locale", "en-GB"],
      { store: "centro", timeZone: undefined, currency: undefined, locale: "en-GB" },
    ],
  ])("%s", async (_, command, words, options) => {
    await expect(parse<unknown, unknown>(command, ...words)).resolves.toEqual(options);
  });

  test.each([
    ["stores use without an alias", use, [], "missing required argument"],
    ["stores use of what can't be an alias", use, ["../x"], "can't be a store's alias"],
    ["stores rename to what can't be an alias", rename, ["centro", "../x"], "can't be a store's alias"],
    ["stores remove of what can't be an alias", remove, [""], "can't be empty"],
    ["stores set of nothing", set, ["centro"], "Nothing to set"],
    ["stores set with no currency", set, ["centro", "--currency", "reais"], 'no currency "reais"'],
    ["stores set with no locale", set, ["centro", "--locale", "!"], 'no locale "!"'],
    ["stores list at a store", list, ["--store", "a"], "doesn't take --store"],
    ["stores use as CSV", use, ["centro", "--format", "csv"], "doesn't take --format"],
  ])("%s is refused", async (_, command, words, message) => {
    await expect(parse<unknown, unknown>(command, ...words)).rejects.toThrow(message);
  });
});

describe("stores list", () => {
  test("says what to do where no store is known", async () => {
    const empty = await openMachine();
    expect(await run(list, empty, {})).toEqual({
      result: [],
      stdout: "",
      stderr: "No store yet. Sign in at one: comanda login --store <alias> --env <name>\n",
    });
    const { stdout } = await run(list, await openMachine({ format: "json" }), {});
    expect(parseJson(stdout)).toEqual([]);
  });

  test("shows environment, default, API key and state of each store", async () => {
    const test = await machineWithTwoStores();
    await run(use, test, { store: "loja-2" });
    const { result, stdout } = await run(list, test, {});
    const common = {
      environment: "test",
      state: "valid",
      can_change_orders: true,
      has_partner_key: false,
      error: null,
      time_zone: null,
    };
    const key = { scopes: [], expires_at: null, has_api_key: true, has_refresh_token: false };
    const tokens = {
      scopes: [],
      expires_at: "1970-01-01T00:00:01.000Z",
      has_api_key: false,
      has_refresh_token: true,
    };
    expect(result).toEqual([
      { ...common, ...tokens, store: "centro", default: false },
      { ...common, ...key, store: "loja-2", default: true },
    ]);
    expect(stdout).toMatch(
      /^centro +test +signed in\nloja-2 +test +yes +yes +API key only: no sales figures, no drivers$/m,
    );
  });

  test("takes the only store for the default", async () => {
    const test = await openMachine();
    await keepSession(test, "centro");
    expect(await storesOf(test)).toMatchObject([{ store: "centro", default: true, state: "signed_out" }]);
  });

  test("shows a store whose file can't be used, with the reason", async () => {
    const test = await machineWithTwoStores();
    writeFileSync(path.join(test.folder, "sessions", "s-centro.json"), "{", { mode: 0o600 });
    const { result, stdout } = await run(list, test, {});
    expect(result).toMatchObject([
      {
        store: "centro",
        environment: null,
        state: "signed_out",
        error: expect.stringContaining("s-centro") as string,
      },
      { store: "loja-2", error: null },
    ]);
    expect(stdout).toMatch(/^centro .*s-centro/m);
  });
});

test("stores use makes a store the default", async () => {
  const test = await machineWithTwoStores();
  expect((await run(use, test, { store: "loja-2" })).stdout).toBe(
    "Commands work at loja-2 (test) from now on.\n",
  );
  expect(await settingsOf(test)).toMatchObject({ default_store: "loja-2" });
  const json = await openMachine({ folder: test.folder, format: "json" });
  expect(parseJson((await run(use, json, { store: "centro" })).stdout)).toEqual({
    store: "centro",
    environment: "test",
    default: true,
  });
});

describe("stores set", () => {
  const nothing = { timeZone: undefined, currency: undefined, locale: undefined };

  test("changes what is given, and keeps the rest", async () => {
    const test = await machineWithTwoStores();
    const all = { store: "centro", timeZone: "America/Manaus", currency: "BRL", locale: "pt-BR" };
    expect((await run(set, test, all)).stdout).toBe(
      "centro: time zone America/Manaus, currency BRL, locale pt-BR.\n",
    );
    expect((await run(set, test, { ...nothing, store: "centro", currency: "EUR" })).result).toEqual({
      store: "centro",
      time_zone: "America/Manaus",
      currency: "EUR",
      locale: "pt-BR",
    });
    expect((await run(set, test, { ...nothing, store: "loja-2", locale: "en" })).stdout).toBe(
      "loja-2: time zone not set, currency not set, locale en.\n",
    );
  });

  test("answers with JSON", async () => {
    const test = await machineWithTwoStores({ format: "json" });
    const { stdout } = await run(set, test, { ...nothing, store: "centro", locale: "pt-PT" });
    expect(parseJson(stdout)).toEqual({
      store: "centro",
      time_zone: null,
      currency: null,
      locale: "pt-PT",
    });
  });

  test("says when a store's day starts; 00:00 takes it back", async () => {
    const test = await machineWithTwoStores();
    await expect(parse(set, "centro", "--day-starts", "4")).rejects.toThrow('A day can\'t start at "4".');
    const later = await parse(set, "centro", "--day-starts", "04:00");
    expect((await run(set, test, later)).stdout).toContain("day starts 04:00");
    expect(await settingsOf(test)).toMatchObject({ stores: { centro: { day_starts: "04:00" } } });
    const { result } = await run(set, test, await parse(set, "centro", "--day-starts", "00:00"));
    expect(result).not.toHaveProperty("day_starts");
    expect(await settingsOf(test)).not.toHaveProperty("stores.centro.day_starts");
  });

  test("refuses a time zone that isn't there", async () => {
    const test = await machineWithTwoStores();
    await expect(run(set, test, { ...nothing, store: "centro", timeZone: "Mars/Base" })).rejects.toThrow(
      'no time zone "Mars/Base"',
    );
  });

  test.each([
    ["São Paulo", "America/Sao_Paulo"],
    ["sao_paulo", "America/Sao_Paulo"],
    ["Brasília", "America/Sao_Paulo"],
    ["manaus", "America/Manaus"],
  ])("answers the city %s with its time zone", async (timeZone, zone) => {
    const test = await machineWithTwoStores();
    const setting = run(set, test, { ...nothing, store: "centro", timeZone });
    await expect(setting).rejects.toThrow(`Did you mean "${zone}"?`);
  });
});

describe("stores rename", () => {
  test("moves the session, the settings and the default to the new alias", async () => {
    const test = await machineWithTwoStores();
    await run(use, test, { store: "loja-2" });
    await run(set, test, { store: "loja-2", timeZone: undefined, currency: "BRL", locale: undefined });
    expect((await run(rename, test, { from: "loja-2", to: "praça" })).stdout).toBe(
      "loja-2 is called praça from now on.\n",
    );
    expect(await storesOf(test)).toMatchObject([{ store: "centro" }, { store: "praça", default: true }]);
    expect(await settingsOf(test)).toMatchObject({
      default_store: "praça",
      stores: { praça: { currency: "BRL" } },
    });
  });

  test("answers with JSON", async () => {
    const test = await machineWithTwoStores({ format: "json" });
    const { stdout } = await run(rename, test, { from: "centro", to: "downtown" });
    expect(parseJson(stdout)).toEqual({ store: "downtown", renamed_from: "centro" });
  });
});

describe("stores remove", () => {
  const sessionFiles = ({ folder }: TestMachine) =>
    filesIn(path.join(folder, "sessions")).filter((name) => name.endsWith(".json"));

  test("forgets the session and the settings of the store", async () => {
    const test = await machineWithTwoStores();
    await run(set, test, { store: "centro", timeZone: undefined, currency: "BRL", locale: undefined });
    expect((await run(remove, test, { store: "centro" })).stdout).toBe(
      "centro is forgotten on this machine.\n",
    );
    expect(sessionFiles(test)).toEqual(["s-loja-2.json"]);
    expect(await settingsOf(test)).not.toHaveProperty("stores");
  });

  test("takes away a file that can't be used", async () => {
    const test = await machineWithTwoStores({ format: "json" });
    writeFileSync(path.join(test.folder, "sessions", "s-centro.json"), "{", { mode: 0o600 });
    const { stdout } = await run(remove, test, { store: "centro" });
    expect(parseJson(stdout)).toEqual({ store: "centro", removed: true });
    expect(sessionFiles(test)).toEqual(["s-loja-2.json"]);
  });

  test.each([
    ["removes nothing where a person answers no", false, ["s-centro.json", "s-loja-2.json"]],
    ["removes the store where a person answers yes", true, ["s-loja-2.json"]],
  ])("asks where a person is there, and %s", async (_, answer, left) => {
    const test = await machineWithTwoStores();
    const questions: string[] = [];
    const machine = {
      ...test.machine,
      canAsk: () => true,
      askYesNo: (question: string) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
    };
    const { stderr } = await run(remove, { ...test, machine }, { store: "centro" });
    expect(questions).toEqual(["Forget the store centro (test) on this machine?"]);
    expect(stderr).toBe(answer ? "" : "Nothing was removed.\n");
    expect(sessionFiles(test)).toEqual(left);
  });
});

describe("a store that isn't known", () => {
  const options = { timeZone: "UTC", currency: undefined, locale: undefined };
  test.each([
    ["use", (test: TestMachine) => run(use, test, { store: "cenrto" })],
    ["set", (test: TestMachine) => run(set, test, { store: "cenrto", ...options })],
    ["rename", (test: TestMachine) => run(rename, test, { from: "cenrto", to: "x" })],
    ["remove", (test: TestMachine) => run(remove, test, { store: "cenrto" })],
  ])("is refused by stores %s, which suggests the nearest and changes nothing", async (_, work) => {
    const test = await machineWithTwoStores();
    const before = dataIn(test.folder);
    await expect(work(test)).rejects.toMatchObject({
      code: "invalid_input",
      message: 'This machine knows no store "cenrto". Did you mean "centro"?',
    });
    expect(dataIn(test.folder)).toEqual(before);
  });

  test("an alias that is taken is refused by stores rename, which changes nothing", async () => {
    const test = await machineWithTwoStores();
    const before = snapshot(test.folder);
    await expect(run(rename, test, { from: "centro", to: "loja-2" })).rejects.toMatchObject({
      code: "invalid_input",
      message: 'There is a store "loja-2" already.',
    });
    expect(snapshot(test.folder)).toEqual(before);
  });
});

/** Without the empty files that locks are held on. */
function dataIn(folder: string): Record<string, string> {
  const files = Object.entries(snapshot(folder));
  return Object.fromEntries(files.filter(([name]) => !name.startsWith("locks")));
}
