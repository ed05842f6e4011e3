/** Provides both engines with new databases, so that tests run on each of them. */
import { randomUUID } from "node:crypto";
import { on } from "node:events";

import type { Pool } from "pg";
import { inject, onTestFinished } from "vitest";

import { systemClock, type Clock } from "../../../src/base/clock.js";
import { schemaVersion, type Database, type DatabaseName } from "../../../src/state/database.js";
import { underLease, type LeasesContext, type WithLease } from "../../../src/state/leases.js";
import { openPostgres, parsePostgresAddress } from "../../../src/state/postgres.js";
import { postgresPrograms } from "../../support/postgres-server.js";
import { openState, temporaryFolder } from "./folder.js";

export interface Engine {
  readonly name: string;
  readonly isInstalled: boolean;
  /** Creates a database, and returns a function that opens it as another process would. */
  create(options?: {
    readonly clock?: Clock;
    readonly database?: DatabaseName;
  }): Promise<() => Promise<Database>>;
}

export const engines: readonly Engine[] = [
  {
    name: "SQLite",
    isInstalled: true,
    create({ clock = systemClock, database = "comanda" } = {}) {
      const folder = temporaryFolder();
      return Promise.resolve(() => openState(folder, { clock }).database(database));
    },
  },
  {
    name: "PostgreSQL",
    isInstalled: postgresPrograms !== undefined && inject("postgres") !== "",
    async create({ database = "comanda" } = {}) {
      const address = await newPostgresDatabase();
      return async () => {
        const postgres = openPostgres(parsePostgresAddress(address));
        onTestFinished(() => postgres.close());
        return postgres.database(database);
      };
    },
  },
];

/** Returns `withLease` of another process or machine. */
export function leasesIn(open: () => Promise<Database>, options: Partial<LeasesContext> = {}): WithLease {
  let opened: Promise<Database> | undefined;
  const context = { database: () => (opened ??= open()), clock: systemClock, ...options };
  return (...work) => underLease(context, ...work);
}

/** Databases of finished tests, because emptying one takes a tenth of the time of creating it. */
const idle: string[] = [];

/**
 * Returns the address of an empty database that only the calling test uses.
 *
 * @param options.isBare whether it must not contain tables. Otherwise it may contain empty ones
 */
export async function newPostgresDatabase({ isBare = false } = {}): Promise<string> {
  const used = isBare ? undefined : idle.pop();
  const address = used ?? (await createDatabase());
  if (used !== undefined) await queryAt(used, emptying);
  onTestFinished(() => void idle.push(address));
  return address;
}

const emptying = `
  select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  do $$ declare each record; begin
    for each in select * from pg_tables where schemaname in ('comanda', 'comanda_sales') loop
      execute format(
        case when each.tablename like '%schema_version' then 'update %I.%I set version = ${schemaVersion}'
          else 'delete from %I.%I' end,
        each.schemaname, each.tablename);
    end loop;
  end $$`;

async function createDatabase(): Promise<string> {
  const response = await fetch(inject("postgres"));
  const server = await response.text();
  if (!response.ok) throw new Error(server);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await queryAt(`${server}/postgres`, `create database ${name}`);
  return `${server}/${name}`;
}

/**
 * Returns a pool that ends with the test. `pool.end()` resolves before its connections are closed, and if the server terminates one
 * of these for the next test, the pool emits an error that nothing handles.
 */
export async function openPool(connectionString: string): Promise<Pool> {
  const { Pool } = await import("pg");
  const pool = new Pool({ connectionString });
  onTestFinished(async () => {
    const closed = on(pool, "remove");
    let open = pool.totalCount;
    await pool.end();
    for (; open > 0; open -= 1) await closed.next();
  });
  return pool;
}

export async function queryAt(
  address: string,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
