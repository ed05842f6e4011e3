/**
 * Appends so many entries to a file, one after the other and several at once, and says of each on stdout once it is
 * there: its number, so that whoever kills this process knows what had been promised.
 */
import { writeSync } from "node:fs";

import { systemClock } from "../../../src/shared/clock.js";
import { openStateFolder } from "../../../src/state/state-folder.js";
import { openEntries } from "../support/entries.js";

const [folder = "", name = "", times = "0"] = process.argv.slice(2);
const state = openStateFolder({ folder, clock: systemClock, process });
const log = openEntries(state);
const promised = (number: number) => writeSync(1, `${number}\n`);

async function main() {
  for (let number = 0; number < Number(times); number += 4) {
    log.appendSync({ writer: name, number, text: "é\t\n".repeat(number % 2000) });
    promised(number);
    const several = [number + 1, number + 2, number + 3].map(async (each) => {
      await log.append({ writer: name, number: each, text: "x".repeat(each % 10_000) });
      promised(each);
    });
    await Promise.all(several);
  }
}

void main();
