/** `config` changes the settings that every other command reads, and no others. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { get, list, set, unset } from "../../src/commands/config.js";
import { Desk } from "../support/desk.js";
import { parseJson } from "../support/json.js";
import { parse } from "../support/parse.js";

let desk: Desk;
beforeEach(async () => {
  desk = new Desk();
  await desk.signIn("centro", "http://127.0.0.1:4100", "a-token");
});
afterEach(() => desk.remove());

const kept = () => parseJson(readFileSync(path.join(desk.folder, "settings.json"), "utf8"));

test("a setting is named with an underscore or a hyphen, of a store or of all", async () => {
  expect(await parse(get, "time-zone")).toEqual({ name: "time_zone", store: undefined });
  expect(await parse(unset, "day_starts", "-s", "centro")).toEqual({ name: "day_starts", store: "centro" });
  expect(await parse(set, "currency", "brl")).toEqual({ name: "currency", store: undefined, text: "brl" });
  expect(await parse(list)).toEqual({ store: undefined });
  await expect(parse(get, "time_zoen")).rejects.toMatchObject({
    code: "usage",
    hint: "Did you mean time_zone?",
  });
  await expect(parse(set, "language", "en", "--store", "centro")).rejects.toThrow(/holds for all stores/);
});

test("what is set is read by the commands, and taken away again", async () => {
  expect((await desk.run("config set time_zone america/sao_paulo --store centro")).stdout).toBe(
    "time_zone is America/Sao_Paulo at centro from now on.\n",
  );
  expect(parseJson((await desk.run("stores list --json")).stdout)).toMatchObject([
    { time_zone: "America/Sao_Paulo" },
  ]);
  expect((await desk.run("config get time_zone --store centro")).stdout).toBe("America/Sao_Paulo\n");
  expect((await desk.run("config get time_zone")).stdout).toBe("");
  await desk.run("config set time_zone Europe/Lisbon");
  await desk.run("config unset time_zone --store centro");
  expect(parseJson((await desk.run("config get time_zone --store centro --json")).stdout)).toEqual({
    name: "time_zone",
    value: "Europe/Lisbon",
  });
  expect(kept()).toEqual({
    version: 1,
    time_zone: "Europe/Lisbon",
    stores: { centro: {} },
    environments: {},
  });
});

test("the list says what each setting takes, and whose the value is", async () => {
  await desk.run("config set currency brl --store centro");
  await desk.run("config set locale pt-br");
  const rows = parseJson((await desk.run("config list --store centro --json")).stdout);
  expect(rows).toContainEqual({
    name: "currency",
    value: "BRL",
    store: "centro",
    allowed: "an ISO 4217 code: BRL",
  });
  expect(rows).toContainEqual(expect.objectContaining({ name: "locale", value: "pt-BR", store: null }));
  expect(rows).not.toContainEqual(expect.objectContaining({ name: "language" }));
  expect((await desk.run("config list")).stdout).toMatch(/^language +en, pt-BR$/m);
});

describe("a wrong value", () => {
  test.each([
    ["language", "klingon", /There are: en, pt-BR/],
    ["language", "pt", /There are: en, pt-BR/],
    ["time_zone", "America/Sao_Paolo", /Sao_Paulo/],
    ["day_starts", "25:00", /00:00 to 12:00/],
    ["currency", "reais", /./],
    ["locale", "not a tag", /./],
    ["default_store", "nowhere", /./],
  ])("of %s is refused with what it takes, and changes nothing", async (name, value, hint) => {
    const { code, error } = await desk.run(["config", "set", name, value]);
    expect(code).toBe(2);
    expect(error?.hint).toMatch(hint);
    expect((await desk.run(["config", "get", name])).stdout).toBe("");
  });

  test("of the language is answered with the one that was meant", async () => {
    expect((await desk.run("config set language pt")).error?.message).toContain('Did you mean "pt-BR"?');
  });

  test("a store that isn't known has no settings", async () => {
    expect((await desk.run("config set currency BRL --store nowhere")).code).toBe(2);
  });
});
