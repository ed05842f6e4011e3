import { describe, expect, test } from "vitest";

import type { NewOrder } from "../../src/emulator/inputs.js";
import { answerOf, bearer, createTestEmulator, sending, someDriver } from "./support.js";

const emulator = createTestEmulator({ rateLimits: false });
const token = emulator.accessToken();

const assign = (id: number | string, body: unknown) =>
  answerOf(emulator.request(`/api/partner/v1/orders/${id}/driver`, sending("PUT", body, bearer(token))));

describe("assigning a driver", () => {
  test.each([
    ["omitted keeps the fee", {}, 7.5, 7.5],
    ["null removes it", { driver_fee: null }, 7.5, null],
    ["0 is a delivery at no cost", { driver_fee: 0 }, 7.5, 0],
    ["a fee takes the place of none", { driver_fee: 12.34 }, null, 12.34],
    ["a hundredth that floats can't hold", { driver_fee: 0.29 }, 1.1, 0.29],
  ])("%s", async (_, fee, before, after) => {
    const { id } = await emulator.order({ driver_fee: before, driver_id: 12 });
    emulator.advance(1);
    const { status, body } = await assign(id, { driver_id: someDriver, ...fee });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, driver_id: someDriver, driver_fee: after });
    const { _emulator, ...order } = await emulator.look(id);
    expect(_emulator.in_delivery_route).toBe(false);
    expect(body).toEqual(order);
    expect(Date.parse(order.updated_at)).toBe(emulator.service.world.clock.now());
  });

  test.each([
    ["takeout", { order_type: "takeout" }, /only for delivery/],
    ["delivered by a marketplace", { delivered_by: "marketplace_a" }, /by the store itself/],
    ["in a delivery route", { in_delivery_route: true }, /delivery route/],
  ] satisfies [string, NewOrder, RegExp][])("refuses an order that is %s", async (_, fields, details) => {
    const { id } = await emulator.order(fields);
    expect(await assign(id, { driver_id: someDriver })).toEqual({
      status: 400,
      body: { code: 4000, message: "Invalid parameters", details: expect.stringMatching(details) as string },
    });
    expect(await emulator.look(id)).toHaveProperty("driver_id", null);
  });

  test.each([
    ["an inactive driver", { driver_id: 15 }, /active driver/],
    ["another store's driver", { driver_id: 21 }, /active driver/],
    ["a driver that nobody knows", { driver_id: 999 }, /active driver/],
    ["no driver", {}, /driver_id/],
    ["three decimals", { driver_id: 11, driver_fee: 1.005 }, /at most two decimals/],
    ["a negative fee", { driver_id: 11, driver_fee: -1 }, /non-negative/],
    ["an unknown property", { driver_id: 11, note: "x" }, /note/],
    ["nothing", null, /object/i],
  ])("refuses %s and changes nothing", async (_, body, details) => {
    const { id } = await emulator.order({ driver_id: 12, driver_fee: 3 });
    expect(await assign(id, body)).toMatchObject({
      status: 400,
      body: { code: 4000, details: expect.stringMatching(details) as string },
    });
    expect(await emulator.look(id)).toMatchObject({ driver_id: 12, driver_fee: 3 });
  });
});
