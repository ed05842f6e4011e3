/** The choice of a command's stores and credentials. */
import { userInfo } from "node:os";

import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { chooseStore, chooseStores, type Store } from "../../src/core/connection.js";
import { matching } from "../support/containing.js";
import { Desk } from "../support/desk.js";
import { hinted } from "../support/hinted.js";

const variables = { COMANDA_BASE_URL: "https://api.example/v2/", COMANDA_API_KEY: "key_abc" };

/** All stores belong to the environment `test`, except `longe`. */
async function deskWith(stores: readonly string[], byDefault?: string) {
  const desk = new Desk();
  for (const store of stores) {
    await desk.signIn(store, "http://127.0.0.1:4100", "token", (session) => ({
      ...session,
      environment: { ...session.environment, name: store === "longe" ? "far" : "test" },
    }));
  }
  const context = await desk.context();
  const state = await context.workspace.state();
  const withEnv = (env: Record<string, string>) => {
    return { ...context, env, workspace: { ...context.workspace, env }, canAsk: () => false };
  };
  if (byDefault !== undefined) {
    await state.settings.update((current) => ({ ...current, default_store: byDefault }));
  }
  return { folder: desk.folder, state, withEnv };
}

const nameOf = ({ store, baseUrl }: Store) => store ?? baseUrl;

describe("The store of a command", () => {
  test.each<[string, string[], string | undefined, Record<string, string>, string | undefined, string]>([
    ["the flag", ["norte", "sul"], "sul", { COMANDA_STORE: "sul", ...variables }, "norte", "norte"],
    [
      "the credential variables",
      ["norte"],
      "norte",
      { COMANDA_STORE: "norte", ...variables },
      undefined,
      "https://api.example/v2",
    ],
    ["COMANDA_STORE", ["norte", "sul"], "norte", { COMANDA_STORE: "sul" }, undefined, "sul"],
    ["the default", ["norte", "sul"], "sul", { COMANDA_STORE: "" }, undefined, "sul"],
    ["the only store", ["norte"], undefined, {}, undefined, "norte"],
    ["the only store, if the default store was removed", ["norte"], "sul", {}, undefined, "norte"],
  ])("is chosen by %s", async (_, stores, byDefault, env, store, expected) => {
    const { withEnv } = await deskWith(stores, byDefault);
    expect(nameOf(await chooseStore(withEnv(env).workspace, store))).toBe(expected);
  });

  test.each<[string, string[], Record<string, string>, string | undefined, string, RegExp]>([
    [
      "an unknown alias",
      ["norte"],
      {},
      "nrote",
      "invalid_input",
      /Stores: norte. To add this store: comanda login --store nrote --env <name>/,
    ],
    [
      "several stores without a default",
      ["norte", "sul"],
      {},
      undefined,
      "usage",
      /--store <alias>.*comanda stores use norte/,
    ],
    [
      "a misspelled COMANDA_STORE",
      ["norte", "sul"],
      { COMANDA_STORE: "notre" },
      undefined,
      "invalid_input",
      /^The alias comes from COMANDA_STORE\. Stores: norte, sul\. To add this store: comanda login --store notre --env <name>$/,
    ],
    [
      "a key without its address",
      ["norte"],
      { COMANDA_API_KEY: "k" },
      undefined,
      "configuration",
      /^Set it, or choose a store with --store\.$/,
    ],
    [
      "an http address",
      [],
      { ...variables, COMANDA_BASE_URL: "http://a.example" },
      undefined,
      "configuration",
      /COMANDA_BASE_URL/,
    ],
  ])("can't be chosen with %s", async (_, stores, env, store, code, hint) => {
    const { withEnv } = await deskWith(stores);
    await expect(hinted(chooseStore(withEnv(env).workspace, store))).rejects.toMatchObject({
      code,
      hint: matching(hint),
    });
  });

  // For example, the crontab of another user has no stores.
  test.each([
    [undefined, "No store is set up on this machine."],
    ["centro", 'There is no store "centro" on this machine.'],
  ])("is reported as missing, with the folder and the user, for --store %s", async (store, message) => {
    const { withEnv } = await deskWith([]);
    const origin = String.raw`Stores are read from /.* \(user ${userInfo().username}\)\.`;
    await expect(hinted(chooseStore(withEnv({}).workspace, store))).rejects.toMatchObject({
      message: matching(`^${message} ${origin}$`),
      hint: matching(/(?:To add this store|Sign in to a store): comanda login .*$/),
    });
  });
});

describe("The stores of a sales command", () => {
  const names = async (
    { withEnv }: Awaited<ReturnType<typeof deskWith>>,
    stores: readonly string[],
    env: Record<string, string> = {},
  ) => {
    const selection = { stores, allStores: stores.length === 0 };
    const chosen = await chooseStores(withEnv(env).workspace, selection);
    return chosen.map((choice) => ("error" in choice ? `no ${choice.store}` : nameOf(choice)));
  };

  test("are those that --store names, each once, whatever the variables contain", async () => {
    const machine = await deskWith(["norte", "sul", "longe"]);
    expect(await names(machine, ["sul", "norte", "sul"], variables)).toEqual(["sul", "norte"]);
    expect(await names(machine, ["sul", "norte", "Sul"])).toEqual(["sul", "norte"]);
    await expect(names(machine, ["sul", "leste"])).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("are all stores with --all-stores", async () => {
    const machine = await deskWith(["norte", "longe"]);
    expect(await names(machine, [])).toEqual(["longe", "norte"]);
  });

  test("include a store whose sign-in file is damaged, as an error", async () => {
    const machine = await deskWith(["norte", "sul"]);
    writeFileSync(path.join(machine.folder, "sessions", "s-sul.json"), "{", { mode: 0o600 });
    expect(await names(machine, [])).toEqual(["norte", "no sul"]);
    expect(await names(machine, ["sul", "norte"])).toEqual(["no sul", "norte"]);
  });
});
