// Tests the worker with vitest, against the emulator's reading of the specification and against other readings.
import { startEmulator, type Emulator } from "comanda/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import worker from "./worker.js";

const services = [{}, { conflict_status: 422 }, { success_status: 200 }, { error_details: "never" }] as const;

describe.each(services)("a service with %j", (readings) => {
  let emulator: Emulator;
  let order: string;
  const ready = async (id: string) => {
    const { accessToken } = emulator.signIn();
    const request = new Request(`https://shop.example/ready/${id}`, { method: "POST" });
    const answer = await worker.fetch(request, { BASE_URL: emulator.baseUrl, ACCESS_TOKEN: accessToken });
    return (await answer.json()) as unknown;
  };

  beforeAll(async () => {
    emulator = await startEmulator({ orders: 0, seed: 7, readings });
  });
  beforeEach(() => {
    emulator.reset();
    order = String(emulator.createOrder({ order_type: "delivery", status: "ready" }).id);
  });
  afterEach(() => {
    emulator.assertNoUnexpected();
  });
  afterAll(() => emulator.close());

  test("dispatches an order once, even if the button is pressed twice", async () => {
    expect(await ready(order)).toEqual({ order, outcome: "done", attempts: 1 });
    expect(emulator.order(Number(order))?.status).toBe("released");
    expect(await ready(order)).toEqual({ order, outcome: "refused", code: "status_conflict" });
    const sent = emulator.received({ operation: "dispatchOrder" });
    expect(sent).toMatchObject([
      { credential: "bearer", refused_by: null },
      { credential: "bearer", refused_by: expect.any(String) as string },
    ]);
  });

  test("refuses an unknown order", async () => {
    expect(await ready("999999")).toMatchObject({ outcome: "refused", code: "not_found" });
  });

  test("reports a lost response, and sends nothing twice", async () => {
    emulator.setFaults("reset,when=after,path=/dispatch,times=1");
    expect(await ready(order)).toMatchObject({ outcome: "unknown", code: "outcome_unknown" });
    expect(emulator.received({ path: "/dispatch" })).toHaveLength(1);
  });
});
