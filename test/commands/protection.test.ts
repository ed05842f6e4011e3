/** A store that is protected, and tokens that are revoked without touching the disk. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { confirmProtected } from "../../src/commands/confirmation.js";
import { protect } from "../../src/commands/protection.js";
import { revoke } from "../../src/commands/revoke.js";
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
      "To cancel an order at centro, its alias has to be typed.\n",
    );
  });

  test.each([
    ["orders cancel ID", "centro is protected: to cancel there takes --confirm centro."],
    ["orders cancel ID 4712 --yes", "centro is protected: to cancel there takes --confirm centro."],
    ["orders cancel ID --confirm norte", "--confirm names norte, but this is centro."],
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

  test.each([
    "orders cancel ID --confirm centro",
    "api POST /api/partner/v1/orders/ID/cancel --confirm centro",
  ])("%s cancels", async (line) => {
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
    expect(await confirmProtected(asked, place, { confirm: undefined, what: "order 1" })).toBe(answer);
    expect(questions).toEqual([
      "Cancel order 1 at centro (production)? This can't be undone. Type the store's alias:",
    ]);
  });
});

describe("revoke", () => {
  beforeEach(async () => {
    const { emulator, desk } = store;
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
      ...session,
      environment: { ...session.environment, client_id: emulator.clientId },
    }));
  });

  test("ends the sign-in at the service, with a lock that is held and a disk that takes nothing", async () => {
    const locks = path.join(store.desk.folder, "locks");
    mkdirSync(locks, { mode: 0o700, recursive: true });
    writeFileSync(path.join(locks, "s-centro.lock"), "held", { mode: 0o600 });
    chmodSync(path.join(store.desk.folder, "sessions"), 0o500);
    const { code, stdout } = await store.comanda("revoke centro --json");
    chmodSync(path.join(store.desk.folder, "sessions"), 0o700);
    expect([code, parseJson(stdout)]).toEqual([0, { store: "centro", revoked: true }]);
    expect((await store.comanda("status --check")).code).toBe(3);
  });

  test("of a store that isn't known, or that has no tokens", async () => {
    expect((await store.comanda("revoke norte")).code).toBe(2);
    await store.desk.signIn(
      "norte",
      store.emulator.baseUrl,
      "at",
      ({ version, store: alias, environment }) => ({
        ...{ version, store: alias, environment },
        api_key: "key_x",
      }),
    );
    expect((await store.comanda("revoke norte")).stdout).toBe(
      "norte has no tokens; its API key is withdrawn in the store portal.\n",
    );
  });

  test("says so where the service doesn't take it", async () => {
    await store.emulator.close();
    const { code, error } = await store.comanda("revoke centro");
    expect([code, error?.message]).toEqual([
      8,
      expect.stringContaining("The tokens of centro may still work:"),
    ]);
  });
});

test("the command lines", async () => {
  await expect(parse(protect, "centro")).resolves.toEqual({ store: "centro" });
  await expect(parse(protect)).rejects.toThrow("missing required argument");
  await expect(parse(revoke, "centro", "--timeout", "2s")).resolves.toEqual({
    store: "centro",
    timeoutMs: 2000,
  });
});
