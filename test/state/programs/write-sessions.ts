/** Writes sessions again and again, as fast as it can. Ends when it is killed. */
import { systemClock } from "../../../src/client/clock.js";
import { openFolder } from "../../../src/state/state.js";
import { session } from "../support/sessions.js";

const [folder = "", store = ""] = process.argv.slice(2);
const sessions = openFolder({ folder, clock: systemClock }).sessions;

async function main() {
  for (;;) {
    await sessions.update(store, (current) =>
      // Long enough for a write that is cut to be seen.
      Promise.resolve({
        ...session(store, (current?.tokens?.generation ?? 0) + 1),
        api_key: "k".repeat(20_000),
      }),
    );
  }
}

void main();
