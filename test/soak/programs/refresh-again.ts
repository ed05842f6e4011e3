/** Refreshes the session of a store again and again, as fast as it can. Ends when it is killed, or signed out. */
import { createAccessTokenSource } from "../../../src/auth/renewal.js";
import { createTransport } from "../../../src/client/http.js";
import { systemClock } from "../../../src/base/clock.js";
import { openFolder } from "../../../src/state/state.js";

const [folder = "", store = ""] = process.argv.slice(2);
const sessions = openFolder({ folder, clock: systemClock }).sessions;
const transport = createTransport();

async function main() {
  for (;;) {
    const session = await sessions.read(store);
    if (!session) throw new Error("no session");
    // What the service gives is over at once, so each one asks.
    const { pid } = process;
    await createAccessTokenSource({ session, sessions, transport, clock: systemClock, pid }).bearer();
  }
}

void main();
