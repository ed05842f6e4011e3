// Your own program against the emulator, with Node's own test runner:
//   node --test examples/orders.test.mjs
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { createClient } from "comanda";
import { startEmulator } from "comanda/testing";

let emulator;
let client;

before(async () => {
  emulator = await startEmulator({ orders: 20, seed: 7 });
  const { credentials } = emulator.signIn();
  client = createClient({ baseUrl: emulator.baseUrl, credentials });
});
beforeEach(() => emulator.reset());
after(() => emulator.close());

test("an order is dispatched and delivered", async () => {
  const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
  await client.dispatchOrder(id);
  assert.equal(emulator.order(id)?.status, "released");
  await client.deliverOrder(id);
  assert.equal(emulator.order(id)?.status, "delivered");
});

test("a token that has expired is renewed on the way", async () => {
  const { id } = emulator.createOrder({ status: "confirmed" });
  emulator.clock.advance(7_200_000);
  await client.finalizeOrder(id);
  assert.deepEqual(
    emulator.received().map(({ status }) => status),
    [401, 204],
  );
});

test("what may have been done is never sent twice", async () => {
  const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
  emulator.setFaults("reset,when=after,path=/dispatch,times=1");
  await assert.rejects(client.dispatchOrder(id), { code: "outcome_unknown" });
  assert.equal(emulator.order(id)?.status, "released");
  assert.equal(emulator.received().length, 1);
});
