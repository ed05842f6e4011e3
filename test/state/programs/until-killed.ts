/** Repeats one kind of work as fast as possible until it is killed. */
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { systemClock } from "../../../src/base/clock.js";
import { openFolder } from "../../../src/state/state.js";
import { session } from "../../auth/support/sessions.js";

const [work = "", folder = "", name = ""] = process.argv.slice(2);
const { sessions, withLease } = openFolder({ folder, clock: systemClock });

const works: Readonly<Record<string, (turn: number) => Promise<unknown>>> = {
  /** Logs repeatedly while it has the lease. */
  async lease(turn) {
    const log = (what: string) => appendFileSync(name, `${what} ${process.pid} ${turn}\n`);
    await withLease("shared", async () => {
      log("enter");
      for (let beat = 0; beat < 5; beat += 1) {
        await delay(1);
        log("beat");
      }
      log("leave");
    });
    await delay(Math.random() * 3);
  },
  /** Writes sessions that are long enough to reveal a truncated write. */
  session: async () =>
    sessions.update(name, (current) => {
      const next = session(name, (current?.tokens?.generation ?? 0) + 1);
      return Promise.resolve({ ...next, api_key: "k".repeat(20_000) });
    }),
};

async function main() {
  for (let turn = 1; ; turn += 1) await works[work]?.(turn);
}

void main();
