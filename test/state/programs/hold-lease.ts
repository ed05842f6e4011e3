/** Takes the lease again and again, and logs each moment that it believes to hold it. Ends when it is killed. */
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { systemClock } from "../../../src/client/clock.js";
import { openFolder } from "../../../src/state/state.js";

const [folder = "", log = ""] = process.argv.slice(2);
const { withLease } = openFolder({ folder, clock: systemClock });

async function main() {
  for (let turn = 0; ; turn += 1) {
    const work = async () => {
      const say = (what: string) => appendFileSync(log, `${what} ${process.pid} ${turn}\n`);
      say("enter");
      for (let beat = 0; beat < 5; beat += 1) {
        await delay(1);
        say("beat");
      }
      say("leave");
    };
    await withLease("shared", work);
    await delay(Math.random() * 3);
  }
}

void main();
