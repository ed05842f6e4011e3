/** Commits two rows at a time, and says the number of each pair on stdout once its commit has returned; until it is killed. */
import { writeSync } from "node:fs";

import { systemClock } from "../../../src/client/clock.js";
import { openFolder } from "../../../src/state/state.js";

const [folder = "", writer = ""] = process.argv.slice(2);

async function main() {
  const database = await openFolder({ folder, clock: systemClock }).database("comanda");
  for (let pair = 1; ; pair += 1) {
    await database.transaction("pairs", async ({ run }) => {
      for (const half of ["first", "second"])
        await run("insert into limit_blocks values ($1, $2)", `${writer} ${half} ${pair}`, pair);
    });
    writeSync(1, `${pair}\n`);
  }
}

void main();
