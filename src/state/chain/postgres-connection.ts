/** Connections to a chain's PostgreSQL: one pool for all statements. */
import type * as pg from "pg";

import { steadyNow, type Clock } from "../../client/clock.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { DatabaseName } from "../database.js";
import type { PostgresAddress } from "./postgres-address.js";
import { loadDriver } from "./postgres-driver.js";
import { asPostgresError, isLost } from "./postgres-errors.js";

/** The address of the databases, and the role that signs in. */
export interface PostgresServer {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  /** This process, whose connections say so. */
  readonly self: { readonly pid: number; readonly host: string };
}

/** Each database has a schema of its own, so that a role can be let into one of them. */
export const schemaNames: Readonly<Record<DatabaseName, string>> = {
  comanda: "comanda",
  sales: "comanda_sales",
};
const connectWithinMs = 10_000;
/** A server that is started anew is back by then. */
const backWithinMs = 10_000;
/** A connection that was cut is back at once, a server that is started anew in seconds. */
const betweenTriesMs = { first: 10, most: 200 };
/** Other processes may keep a statement waiting for so many milliseconds. */
export const usualWaitMs = 30_000;

/** A server that was there, and is started anew, is waited for. Only for work that does nothing where it fails. */
export async function whenBack<Result>(
  { address, clock }: Pick<PostgresServer, "address" | "clock">,
  work: () => Promise<Result>,
): Promise<Result> {
  return retryWhileLost(clock, backWithinMs, () => asPostgresError(address, work));
}

/** Does the work again as long as it fails for want of a connection. */
export async function retryWhileLost<Result>(
  clock: Clock,
  withinMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const start = steadyNow(clock);
  for (let pauseMs = betweenTriesMs.first; ; pauseMs = Math.min(2 * pauseMs, betweenTriesMs.most)) {
    try {
      return await work();
    } catch (error) {
      if (!isLost(error) || steadyNow(clock) - start >= withinMs) throw error;
    }
    await clock.sleep(pauseMs);
  }
}

/** One process has no more of them; the rest of its work waits for its turn. */
const connectionsAtOnce = 3;

export function openPool(server: PostgresServer): pg.Pool {
  const { Client, Pool } = loadDriver();
  /** The pool's own time limit would take a wait for one of its connections for a server that doesn't answer. */
  class TimedClient extends Client {
    constructor() {
      super({ ...clientConfig(server), lock_timeout: usualWaitMs });
    }
  }
  // It keeps no program running.
  const pool = new Pool({ Client: TimedClient, allowExitOnIdle: true, max: connectionsAtOnce });
  // One that breaks while nobody uses it is replaced by the next statement.
  pool.on("error", () => undefined);
  // One that breaks between two statements is told by the second of them; an event that nobody hears ends the program.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** @internal */
export function clientConfig({ address, self }: PostgresServer): pg.ClientConfig {
  const { host, port, database, user, password } = address;
  return {
    ...{ host, port, database },
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    // Neither PGSSLMODE nor NODE_TLS_REJECT_UNAUTHORIZED makes it weaker. Before 8.23.1 the driver compares the certificate of
    // an IP address with "localhost", where it isn't told the host.
    ssl: address.isVerified && { rejectUnauthorized: true, host },
    application_name: `comanda ${self.pid} ${self.host}`,
    connectionTimeoutMillis: connectWithinMs,
    options: `-c search_path=${Object.values(schemaNames).join(",")}`,
    types: {
      getTypeParser: (type) =>
        numberTypes.has(type) ? (text: string) => exactNumber(text, address) : asText,
    },
  };
}

/** int8, int2, int4, and numeric, which a sum of int8 is (pg_type.dat). */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 1700]);

const asText = (text: string): string => text;

function exactNumber(text: string, { place }: PostgresAddress): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new ComandaError("state_unusable", t`${place} holds a number that is too large.`);
}
