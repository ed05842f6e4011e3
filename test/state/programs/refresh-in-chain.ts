/** A machine of a chain, with a host name of its own: asks once for a fresh token, and says what it got. */
import { createAccessTokenSource } from "../../../src/auth/access-token.js";
import { createTransport } from "../../../src/client/http/undici-transport.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { openChainSessions } from "../support/chain-sessions.js";

const [address = "", key = "", host = "", store = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const { sessions, clock, close, times } = await openChainSessions({ address, key, host });
  const transport = createTransport();
  try {
    const session = await sessions.read(store);
    if (!session) throw new Error("no session");
    const source = createAccessTokenSource({
      session,
      sessions,
      transport,
      clock,
      pid: process.pid,
      ...times,
    });
    process.stdout.write(await source.fresh());
  } catch (error) {
    process.stdout.write(error instanceof ComandaError ? error.code : String(error));
    process.exitCode = 1;
  } finally {
    await transport.close();
    await close();
  }
}

void main();
