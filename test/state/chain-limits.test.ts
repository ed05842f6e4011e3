/** Counts requests across machines: never more than a store's limit in any window, and few less. */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { marginMs } from "../../src/state/limits.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { minutes, sized, soak, tellFigure, timeLimit } from "../support/soak.js";
import { newChain } from "./support/chain.js";
import { temporaryFolder } from "./support/folder.js";
import { bundledProgram, outputOf, start } from "./support/programs.js";

const size = {
  machines: sized({ test: 3, search: 6, soak: 20 }),
  stores: sized({ test: 2, search: 3, soak: 50 }),
  windows: soak ? 2 : sized({ test: 1, search: 3, soak: 2 }),
  /** The time until the last machine has started. */
  startMs: sized({ test: 1000, search: 10_000, soak: 58_000 }),
};
const rate = soak ? { limit: 300, windowMs: 60_000 } : { limit: 30, windowMs: 500 };
const program = bundledProgram(new URL("./programs/send-in-chain.ts", import.meta.url), ["pg-native"]);
const sentSchema = z.array(z.tuple([z.string(), z.number()]));

describe.skipIf(postgresPrograms === undefined)("the rate limits of a chain", () => {
  test(
    `apply to ${size.machines} machines with ${size.stores} stores, which use almost all slots`,
    async () => {
      const chain = await newChain();
      // The tables are created before the machines start.
      await (await chain.machine()).database("comanda");
      const stores = Array.from({ length: size.stores }, (_, index) => `store-${index}`);
      const until = Date.now() + size.startMs + size.windows * (rate.windowMs + marginMs);
      const machines = Array.from({ length: size.machines }, async () => {
        const words = [stores.join(), rate.limit, rate.windowMs, until].map(String);
        const child = start(program(), chain.address, temporaryFolder(), ...words);
        return z.parse(sentSchema, JSON.parse(await outputOf(child)));
      });
      const sent = (await Promise.all(machines)).flat();
      let [over, least] = [0, Infinity];
      for (const store of stores) {
        const times = sent.flatMap(([name, at]) => (name === store ? [at] : [])).sort((a, b) => a - b);
        over += times.filter(
          (at, index) => at - (times[index - rate.limit] ?? -Infinity) < rate.windowMs,
        ).length;
        // This many windows fit between the first request and the end.
        const [first = until] = times;
        const whole = 1 + Math.floor((until - first) / (rate.windowMs + marginMs));
        least = Math.min(least, times.length / (rate.limit * whole));
      }
      const of = `${size.machines} machines x ${size.stores} stores`;
      tellFigure({ what: "requests above a limit", of, wanted: 0, seen: over });
      tellFigure({
        what: "percent of what the limits allow, at the least",
        of,
        seen: Math.floor(least * 100),
      });
      expect(over).toBe(0);
      // Machines on a busy computer may miss the last window.
      expect(least).toBeGreaterThan(soak ? 0.95 : 0.5);
    },
    timeLimit(3 * minutes),
  );
});
