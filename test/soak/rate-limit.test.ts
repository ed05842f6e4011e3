/** Section 8 between processes: the built program, many at once, at a service that counts for itself. */
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";

import { Bench } from "../support/bench.js";
import { minutes, sized, soak, tellFigure, timeLimit } from "../support/soak.js";

/** More orders than the limit leaves places: 300 in 3 minutes. */
const size = soak
  ? { processes: 20, orders: 30 }
  : { processes: sized({ test: 3, search: 4, soak: 20 }), orders: 110 };
/** The whole size waits for the window's end, once; the small one doesn't wait. */
const maxWait = soak ? "10m" : "0s";
const limit = 300;

const outcomeSchema = z.looseObject({
  outcome: z.string(),
  code: z.nullable(z.union([z.string(), z.number()])),
});

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterEach(() => bench.close());

test(
  `${size.processes} processes with ${size.orders} orders each: the service never answers 429`,
  { timeout: timeLimit(minutes) },
  async () => {
    const lists: string[][] = [];
    for (let list = 0; list < size.processes; list += 1) {
      const ids: string[] = [];
      while (ids.length < size.orders) ids.push(await bench.order());
      lists.push(ids);
    }
    bench.forgetRequests();
    const finished = await Promise.all(
      lists.map((ids) =>
        bench.comanda(`orders dispatch - --json --max-wait ${maxWait}`, { input: ids.join("\n") }),
      ),
    );
    const outcomes = finished.flatMap(({ stdout }) =>
      stdout
        .trim()
        .split("\n")
        .map((line) => z.parse(outcomeSchema, JSON.parse(line))),
    );
    const done = outcomes.filter(({ outcome }) => outcome === "done");
    const held = outcomes.filter(({ outcome, code }) => outcome === "failed" && code === "rate_limited");
    const statuses = bench.emulator.service.log.entries().map(({ status }) => status);

    // Where the ledger can't be used a process counts for itself, and says so.
    const warnings = finished
      .map(({ stderr }) => stderr)
      .filter((text) => text.includes("only for this run"));
    expect(warnings).toEqual([]);
    const limited = statuses.filter((status) => status === 429);
    const of = `${size.processes} processes, ${statuses.length} requests`;
    tellFigure({ what: "answers 429", of, wanted: 0, seen: limited.length });
    expect(limited).toEqual([]);
    // What was sent was done, what wasn't was told, and no place was left unused.
    const all = size.processes * size.orders;
    expect(outcomes).toHaveLength(all);
    expect(statuses).toHaveLength(done.length);
    expect(done).toHaveLength(soak ? all : limit);
    expect(done.length + held.length).toBe(all);
  },
);
