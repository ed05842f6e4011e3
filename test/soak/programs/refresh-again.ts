/** Refreshes a store's session as fast as possible until it is killed or signed out. */
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
    // The service's tokens expire at once, so each iteration refreshes.
    const { pid } = process;
    await createAccessTokenSource({ session, sessions, transport, clock: systemClock, pid }).bearer();
  }
}

void main();
