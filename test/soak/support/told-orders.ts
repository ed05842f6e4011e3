/** What runs of many orders told of each order, beside what the service saw of it. */
import * as z from "zod/mini";

import type { Bench } from "../../support/bench.js";
import { tellFigure } from "../../support/soak.js";

const rowSchema = z.looseObject({ order_id: z.string(), outcome: z.string() });

/** The last word on each order, in the whole lines of the output. */
export function outcomesIn(stdout: string): ReadonlyMap<string, string> {
  const rows = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => z.parse(rowSchema, JSON.parse(line)));
  return new Map(rows.map(({ order_id: order, outcome }) => [order, outcome]));
}

type Fault = "orders sent twice" | "orders lost" | "orders unknown and not listed";

/** Counts over many runs. */
export class ToldOrders {
  readonly #counts: Record<Fault, number> = {
    "orders sent twice": 0,
    "orders lost": 0,
    "orders unknown and not listed": 0,
  };
  #listed = 0;
  /** Of those that are not as they should be. */
  readonly faults: string[] = [];

  /**
   * Compares a run that is over, gone on with as often as it took, with the service.
   *
   * @param orders each to be dispatched
   * @param told the last word on each
   */
  add(bench: Bench, orders: readonly string[], told: ReadonlyMap<string, string>): void {
    const requests = bench.requests();
    for (const order of orders) {
      const sent = requests.filter((request) => request.endsWith(`/${order}/dispatch`)).length;
      const outcome = told.get(order);
      // What an earlier process has done is skipped.
      const isDone =
        (outcome === "done" || outcome === "skipped") &&
        sent === 1 &&
        bench.stored(order).status === "released";
      if (outcome === "unknown") this.#listed += 1;
      if (sent > 1) this.#count("orders sent twice", { order, sent, outcome });
      else if (outcome !== "unknown" && !isDone)
        this.#count(sent === 0 ? "orders lost" : "orders unknown and not listed", { order, sent, outcome });
    }
  }

  #count(what: Fault, fault: object): void {
    this.#counts[what] += 1;
    this.faults.push(`${what}: ${JSON.stringify(fault)}`);
  }

  /** @param of in what they were counted */
  tell(of: string): void {
    for (const [what, seen] of Object.entries(this.#counts)) tellFigure({ what, of, wanted: 0, seen });
    tellFigure({ what: "orders unknown and listed", of, seen: this.#listed });
  }
}
