/** Containers that share one state folder: none can look at another's processes, and all start in the same second. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { container, containersAvailable } from "../support/containers.js";
import { filesIn } from "../support/folder-state.js";
import { comandaCommand } from "../support/program.js";
import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { outcomesIn, ToldOrders } from "./support/told-orders.js";

const containers = sized({ test: 4, search: 8, soak: 100 });
const ordersOfEach = 3;

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.signInExpired();
});
afterEach(() => bench.close());

describe.skipIf(!containersAvailable)("on one state folder", () => {
  test(
    `${containers} containers: one refresh, each order sent once, nothing left behind`,
    async () => {
      const lists = await Promise.all(
        Array.from({ length: containers }, () =>
          Promise.all(Array.from({ length: ordersOfEach }, () => bench.order())),
        ),
      );
      bench.forgetRequests();
      const finished = await Promise.all(
        lists.map(
          (orders) =>
            bench.machine.other([
              ...container,
              ...comandaCommand,
              ...["orders", "dispatch", ...orders, "--json", "--max-wait", "10m"],
            ]).finished,
        ),
      );
      const told = new ToldOrders();
      for (const [index, { stdout }] of finished.entries())
        told.add(bench, lists[index] ?? [], outcomesIn(stdout));
      const of = `${containers} containers`;
      told.tell(of);
      const { refreshes, reusedRefreshTokens } = bench.emulator.service.server.counters;
      const limited = bench.emulator.service.log.entries().filter(({ status }) => status === 429);
      tellFigure({ what: "refresh tokens used twice", of, wanted: 0, seen: reusedRefreshTokens });
      tellFigure({ what: "refreshes", of, wanted: 1, seen: refreshes });
      tellFigure({ what: "answers 429", of, wanted: 0, seen: limited.length });
      expect(finished.filter(({ code }) => code !== 0)).toEqual([]);
      expect(told.faults).toEqual([]);
      expect({ refreshes, reusedRefreshTokens, limited }).toEqual({
        refreshes: 1,
        reusedRefreshTokens: 0,
        limited: [],
      });
      const history = await bench.inProcess("history --outcome done --limit 1000 --json");
      expect(history.stdout.split("\n").slice(0, -1)).toHaveLength(containers * ordersOfEach);
      expect(filesIn(bench.machine.configFolder).filter((name) => /\.(?:tmp|holder)/.test(name))).toEqual([]);
    },
    timeLimit(minutes),
  );
});
