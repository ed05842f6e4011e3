/** `comanda stores`: the stores on this machine and their settings. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, test } from "vitest";

import { containing, Desk, errorOf, parseJson } from "../support/desk.js";

let desk: Desk;
beforeEach(async () => {
  desk = new Desk();
  await desk.signIn("centro", "http://127.0.0.1:4100", "token");
  const keyOnly = { tokens: undefined, api_key: "key_abc" };
  await desk.signIn("loja-2", "http://127.0.0.1:4100", "", (session) => ({ ...session, ...keyOnly }));
});

const said = async (line: string) => (await desk.run(line)).stdout;
const json = async (line: string) => parseJson(await said(`${line} --json`));
const sessionFiles = () =>
  readdirSync(path.join(desk.folder, "sessions")).filter((name) => name.endsWith(".json"));

test("stores list shows each store, and stores use sets the default", async () => {
  expect(await said("stores use loja-2")).toBe("loja-2 is now the default store.\n");
  expect(await json("stores list")).toMatchObject([
    { store: "centro", state: "valid", default: false, expires_at: "2026-11-20T17:00:00.000Z" },
    { store: "loja-2", state: "valid", default: true, has_api_key: true, can_change_orders: true },
  ]);
  expect(await said("stores list")).toMatch(
    /^centro +test +signed in\nloja-2 +test +yes +yes +API key only: no sales figures, no drivers$/m,
  );
  expect(await json("stores use centro")).toEqual({ store: "centro", environment: "test", default: true });
  expect(await json("stores list")).toMatchObject([{ default: true }, { default: false }]);
});

test("a store whose file can't be read is listed with the reason, and can be removed", async () => {
  writeFileSync(path.join(desk.folder, "sessions", "s-centro.json"), "{", { mode: 0o600 });
  const broken = { store: "centro", environment: null, state: "signed_out", error: containing("s-centro") };
  expect(await json("stores list")).toMatchObject([broken, { store: "loja-2", error: null }]);
  expect(await said("stores list --format csv")).toMatch(/^centro,.*,false,.*s-centro.*\r\nloja-2,.*,true,/m);
  expect(await json("stores remove centro")).toEqual({ store: "centro", removed: true });
  expect(sessionFiles()).toEqual(["s-loja-2.json"]);
});

test("stores set changes only the settings that it names; --day-starts 00:00 removes the setting", async () => {
  expect(await said("stores set centro --tz America/Manaus --currency BRL --locale pt-BR")).toBe(
    "Store:      centro\nTime zone:  America/Manaus\nCurrency:   BRL\nLocale:     pt-BR\n",
  );
  expect(await json("stores set centro --currency EUR --day-starts 04:00")).toEqual({
    store: "centro",
    time_zone: "America/Manaus",
    day_starts: "04:00",
    currency: "EUR",
    locale: "pt-BR",
  });
  expect(await json("stores set centro --day-starts 00:00")).not.toHaveProperty("day_starts");
  const { stderr } = await desk.run("stores set centro --day-starts 4");
  expect(stderr).toContain('Invalid value "4" for --day-starts.');
  expect(await said("stores set loja-2 --locale en")).toBe(
    "Store:      loja-2\nTime zone:  not set\nCurrency:   not set\nLocale:     en\n",
  );
});

test("stores rename moves the session, the settings and the default to the new alias", async () => {
  await desk.run("stores use loja-2");
  await desk.run("stores set loja-2 --currency BRL");
  expect(await said("stores rename loja-2 praça")).toBe("loja-2 is now called praça.\n");
  expect(await json("stores list")).toMatchObject([{ store: "centro" }, { store: "praça", default: true }]);
  expect(await json("stores set praça --locale en")).toMatchObject({ currency: "BRL" });
  expect(await json("stores rename centro downtown")).toEqual({ store: "downtown", renamed_from: "centro" });
});

test("stores remove deletes the sign-in and the settings, unless the user answers no", async () => {
  await desk.run("stores set centro --currency BRL");
  const { stderr } = await desk.run("stores remove centro", { answers: ["n"] });
  expect(stderr).toContain("Remove the store centro from this machine?");
  expect(sessionFiles()).toEqual(["s-centro.json", "s-loja-2.json"]);
  expect(await said("stores remove centro")).toBe("Store centro removed.\n");
  expect(sessionFiles()).toEqual(["s-loja-2.json"]);
  expect((await desk.run("stores set centro --locale en")).code).toBe(2);
});

test("an interrupted removal is listed, and the same command finishes it", async () => {
  await desk.run("stores set centro --currency BRL");
  rmSync(path.join(desk.folder, "sessions", "s-centro.json"));
  const left =
    "The removal of centro was interrupted, and its settings remain. To finish the removal: comanda stores remove centro\n";
  expect((await desk.run("stores list")).stderr).toBe(left);
  expect(await said("stores remove centro")).toBe("Store centro removed.\n");
  expect((await desk.run("stores list")).stderr).toBe("");
});

test.each(["use cenrto", "set cenrto --currency BRL", "rename cenrto x", "remove cenrto"])(
  "an alias that doesn't exist is rejected by stores %s, which lists those that do",
  async (words) => {
    const message = 'There is no store "cenrto" on this machine. Did you mean "centro"?';
    const error = { code: "invalid_input", message, hint: "Stores: centro, loja-2." };
    expect(errorOf((await desk.run(`stores ${words} --json`)).stderr)).toMatchObject({ error });
  },
);
