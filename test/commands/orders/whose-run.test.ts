/** A run that was cut short is gone on with at the store of its beginning, or not at all. */
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

/** Begins a run that is cut short before its first order. @returns its number */
async function begin(env: Variables = {}): Promise<string> {
  const began = await store.comanda(["orders", "dispatch", ...ids], { env, signal: AbortSignal.abort() });
  store.forgetRequests();
  return /--resume (\S+)/.exec(began.error?.hint ?? "")?.[1] ?? "";
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

async function refused(line: string, message: string, hint: string, env: Variables = {}): Promise<void> {
  const { code, error } = await store.comanda(line, { input: list(), env });
  expect([code, error?.message]).toEqual([2, message]);
  expect(error?.hint).toContain(hint);
  expect(store.requests()).toEqual([]);
}

async function goesOn(line: string, env: Variables = {}): Promise<void> {
  expect((await store.comanda(line, { input: list(), env })).code).toBe(0);
  expect(store.requests()).toHaveLength(2);
}

describe("a run", () => {
  test.each(["orders dispatch - --resume", "orders dispatch - --resume --dry-run", "named"])(
    "of another sign-in sends nothing: %s",
    async (line) => {
      const run = await begin();
      await signIn();
      await refused(
        line === "named" ? `orders dispatch --resume ${run}` : line,
        `The run ${run} was begun with another sign-in.`,
        "If it is, say so: --confirm centro",
      );
    },
  );

  test("of another sign-in is gone on with by who says that it is the same store's", async () => {
    const run = await begin();
    await signIn();
    await refused(
      `orders dispatch --resume ${run} --confirm norte`,
      "--confirm names norte, but this is centro.",
      "Nothing was done.",
    );
    await goesOn(`orders dispatch --resume ${run} --confirm centro`);
  });

  test("goes on with a token that was renewed, and with its key where the sign-in is gone", async () => {
    await signIn((session) => ({ ...session, api_key: store.keyOf(501) }));
    const signedIn = store.desk.clock.now();
    const run = await begin();
    await signIn((session) => ({ ...session, signed_in_at: signedIn, api_key: store.keyOf(501) }));
    const dry = await store.comanda(`orders dispatch --resume ${run} --dry-run`);
    expect([dry.code, dry.stdout.match(/authorization: Bearer/gi)]).toEqual([
      0,
      [expect.anything(), expect.anything()],
    ]);
    await signIn(withKey(store.keyOf(501)));
    await goesOn(`orders dispatch --resume ${run}`);
  });

  test("of another API key sends nothing", async () => {
    await signIn(withKey(store.keyOf(501)));
    const run = await begin();
    await signIn(withKey(store.keyOf(502)));
    await refused(
      "orders dispatch - --resume",
      `The run ${run} was begun with another API key.`,
      "--confirm centro",
    );
    for (const file of ["", "-wal"])
      expect(readFileSync(`${journalFile(store.desk.folder)}${file}`, "latin1")).not.toContain(
        store.keyOf(501),
      );
    await signIn(withKey(store.keyOf(501)));
    await goesOn("orders dispatch - --resume");
  });

  test("of a sign-in isn't gone on with by a key that came later, and of a key not by a sign-in", async () => {
    const run = await begin();
    await signIn(withKey(store.keyOf(501)));
    const resume = `orders dispatch --resume ${run}`;
    await refused(resume, `The run ${run} was begun with another API key.`, "--confirm centro");
    const other = await begin();
    await signIn((session) => ({ ...session, api_key: store.keyOf(501) }));
    await refused(
      `orders dispatch --resume ${other}`,
      `The run ${other} was begun with another sign-in.`,
      "--confirm",
    );
    await goesOn(`orders dispatch --resume ${other} --auth key`);
  });

  test("of another address under the same name sends nothing, whatever is confirmed", async () => {
    const run = await begin();
    const elsewhere = `${store.emulator.baseUrl}/elsewhere`;
    await signIn(undefined, elsewhere);
    for (const line of ["orders dispatch - --resume", "orders dispatch - --resume --confirm centro"])
      await refused(
        line,
        `The run ${run} was begun at ${store.emulator.baseUrl}, and centro is at ${elsewhere} now.`,
        "Go on where it was begun",
      );
  });

  test("of an access token of the environment is that token's, until somebody says otherwise", async () => {
    const variables = (token: string) => ({
      COMANDA_BASE_URL: store.emulator.baseUrl,
      COMANDA_ACCESS_TOKEN: token,
    });
    const [first, second] = [tokenFor(store.emulator, 501), tokenFor(store.emulator, 501)];
    const run = await begin(variables(first));
    const { host } = new URL(store.emulator.baseUrl);
    const resume = `orders dispatch --resume ${run}`;
    await refused(
      resume,
      `The run ${run} was begun with another sign-in.`,
      `--confirm ${host}`,
      variables(second),
    );
    await goesOn(`${resume} --confirm ${host}`, variables(second));
  });

  test("of which nobody knows who began it is asked for, too", async () => {
    await begin();
    inJournal(store.desk.folder, "update runs set address = null");
    expect((await store.comanda("orders dispatch - --resume", { input: list() })).code).toBe(2);
    await goesOn("orders dispatch - --resume --confirm centro");
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
