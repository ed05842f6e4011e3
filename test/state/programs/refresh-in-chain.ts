/** Refreshes once as a machine of a chain, and prints the token or the error code. */
import { createAccessTokenSource } from "../../../src/auth/renewal.js";
import { createTransport } from "../../../src/client/http.js";
import { ComandaError } from "../../../src/base/errors.js";
import { openChainSessions } from "../support/chain-sessions.js";

const [address = "", key = "", store = "", host = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const transport = createTransport();
  const ends = [() => transport.close()];
  try {
    const { sessions, clock, close, times } = await openChainSessions({ address, key, host });
    ends.push(close);
    const session = await sessions.read(store);
    if (!session) throw new Error("no session");
    const tools = { session, sessions, transport, clock, pid: process.pid, ...times };
    process.stdout.write(await createAccessTokenSource(tools).bearer());
  } catch (error) {
    process.stdout.write(error instanceof ComandaError ? error.code : String(error));
    process.exitCode = 1;
  } finally {
    for (const end of ends) await end();
  }
}

void main();
