/** A list that was cut short is gone on with at the store of its beginning, or not at all. */
import { readFileSync } from "node:fs";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Session } from "../../../src/state/sessions/session.js";
import { tokenFor } from "../../support/desk.js";
import { inJournal, journalFile } from "../../support/journal.js";
import { parseJson } from "../../support/json.js";
import { StoreDesk } from "../../support/store-desk.js";
import { startStub, type StubService } from "../../support/stub-service.js";

let store: StoreDesk;
let ids: readonly string[];
beforeEach(async () => {
  store = await StoreDesk.open();
  ids = await store.orders(2);
});
afterEach(() => store.close());

type Variables = Readonly<Record<string, string>>;
const list = () => ids.join("\n");

/** Begins a list that is cut short before its first order. */
async function begin(env: Variables = {}): Promise<void> {
  await store.comanda(["orders", "dispatch", ...ids], { env, signal: AbortSignal.abort() });
  store.forgetRequests();
}

/** As a sign-in or `login --api-key` leaves the store's session, at another moment. */
function signIn(change: (session: Session) => Session = (session) => session, at = store.emulator.baseUrl) {
  store.desk.pass(1000);
  return store.desk.signIn("centro", at, tokenFor(store.emulator, 501), change);
}

const withKey =
  (key: string) =>
  ({ version, store: alias, environment }: Session): Session => ({
    version,
    store: alias,
    environment,
    api_key: key,
  });

const resume = "orders dispatch - --resume";

async function isRefused(env: Variables = {}): Promise<void> {
  for (const line of [resume, `${resume} --dry-run`]) {
    const { code, error } = await store.comanda(line, { input: list(), env });
    expect([code, error?.message]).toEqual([
      2,
      "This list was begun with another sign-in, key or address, and nothing tells whether it is the same store's.",
    ]);
    expect(store.requests()).toEqual([]);
  }
}

async function goesOn(env: Variables = {}): Promise<void> {
  expect((await store.comanda(resume, { input: list(), env })).code).toBe(0);
  expect(store.requests()).toHaveLength(2);
}

describe("a list", () => {
  test("of another sign-in sends nothing", async () => {
    await begin();
    await signIn();
    await isRefused();
  });

  test("goes on with a token that was renewed, and with its key where the sign-in is gone", async () => {
    await signIn((session) => ({ ...session, api_key: store.keyOf(501) }));
    const signedIn = store.desk.clock.now();
    await begin();
    await signIn((session) => ({ ...session, signed_in_at: signedIn, api_key: store.keyOf(501) }));
    const dry = await store.comanda(`${resume} --dry-run`, { input: list() });
    expect([dry.code, dry.stdout.match(/authorization: Bearer/gi)]).toEqual([
      0,
      [expect.anything(), expect.anything()],
    ]);
    await signIn(withKey(store.keyOf(501)));
    await goesOn();
  });

  test("of another API key sends nothing", async () => {
    await signIn(withKey(store.keyOf(501)));
    await begin();
    await signIn(withKey(store.keyOf(502)));
    await isRefused();
    for (const file of ["", "-wal"])
      expect(readFileSync(`${journalFile(store.desk.folder)}${file}`, "latin1")).not.toContain(
        store.keyOf(501),
      );
    await signIn(withKey(store.keyOf(501)));
    await goesOn();
  });

  test("of a sign-in isn't gone on with by a key that came later", async () => {
    await begin();
    await signIn(withKey(store.keyOf(501)));
    await isRefused();
  });

  test("of another address under the same name sends nothing", async () => {
    await begin();
    await signIn(undefined, `${store.emulator.baseUrl}/elsewhere`);
    await isRefused();
  });

  test("of an access token of the environment is that token's", async () => {
    const variables = (token: string) => ({
      COMANDA_BASE_URL: store.emulator.baseUrl,
      COMANDA_ACCESS_TOKEN: token,
    });
    const [first, second] = [tokenFor(store.emulator, 501), tokenFor(store.emulator, 501)];
    await begin(variables(first));
    await isRefused(variables(second));
    await goesOn(variables(first));
  });

  test("of which nobody knows who began it sends nothing", async () => {
    await begin();
    inJournal(store.desk.folder, "update runs set address = null");
    await isRefused();
  });
});

describe("a sign-in while orders are changed", () => {
  let stub: StubService;
  beforeEach(async () => {
    stub = await startStub();
  });
  afterEach(() => stub.close());

  /** The first answer refuses the token; by then the session has another one. */
  async function meanwhile(change: (session: Session) => Session) {
    await signIn(undefined, stub.url);
    const before = store.desk.clock.now();
    stub.behave((response) => {
      if (stub.requests.length > 1) response.writeHead(204).end();
      else
        void signIn((session) => change({ ...session, signed_in_at: before }), stub.url).then(() =>
          response.writeHead(401).end(),
        );
    });
    const { code, stdout } = await store.comanda("orders dispatch 7 --json");
    return { code, row: parseJson(stdout), requests: stub.requests.length };
  }

  test("of another store ends the command", async () => {
    const other = await meanwhile((session) => ({ ...session, signed_in_at: store.desk.clock.now() }));
    expect(other).toMatchObject({ code: 3, requests: 1, row: { outcome: "failed", code: "not_signed_in" } });
  });

  test("that only renews the token changes nothing", async () => {
    const renewed = await meanwhile((session) => session);
    expect(renewed).toMatchObject({ code: 0, requests: 2, row: { outcome: "done" } });
  });
});
