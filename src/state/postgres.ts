/**
 * A database that many machines share: PostgreSQL 14 and newer, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address.
 */
import type * as pg from "pg";
import type { Client, ClientConfig, Pool, PoolClient } from "pg";

import { ComandaError, systemErrorCode } from "../shared/errors.js";
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
import type { Holder } from "./locks/locks.js";

/** Where the database is, and as whom we come. */
export interface PostgresServer {
  /** `postgres://user:password@host:port/database` */
  readonly address: string;
  /** This process, whose connections say so: others are told who holds a lock. */
  readonly self: Pick<Holder, "pid" | "host">;
}

/** All of comanda's tables lie in a schema of their own. */
const schemaName = "comanda";
const connectWithinMs = 10_000;
/** How long other processes may keep a statement waiting. */
const usualWaitMs = 30_000;

/** @throws {ComandaError} `state_unusable` where the server can't be reached, refuses us, or has a newer schema */
export async function openPostgresDatabase(server: PostgresServer, name: DatabaseName): Promise<Database> {
  const place = placeOf(server);
  const pool = await openPool(server);

  /** @param about what no other transaction may be about meanwhile */
  async function inTransaction<Result>(
    about: string,
    work: (client: PoolClient) => Promise<Result>,
    { durable = true, waitMs = usualWaitMs }: TransactionOptions = {},
  ): Promise<Result> {
    const client = await asPostgresError(server, () => pool.connect());
    let isUsable = false;
    try {
      await query(
        client,
        `begin; set local lock_timeout = ${waitMs}${durable ? "" : "; set local synchronous_commit = off"}`,
      );
      await query(client, "select pg_advisory_xact_lock(hashtextextended($1, 0))", [about]);
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

  const query = (client: Pick<PoolClient, "query">, sql: string, values: readonly Value[] = []) =>
    asPostgresError(server, () => client.query<Record<string, unknown>>(sql, [...values]));

  const statementsOf = (client: Pick<PoolClient, "query">): Statements => ({
    rows: async (columns, sql, ...values) =>
      checkedRows(columns, (await query(client, sql, values)).rows, place),
    run: async (sql, ...values) => (await query(client, sql, values)).rowCount ?? 0,
    async now() {
      const clock = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";
      const [row] = checkedRows({ now: "bigint" }, (await query(client, clock)).rows, place);
      return row?.now ?? 0;
    },
  });

  async function readVersion({ rows }: Statements): Promise<number | undefined> {
    const [table] = await rows({ name: "text?" }, "select to_regclass($1)::text as name", versionTable[name]);
    if (table?.name === null) return undefined;
    const [row] = await rows({ version: "bigint" }, `select version from ${versionTable[name]}`);
    if (row) refuseNewerSchema(place, row.version);
    return row?.version;
  }

  async function bringSchema(): Promise<void> {
    const { schemaChange } = await import("./schema.js");
    await inTransaction("schema", async (client) => {
      await asPostgresError(server, () => client.query(`create schema if not exists ${schemaName}`));
      const found = await readVersion(statementsOf(client));
      if (found === schemaVersion) return;
      await asPostgresError(server, () => client.query(schemaChange(name, found)));
    });
  }

  const outside = statementsOf(pool);
  try {
    if ((await readVersion(outside)) !== schemaVersion) await bringSchema();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    place,
    ...outside,
    transaction: (about, work, options) =>
      inTransaction(about, (client) => work(statementsOf(client)), options),
    check: () => Promise.resolve([]),
    close: () => pool.end(),
  };
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

async function openPool(server: PostgresServer): Promise<Pool> {
  const { Pool } = await loadDriver();
  // It keeps no program running.
  const pool = new Pool({
    ...clientConfig(server),
    lock_timeout: usualWaitMs,
    allowExitOnIdle: true,
    max: 4,
  });
  // One that breaks while nobody uses it is replaced by the next statement.
  pool.on("error", () => undefined);
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
  const { Client } = await loadDriver();
  const client = new Client(clientConfig(server, settings));
  await asPostgresError(server, () => client.connect());
  return client;
}

function clientConfig(server: PostgresServer, settings: Readonly<Record<string, string>> = {}): ClientConfig {
  const { address, self } = server;
  const all = Object.entries({ search_path: schemaName, ...settings });
  return {
    connectionString: address,
    application_name: `comanda ${self.pid} ${self.host}`,
    connectionTimeoutMillis: connectWithinMs,
    options: all.map(([name, value]) => `-c ${name}=${value}`).join(" "),
    types: {
      getTypeParser: (type) => (numberTypes.has(type) ? (text: string) => exactNumber(text, server) : asText),
    },
  };
}

async function loadDriver(): Promise<typeof pg> {
  try {
    return await import("pg");
  } catch (error) {
    throw new ComandaError("state_unusable", t`PostgreSQL's driver is not installed.`, {
      hint: t`Install it beside comanda: npm install --global comanda pg`,
      cause: error,
    });
  }
}

/** int8, int2, int4, and numeric, which a sum of int8 is (pg_type.dat). */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 1700]);

const asText = (text: string): string => text;

function exactNumber(text: string, server: PostgresServer): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new ComandaError("state_unusable", t`${placeOf(server)} holds a number that is too large.`);
}

/** @returns what the work does; its failure as one that names the database */
export async function asPostgresError<Result>(
  server: PostgresServer,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw postgresError(error, placeOf(server));
  }
}

/** The server's own code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const lockNotAvailable = "55P03";

function postgresError(error: unknown, place: string): unknown {
  if (error instanceof ComandaError || !(error instanceof Error)) return error;
  if (systemErrorCode(error) === lockNotAvailable) {
    return new ComandaError(
      "lock_timeout",
      t`Another process is writing to ${place}; this one waited for ${usualWaitMs / 1000} s.`,
      { hint: t`Run the command again when the other one has ended.`, cause: error },
    );
  }
  return new ComandaError("state_unusable", t`${place} can't be used: ${error.message}`, {
    hint: t`Check the address in COMANDA_STATE, and whether the server runs and lets you in.`,
    cause: error,
  });
}

/** The address, without its password. */
export function placeOf({ address }: PostgresServer): string {
  const url = new URL(address);
  url.password = "";
  return url.href;
}
