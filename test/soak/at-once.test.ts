/** Starts many processes for one store at once, which wait for each other at the same database. */
import { describe, expect, test } from "vitest";

import type { OrderLine } from "../../src/core/orders.js";
import { newPostgresDatabase, newStateKey } from "../state/support/engines.js";
import { engines } from "../state/support/states.js";
import { Bench, parseJsonLines } from "../support/bench.js";
import { isSearch, sized, soak, tellFigure } from "../support/soak.js";

/** All of them are within the limit of 300 requests. */
const processes = sized({ test: 60, soak: 200 });

describe.each(engines)("with $name", ({ name }) => {
  // A few processes never wait for long, so the test needs many, which take minutes of CPU time.
  test.runIf(isSearch || soak)(
    `${processes} processes that each dispatch an order at once all succeed, and record it`,
    async () => {
      const chain = name === "SQLite" ? {} : { COMANDA_STATE: await newPostgresDatabase() };
      const bench = await Bench.open({ env: { COMANDA_STATE_KEY: newStateKey(), ...chain } });
      await bench.signIn();
      const orders = await bench.orders(processes);
      bench.forgetRequests();
      // The emulator may be slow, because it runs on the same two cores.
      const dispatch = (order: string) => bench.comanda(`orders dispatch ${order} --timeout 5m`);
      const finished = await Promise.all(orders.map(dispatch));
      const failed = finished.filter(({ code }) => code !== 0).map(({ stderr }) => stderr);
      const history = await bench.comanda(`history --json --limit ${processes}`);
      const rows = parseJsonLines(history.stdout) as readonly Pick<OrderLine, "order_id" | "outcome">[];
      const recorded = new Set(rows.flatMap((row) => (row.outcome === "done" ? [row.order_id] : [])));
      const unrecorded = orders.filter((order) => !recorded.has(order));
      const of = `${processes} processes at once, ${name}`;
      tellFigure({ what: "processes that failed", of, wanted: 0, seen: failed.length });
      tellFigure({ what: "done orders that aren't recorded", of, wanted: 0, seen: unrecorded.length });
      expect({ failed, unrecorded }).toEqual({ failed: [], unrecorded: [] });
      expect(bench.requests()).toHaveLength(processes);
    },
  );
});
