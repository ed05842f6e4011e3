/** A filter's value that the API doesn't list and no answer has shown is most likely a slip, which selects no order. */
import { describe, expect, test } from "vitest";

import { createClient } from "../../src/library/client.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted } from "./support/scripted.js";

const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };
const none = { body: '{"total_order_count":0,"total_revenue":0,"average_order_value":0}' };
const groups = (...keys: readonly (string | null)[]) => ({
  body: JSON.stringify({
    group_by: "sales_channel",
    groups: keys.map((key) => ({
      key,
      label: key,
      total_order_count: 1,
      total_revenue: 1,
      average_order_value: 1,
    })),
  }),
});
const bySalesChannel = { ...period, group_by: "sales_channel" } as const;

function warnedClient(...steps: readonly object[]) {
  const warnings: string[] = [];
  const client = createClient({
    baseUrl: "https://api.example",
    transport: scripted(...steps).transport,
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    onWarning: (message) => warnings.push(message),
  });
  return { client, warnings };
}

describe("a program is warned of a value that is most likely a slip", () => {
  test.each([
    ["one value", { sales_channel_in: "catalogue" }],
    ["one of several", { sales_channel_in: ["portal", "catalogue"] }],
    ["what is left out", { sales_channel_not_in: "catalogue" }],
  ])("with the nearest that there is: %s", async (_, filters) => {
    const { client, warnings } = warnedClient(none, none);
    await client.summary({ ...period, filters });
    // Whoever asks again is told zero again.
    await client.summary({ ...period, filters });
    const warning =
      'The API doesn\'t list "catalogue" as sales_channel, and no answer has shown it: it may select no order. Did you mean "catalog"?';
    expect(warnings).toEqual([warning, warning]);
  });

  test("however the call is spelled", async () => {
    const { client, warnings } = warnedClient(none);
    const path = "/api/partner/v1/orders/summary?filters%5Bsales_channel_in%5D=catalogue";
    await client.request({ method: "GET", path });
    expect(warnings).toHaveLength(1);
  });

  test("and not of one that an answer has shown, nor of what has no list", async () => {
    const { client, warnings } = warnedClient(groups("novo", null), none, none, none);
    await client.groupedSummary(bySalesChannel);
    await client.summary({ ...period, filters: { sales_channel_in: ["novo", "totem"] } });
    await client.summary({
      ...period,
      filters: { customer_origin_in: "catalogue", payment_method_id_in: 7 },
    });
    expect(warnings).toEqual([]);
    await client.summary({ ...period, filters: { sales_channel_in: "nova" } });
    expect(warnings).toMatchObject([expect.stringMatching(/Did you mean "novo"\?$/)]);
  });

  test("by a function that may end the call", async () => {
    const cause = new Error("no");
    const client = createClient({
      baseUrl: "https://api.example",
      transport: scripted().transport,
      credentials: { bearer: () => Promise.resolve("TOKEN") },
      onWarning: () => {
        throw cause;
      },
    });
    const error = await errorOf(client.summary({ ...period, filters: { sales_channel_in: "catalogue" } }));
    expect(error).toMatchObject({
      code: "callback_failed",
      message: "The function onWarning, which the program gave, failed.",
      cause,
    });
  });
});
