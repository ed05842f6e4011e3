/** A filter's value that the API doesn't list: zero orders for it is never told without a word. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { StoreDesk } from "../../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
  // The service knows the channel, and has nothing of it in these periods: it answers zero.
  await store.order({ sales_channel: "catalogue", created_at: "2025-11-18T12:00:00-03:00" });
});
afterEach(async () => {
  await store.close();
});

const period = "--period yesterday --tz America/Sao_Paulo";
const warning = /^warning: The API doesn't list "catalogue" as sales_channel, .* Did you mean "catalog"\?$/m;

test.each([`summary ${period} --json --quiet`, `grouped --by day ${period}`])(
  "%s warns of a slip in a channel's name",
  async (line) => {
    const { code, stderr } = await store.comanda([
      ...line.split(" "),
      "--filter",
      "sales_channel=portal,catalogue",
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(warning);
    expect(stderr.match(/warning: /g)).toHaveLength(1);
  },
);

test("api says it too", async () => {
  const path = "/api/partner/v1/orders/summary?start_date=2026-11-18T00:00:00Z&end_date=2026-11-19T00:00:00Z";
  const { code, stderr } = await store.comanda(["api", "GET", `${path}&filters[sales_channel_in]=catalogue`]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('warning: The API doesn\'t list "catalogue" as sales_channel'),
  ]);
});
