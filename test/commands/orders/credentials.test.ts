/** Status changes of a store whose sign-in works no more, and how one order and many are told. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../../src/emulator/index.js";
import type { Session } from "../../../src/state/sessions.js";
import { makeOrder } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";
import { startStub, type Behaviour } from "../../support/stub-service.js";
import { Desk, tokenFor } from "../../support/desk.js";

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

const statusOf = (id: string) => emulator.world.orders.find(Number(id))?.status;
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
  "The sign-in of the store centro works no more, so its API key is used. Sign in: comanda login --store centro --env test\n";

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
    expect(stderr).toContain("there was another sign-in of the store centro meanwhile.");
  } finally {
    await stub.close();
  }
});

describe("a store whose sign-in works no more", () => {
  test("dispatches with its API key, and says so once", async () => {
    await refusedStore({ api_key: keyOf(501) });
    const { code, stdout, stderr } = await desk.run(`orders dispatch ${order}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Order ${order} dispatched.\n`,
      stderr: notice,
    });
    expect(statusOf(order)).toBe("released");
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
    expect(code).toBe(3);
    expect(stderr).toContain("comanda login --store centro");
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

describe("what is told of orders", () => {
  beforeEach(() => desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501)));

  test.each([
    ["orders dispatch 99999999", 5],
    ["driver assign 99999999 11", 5],
  ])("%s: an error names order and store, and says which number it takes", async (line, exitCode) => {
    const { code, stderr } = await desk.run(line);
    expect(code).toBe(exitCode);
    expect(stderr).toContain("error: Order 99999999 of the store centro: the service knows no such order.\n");
    expect(stderr).toContain("(display_id) is not the order id");
  });
});

describe("an answer that tells little", () => {
  const ask = async (behaviour: Behaviour, line: string) => {
    const stub = await startStub();
    try {
      stub.behave(behaviour);
      const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_odd" };
      return { ...(await desk.run(line, { env })), requests: stub.requests.length };
    } finally {
      await stub.close();
    }
  };
  const reset: Behaviour = (response) => void response.socket?.resetAndDestroy();

  // JSON of another shape comes from a service that works: it would answer so again.
  test.each<[string, Behaviour, number]>([
    ["a reset", reset, 4],
    ["an HTTP 500", { status: 500 }, 4],
    ["a page", { status: 200, body: "<html></html>" }, 4],
    ["a list", { status: 200, body: "[]" }, 1],
    ["a text", { status: 200, body: '"done"' }, 1],
    ["an empty object", { status: 200, body: "{}" }, 1],
    ["another order", { status: 200, body: '{"id":8,"driver_id":11}' }, 1],
    ["no driver", { status: 200, body: '{"id":7,"driver_id":null}' }, 1],
    ["another driver", { status: 200, body: '{"id":7,"driver_id":12}' }, 1],
    ["a redirect", { status: 302, headers: { location: "/" } }, 1],
    ["a gateway's 404", { status: 404, body: "<html></html>" }, 1],
    ["nothing", { status: 200 }, 4],
  ])("%s after each PUT of a driver: exit 9, and what to do", async (_, behaviour, sent) => {
    const { code, stdout, stderr, requests } = await ask(behaviour, "driver assign 7 11");
    expect({ code, stdout, requests }).toEqual({ code: 9, stdout: "", requests: sent });
    expect(stderr).toMatch(/^error: Order 7 at \S+: the request was sent, but it is not known whether/m);
    expect(stderr).toContain("Repeating it does no harm: what is done twice comes to the same.");
  });
});
