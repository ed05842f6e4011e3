import { describe, expect, test } from "vitest";

import { answerOf, bearer, createTestEmulator, sending } from "./support.js";

const period = "start_date=2026-11-01T00:00:00Z&end_date=2026-11-20T00:00:00Z";
const api = "/api/partner/v1/orders";

describe("what the emulator's own world doesn't have", () => {
  const emulator = createTestEmulator({ rateLimits: false });
  const prefill = (body: object) =>
    answerOf(
      emulator.request(`${api}/prefilled_order`, sending("POST", body, { "x-api-key": emulator.apiKey() })),
    );
  const summary = (filter: string) =>
    answerOf(
      emulator.request(`${api}/summary?${period}&${filter}`, { headers: bearer(emulator.accessToken()) }),
    );

  test.each<[string, () => ReturnType<typeof prefill>, string]>([
    [
      "a misspelled field",
      () => prefill({ order_type: "takeout", custommer: {} }),
      'The body has no field "custommer". Did you mean "customer"?',
    ],
    [
      "a misspelled field of a cart's item",
      () => prefill({ order_type: "takeout", cart: [{ item_id: 3001, qty: 2 }] }),
      'cart.0 has no field "qty". Did you mean "quantity"?',
    ],
    [
      "an item without an id",
      () => prefill({ order_type: "takeout", cart: [{ quantity: 1 }] }),
      "cart.0.item_id is required",
    ],
    [
      "a channel that nobody has",
      () => summary("filters[sales_channel_in]=catalogue"),
      'filters[sales_channel_in]: there is no sales channel catalogue. Did you mean "catalog"?',
    ],
    [
      "a driver that nobody has",
      () => summary("filters[driver_id_in]=999"),
      "filters[driver_id_in]: there is no driver 999.",
    ],
    [
      "the field in which the library takes others",
      () => prefill({ order_type: "takeout", extra: { coupon: "BEMVINDO10" } }),
      'The body has no field "extra".',
    ],
  ])("is refused: %s", async (_, ask, details) => {
    const { status, body } = await ask();
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 4000, details })]);
  });

  test("knows a channel that a test has given an order", async () => {
    await emulator.order({ sales_channel: "drone" });
    expect((await summary("filters[sales_channel_in]=drone")).status).toBe(200);
  });

  test("knows the drivers of all stores, for those who ask many with one filter", async () => {
    expect((await summary("filters[driver_id_in]=21")).status).toBe(200);
  });
});
