/** A store that is protected, and tokens that are revoked without touching the disk. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { confirmCancelAt } from "../../src/toolkit/confirmation.js";
import { logout } from "../../src/commands/logout.js";
import { protect } from "../../src/commands/stores/protection.js";
import { remove } from "../../src/commands/stores/index.js";
import { tokenFor } from "../support/desk.js";
import { parseJson } from "../support/json.js";
import { parse } from "../support/parse.js";
import { StoreDesk } from "../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

describe("a store that is protected", () => {
  beforeEach(async () => {
    expect((await store.comanda("stores protect centro")).stdout).toBe(
      "To cancel an order at centro, to sign it out or to remove it, its alias has to be typed.\n",
    );
  });

  test.each([
    [
      "api POST /api/partner/v1/orders/ID/cancel",
      "centro is protected: to cancel there takes --confirm centro.",
    ],
    [
      "api POST /api/partner/v1//orders/ID/Cancel?x=1",
      "centro is protected: to cancel there takes --confirm centro.",
    ],
  ])("%s is refused where nobody can be asked: exit 2", async (line, message) => {
    const order = await store.order();
    const { code, error } = await store.comanda(line.replace("ID", order));
    expect([code, error?.message]).toEqual([2, message]);
    expect(store.requests()).toEqual([]);
  });

  test.each(["api POST /api/partner/v1/orders/ID/cancel --confirm centro"])("%s cancels", async (line) => {
    const order = await store.order();
    expect((await store.comanda(line.replace("ID", order))).code).toBe(0);
    expect(store.stored(order).status).toBe("canceled");
  });

  test("is changed otherwise as always, and canceled at again without protection", async () => {
    const [one = "", other = ""] = await store.orders(2);
    expect((await store.comanda(`orders dispatch ${one}`)).code).toBe(0);
    expect((await store.comanda("stores list --json")).stdout).toContain('"protected":true');
    await store.comanda("stores unprotect centro");
    expect((await store.comanda(`orders cancel ${other}`)).code).toBe(0);
    expect(parseJson((await store.comanda("stores list --json")).stdout)).toMatchObject([
      { protected: false },
    ]);
  });

  test.each([
    ["centro", "confirmed"],
    ["Centro", "declined"],
    ["", "declined"],
  ])("a person who types %j: %s", async (typed, answer) => {
    const questions: string[] = [];
    const machine = await store.desk.machine();
    const asked = {
      ...machine,
      canAsk: () => true,
      askText: (question: string) => {
        questions.push(question);
        return Promise.resolve(typed);
      },
    };
    const place = { label: "centro", store: "centro", environment: "production" };
    expect(await confirmCancelAt(asked, place, undefined, "order 1")).toBe(answer);
    expect(questions).toEqual([
      "Cancel order 1 at centro (production)? This can't be undone. Type the store's alias:",
    ]);
  });
});

/** As an app that the emulator knows, so that it takes the revocation. */
async function signInAsApp() {
  const { emulator, desk } = store;
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
    ...session,
    environment: { ...session.environment, client_id: emulator.clientId },
  }));
}

describe("a store that is protected is signed out, and removed,", () => {
  const settings = {
    time_zone: "America/Sao_Paulo",
    currency: "BRL",
    day_starts: "04:00",
    locale: "pt-BR",
  };
  beforeEach(async () => {
    await signInAsApp();
    await store.comanda(
      "stores set centro --tz America/Sao_Paulo --currency BRL --day-starts 04:00 --locale pt-BR",
    );
    await store.comanda("stores protect centro");
    const { baseUrl } = store.emulator;
    await store.comanda(`env set test --base-url ${baseUrl} --auth-url ${baseUrl}/go --client-id test`);
  });
  const known = async () => parseJson((await store.comanda("stores list --json")).stdout);
  const told = async () => parseJson((await store.comanda("stores set centro --locale pt-BR --json")).stdout);

  test.each(["logout", "stores remove centro", "stores remove centro --yes", "stores remove CENTRO --yes"])(
    "with --confirm alone where nobody can be asked: %s",
    async (line) => {
      for (const wrong of [line, `${line} --confirm norte`]) {
        const { code, error } = await store.comanda(wrong);
        expect([code, error?.message]).toEqual([
          2,
          expect.stringMatching(/takes --confirm centro\.$|^--confirm names norte, but this is centro\.$/),
        ]);
      }
      expect(await known()).toMatchObject([{ state: "valid", protected: true }]);
      expect((await store.comanda(`${line} --confirm centro`)).code).toBe(0);
      expect(await known()).toMatchObject(
        line === "logout" ? [{ state: "signed_out", protected: true }] : [],
      );
    },
  );

  test.each(["logout", "stores remove"] as const)("where a person types its alias: %s", async (name) => {
    const [typed, questions]: [string[], string[]] = [["", "Centro", "centro"], []];
    const machine = {
      ...(await store.desk.machine()),
      canAsk: () => true,
      askText: (question: string) => {
        questions.push(question);
        return Promise.resolve(typed.shift() ?? "");
      },
    };
    const ask = () =>
      name === "logout"
        ? logout.run(machine, { store: undefined, all: false, confirm: [], timeoutMs: undefined })
        : remove.run(machine, { store: "centro", yes: true, confirm: undefined });
    await ask();
    await ask();
    expect(await known()).toMatchObject([{ state: "valid" }]);
    await ask();
    const question =
      name === "logout"
        ? "Sign centro out? Only its owner can sign it in again. Type the store's alias:"
        : "Forget centro (test) on this machine, with its sign-in, settings and figures? Type the store's alias:";
    expect(questions).toEqual([question, question, question]);
    expect(await known()).toMatchObject(name === "logout" ? [{ state: "signed_out" }] : []);
  });

  test("signed out, it keeps how its days are counted and its figures are shown, until it is removed", async () => {
    await store.comanda("logout --confirm centro");
    expect(await told()).toEqual({ store: "centro", ...settings });
    expect(await known()).toMatchObject([
      { environment: "test", default: true, time_zone: "America/Sao_Paulo" },
    ]);
    const gate = await store.comanda("status");
    expect([gate.code, gate.error?.hint]).toEqual([3, "Sign in: comanda login --store centro --env test"]);
    const call = await store.comanda("orders dispatch 1");
    expect([call.code, call.error?.code]).toEqual([3, "not_signed_in"]);
    // Its environment needn't be named again.
    await store.comanda("login --api-key --store centro", { input: store.keyOf(501) });
    expect(await known()).toMatchObject([{ environment: "test", protected: true, has_api_key: true }]);
    expect(await told()).toEqual({ store: "centro", ...settings });
    await store.comanda("stores remove centro --confirm centro");
    await store.comanda("login --api-key --store centro --env test", { input: store.keyOf(501) });
    expect(await known()).toMatchObject([{ protected: false, time_zone: null }]);
  });

  test("all that are protected are asked for before the first is signed out", async () => {
    await store.desk.signIn("norte", store.emulator.baseUrl, "at");
    expect((await store.comanda("logout --all")).code).toBe(2);
    expect((await store.comanda("logout --all --confirm sul")).code).toBe(2);
    expect(await known()).toMatchObject([{ state: "valid" }, { state: "valid" }]);
    await store.comanda("logout --all --confirm centro");
    expect(await known()).toMatchObject([{ state: "signed_out" }, { state: "signed_out" }]);
    expect(await store.comanda("logout --all")).toMatchObject({
      code: 0,
      stderr: "No store is signed in.\n",
    });
  });
});

test("the command lines", async () => {
  await expect(parse(protect, "centro")).resolves.toEqual({ store: "centro" });
  await expect(parse(protect)).rejects.toThrow("missing required argument");
});
