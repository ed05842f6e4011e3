/** The sign-ins of a chain as one machine has them, with times that are short enough for tests. */
import { systemClock, type Clock } from "../../../src/base/clock.js";
import { underLease } from "../../../src/state/leases.js";
import { openPostgres, openSealedRows, parsePostgresAddress } from "../../../src/state/postgres.js";
import { openSessions, type SessionStore } from "../../../src/state/sessions.js";
import { soak } from "../../support/soak.js";

/** How long a lease lasts, and a refresh: of twenty machines on two cores one may stand still for seconds. */
const leaseMs = soak ? 20_000 : 4000;
const requestTimeoutMs = soak ? 12_000 : 800;

export interface ChainSessions {
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly times: { readonly requestTimeoutMs: number };
  readonly close: () => Promise<void>;
}

interface ChainMachine {
  readonly address: string;
  readonly key: string;
  readonly host: string;
}

export async function openChainSessions({ address, key, host }: ChainMachine): Promise<ChainSessions> {
  const clock = systemClock;
  const postgres = openPostgres(parsePostgresAddress(address), host);
  const database = await postgres.database("comanda");
  const context = { database: () => Promise.resolve(database), clock, machine: host, leaseMs };
  const rows = openSealedRows(() => Promise.resolve(database), { COMANDA_STATE_KEY: key });
  const sessions = openSessions(rows, (...work) => underLease(context, ...work));
  return { sessions, clock, times: { requestTimeoutMs }, close: postgres.close };
}
