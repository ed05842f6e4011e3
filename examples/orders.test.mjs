// Tests a program against the emulator, with Node's own test runner:
//   node --test examples/orders.test.mjs
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { createClient } from "comanda";
import { startEmulator } from "comanda/testing";

/** @type {import("comanda/testing").Emulator} */
let emulator;
/** @type {import("comanda").Client} */
let client;

before(async () => {
  emulator = await startEmulator({ orders: 20, seed: 7 });
  const { credentials } = emulator.signIn();
  client = createClient({ baseUrl: emulator.baseUrl, credentials });
});
beforeEach(() => emulator.reset());
after(() => emulator.close());

test("dispatches and delivers an order", async () => {
  const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
  await client.dispatchOrder(id);
  assert.equal(emulator.order(id)?.status, "released");
  await client.deliverOrder(id);
  assert.equal(emulator.order(id)?.status, "delivered");
});

test("refreshes an expired token", async () => {
  const { id } = emulator.createOrder({ status: "confirmed" });
  emulator.clock.advance(7_200_000);
  await client.finalizeOrder(id);
  assert.deepEqual(
    emulator.received().map(({ status }) => status),
    [401, 204],
  );
});

test("never repeats a request that the service may have processed", async () => {
  const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
  emulator.setFaults("reset,when=after,path=/dispatch,times=1");
  await assert.rejects(client.dispatchOrder(id), { code: "outcome_unknown" });
  assert.equal(emulator.order(id)?.status, "released");
  assert.equal(emulator.received().length, 1);
});
