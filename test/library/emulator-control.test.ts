/** What a test does to the service behind its program, in the same process and by the document of `/_emulator`. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/library/emulator.js";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 0, rateLimits: false });
});
beforeEach(() => {
  emulator.reset();
});
afterAll(async () => emulator.close());

const refused = (status: number) => ({ httpStatus: status });

/** Of an order that there isn't. */
const statusWith = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${emulator.baseUrl}/api/partner/v1/orders/1/dispatch`, { method: "POST", headers }))
    .status;
};

describe("a test can", () => {
  test("take a scope from the app", async () => {
    emulator.setApp({ scopes: ["store"] });
    const { id } = emulator.createOrder();
    await expect(emulator.client().dispatchOrder(String(id))).rejects.toMatchObject(refused(403));
  });

  test("let the app wait for its approval", () => {
    expect(emulator.setApp({ approved: false })).toMatchObject({ clientId: emulator.clientId });
    expect(() => emulator.signIn()).toThrow("invalid_client");
  });

  test("uninstall it at a store", async () => {
    const { accessToken } = emulator.signIn(502);
    emulator.uninstall(502);
    expect(emulator.installations()).toContainEqual(expect.objectContaining({ storeId: 502, active: false }));
    expect(await statusWith(accessToken)).toBe(401);
    expect(() => {
      emulator.uninstall(9);
    }).toThrow("There is no store 9");
  });

  test("revoke tokens, and say how long they live", async () => {
    const { accessToken } = emulator.signIn();
    emulator.revokeTokens();
    emulator.setTokenLifetimes({ accessTokenSeconds: 60 });
    const fresh = emulator.signIn();
    expect(await statusWith(accessToken)).toBe(401);
    const before = await statusWith(fresh.accessToken);
    emulator.clock.advance(61_000);
    expect([before, await statusWith(fresh.accessToken)]).toEqual([404, 401]);
  });

  test("make a driver, and send one home", async () => {
    const { id } = emulator.createOrder({ order_type: "delivery" });
    emulator.setDriver({ id: 99, name: "Nova" });
    const client = emulator.client();
    await client.assignDriver(String(id), { driver_id: 99 });
    emulator.setDriver({ id: 99, active: false });
    await expect(client.assignDriver(String(id), { driver_id: 99 })).rejects.toMatchObject(refused(400));
    expect(emulator.drivers(501).at(-1)).toEqual({ id: 99, name: "Nova", storeId: 501, active: false });
    emulator.reset();
    expect(emulator.drivers().some((driver) => driver.id === 99)).toBe(false);
  });
});
