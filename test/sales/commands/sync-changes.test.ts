/** `comanda sync` asks few windows, and knows afterwards what it would know by asking every day. */
import { expect, test } from "vitest";

import { playNights } from "../support/sync-nights.js";

test("Night by night sync knows what asking every day would tell, by a few calls", async () => {
  const nights = await playNights({ nights: 3, days: 8, dimensions: ["sales_channel"], seed: 7 });
  for (const { edits, planned, sent, daily } of nights) {
    // The month by day, and by channel the new day and the others at once.
    expect(planned).toBe(1 + 2);
    // A changed day takes the halves of its window and itself.
    expect(sent - planned).toBeLessThanOrEqual(edits * 5);
    if (edits === 0) expect(sent).toBe(planned);
    expect(daily).toBe(1 + 8);
  }
});
