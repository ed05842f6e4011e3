/** Tests section 8 between processes of the built program, with a service that counts requests itself. */
import { expect, test } from "vitest";

import type { OrderLine } from "../../src/core/orders.js";
import { newPostgresDatabase, newStateKey } from "../state/support/engines.js";
import { engines } from "../state/support/states.js";
import { Bench, parseJsonLines } from "../support/bench.js";
import { sized, soak, tellFigure } from "../support/soak.js";

/** The orders exceed the limit of 300 in 3 minutes. */
const usual = { processes: sized({ test: 3, search: 4, soak: 20 }), orders: 110 };
const size = soak ? { processes: 20, orders: 30 } : usual;
/** A soak waits for the end of the window once; the small test waits only for the database. */
const maxWait = soak ? "10m" : "30s";
const limit = 300;

test.each(engines)(
  `${size.processes} processes with ${size.orders} orders each never cause a 429: $name`,
  async ({ name }) => {
    const shared = name === "SQLite" ? {} : { COMANDA_STATE: await newPostgresDatabase() };
    const bench = await Bench.open({ env: { COMANDA_STATE_KEY: newStateKey(), ...shared } });
    await bench.signIn();
    const lists: (readonly string[])[] = [];
    while (lists.length < size.processes) lists.push(await bench.orders(size.orders));
    bench.forgetRequests();
    const finished = await Promise.all(
      lists.map((ids) =>
        bench.comanda(`orders dispatch - --json --max-wait ${maxWait}`, { input: ids.join("\n") }),
      ),
    );
    const outcomes = finished.flatMap(({ stdout }) => parseJsonLines(stdout) as readonly OrderLine[]);
    const done = outcomes.filter(({ outcome }) => outcome === "done");
    const held = outcomes.filter(({ outcome, code }) => outcome === "failed" && code === "rate_limited");
    const statuses = bench.emulator.service.log.entries().map(({ status }) => status);

    // A process that can't use the database counts separately, with a warning.
    for (const { stderr } of finished) expect(stderr).not.toContain("only for this run");
    const limited = statuses.filter((status) => status === 429);
    const of = `${size.processes} processes, ${statuses.length} requests, ${name}`;
    tellFigure({ what: "answers 429", of, wanted: 0, seen: limited.length });
    expect(limited).toEqual([]);
    // Each order was changed or reported, and all slots were used.
    const all = size.processes * size.orders;
    expect(outcomes).toHaveLength(all);
    expect(statuses).toHaveLength(done.length);
    expect(done).toHaveLength(soak ? all : limit);
    expect(done.length + held.length).toBe(all);
  },
);
