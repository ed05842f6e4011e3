/**
 * The databases that many machines share: PostgreSQL, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address. One process has one pool of connections for both.
 */
import { createRequire } from "node:module";
import { hostname } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

import type * as pg from "pg";

import { isLoopbackHost, once } from "../api/basics.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import {
  busyDatabase,
  checkedRows,
  hasSchema,
  newSchema,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";

/** Each database has a schema of its own, so that a role can be let into one of them. */
const schemaNames: Readonly<Record<DatabaseName, string>> = { comanda: "comanda", sales: "comanda_sales" };
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
export function openPostgres(address: PostgresAddress, machine = hostname()) {
  const { place } = address;
  const pool = once(() => openPool(address, machine));

  /** @param query is given no values where the text may have several statements */
  const statementsOf = (query: (sql: string, values: Value[]) => Promise<pg.QueryResult>): Statements => ({
    rows: async (columns, sql, ...values) =>
      checkedRows(columns, (await query(sql, [...values])).rows, place),
    run: async (sql, ...values) => (await query(sql, [...values])).rowCount ?? 0,
    async now() {
      const { rows } = await query(
        "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now",
        [],
      );
      return checkedRows({ now: "bigint" }, rows, place)[0]?.now ?? 0;
    },
  });

  /** All of the work's statements, or none. A connection on which something failed is closed, which ends its transaction. */
  async function whole<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    const client = await asPostgresError(address, () => pool().connect());
    let isUsable = false;
    try {
      const statements = statementsOf((sql, values) =>
        asPostgresError(address, () => client.query(sql, values)),
      );
      await statements.run("begin");
      const result = await work(statements);
      await statements.run("commit");
      isUsable = true;
      return result;
    } finally {
      client.release(!isUsable);
    }
  }

  // What was cut may have been done: each statement comes to the same when it is done twice.
  const outside = statementsOf((sql, values) =>
    whenBack(() => asPostgresError(address, () => pool().query(sql, values))),
  );

  return {
    /** @throws {ComandaError} `state_unusable` where the server can't be reached, or refuses us; nobody waits for it */
    connect: () => asPostgresError(address, async () => (await pool().connect()).release()),
    /** Made where it isn't there, if the role may do that. */
    async database(name: DatabaseName): Promise<Database> {
      const schema = schemaNames[name];
      const isMade = () =>
        hasSchema(
          { place, rows: outside.rows },
          `${schema}.${versionTable[name]}`,
          (error) => codeOf(error) === codes.noTable,
        );
      const make = async ({ rows, run }: Statements) => {
        // Whoever may make no schema may still make tables in one that is there.
        const find = "select oid::text from pg_namespace where nspname = $1";
        if ((await rows({ oid: "text" }, find, schema)).length === 0) await run(`create schema ${schema}`);
        await run(`set local search_path to ${schema}`);
        await run(newSchema(name, "PostgreSQL"));
      };
      if (!(await isMade()))
        await whole(make).catch(async (error: unknown) => {
          const code = codeOf(error);
          // Another machine has made them meanwhile.
          if (thereCodes.includes(code) && (await isMade())) return;
          if (code !== codes.noRight) throw error;
          throw new ComandaError(
            "state_unusable",
            t`comanda's tables are not in ${place} yet, and this role may not make them.`,
            { hint: t`Once, with COMANDA_STATE naming the role that may: comanda doctor`, cause: error },
          );
        });
      // The row is locked until the end. Advisory locks are anybody's who can connect.
      const turn = `insert into ${schema}.turns values ($1) on conflict (name) do update set name = excluded.name`;
      return {
        place,
        ...outside,
        transaction: (about, work) =>
          whenBack(() =>
            whole(async (statements) => {
              await statements.run(turn, about);
              return work(statements);
            }),
          ),
      };
    },
    close: () => pool().end(),
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
  // The pool's own time limit would take a wait for one of its connections for a server that doesn't answer.
  const TimedClient = class extends Client {
    constructor() {
      super(clientConfig(address, machine));
    }
  };
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
  { host, port, database, user, password, isVerified }: PostgresAddress,
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
      getTypeParser: (type) => (numberTypes.has(type) ? Number : String),
    },
  };
}

/** int8, int2, int4, and numeric, which a sum of int8 is (pg_type.dat). */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 1700]);

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
const codes = { lockNotAvailable: "55P03", noRight: "42501", noTable: "42P01" } as const;

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
  { place }: PostgresAddress,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ComandaError || !(error instanceof Error)) throw error;
    const code = codeOf(error);
    if (code === codes.lockNotAvailable) throw busyDatabase(place, error);
    // Node's error for several addresses has no words of its own.
    const words = error instanceof AggregateError ? String(error.errors[0]) : error.message;
    const said = /[.!]$/.test(words) ? words : `${words}.`;
    let hint = t`Check the address in COMANDA_STATE, and whether the server runs and lets you in.`;
    if (code === codes.noRight) hint = t`\`comanda help chain\` names the roles and what each may do.`;
    else if (certificateCodes.test(code) || error.message.includes("SSL"))
      hint = t`The server's certificate is verified unless the address is of this machine. NODE_EXTRA_CA_CERTS names an authority of your own.`;
    throw new ComandaError("state_unusable", t`${place} can't be used: ${said}`, { hint, cause: error });
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

export interface PostgresAddress {
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

const usualPort = 5432;
const takenOptions: readonly string[] = ["host", "user", "password", "sslmode"];
/** The others promise at most what is done anyway: the certificate is verified, and the name in it. */
const takenModes: readonly (string | undefined)[] = [
  "disable",
  "require",
  "verify-ca",
  "verify-full",
  undefined,
];

/**
 * Reads what COMANDA_STATE says. No message quotes it, since it may hold a password in any place.
 *
 * @throws {ComandaError} `configuration`
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  const refused = new ComandaError(
    "configuration",
    t`COMANDA_STATE is not an address of PostgreSQL that comanda takes.`,
    {
      hint: t`For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, "@", "/", "?", "#" and "%" are written as %40, %2F, %3F, %23 and %25. Of options it takes ${takenOptions.join(", ")}.`,
    },
  );
  // A password with a "/", "?" or "#" that isn't encoded ends the host's part too early.
  const isWellFormed = /^postgres(?:ql)?:\/\/[^/?#\s\p{Cc}]*\/[^/?#@\s\p{Cc}]+(?:\?[^#@\s\p{Cc}]*)?$/iu.test(
    text,
  );
  if (!isWellFormed || !URL.canParse(text)) throw refused;
  const url = new URL(text);
  const options = new Map(url.searchParams);
  if ([...options.keys()].some((name) => !takenOptions.includes(name))) throw refused;
  const sslmode = options.get("sslmode");
  if (!takenModes.includes(sslmode)) throw refused;
  // An option names the folder of a socket, and no other host.
  const socket = options.get("host");
  if (socket === undefined ? url.hostname === "" : url.hostname !== "" || !socket.startsWith("/"))
    throw refused;
  const host = socket ?? url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isLocal = socket !== undefined || isLoopbackHost(host);
  if (sslmode === "disable" && !isLocal) {
    throw new ComandaError(
      "configuration",
      t`COMANDA_STATE asks for sslmode=disable, by which others could read the sign-ins on their way.`,
      { hint: t`Leave sslmode out. An authority of your own is named by NODE_EXTRA_CA_CERTS.` },
    );
  }
  try {
    const user = decodeURIComponent(url.username) || options.get("user");
    const port = Number(url.port || usualPort);
    const database = decodeURIComponent(url.pathname.slice(1));
    const shownUser = user === undefined ? "" : `${encodeURIComponent(user)}@`;
    return {
      host,
      port,
      database,
      user,
      password: decodeURIComponent(url.password) || options.get("password"),
      isVerified: sslmode === undefined ? !isLocal : sslmode !== "disable",
      place: `postgres://${shownUser}${url.hostname}:${port}/${database}`,
    };
  } catch {
    throw refused;
  }
}
