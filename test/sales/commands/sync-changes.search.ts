/** As sync-changes.test.ts, over a month of nights, with the dimensions of a chain. */
import { expect, test } from "vitest";

import { playNights } from "../support/sync-nights.js";

test.each([1, 2])("A month of nights, seed %i: a tenth of the calls, and the same ledger", async (seed) => {
  const dimensions = ["sales_channel", "status", "driver_id", "order_type"];
  const nights = await playNights({ nights: 30, days: 40, dimensions, seed });
  const sum = (of: (night: (typeof nights)[number]) => number) =>
    nights.reduce((all, night) => all + of(night), 0);
  // Each day is asked by itself every two weeks, too.
  expect(sum(({ sent }) => sent)).toBeLessThan(sum(({ daily }) => daily) / 4);
  for (const { edits, planned, sent } of nights) {
    expect(sent - planned).toBeLessThanOrEqual(edits * 6 * dimensions.length);
    if (edits === 0) expect(sent).toBe(planned);
  }
});
