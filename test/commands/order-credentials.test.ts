/** Status changes of a store whose sign-in works no more. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import type { Session } from "../../src/state/sessions.js";
import { makeOrder } from "../support/emulators.js";
import { parseJson } from "../support/json.js";
import { startStub } from "../support/stub-service.js";
import { Desk, tokenFor } from "../support/desk.js";

let desk: Desk;
let emulator: Emulator;
let order: string;

beforeEach(async () => {
  desk = new Desk();
  emulator = await startEmulator({ orders: 1, now: desk.clock });
  order = await makeOrder(emulator);
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const keyOf = (store: number) => emulator.world.stores.get(store)?.apiKey ?? "";
const sent = () =>
  emulator.service.log
    .entries()
    .filter(({ path }) => path.startsWith("/api/partner/v1"))
    .map(({ status }) => status);

/** The store centro with a token that the service has taken back. */
async function refusedStore(more: Partial<Session> = {}): Promise<void> {
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
    ...session,
    ...more,
  }));
  emulator.service.server.uninstall(501);
  emulator.service.log.clear();
}

const notice =
  "The sign-in at centro works no more, so its API key is used. Sign in: comanda login --store centro --env test\n";

test("Another sign-in meanwhile may be another store's, so what is left isn't sent", async () => {
  const stub = await startStub();
  try {
    const signIn = (token: string) => desk.signIn("centro", stub.url, token);
    await signIn("at_first");
    stub.behave((response) => {
      desk.pass(1000);
      void signIn("at_second").then(() => response.writeHead(401).end());
    });
    const { code, stderr } = await desk.run("orders dispatch 4711");
    expect([code, stub.requests.length]).toEqual([3, 1]);
    expect(stderr).toContain("there was another sign-in at centro meanwhile.");
  } finally {
    await stub.close();
  }
});

describe("a store whose sign-in works no more", () => {
  test("dispatches with its API key, and says so once", async () => {
    await refusedStore({ api_key: keyOf(501) });
    const stdout = `Order ${order} dispatched.\n`;
    expect(await desk.run(`orders dispatch ${order}`)).toEqual({ code: 0, stdout, stderr: notice });
    expect(emulator.world.orders.find(Number(order))?.status).toBe("released");
    expect(sent()).toEqual([401, 204]);
  });

  test.each([
    ["has expired for good", { tokens: { access_token: "at_old", expires_at: 1, generation: 1 } }],
    [
      "is known to be refused",
      {
        refused_at: 5,
        tokens: { access_token: "at_old", expires_at: 1, refresh_token: "rt", generation: 1 },
      },
    ],
  ])("asks nobody where it %s", async (_, session) => {
    await refusedStore({ api_key: keyOf(501), ...session });
    const { code, stderr } = await desk.run(`orders dispatch ${order}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: notice });
    expect(sent()).toEqual([204]);
  });

  test("can't assign a driver: that takes no API key", async () => {
    await refusedStore({ api_key: keyOf(501) });
    const { code, stderr } = await desk.run(`driver assign ${order} 11`);
    expect([code, stderr]).toEqual([3, expect.stringContaining("comanda login --store centro")]);
    expect(sent()).toEqual([401]);
  });
});

test("--dry-run shows the credential that would sign, of a refused store too", async () => {
  const shown = async () => parseJson((await desk.run("orders dispatch 1 --dry-run --json")).stdout);
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
    ...session,
    api_key: keyOf(501),
  }));
  expect(await shown()).toMatchObject({ headers: { authorization: "Bearer ****" } });
  await refusedStore({ api_key: keyOf(501), refused_at: 5 });
  expect(await shown()).toMatchObject({ headers: { "x-api-key": "****" } });
  expect((await desk.run("driver assign 1 11 --dry-run")).code).toBe(3);
});
