/**
 * The databases that many machines share: PostgreSQL 14 and newer, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address. One process has one pool of connections for both.
 */
import { createRequire } from "node:module";
import { hostname } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

import type * as pg from "pg";

import { isLoopbackHost } from "../api/loopback.js";
import { once } from "../api/once.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import {
  checkedRows,
  newSchema,
  refuseOtherSchema,
  schemaVersion,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";

export interface Postgres {
  /** @throws {ComandaError} `state_unusable` where the server can't be reached, refuses us, or is too old; nobody waits for it */
  readonly connect: () => Promise<void>;
  /** Made where it isn't there, if the role may do that. */
  readonly database: (name: DatabaseName) => Promise<Database>;
  readonly close: () => Promise<void>;
}

/** Each database has a schema of its own, so that a role can be let into one of them. */
const schemaNames: Readonly<Record<DatabaseName, string>> = { comanda: "comanda", sales: "comanda_sales" };
const oldestServer = 14;
const connectWithinMs = 10_000;
/** One process has no more of them; the rest of its work waits for its turn. */
const connectionsAtOnce = 3;
/** Other processes may keep a statement waiting for so long. */
const waitMs = 30_000;
/** The server ends the transaction of a process that stands still, so that the others get their turn. */
const stillMs = 10_000;
/** A server that is started anew is back by then. */
const backWithinMs = 10_000;
/** A connection that was cut is back at once, a server that is started anew in seconds. */
const betweenTriesMs = { first: 10, most: 200 };

/** @param machine connections say so, beside the number of this process */
export function openPostgres(address: PostgresAddress, machine = hostname()): Postgres {
  const { place } = address;
  const pool = once(() => openPool(address, machine));
  const query = (client: pg.PoolClient, sql: string, values: readonly Value[] = []) =>
    asPostgresError(address, () =>
      // Without values the text may have several statements.
      values.length > 0
        ? client.query<Record<string, unknown>>(sql, [...values])
        : client.query<Record<string, unknown>>(sql),
    );

  async function withClient<Result>(
    work: (statements: Statements, run: (sql: string) => Promise<unknown>) => Promise<Result>,
  ): Promise<Result> {
    const client = await asPostgresError(address, () => pool().connect());
    let isUsable = true;
    try {
      const statements = statementsOf(place, (sql, values) => query(client, sql, values));
      return await work(statements, (sql) => query(client, sql));
    } catch (error) {
      isUsable = await query(client, "rollback").then(
        () => !isLost(error),
        () => false,
      );
      throw error;
    } finally {
      client.release(!isUsable);
    }
  }

  /** All of the work's statements, or none. */
  const whole = <Result>(work: (statements: Statements) => Promise<Result>) =>
    withClient(async (statements, run) => {
      await run("begin");
      const result = await work(statements);
      await run("commit");
      return result;
    });

  // What was cut may have been done: each statement comes to the same when it is done twice.
  const outside: Statements = {
    rows: (...args) => whenBack(() => withClient(({ rows }) => rows(...args))),
    run: (...args) => whenBack(() => withClient(({ run }) => run(...args))),
    now: () => whenBack(() => withClient(({ now }) => now())),
  };

  async function connect(): Promise<void> {
    const sql = "select current_setting('server_version_num')::bigint as version";
    const [row] = await withClient(({ rows }) => rows({ version: "bigint" }, sql));
    const major = Math.floor((row?.version ?? 0) / 10_000);
    if (major >= oldestServer) return;
    throw new ComandaError("state_unusable", t`${place} is PostgreSQL ${major}, which is too old.`, {
      hint: t`comanda needs PostgreSQL ${oldestServer} or newer.`,
    });
  }

  /** The catalogue may be read by everybody, and the table by those alone who have its schema. */
  async function readVersion(name: DatabaseName, { rows }: Statements): Promise<number | undefined> {
    const schema = schemaNames[name];
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

  /** Makes the tables where they aren't there. */
  async function bringSchema(name: DatabaseName): Promise<void> {
    const schema = schemaNames[name];
    if ((await readVersion(name, outside)) === schemaVersion) return;
    try {
      await whole(async (statements) => {
        if ((await readVersion(name, statements)) === schemaVersion) return;
        // Whoever may make no schema may still make tables in one that is there.
        const find = "select oid::text from pg_namespace where nspname = $1";
        const [present] = await statements.rows({ oid: "text" }, find, schema);
        if (!present) await statements.run(`create schema ${schema}`);
        await statements.run(`set local search_path to ${schema}`);
        await statements.run(newSchema(name, "PostgreSQL"));
      });
    } catch (error) {
      const code = codeOf(error);
      // Another machine has made them meanwhile.
      if (thereCodes.includes(code) && (await readVersion(name, outside)) === schemaVersion) return;
      if (code !== codes.noRight) throw error;
      throw new ComandaError(
        "state_unusable",
        t`comanda's tables are not in ${place} yet, and this role may not make them.`,
        { hint: t`Once, with COMANDA_STATE naming the role that may: comanda doctor`, cause: error },
      );
    }
  }

  return {
    connect,
    async database(name) {
      await bringSchema(name);
      return {
        place,
        ...outside,
        transaction: (about, work) =>
          whenBack(() =>
            whole(async (statements) => {
              // The row is locked until the end. Advisory locks are anybody's who can connect.
              await statements.run(
                `insert into ${schemaNames[name]}.turns values ($1) on conflict (name) do update set name = excluded.name`,
                about,
              );
              return work(statements);
            }),
          ),
        check: () => Promise.resolve([]),
        // The connections are the server's, which other databases use too.
        close: () => Promise.resolve(),
      };
    },
    close: () => pool().end(),
  };
}

type Query = (sql: string, values: readonly Value[]) => Promise<pg.QueryResult<Record<string, unknown>>>;

function statementsOf(place: string, query: Query): Statements {
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

/** A server that was there, and is started anew, is waited for: the work is done again as long as it fails for want of a connection. */
export async function whenBack<Result>(
  work: () => Promise<Result>,
  withinMs = backWithinMs,
): Promise<Result> {
  const start = performance.now();
  for (let pauseMs = betweenTriesMs.first; ; pauseMs = Math.min(2 * pauseMs, betweenTriesMs.most)) {
    try {
      return await work();
    } catch (error) {
      if (!isLost(error) || performance.now() - start >= withinMs) throw error;
    }
    await delay(pauseMs);
  }
}

function openPool(address: PostgresAddress, machine: string): pg.Pool {
  const { Client, Pool } = loadDriver();
  /** The pool's own time limit would take a wait for one of its connections for a server that doesn't answer. */
  class TimedClient extends Client {
    constructor() {
      super(clientConfig(address, machine));
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
export function clientConfig(
  { host, port, database, user, password, isVerified, place }: PostgresAddress,
  machine: string,
): pg.ClientConfig {
  return {
    host,
    port,
    database,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    // Neither PGSSLMODE nor NODE_TLS_REJECT_UNAUTHORIZED makes it weaker. Before 8.23.1 the driver compares the certificate of
    // an IP address with "localhost", where it isn't told the host.
    ssl: isVerified && { rejectUnauthorized: true, host },
    application_name: `comanda ${process.pid} ${machine}`,
    connectionTimeoutMillis: connectWithinMs,
    lock_timeout: waitMs,
    idle_in_transaction_session_timeout: stillMs,
    options: `-c search_path=${Object.values(schemaNames).join(",")}`,
    types: {
      getTypeParser: (type) => (text: string) => (numberTypes.has(type) ? exactNumber(text, place) : text),
    },
  };
}

/** int8, int2, int4, and numeric, which a sum of int8 is (pg_type.dat). */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 1700]);

function exactNumber(text: string, place: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new ComandaError("state_unusable", t`${place} holds a number that is too large.`);
}

/** An import would make a bundler of somebody's program look for a package that is not there. */
function loadDriver(): typeof pg {
  const load = createRequire(path.join(import.meta.dirname, "postgres.js"));
  try {
    const driver: unknown = load("pg");
    if (isDriver(driver)) return driver;
    throw new Error("not PostgreSQL's driver");
  } catch (error) {
    throw new ComandaError("state_unusable", t`PostgreSQL's driver is not installed.`, {
      hint: t`Install it beside comanda: npm install --global comanda pg`,
      cause: error,
    });
  }
}

function isDriver(module: unknown): module is typeof pg {
  return typeof module === "object" && module !== null && "Pool" in module && "Client" in module;
}

/** The server's own codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codes = {
  lockNotAvailable: "55P03",
  wrongPassword: "28P01",
  noAccess: "28000",
  noRight: "42501",
  noDatabase: "3D000",
  noConnectionLeft: "53300",
} as const;

/** A duplicate schema, table, or row of the catalogue. */
const thereCodes: readonly string[] = ["42P06", "42P07", "23505"];

/** The server is stopped, or starts, has no connection left, or the connection was ended. */
const lostCodes = /^(?:57P0[123]|53300|08\w{3}|ECONNRESET|ECONNREFUSED|EPIPE|ENOENT|ETIMEDOUT)$/;
/** The driver's own words, which come without a code. */
const lostWords = /^(?:Connection terminated|Client has encountered a connection error|timeout expired)/;
/** Node's codes for a certificate that isn't accepted. */
const certificateCodes = /^(?:ERR_TLS_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/;

/** @returns what the work does; its failure as one that names the database */
async function asPostgresError<Result>(
  address: PostgresAddress,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw named(error, address);
  }
}

/** Is there no connection, so that the same may go well in a moment? What was sent over it may have been done. */
function isLost(error: unknown): boolean {
  if (error instanceof ComandaError) return error.cause !== undefined && isLost(error.cause);
  if (!(error instanceof Error)) return false;
  return lostCodes.test(systemErrorCode(error) ?? "") || lostWords.test(error.message);
}

function codeOf(error: unknown): string {
  return systemErrorCode(error instanceof ComandaError ? error.cause : error) ?? "";
}

function named(error: unknown, { place, source }: PostgresAddress): unknown {
  if (error instanceof ComandaError || !(error instanceof Error)) return error;
  const code = systemErrorCode(error) ?? "";
  if (code === codes.lockNotAvailable) {
    return new ComandaError("lock_timeout", t`Another process is writing to ${place} for too long.`, {
      hint: t`Run the command again when the other one has ended.`,
      cause: error,
    });
  }
  return new ComandaError("state_unusable", t`${place} can't be used: ${wordsOf(error)}`, {
    hint: hintFor(code, error, source),
    cause: error,
  });
}

/** Gives an error's words. Node's error for several addresses has none of its own. */
function wordsOf(error: Error): string {
  const words = error instanceof AggregateError ? String(error.errors[0]) : error.message;
  return /[.!]$/.test(words) ? words : `${words}.`;
}

function hintFor(code: string, error: Error, source: string): string {
  if (code === codes.wrongPassword || code === codes.noAccess)
    return t`Check the user and the password in ${source}, and what pg_hba.conf lets in.`;
  if (code === codes.noDatabase) return t`Make the database, or name the one that is there in ${source}.`;
  if (code === codes.noConnectionLeft)
    return t`Let fewer machines run at a time, or raise the server's max_connections.`;
  if (code === codes.noRight) return t`\`comanda help chain\` names the roles and what each may do.`;
  if (certificateCodes.test(code) || error.message.includes("SSL"))
    return t`The server's certificate is verified unless the address is of this machine. NODE_EXTRA_CA_CERTS names an authority of your own.`;
  return t`Check the address in ${source}, and whether the server runs and lets you in.`;
}

export interface PostgresAddress {
  /** The variable or the setting that it comes from, for messages: `COMANDA_STATE`. */
  readonly source: string;
  /** The address without its password, for messages. */
  readonly place: string;
  /** A name, an IP, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Where it is absent, the driver takes PGUSER, or the name of the system's user. */
  readonly user: string | undefined;
  /** Where it is absent, the driver takes PGPASSWORD, or what ~/.pgpass says. */
  readonly password: string | undefined;
  /** Is the connection encrypted, and the server's certificate and name verified? */
  readonly isVerified: boolean;
}

/** No message quotes what was typed, which may hold a password in any place. */
const usualPort = 5432;
const takenOptions: readonly string[] = ["host", "user", "password", "sslmode"];
/** These promise at most what is done anyway: the certificate is verified, and the name in it. */
const verifiedModes: readonly string[] = ["require", "verify-ca", "verify-full"];
const weakModes: readonly string[] = ["disable", "allow", "prefer", "no-verify"];

/**
 * @param source what the address comes from, for messages: `COMANDA_STATE`, or the setting `state`
 * @throws {ComandaError} `configuration`
 */
export function parsePostgresAddress(text: string, source = "COMANDA_STATE"): PostgresAddress {
  const address = addressIn(text);
  if (address === undefined) {
    throw new ComandaError(
      "configuration",
      t`${source} is not an address of PostgreSQL that comanda takes.`,
      {
        hint: t`For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, "@", "/", "?", "#" and "%" are written as %40, %2F, %3F, %23 and %25. Of options it takes ${takenOptions.join(", ")}.`,
      },
    );
  }
  const { host, port, database, user, sslmode } = address;
  const isLocal = host.startsWith("/") || isLoopbackHost(host);
  const isWeak = sslmode !== undefined && weakModes.includes(sslmode);
  if (isWeak && !isLocal) {
    throw new ComandaError(
      "configuration",
      t`${source} asks for sslmode=${sslmode}, by which others could read the sign-ins on their way.`,
      { hint: t`Leave sslmode out. An authority of your own is named by NODE_EXTRA_CA_CERTS.` },
    );
  }
  const inUrl = host.includes(":") ? `[${host}]` : host.startsWith("/") ? "" : host;
  const named = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return {
    ...address,
    source,
    place: `postgres://${named}${inUrl}:${port}/${database}`,
    isVerified: sslmode === undefined ? !isLocal : !isWeak,
  };
}

/** @returns `undefined` for what isn't an address, or has an option that isn't taken */
function addressIn(text: string) {
  // A password with a "/", "?" or "#" that isn't encoded ends the host's part too early.
  if (!/^postgres(?:ql)?:\/\/[^/?#]*\/[^/?#@]+(?:\?[^#@]*)?$/i.test(text) || /[\s\p{Cc}]/u.test(text))
    return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const options = new Map(url.searchParams);
  if ([...options.keys()].some((name) => !takenOptions.includes(name))) return undefined;
  const [socket, sslmode] = [options.get("host"), options.get("sslmode")];
  if (sslmode !== undefined && ![...verifiedModes, ...weakModes].includes(sslmode)) return undefined;
  // An option names the folder of a socket, and no other host.
  if ((url.hostname === "") !== (socket?.startsWith("/") ?? false)) return undefined;
  if (url.hostname !== "" && socket !== undefined) return undefined;
  try {
    return {
      host: socket ?? url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port || usualPort),
      database: decodeURIComponent(url.pathname.slice(1)),
      user: decodeURIComponent(url.username) || options.get("user"),
      password: decodeURIComponent(url.password) || options.get("password"),
      sslmode,
    };
  } catch {
    return undefined;
  }
}
