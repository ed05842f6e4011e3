/** Sends as the limits allow, and logs when each request was granted and when it arrives, until so many have arrived. */
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { systemClock } from "../../../src/shared/clock.js";
import { openLimits } from "../../../src/state/limits.js";
import { openStateFolder } from "../../../src/state/state-folder.js";

const [folder = "", log = "", limit = "0", windowMs = "0", total = "0"] = process.argv.slice(2);
const rate = { limit: Number(limit), windowMs: Number(windowMs) };
const options = { limits: { summary: rate, summary_grouped: rate, history: rate, general: rate } };
const limits = openLimits(openStateFolder({ folder, clock: systemClock, process }), options);
const key = { baseUrl: "http://127.0.0.1:4100", store: "shared", bucket: "general" } as const;

async function main() {
  while (readFileSync(log, "utf8").split("\n").length <= Number(total)) {
    const { slot, waitMs } = await limits.reserve(key, 2);
    if (!slot) {
      await delay(Math.min(waitMs, 50));
      continue;
    }
    const granted = Date.now();
    await delay(Math.random() * 40);
    for (let sent = 0; sent < slot.granted; sent += 1) appendFileSync(log, `${granted} ${Date.now()}\n`);
    await limits.settle(slot);
  }
}

void main();
