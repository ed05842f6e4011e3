/** Sends as the limits allow, and logs each request that it may send, until it is killed. */
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { systemClock } from "../../../src/client/clock.js";
import { openFolder } from "../../../src/state/state.js";
import { limitedStore, limiterOf } from "../support/limiter.js";

const [folder = "", log = ""] = process.argv.slice(2);
const state = openFolder({ folder, clock: systemClock });
const limiter = limiterOf(state, limitedStore, { limit: 1000, windowMs: 200 });

async function main() {
  const send = async () => {
    for (;;) {
      const permit = await limiter.acquire("general", { maxWaitMs: 60_000 });
      appendFileSync(log, ".");
      await delay(Math.random() * 40);
      await permit.settle(true);
    }
  };
  await Promise.all([send(), send()]);
}

void main();
