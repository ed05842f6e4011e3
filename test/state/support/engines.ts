/** Provides empty databases of PostgreSQL, and chains: machines that share one of them and have separate folders. */
import { randomBytes, randomUUID } from "node:crypto";
import { on } from "node:events";

import type { Pool } from "pg";
import { inject, onTestFinished } from "vitest";

import { systemClock, type Clock } from "../../../src/base/clock.js";
import { schemaVersion } from "../../../src/state/database.js";
import { openState as open } from "../../../src/state/state.js";
import { temporaryFolder } from "../../support/resources.js";
import { postgresPrograms } from "../../support/postgres-server.js";

export const hasPostgres = postgresPrograms !== undefined;

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

export function newStateKey(): string {
  return randomBytes(32).toString("base64");
}

/** The key of every chain. */
export const stateKey = newStateKey();

/** Returns the variables of a new chain with this database. */
export const stateAt = (address: string) => ({ COMANDA_STATE: address, COMANDA_STATE_KEY: newStateKey() });

/** @param options as {@link newPostgresDatabase} */
export async function newChain(options: { readonly isBare?: boolean } = {}) {
  const address = await newPostgresDatabase(options);
  const usual = { COMANDA_STATE: address, COMANDA_STATE_KEY: stateKey };
  return {
    address,
    /** Opens the state of another machine. */
    machine: (env: Readonly<Record<string, string | undefined>> = {}, clock: Clock = systemClock) =>
      open({ env: { COMANDA_CONFIG_DIR: temporaryFolder(), ...usual, ...env }, clock }),
    /** Executes SQL as the database's owner. */
    query: (sql: string) => queryAt(address, sql),
  };
}
