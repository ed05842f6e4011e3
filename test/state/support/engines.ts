/** The engines that keep state, each with databases that are new: what holds for a repository holds on both. */
import { randomUUID } from "node:crypto";
import path from "node:path";

import { inject, onTestFinished } from "vitest";

import { realSystem } from "../../../src/shared/system.js";
import { systemClock, type Clock } from "../../../src/shared/clock.js";
import type { Database, DatabaseName } from "../../../src/state/database.js";
import { createLocks, type LockAttempt, type Locks } from "../../../src/state/locks/locks.js";
import { createCriticalSections } from "../../../src/state/locks/critical-sections.js";
import { createPostgresLockAttempt } from "../../../src/state/locks/postgres-locks.js";
import { openSqlite } from "../../../src/state/sqlite-driver.js";
import { createSqliteLockAttempt } from "../../../src/state/locks/sqlite-locks.js";
import { parsePostgresAddress } from "../../../src/state/postgres-address.js";
import { connectPostgres, type PostgresServer } from "../../../src/state/postgres.js";
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

export const engines: readonly Engine[] = [
  {
    name: "SQLite",
    isInstalled: true,
    create({ clock = systemClock, database = "comanda" } = {}) {
      const folder = temporaryFolder();
      return Promise.resolve(async () => {
        const opened = await openState(folder, { clock }).database(database);
        onTestFinished(() => opened.close());
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
        onTestFinished(() => postgres.close());
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

/** @returns the address of an empty database, which is the test's own */
export async function newPostgresDatabase(): Promise<string> {
  const response = await fetch(inject("postgres"));
  const server = await response.text();
  if (!response.ok) throw new Error(server);
  const { Client } = await import("pg");
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await client.query(`create database ${name}`);
  await client.end();
  return `${server}/${name}`;
}
