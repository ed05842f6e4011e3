/** Status changes of a store whose sign-in works no more. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Session } from "../../src/state/sessions.js";
import { parseJson } from "../support/json.js";
import { startStub } from "../support/stub-service.js";
import { StoreDesk } from "../support/desk.js";

let store: StoreDesk;
let order: string;
beforeEach(async () => {
  store = await StoreDesk.open();
  order = await store.order();
});
afterEach(() => store.close());

const sent = () => store.emulator.service.log.entries().map(({ status }) => status);

/** The store centro with its API key. */
const signIn = (more: Partial<Session> = {}) =>
  store.signIn("centro", 501, (session) => ({
    ...session,
    api_key: store.keyOf(),
    ...more,
  }));

/** The same, with a token that the service has taken back. */
async function refusedStore(more?: Partial<Session>): Promise<void> {
  await signIn(more);
  store.emulator.service.server.uninstall(501);
  store.forgetRequests();
}

const notice =
  "The sign-in to centro no longer works, so comanda uses its API key. Sign in: comanda login --store centro --env test\n";

test("Another sign-in meanwhile may be another store's, so what is left isn't sent", async () => {
  const { desk } = store;
  const stub = await startStub();
  try {
    await desk.signIn("centro", stub.url, "at_first");
    stub.behave((response) => {
      desk.pass(1000);
      void desk.signIn("centro", stub.url, "at_second").then(() => response.writeHead(401).end());
    });
    const { code, stderr } = await desk.run("orders dispatch 4711");
    expect([code, stub.requests.length]).toEqual([3, 1]);
    expect(stderr).toContain("someone has signed in to centro again.");
  } finally {
    await stub.close();
  }
});

describe("a store whose sign-in works no more", () => {
  const old = { access_token: "at_old", expires_at: 1, generation: 1 };
  test.each<[string, Partial<Session>, readonly number[]]>([
    ["dispatches with its API key, and says so once", {}, [401, 204]],
    ["asks nobody where it has expired for good", { tokens: old }, [204]],
    [
      "asks nobody where it is known to be refused",
      { refused_at: 5, tokens: { ...old, refresh_token: "rt" } },
      [204],
    ],
  ])("%s", async (_, session, statuses) => {
    await refusedStore(session);
    const { code, stdout, stderr } = await store.comanda(`orders dispatch ${order}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Order ${order} dispatched.\n`,
      stderr: notice,
    });
    expect([store.stored(order).status, sent()]).toEqual(["released", statuses]);
  });

  test("can't assign a driver: that takes no API key", async () => {
    await refusedStore();
    const { code, stderr } = await store.comanda(`driver assign ${order} 11`);
    expect([code, stderr]).toEqual([3, expect.stringContaining("comanda login --store centro")]);
    expect(sent()).toEqual([401]);
  });
});

test("--dry-run shows the credential that would sign, of a refused store too", async () => {
  const shown = async () => parseJson((await store.comanda("orders dispatch 1 --dry-run --json")).stdout);
  await signIn();
  expect(await shown()).toMatchObject({ headers: { authorization: "Bearer ****" } });
  await refusedStore({ refused_at: 5 });
  expect(await shown()).toMatchObject({ headers: { "x-api-key": "****" } });
  expect((await store.comanda("driver assign 1 11 --dry-run")).code).toBe(3);
});
