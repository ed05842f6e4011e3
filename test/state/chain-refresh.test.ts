/** Refreshes once in a chain, whichever statement loses its connection. `auth/many-processes.test.ts` kills many machines. */
import { expect, test } from "vitest";

import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { systemClock } from "../../src/base/clock.js";
import { createTransport } from "../../src/client/http.js";
import { underLease } from "../../src/state/leases.js";
import { openPostgres, openSealedRows, parsePostgresAddress } from "../../src/state/postgres.js";
import { openSessions } from "../../src/state/sessions.js";
import { testEnvironment, testSession } from "../auth/support/sessions.js";
import { rotatingTokens, startTokenService } from "../auth/support/token-service.js";
import { isSearch } from "../support/soak.js";
import { hasPostgres, newPostgresDatabase, newStateKey } from "./support/engines.js";
import { startCuttingProxy } from "./support/cutting-proxy.js";

const rotation = { current: 1, count: 0, reused: 0 };
const service = await startTokenService(rotatingTokens(rotation));
const key = newStateKey();

/** Opens the sign-ins of a machine, with a short lease. */
async function openMachine(address: string, machine: string) {
  const postgres = openPostgres(parsePostgresAddress(address));
  const database = await postgres.database("comanda");
  const context = { database: () => Promise.resolve(database), clock: systemClock, machine, leaseMs: 4000 };
  const rows = openSealedRows(() => Promise.resolve(database), { COMANDA_STATE_KEY: key });
  const sessions = openSessions(rows, (...work) => underLease(context, ...work));
  async function refresh(): Promise<string> {
    const session = await sessions.read("centro");
    if (!session) throw new Error("the session is lost");
    const transport = createTransport();
    try {
      const options = { session, sessions, transport, clock: systemClock, pid: 1, timeoutMs: 800 };
      return await createAccessTokenSource(options).bearer();
    } finally {
      await transport.close();
    }
  }
  return { sessions, refresh, close: postgres.close };
}

const title = "a refresh whose connection is lost at any statement loses no sign-in, and uses no token twice";

test.skipIf(!hasPostgres || !isSearch)(title, async () => {
  const address = await newPostgresDatabase();
  const owner = await openMachine(address, "owner");
  const environment = testEnvironment({ base_url: service.baseUrl });
  await owner.sessions.update("centro", () => Promise.resolve(testSession(environment)));
  const expire = () =>
    owner.sessions.update("centro", (session) => {
      if (!session?.tokens) throw new Error("the session is lost");
      return Promise.resolve({ ...session, tokens: { ...session.tokens, expires_at: 0 } });
    });
  const proxy = await startCuttingProxy(address);
  let cuts = 0;
  for (const when of ["before", "after"] as const) {
    for (let number = 1; ; number += 1) {
      await expire();
      proxy.last = Infinity;
      const machine = await openMachine(proxy.address, "cut");
      const [count, reused] = [rotation.count, rotation.reused];
      Object.assign(proxy, { messages: 0, last: number, when });
      const outcome = await machine.refresh().catch((error: unknown) => error);
      const isOver = proxy.messages < number;
      if (typeof outcome !== "string") expect(outcome).toMatchObject({ name: "ComandaError" });
      // Another machine gets a token, without a sign-in.
      expect(await owner.refresh()).toBe(`access-${rotation.current}`);
      const counted = { refreshes: rotation.count - count, reused: rotation.reused - reused };
      expect(counted).toEqual({ refreshes: 1, reused: 0 });
      const { tokens } = (await owner.sessions.read("centro")) ?? {};
      expect(tokens?.refresh_token).toBe(`refresh-${rotation.current}`);
      await machine.close();
      if (isOver) break;
      cuts += 1;
    }
  }
  expect(cuts).toBeGreaterThan(10);
  await owner.close();
});
