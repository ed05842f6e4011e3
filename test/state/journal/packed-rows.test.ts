import fc from "fast-check";
import { expect, test } from "vitest";

import type { HistoryRow } from "../../../src/state/journal/history.js";
import { PackedRows } from "../../../src/state/journal/packed-rows.js";

const row = (second: number, order: string | null, attempts = 1): HistoryRow => ({
  at: new Date(second * 1000).toISOString(),
  run: "20261120-abcdef",
  store: "centro",
  environment: "local",
  operation: "cancelOrder",
  order_id: order,
  arguments: { reason: "Acabou o pão 🥖" },
  outcome: "done",
  http_status: 204,
  code: null,
  attempts,
  user: "ana",
});

test("rows come back as they were, newest first, and those of one moment in their places", () => {
  const moments = fc.array(fc.nat(20), { maxLength: 60 });
  fc.assert(
    fc.property(moments, (seconds) => {
      const packed = new PackedRows<HistoryRow>();
      // Most have much in common with the one before.
      const rows = seconds.map((second, place) =>
        row(second, place % 7 === 0 ? null : `${place} 🥖`, second % 5 === 0 ? 2 : 1),
      );
      // Whatever is settled first is packed first.
      for (const [place, each] of [...rows.entries()].reverse()) packed.add(each, place);
      const expected = [...rows].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
      expect([...packed.newestFirst()].flat()).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test("many rows come in pieces", () => {
  const packed = new PackedRows<HistoryRow>();
  for (let place = 0; place < 2500; place += 1) packed.add(row(place, `${place}`), place);
  const pieces = [...packed.newestFirst()];
  expect(pieces.map(({ length }) => length)).toEqual([1000, 1000, 500]);
  expect(pieces[0]?.[0]?.order_id).toBe("2499");
});
