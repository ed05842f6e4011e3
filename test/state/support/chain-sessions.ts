/** The sign-ins of a chain as one machine has them, with times that are short enough for tests. */
import { realSystem } from "../../../src/state/system.js";
import { systemClock, type Clock } from "../../../src/client/clock.js";
import { createCriticalSections } from "../../../src/state/critical-sections.js";
import { createLeases } from "../../../src/state/leases.js";
import { openPostgres, parsePostgresAddress } from "../../../src/state/postgres.js";
import { openSharedSessions } from "../../../src/state/chain/shared-sessions.js";
import { readStateKeys } from "../../../src/state/chain/state-keys.js";
import { soak } from "../../support/soak.js";

/** How long a lease lasts, and a refresh: of twenty machines on two cores one may stand still for seconds. */
const leaseMs = soak ? 20_000 : 4000;
const requestTimeoutMs = soak ? 12_000 : 800;

export interface ChainSessions {
  readonly sessions: ReturnType<typeof openSharedSessions>;
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
  const [clock, system] = [systemClock, realSystem];
  const postgres = openPostgres(parsePostgresAddress(address), host);
  const database = await postgres.database("comanda");
  const withLease = createLeases({
    database: () => Promise.resolve(database),
    ...{ clock, criticalSections: createCriticalSections(), machine: host, leaseMs },
  });
  const sessions = openSharedSessions({
    ...{ database: () => Promise.resolve(database), withLease, system },
    keys: () => readStateKeys({ env: { COMANDA_STATE_KEY: key }, system, host: process }),
  });
  return { sessions, clock, times: { requestTimeoutMs }, close: postgres.close };
}
