/**
 * The databases that many machines share: PostgreSQL 14 and newer, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address. One process has one pool of connections for both.
 */
import type * as pg from "pg";
import type { PoolClient } from "pg";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
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
} from "../database.js";
import type { PostgresAddress } from "./postgres-address.js";
import { openPool, schemaNames, usualWaitMs, whenBack, type PostgresServer } from "./postgres-connection.js";
import { asPostgresError, isLost, mayNot, postgresError } from "./postgres-errors.js";

/** An open server. */
interface Postgres {
  /** Made where it isn't there, if the role may do that. */
  readonly database: (name: DatabaseName) => Promise<Database>;
  readonly close: () => Promise<void>;
}

const oldestServer = 14;
/** The server ends the transaction of a process that stands still, so that the others get their turn. */
const stillMs = 10_000;

/** @throws {ComandaError} `state_unusable` where the server can't be reached, refuses us, or is too old */
export async function connectPostgres(server: PostgresServer): Promise<Postgres> {
  const { address } = server;
  const pool = openPool(server);
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
  const { currentSchema, partsInPostgres, schemaChange } = await import("../schema.js");
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
