/**
 * The databases that many machines share: PostgreSQL 14 and newer, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address. One process has one pool of connections for both.
 */
import type * as pg from "pg";
import type { Client, ClientConfig, Pool, PoolClient } from "pg";

import { steadyNow, type Clock } from "../shared/clock.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import {
  checkedRows,
  refuseNewerSchema,
  schemaVersion,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type TransactionOptions,
  type Value,
} from "./database.js";
import { loadDriver } from "./postgres-driver.js";
import type { Holder } from "./locks/locks.js";
import type { PostgresAddress } from "./postgres-address.js";
import { asPostgresError, isLost, mayNot, postgresError } from "./postgres-errors.js";

/** The address of the databases, and the role that signs in. */
export interface PostgresServer {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  /** This process, whose connections say so: others are told who holds a lock. */
  readonly self: Pick<Holder, "pid" | "host">;
}

/** An open server. */
export interface Postgres {
  /** Made where it isn't there, if the role may do that. */
  readonly database: (name: DatabaseName) => Promise<Database>;
  readonly close: () => Promise<void>;
}

/** Each database has a schema of its own, so that a role can be let into one of them. */
export const schemaNames: Readonly<Record<DatabaseName, string>> = {
  comanda: "comanda",
  sales: "comanda_sales",
};
const oldestServer = 14;
const connectWithinMs = 10_000;
/** A server that is started anew is back by then. */
const backWithinMs = 10_000;
/** A connection that was cut is back at once, a server that is started anew in seconds. */
const betweenTriesMs = { first: 10, most: 200 };
/** Other processes may keep a statement waiting for so many milliseconds. */
const usualWaitMs = 30_000;
/** The server ends the transaction of a process that stands still, so that the others get their turn. */
const stillMs = 10_000;

/** @throws {ComandaError} `state_unusable` where the server can't be reached, refuses us, or is too old */
export async function connectPostgres(server: PostgresServer): Promise<Postgres> {
  const { address } = server;
  const pool = openConnections(server);
  const outside = statementsOf(address, {
    query: (sql, values) => withClient((client) => query(client, sql, values)),
  });
  const query = (client: Pick<PoolClient, "query">, sql: string, values: readonly Value[] = []) =>
    asPostgresError(address, () => client.query<Record<string, unknown>>(sql, [...values]));

  async function withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await whenBack(server, () => pool.connect());
    let isUsable = false;
    try {
      const result = await work(client);
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = !isLost(error);
      throw error;
    } finally {
      client.release(!isUsable);
    }
  }

  /** @param about what no other transaction may be about meanwhile */
  async function beginTransaction(
    about: string,
    { durable = true, waitMs = usualWaitMs }: TransactionOptions,
  ) {
    const client = await pool.connect();
    try {
      const settings = `set local lock_timeout = ${waitMs}; set local idle_in_transaction_session_timeout = ${stillMs}${durable ? "" : "; set local synchronous_commit = off"}`;
      await client.query(`begin; ${settings}`);
      await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [about]);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async function inTransaction<Result>(
    about: string,
    work: (client: PoolClient) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    if (options.isRepeatable)
      return whenBack(server, () => inTransaction(about, work, { ...options, isRepeatable: false }));
    const client = await whenBack(server, () => beginTransaction(about, options));
    let isUsable = false;
    try {
      const result = await work(client);
      await query(client, "commit");
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = await rolledBack(client);
      throw error;
    } finally {
      client.release(!isUsable);
    }
  }

  async function database(name: DatabaseName): Promise<Database> {
    await bringSchema({ address, outside, inTransaction, name });
    return {
      place: address.place,
      ...outside,
      transaction: (about, work, options) =>
        inTransaction(
          about,
          (client) => work(statementsOf(address, { query: (sql, values) => query(client, sql, values) })),
          options,
        ),
      skipLocked: "for update skip locked",
      endsStopped: true,
      check: () => Promise.resolve([]),
      // The connections are the server's, which other databases use too.
      close: () => Promise.resolve(),
    };
  }

  try {
    // Here alone nobody waits: a server that doesn't answer is told at once.
    const client = await asPostgresError(address, () => pool.connect());
    client.release();
    await refuseOldServer(address, outside);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { database, close: () => pool.end() };
}

interface Querying {
  readonly query: (sql: string, values: readonly Value[]) => Promise<pg.QueryResult<Record<string, unknown>>>;
}

function statementsOf({ place }: PostgresAddress, { query }: Querying): Statements {
  return {
    rows: async (columns, sql, ...values) => checkedRows(columns, (await query(sql, values)).rows, place),
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    async now() {
      const clock = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";
      const [row] = checkedRows({ now: "bigint" }, (await query(clock, [])).rows, place);
      return row?.now ?? 0;
    },
  };
}

async function refuseOldServer({ place }: PostgresAddress, { rows }: Statements): Promise<void> {
  const sql = "select current_setting('server_version_num')::bigint as version";
  const [row] = await rows({ version: "bigint" }, sql);
  const major = Math.floor((row?.version ?? 0) / 10_000);
  if (major >= oldestServer) return;
  throw new ComandaError("state_unusable", t`${place} is PostgreSQL ${major}, which is too old.`, {
    hint: t`comanda needs PostgreSQL ${oldestServer} or newer.`,
  });
}

interface SchemaOptions {
  readonly address: PostgresAddress;
  readonly outside: Statements;
  readonly inTransaction: (about: string, work: (client: PoolClient) => Promise<void>) => Promise<void>;
  readonly name: DatabaseName;
}

/** Makes the tables where they aren't there, or are of an older comanda. */
async function bringSchema({ address, outside, inTransaction, name }: SchemaOptions): Promise<void> {
  const { place } = address;
  const schema = schemaNames[name];

  /** The catalogue may be read by everybody, and the table by those alone who have its schema. */
  async function readVersion({ rows }: Statements): Promise<number | undefined> {
    const [table] = await rows(
      { usable: "bigint" },
      `select has_schema_privilege(n.oid, 'usage')::int as usable
       from pg_namespace n join pg_class c on c.relnamespace = n.oid where nspname = $1 and relname = $2`,
      ...[schema, versionTable[name]],
    );
    if (table === undefined) return undefined;
    if (table.usable === 0) throw mayNotUse();
    const [row] = await rows({ version: "bigint" }, `select version from ${schema}.${versionTable[name]}`);
    if (row) refuseNewerSchema(place, row.version);
    return row?.version;
  }

  function mayNotUse(cause?: unknown): ComandaError {
    return new ComandaError("state_unusable", t`This role may not use the schema ${schema} in ${place}.`, {
      hint: t`\`comanda help chain\` names the roles and what each may do.`,
      cause,
    });
  }

  function mayNotMake(cause: unknown, version: number | undefined): ComandaError {
    const message =
      version === undefined
        ? t`comanda's tables are not in ${place} yet, and this role may not make them.`
        : t`comanda's tables in ${place} are an older comanda's, and this role may not change them.`;
    return new ComandaError("state_unusable", message, {
      hint: t`Once, with COMANDA_STATE naming the role that may: comanda state status`,
      cause,
    });
  }

  const version = await readVersion(outside);
  if (version === schemaVersion) return;
  const { currentSchema, partsInPostgres, schemaChange } = await import("./schema.js");
  try {
    await inTransaction(`schema ${schema}`, async (client) => {
      const statements = statementsOf(address, {
        query: (sql, values) => asPostgresError(address, () => client.query(sql, [...values])),
      });
      const current = await readVersion(statements);
      if (current === schemaVersion) return;
      // Whoever may make no schema may still make tables in one that is there.
      const [schemaRow] = await statements.rows(
        { oid: "text" },
        "select oid::text from pg_namespace where nspname = $1",
        schema,
      );
      const create = schemaRow ? "" : `create schema ${schema};`;
      await client.query(
        `${create} set local search_path to ${schema}; ${schemaChange(name, current, currentSchema, partsInPostgres[name])}`,
      );
    });
  } catch (error) {
    throw mayNot(error) ? mayNotMake(error, version) : postgresError(error, address);
  }
}

/** @returns `false` where the connection is broken */
async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}

/** A server that was there, and is started anew, is waited for. Only for work that does nothing where it fails. */
export async function whenBack<Result>(
  { address, clock }: Pick<PostgresServer, "address" | "clock">,
  work: () => Promise<Result>,
): Promise<Result> {
  const start = steadyNow(clock);
  for (let pauseMs = betweenTriesMs.first; ; pauseMs = Math.min(2 * pauseMs, betweenTriesMs.most)) {
    try {
      return await asPostgresError(address, work);
    } catch (error) {
      if (!isLost(error) || steadyNow(clock) - start >= backWithinMs) throw error;
    }
    await clock.sleep(pauseMs);
  }
}

/** One process has no more of them; the rest of its work waits for its turn. */
const connectionsAtOnce = 3;

/** The pool takes a wait for a turn for a server that doesn't answer, so that it is asked by no more than it has connections. */
function openConnections(server: PostgresServer): Pick<Pool, "connect" | "end"> {
  const pool = openPool(server);
  let free = connectionsAtOnce;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  pool.on("release", leave);
  return {
    async connect() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await pool.connect();
      } catch (error) {
        leave();
        throw error;
      }
    },
    end: () => pool.end(),
  };
}

function openPool(server: PostgresServer): Pool {
  const { Pool } = loadDriver();
  // It keeps no program running.
  const pool = new Pool({
    ...clientConfig(server),
    lock_timeout: usualWaitMs,
    allowExitOnIdle: true,
    max: connectionsAtOnce,
  });
  // One that breaks while nobody uses it is replaced by the next statement.
  pool.on("error", () => undefined);
  // One that breaks between two statements is told by the second of them; an event that nobody hears ends the program.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * A connection of its own, which the caller ends.
 *
 * @param settings of the server's, for this connection alone
 */
export async function connectClient(
  server: PostgresServer,
  settings: Readonly<Record<string, string>>,
): Promise<Client> {
  const { Client } = loadDriver();
  return await whenBack(server, async () => {
    const client = new Client(clientConfig(server, settings));
    client.on("error", () => undefined);
    await client.connect();
    return client;
  });
}

function clientConfig(server: PostgresServer, settings: Readonly<Record<string, string>> = {}): ClientConfig {
  const { address, self } = server;
  const { host, port, database, user, password } = address;
  const parameters = Object.entries({ search_path: Object.values(schemaNames).join(","), ...settings });
  return {
    ...{ host, port, database },
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    // Neither PGSSLMODE nor NODE_TLS_REJECT_UNAUTHORIZED makes it weaker.
    ssl: address.isVerified && { rejectUnauthorized: true },
    application_name: `comanda ${self.pid} ${self.host}`,
    connectionTimeoutMillis: connectWithinMs,
    options: parameters.map(([name, value]) => `-c ${name}=${value}`).join(" "),
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
