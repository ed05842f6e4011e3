/** The engines that keep state, each with databases that are new: what holds for a repository holds on both. */
import { randomUUID } from "node:crypto";
import path from "node:path";

import { inject, onTestFinished } from "vitest";

import { realSystem } from "../../../src/shared/system.js";
import { systemClock, type Clock } from "../../../src/shared/clock.js";
import { schemaVersion, type Database, type DatabaseName } from "../../../src/state/database.js";
import { createLocks, type LockAttempt, type Locks } from "../../../src/state/locks/locks.js";
import { createCriticalSections } from "../../../src/state/locks/critical-sections.js";
import { createPostgresLockAttempt } from "../../../src/state/chain/postgres-locks.js";
import { openSqlite } from "../../../src/state/sqlite/sqlite-driver.js";
import { createSqliteLockAttempt } from "../../../src/state/sqlite/sqlite-locks.js";
import { parsePostgresAddress } from "../../../src/state/chain/postgres-address.js";
import { connectPostgres } from "../../../src/state/chain/postgres.js";
import type { PostgresServer } from "../../../src/state/chain/postgres-connection.js";
import { postgresPrograms } from "../../support/postgres-server.js";
import { openState, temporaryFolder } from "./folder.js";

export interface Engine {
  readonly name: string;
  readonly isInstalled: boolean;
  /** @returns what opens the new database, each time as another process would */
  create(options?: {
    readonly clock?: Clock;
    readonly database?: DatabaseName;
  }): Promise<() => Promise<Database>>;
  /** @returns what opens the same locks, each time as another process would */
  createLocks(): Promise<() => Locks>;
}

type End = () => Promise<void>;
/** What is to be ended with the test, or with the work of {@link endedWith}. */
let whenOver: (end: End) => void = onTestFinished;

/** What the work opens is closed with it, not with the test: a property has many runs. */
export async function endedWith(work: () => Promise<void>): Promise<void> {
  const [before, ends] = [whenOver, new Array<End>()];
  whenOver = (end) => void ends.unshift(end);
  try {
    await work();
  } finally {
    whenOver = before;
    for (const end of ends) await end();
  }
}

export const engines: readonly Engine[] = [
  {
    name: "SQLite",
    isInstalled: true,
    create({ clock = systemClock, database = "comanda" } = {}) {
      const folder = temporaryFolder();
      return Promise.resolve(async () => {
        const opened = await openState(folder, { clock }).database(database);
        whenOver(() => opened.close());
        return opened;
      });
    },
    createLocks() {
      const folder = temporaryFolder();
      return Promise.resolve(() => {
        const { clock, files, table } = openState(folder);
        const options = {
          folder: path.join(folder, "locks"),
          files,
          clock,
          openSqlite,
          self: () => table.self(),
        };
        return locksOf((name) => createSqliteLockAttempt(name, options));
      });
    },
  },
  {
    name: "PostgreSQL",
    isInstalled: postgresPrograms !== undefined,
    async create({ database = "comanda" } = {}) {
      const server = postgresServer(await newPostgresDatabase());
      return async () => {
        const postgres = await connectPostgres(server);
        whenOver(() => postgres.close());
        return postgres.database(database);
      };
    },
    async createLocks() {
      const server = postgresServer(await newPostgresDatabase());
      return () => locksOf((name) => createPostgresLockAttempt(name, server));
    },
  },
];

/** @returns the server as this process sees it */
export function postgresServer(address: string): PostgresServer {
  const self = { pid: process.pid, host: "here" };
  return { address: parsePostgresAddress(address), clock: systemClock, self };
}

function locksOf(attempt: (name: string) => LockAttempt): Locks {
  const criticalSections = createCriticalSections();
  return createLocks({ clock: systemClock, system: realSystem, criticalSections, attempt });
}

/** Databases whose tests have ended: to make one costs ten times what it costs to empty it. */
const idle: string[] = [];

/**
 * @param options.isBare has it no tables? Otherwise they may be there, without a row.
 * @returns the address of an empty database, which is the test's own
 */
export async function newPostgresDatabase({ isBare = false } = {}): Promise<string> {
  const used = isBare ? undefined : idle.pop();
  const address = used ?? (await createDatabase());
  if (used !== undefined) await runAt(used, emptying);
  whenOver(() => {
    idle.push(address);
    return Promise.resolve();
  });
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
  await runAt(`${server}/postgres`, `create database ${name}`);
  return `${server}/${name}`;
}

async function runAt(address: string, sql: string): Promise<void> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: address });
  await client.connect();
  await client.query(sql);
  await client.end();
}
