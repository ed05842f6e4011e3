/** Takes the lease, and holds it until a file is there; then makes sure of it and writes. Logs each step. */
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { systemClock } from "../../../src/client/clock.js";
import { openFolder } from "../../../src/state/state.js";

const [folder = "", log = "", go = ""] = process.argv.slice(2);
const { withLease } = openFolder({ folder, clock: systemClock });
const say = (what: string) => appendFileSync(log, `${what}\n`);

async function main() {
  await withLease("shared", async (lease) => {
    say("enter");
    while (!existsSync(go)) await delay(5);
    lease.assertHeld();
    say("write");
  });
}

void main();
