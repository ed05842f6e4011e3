/** Opens the sign-ins of a chain on one machine, with timeouts that are short enough for tests. */
import { systemClock, type Clock } from "../../../src/base/clock.js";
import { underLease } from "../../../src/state/leases.js";
import { openPostgres, openSealedRows, parsePostgresAddress } from "../../../src/state/postgres.js";
import { openSessions, type SessionStore } from "../../../src/state/sessions.js";
import { soak } from "../../support/soak.js";

/** In a soak, one of twenty machines on two cores may be suspended for seconds. */
const leaseMs = soak ? 20_000 : 4000;
const timeoutMs = soak ? 12_000 : 800;

export interface ChainSessions {
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly times: { readonly timeoutMs: number };
  readonly close: () => Promise<void>;
}

interface ChainMachine {
  readonly address: string;
  readonly key: string;
  readonly host: string;
}

export async function openChainSessions({ address, key, host }: ChainMachine): Promise<ChainSessions> {
  const clock = systemClock;
  const postgres = openPostgres(parsePostgresAddress(address));
  const database = await postgres.database("comanda");
  const context = { database: () => Promise.resolve(database), clock, machine: host, leaseMs };
  const rows = openSealedRows(() => Promise.resolve(database), { COMANDA_STATE_KEY: key });
  const sessions = openSessions(rows, (...work) => underLease(context, ...work));
  return { sessions, clock, times: { timeoutMs }, close: postgres.close };
}
