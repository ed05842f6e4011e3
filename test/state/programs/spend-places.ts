/** Sends as the limits allow, and logs when each request got its place and when it arrives, until so many have arrived. */
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { systemClock } from "../../../src/client/clock.js";
import { createLimiter } from "../../../src/state/limits.js";
import { openFolder } from "../../../src/state/state.js";

const [folder = "", log = "", limit = "0", windowMs = "0", total = "0"] = process.argv.slice(2);
const rate = { limit: Number(limit), windowMs: Number(windowMs) };
const limiter = createLimiter(openFolder({ folder, clock: systemClock }), {
  ...{ baseUrl: "http://127.0.0.1:4100", store: "shared" },
  limits: { summary: rate, summary_grouped: rate, history: rate, general: rate },
});

async function main() {
  const isOver = () => readFileSync(log, "utf8").split("\n").length > Number(total);
  const send = async () => {
    while (!isOver()) {
      const permit = await limiter.acquire("general", { maxWaitMs: 60_000 });
      const granted = Date.now();
      await delay(Math.random() * 40);
      appendFileSync(log, `${granted} ${Date.now()}\n`);
      await permit.settle(true);
    }
  };
  await Promise.all([send(), send()]);
}

void main();
