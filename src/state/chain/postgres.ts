/**
 * The databases that many machines share: PostgreSQL 14 and newer, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address. One process has one pool of connections for both.
 */
import type { PoolClient, QueryResult } from "pg";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import {
  checkedRows,
  refuseOtherSchema,
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
import { asPostgresError, isLost, isThere, mayNot } from "./postgres-errors.js";

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
  // A statement whose answer was lost may have been done: each comes to the same when it is done twice.
  const outside = statementsOf(address, (sql, values) =>
    whenBack(server, async () => {
      const client = await pool.connect();
      let isUsable = true;
      try {
        return await query(client, sql, values);
      } catch (error) {
        isUsable = !isLost(error);
        throw error;
      } finally {
        client.release(!isUsable);
      }
    }),
  );

  /** Without values the text may have several statements. */
  function query(client: PoolClient, sql: string, values: readonly Value[] = []): ReturnType<Query> {
    return asPostgresError(address, () =>
      values.length > 0 ? client.query(sql, [...values]) : client.query(sql),
    );
  }

  /** @param about what no other transaction of this schema may be about meanwhile */
  async function beginTransaction(
    schema: string,
    about: string,
    { durable = true, waitMs = usualWaitMs }: TransactionOptions,
  ) {
    const client = await pool.connect();
    try {
      const settings = `set local lock_timeout = ${waitMs}; set local idle_in_transaction_session_timeout = ${stillMs}${durable ? "" : "; set local synchronous_commit = off"}`;
      await client.query(`begin; ${settings}`);
      // The row is locked until the end. Advisory locks are anybody's who can connect.
      await client.query(
        `insert into ${schema}.turns values ($1) on conflict (name) do update set name = excluded.name`,
        [about],
      );
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async function inTransaction<Result>(
    schema: string,
    about: string,
    work: (statements: Statements) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    if (options.isRepeatable)
      return whenBack(server, () => inTransaction(schema, about, work, { ...options, isRepeatable: false }));
    const client = await whenBack(server, () => beginTransaction(schema, about, options));
    let isUsable = false;
    try {
      const result = await work(statementsOf(address, (sql, values) => query(client, sql, values)));
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

  /** All of the work's statements, or none. */
  async function alone(work: (statements: Statements) => Promise<void>): Promise<void> {
    const client = await whenBack(server, () => pool.connect());
    let isUsable = false;
    try {
      await query(client, "begin");
      await work(statementsOf(address, (sql, values) => query(client, sql, values)));
      await query(client, "commit");
      isUsable = true;
    } catch (error) {
      isUsable = await rolledBack(client);
      throw error;
    } finally {
      client.release(!isUsable);
    }
  }

  async function database(name: DatabaseName): Promise<Database> {
    await bringSchema({ place: address.place, outside, name, alone });
    const schema = schemaNames[name];
    return {
      place: address.place,
      ...outside,
      transaction: (about, work, options) => inTransaction(schema, about, work, options),
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

type Query = (sql: string, values: readonly Value[]) => Promise<QueryResult<Record<string, unknown>>>;

function statementsOf({ place }: PostgresAddress, query: Query): Statements {
  const rows: Statements["rows"] = async (columns, sql, ...values) =>
    checkedRows(columns, (await query(sql, values)).rows, place);
  return {
    rows,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    async now() {
      const clock = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";
      const [row] = await rows({ now: "bigint" }, clock);
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
  readonly place: string;
  readonly outside: Statements;
  readonly alone: (work: (statements: Statements) => Promise<void>) => Promise<void>;
  readonly name: DatabaseName;
}

/** Makes the tables where they aren't there, or are of an older comanda. */
async function bringSchema({ place, outside, alone, name }: SchemaOptions): Promise<void> {
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
    if (table.usable === 0) {
      throw new ComandaError("state_unusable", t`This role may not use the schema ${schema} in ${place}.`, {
        hint: t`\`comanda help chain\` names the roles and what each may do.`,
      });
    }
    const [row] = await rows({ version: "bigint" }, `select version from ${schema}.${versionTable[name]}`);
    if (row) refuseOtherSchema(place, row.version);
    return row?.version;
  }

  if ((await readVersion(outside)) === schemaVersion) return;
  const { newSchema, partsInPostgres } = await import("../schema.js");
  try {
    await alone(async (statements) => {
      if ((await readVersion(statements)) === schemaVersion) return;
      // Whoever may make no schema may still make tables in one that is there.
      const find = "select oid::text from pg_namespace where nspname = $1";
      const [present] = await statements.rows({ oid: "text" }, find, schema);
      if (!present) await statements.run(`create schema ${schema}`);
      await statements.run(`set local search_path to ${schema}`);
      await statements.run(newSchema(name, partsInPostgres[name]));
    });
  } catch (error) {
    // Another machine has made them meanwhile.
    if (isThere(error) && (await readVersion(outside)) === schemaVersion) return;
    if (!mayNot(error)) throw error;
    throw new ComandaError(
      "state_unusable",
      t`comanda's tables are not in ${place} yet, and this role may not make them.`,
      { hint: t`Once, with COMANDA_STATE naming the role that may: comanda doctor`, cause: error },
    );
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
