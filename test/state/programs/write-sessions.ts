/** Writes sessions again and again, as fast as it can. Ends when it is killed. */
import { systemClock } from "../../../src/client/clock.js";
import { openSessions } from "../../../src/state/sessions/sessions.js";
import { openStateFolder } from "../../../src/state/state-folder.js";
import { session } from "../support/sessions.js";

const [folder = "", store = ""] = process.argv.slice(2);
const sessions = openSessions(openStateFolder({ folder, clock: systemClock, process }));

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
