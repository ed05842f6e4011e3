/**
 * Opens the databases that several machines share: PostgreSQL, through the driver `pg`, which is loaded only if COMANDA_STATE is
 * set. A process uses one pool of connections for both databases.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { hostname } from "node:os";

import type * as pg from "pg";

import { isLoopbackHost, once } from "../base/basics.js";
import { steadyNow, systemClock } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import type { HintFacts } from "../base/hint-facts.js";
import type { Variables } from "../client/http.js";
import { t } from "../languages/language.js";
import {
  busyDatabase,
  checkedRows,
  hasSchema,
  loadDriver,
  newSchema,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";
import type { LeasesContext, WithLease } from "./leases.js";
import { readSecret } from "./private-file.js";
import { changedElsewhere, type TextStore } from "./sessions.js";

/** Each database is a separate schema, so a role can be granted access to one of them. */
const schemaNames: Readonly<Record<DatabaseName, string>> = { comanda: "comanda", sales: "comanda_sales" };
/** One attempt to connect may last this long. The least is for slow networks, even with `--max-wait 0`. */
const connectMs = { least: 2_500, most: 10_000 };
const connectionsAtOnce = 3;
/** The longest wait of a statement for another process. */
const waitMs = 30_000;
/** The server itself ends a wait for a lock. Any later answer may never arrive, as while a synchronous standby is down. */
const answerMs = 1_000;
/** The server ends the transaction of a suspended process after this time. */
const stillMs = 10_000;
/** A restarted server accepts connections within this time. */
const restartMs = 10_000;
/** comanda reports retries that take longer than this. */
const silentMs = 1000;
/** A pooler in session mode makes a client wait for a free connection. In the other modes, it answers sooner. */
const poolerMs = 2000;
/** A lost connection can be replaced at once, a restarted server takes seconds. */
const betweenTriesMs = { first: 10, most: 200 };

/** int8, int2, int4, float8, and numeric, which a sum of int8 is (pg_type.dat). */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 701, 1700]);

export interface PostgresOptions extends Partial<Pick<LeasesContext, "clock" | "signal" | "maxWaitMs">> {
  /** Shows that comanda retries, and why. */
  readonly warn?: ((message: string) => void) | undefined;
}

export function openPostgres(
  { location, password, ...server }: ReturnType<typeof parsePostgresAddress>,
  options: PostgresOptions = {},
) {
  const { maxWaitMs = Infinity } = options;
  const lockMs = Math.min(waitMs, maxWaitMs);
  const driver = once(() => loadDriver(import.meta.dirname, "pg", isDriver));
  const settings: pg.ClientConfig = {
    ...server,
    application_name: `comanda ${process.pid} ${hostname()}`,
    connectionTimeoutMillis: Math.max(connectMs.least, Math.min(connectMs.most, maxWaitMs)),
    query_timeout: lockMs + answerMs,
    types: { getTypeParser: (type) => (numberTypes.has(type) ? Number : String) },
  };
  /** The clients of the pool. Its own timeout would also limit the wait for a free connection. */
  const clientClass = once(() => {
    const { Client } = driver();
    return class extends Client {
      constructor(own: pg.ClientConfig = {}) {
        const fromFile = () => passwordInFile(this, location);
        super({
          ...settings,
          ...own,
          password: password ?? (process.env["PGPASSWORD"] ? undefined : fromFile),
        });
        // The driver leaves the connection open if an error occurs before it is ready.
        this.connection.on("error", () => this.connection.stream.destroy());
      }
    };
  });
  const pool = once(() => {
    const { Pool } = driver();
    let isChecked = false;
    const prepare = async (client: pg.PoolClient) => {
      if (!isChecked) await rejectUnusable(client);
      isChecked = true;
      // PgBouncer rejects these as startup parameters, so each connection sets them before its first use.
      await client.query(
        `set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${stillMs};
         set default_transaction_isolation = 'read committed'; set synchronous_commit = on;
         set search_path to ${Object.values(schemaNames).join(", ")}`,
      );
    };
    const verify: pg.PoolConfig["verify"] = (client, done) => void prepare(client).then(() => done(), done);
    const opened = new Pool({ Client: clientClass(), allowExitOnIdle: true, max: connectionsAtOnce, verify });
    // An idle connection that breaks is replaced by the next statement.
    opened.on("error", () => undefined);
    // If a connection breaks between two statements, the second one fails. An unhandled event would end the program.
    opened.on("connect", (client) => client.on("error", () => undefined));
    return opened;
  });

  const fail = (error: unknown): never => {
    throw postgresError(location, error);
  };

  /** @param query executes the text, which may contain several statements if it has no parameters */
  function statementsOf(query: (sql: string, values: Value[]) => Promise<pg.QueryResult>): Statements {
    const rows: Statements["rows"] = async (columns, sql, ...values) =>
      checkedRows(columns, (await query(sql, [...values])).rows, location);
    const now = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";
    return {
      rows,
      run: async (sql, ...values) => (await query(sql, [...values])).rowCount ?? 0,
      now: async () => (await rows({ now: "bigint" }, now))[0]?.now ?? 0,
    };
  }

  /** Executes the work in a transaction. If it fails, closing the connection rolls it back. */
  async function inTransaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    const client = await pool().connect().catch(fail);
    let isUsable = false;
    try {
      const statements = statementsOf((sql, values) => client.query(sql, values).catch(fail));
      await statements.run("begin");
      const result = await work(statements);
      await statements.run("commit");
      isUsable = true;
      return result;
    } finally {
      client.release(!isUsable);
    }
  }

  /**
   * Rejects a database that can't store every character, such as the dash in a cancellation's reason.
   *
   * Also rejects a pooler that assigns a connection of the server for a single transaction or statement, because the settings of a
   * connection, and thus limits and the journal, are then lost under load. Such a pooler executes statements of one client in
   * several processes of the server, or those of two clients in the same one.
   */
  async function rejectUnusable(client: pg.ClientBase): Promise<void> {
    const select = "select pg_backend_pid() as pid, current_setting('server_encoding') as encoding";
    const query = async (each: pg.ClientBase) =>
      (await each.query<{ pid?: number; encoding?: string }>(select)).rows[0] ?? {};
    const { pid: own, encoding = "" } = await query(client);
    if (encoding !== "UTF8") {
      const message = t`The encoding of ${location} is ${encoding}, but comanda requires UTF8.`;
      const hint = t`Create a database with this encoding, for example: ${"create database comanda_utf8 template template0 encoding 'UTF8' locale 'C'"}`;
      throw new ComandaError("state_unusable", message, { hint, hintFacts: { about: "state_address" } });
    }
    // Without a pooler, the server reported the same process to the driver when it connected.
    if (own === Reflect.get(client, "processID")) return;
    const Client = clientClass();
    const other = new Client({ connectionTimeoutMillis: poolerMs, query_timeout: poolerMs });
    other.on("error", () => undefined);
    let isShared = false;
    try {
      await other.connect();
      // Other programs' transactions may hide it for a moment.
      for (let round = 1; round <= 3 && !isShared; round += 1)
        isShared = (await query(client)).pid !== own || (await query(other)).pid === own;
    } catch {
      // All connections of a pooler in session mode may be in use.
    }
    await other.end();
    if (!isShared) return;
    const message = t`${location} is a connection pooler that shares connections between programs.`;
    const hint = t`comanda requires session mode (in PgBouncer: pool_mode = session), or the address of the server itself.`;
    throw new ComandaError("state_unusable", message, { hint });
  }

  // A lost statement may have been executed, so repeating any of them must have the same result.
  const query = (retrying: PostgresOptions) => (sql: string, values: Value[]) =>
    retryWhileDown(() => pool().query(sql, values).catch(fail), retrying);
  const completing = statementsOf(query({ ...options, signal: undefined, maxWaitMs: Infinity }));
  const shared = { location, completing, ...statementsOf(query(options)) };

  return {
    location,
    /** Connects as soon as the server accepts a connection, and reports retries. */
    connect: () => retryWhileDown(async () => (await pool().connect().catch(fail)).release(), options),
    /** Opens a database, and creates its tables if they are missing and the role may do so. */
    database: async (name: DatabaseName): Promise<Database> => {
      const schema = schemaNames[name];
      const isMissing = (error: unknown) => codeOf(error) === codes.noTable;
      const hasTables = () => hasSchema(shared, schema, `${schema}.${versionTable[name]}`, isMissing);
      const create = async ({ rows, run }: Statements) => {
        // A role that can't create a schema may be able to create tables in an existing one.
        const find = "select oid::text from pg_namespace where nspname = $1";
        if ((await rows({ oid: "text" }, find, schema)).length === 0) await run(`create schema ${schema}`);
        await run(`set local search_path to ${schema}`);
        await run(newSchema(name, "postgresql"));
      };
      if (!(await hasTables()))
        await retryWhileDown(() => inTransaction(create), options).catch(async (error: unknown) => {
          const code = codeOf(error);
          // Another machine may have created them at the same time.
          if (duplicateCodes.includes(code) && (await hasTables())) return;
          if (code !== codes.noRight) throw error;
          const message = t`${location} doesn't contain comanda's tables, and this user may not create them.`;
          const hintFacts = { about: "missing_tables" } as const;
          throw new ComandaError("state_unusable", message, { hintFacts, cause: error });
        });
      // The row is locked until the commit. Any role that can connect could take an advisory lock.
      const turn = `insert into ${schema}.turns values ($1) on conflict (name) do update set name = excluded.name`;
      return {
        ...shared,
        transaction(about, work) {
          const inTurn = async (statements: Statements) => {
            await statements.run(turn, about);
            return work(statements);
          };
          return retryWhileDown(() => inTransaction(inTurn), options);
        },
      };
    },
    close: () => pool().end(),
  };
}

/** Repeats the work while it fails because the connection was lost, such as during a restart of the server. */
async function retryWhileDown<Result>(
  work: () => Promise<Result>,
  { clock = systemClock, signal, warn, maxWaitMs = Infinity }: PostgresOptions,
  longestMs = restartMs,
): Promise<Result> {
  const withinMs = Math.min(longestMs, maxWaitMs);
  // Work that starts after the signal completes earlier work, so it waits as usual.
  const until = signal?.aborted ? undefined : signal;
  const start = steadyNow(clock);
  for (let pauseMs = betweenTriesMs.first; ; pauseMs = Math.min(2 * pauseMs, betweenTriesMs.most)) {
    try {
      return await work();
    } catch (error) {
      const elapsedMs = steadyNow(clock) - start;
      if (!(error instanceof Error) || !isLost(error) || elapsedMs + pauseMs > withinMs) throw error;
      if (elapsedMs >= silentMs) warn?.(t`${error.message} comanda retries for up to ${withinMs / 1000} s.`);
    }
    await clock.sleep(pauseMs, until);
  }
}

/** Returns whether the server may accept the same statement on a new connection later. */
function isLost(error: Error): boolean {
  const cause = error instanceof ComandaError ? error.cause : error;
  const words = cause instanceof Error ? cause.message : "";
  const code = codeOf(cause);
  // PgBouncer reports all its errors with one code.
  if (code === "08P01" && finalWords.test(words)) return false;
  return lostCodes.test(code) || lostWords.test(words) || words === noAnswer;
}

function isDriver(module: unknown): module is typeof pg {
  return typeof module === "object" && module !== null && "Pool" in module && "Client" in module;
}

type ReadPassword = (server: pg.Client, done: (password: string | undefined) => void) => void;

/**
 * Reads the password from ~/.pgpass. The driver would read it, too, but prints a warning that this is deprecated.
 *
 * @throws {ComandaError} `state_unusable` if the file doesn't contain it
 */
async function passwordInFile(client: pg.Client, location: string): Promise<string> {
  const isReader = (module: unknown): module is ReadPassword => typeof module === "function";
  const read = loadDriver(import.meta.dirname, "pg", isReader, "pgpass");
  const password = await new Promise<string | undefined>((resolve) => read(client, resolve));
  if (password !== undefined) return password;
  throw new ComandaError("state_unusable", `${location}: ${t`the server requires a password`}.`, {
    hintFacts: { about: "state_password" },
  });
}

/** Error codes of the server: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codes = {
  lockNotAvailable: "55P03",
  noRight: "42501",
  noTable: "42P01",
  readOnly: "25006",
} as const;
/** A duplicate schema, table, or row of the catalog. */
const duplicateCodes: readonly string[] = ["42P06", "42P07", "23505"];
/** The server is stopping or starting, has no connection left, can't be reached or found, or has closed the connection. */
const lostCodes =
  /^(?:57P0[123]|53300|08\w{3}|ECONNRESET|ECONNREFUSED|EPIPE|ENOENT|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EAI_AGAIN|ENOTFOUND)$/;
/** Errors of the driver, which have no code. */
const finalWords = /authentication failed|does not exist|no such|not allowed|unsupported/;
const noAnswer = "Query read timeout";
const lostWords = /^(?:Connection terminated|Client has encountered a connection error|timeout expired)/;

/** Converts an error of the driver into one that names the database. */
function postgresError(location: string, error: unknown): unknown {
  if (error instanceof ComandaError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === codes.lockNotAvailable) return busyDatabase(location, error);
  // Node's error for several addresses has an empty message.
  let text = error instanceof AggregateError ? String(error.errors[0]) : error.message;
  if (text === noAnswer) text = t`the server doesn't answer`;
  const reason = /[.!]$/.test(text) ? text : `${text}.`;
  let hint: string | undefined = t`Check whether the server is running and accepts this user.`;
  let hintFacts: HintFacts = { about: "state_address" };
  if (code === codes.noRight) [hint, hintFacts] = [undefined, { about: "missing_right" }];
  else if (code === codes.readOnly) hint = t`The server is a standby, or read-only. Use the primary server.`;
  else if (text.endsWith("no encryption"))
    hint = t`The server requires TLS. Add ?sslmode=verify-full to the address.`;
  else if (/SSL|TLS|certificate/i.test(text)) {
    hint = t`The server must have TLS and a certificate that is valid for this host. comanda accepts sslmode=disable only for a server on this machine.`;
    hintFacts = { about: "certificate" };
  }
  const kind = isLost(error) ? "unreachable" : "state_unusable";
  return new ComandaError(kind, `${location}: ${reason}`, { hint, hintFacts, cause: error });
}

function codeOf(error: unknown): string {
  return systemErrorCode(error instanceof ComandaError ? error.cause : error) ?? "";
}

/**
 * Parses COMANDA_STATE. No message quotes it, because any part of it may contain a password.
 *
 * @returns the driver's options, and `location`, the address without its password. Without a user or password, the driver uses
 *   PGUSER, PGPASSWORD, the system's user, or ~/.pgpass
 * @throws {ComandaError} `configuration`
 */
export function parsePostgresAddress(text: string) {
  try {
    const url = new URL(text);
    const { sslmode, ...others } = Object.fromEntries(url.searchParams);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const isLocal = isLoopbackHost(host);
    // Connections to other machines are always encrypted and verified, whatever other sslmode is set.
    const isEncrypted = sslmode === undefined ? !isLocal : sslmode !== "disable";
    // A password with an unencoded "/", "?" or "#" would end the authority too early.
    const isWellFormed = /^postgres(?:ql)?:\/\/[^/?#\s\p{Cc}]+\/[^/?#@\s\p{Cc}]+(?:\?[^#@\s\p{Cc}]*)?$/iu;
    if ((isLocal || isEncrypted) && isWellFormed.test(text) && Object.keys(others).length === 0) {
      const [user, password] = [url.username, url.password].map(
        (part) => decodeURIComponent(part) || undefined,
      );
      const port = Number(url.port || 5432);
      const database = decodeURIComponent(url.pathname.slice(1));
      const shownUser = url.username && `${url.username}@`;
      return {
        host,
        port,
        database,
        user,
        password,
        // Older versions of pg compare the certificate with this host.
        ssl: isEncrypted && { rejectUnauthorized: true, host },
        location: `postgres://${shownUser}${url.hostname}:${port}/${database}`,
      };
    }
  } catch {
    // The text isn't a URL, or contains an invalid percent encoding.
  }
  throw new ComandaError("configuration", t`The address of the PostgreSQL database isn't valid.`, {
    hintFacts: { about: "state_address" },
    hint: t`For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, write "@", "/", "?", "#" and "%" as %40, %2F, %3F, %23 and %25. The only option is sslmode; sslmode=disable is accepted only for this machine.`,
  });
}

/** A write is retried for this long, because the tokens in it may be the only valid ones. */
const storeWithinMs = 60_000;

/**
 * Stores sign-ins and settings in PostgreSQL, encrypted (AES-256-GCM) with a key that the database never receives, and bound to
 * their name. The key is in COMANDA_STATE_KEY, or in the file of COMANDA_STATE_KEY_FILE. It can be several keys, separated by
 * spaces, commas or line breaks: the first one encrypts, and all of them decrypt, so keys can be rotated.
 *
 * Its functions reject with `configuration` without a key, and with `state_unusable` for content that isn't encrypted with it.
 */
export function openSealedRows(database: () => Promise<Database>, env: Variables) {
  const locationOf = (name: string) => t`The row ${name} in PostgreSQL`;

  async function contentOf(name: string): Promise<string | undefined> {
    const sql = "select content from sealed where name = $1";
    const [row] = await (await database()).rows({ content: "text" }, sql, name);
    return row?.content;
  }

  /** Returns the text, and whether the first key decrypts it. Rejects any other content, which anyone could have written. */
  function decrypt(content: string, name: string, keys = stateKeys(env)) {
    const bytes = Buffer.from(content, "base64");
    for (const key of keys) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(-16));
        const text = decipher.update(bytes.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
        return { text, isCurrent: key === keys[0] };
      } catch {
        // The content may be encrypted with the next key.
      }
    }
    const message = t`${locationOf(name)} can't be decrypted with the key that is set here. Someone else may have written it.`;
    throw new ComandaError("state_unusable", message, { hintFacts: { about: "sealed_row", name } });
  }

  const texts: TextStore = {
    locationOf,
    async read(name) {
      // The key is read first, so a missing one is reported before a browser opens.
      const keys = stateKeys(env);
      const content = await contentOf(name);
      return content === undefined ? undefined : decrypt(content, name, keys).text;
    },
    async names() {
      const select = "select name from sealed where name like 's-%'";
      const rows = await (await database()).rows({ name: "text" }, select);
      return rows.map(({ name }) => name);
    },
    async write(name, text, before, { to = name } = {}) {
      const nonce = randomBytes(12);
      const [key] = stateKeys(env);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(to));
      const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      const content = Buffer.concat(parts).toString("base64");
      await retryWhileDown(
        async () => {
          const { run } = await database();
          const current = await contentOf(name);
          let changed = 0;
          if (current === undefined) {
            const insert = "insert into sealed (name, content) values ($1, $2) on conflict (name) do nothing";
            if (before === undefined) changed = await run(insert, to, content);
          } else if (decrypt(current, name).text === before) {
            const update = "update sealed set name = $1, content = $2 where name = $3 and content = $4";
            changed = await run(update, to, content, name, current);
          }
          // An earlier attempt may have succeeded without a response.
          if (changed === 0 && (await contentOf(to)) !== content) throw changedElsewhere(locationOf(name));
        },
        {},
        storeWithinMs,
      );
    },
    async remove(name) {
      await (await database()).run("delete from sealed where name = $1", name);
    },
  };
  return {
    ...texts,
    /** Encrypts each text with the first key. Returns their number, and the errors of those that could not be encrypted. */
    async renewSeals(withLease: WithLease) {
      const keys = stateKeys(env);
      const columns = { name: "text", content: "text" } as const;
      const rows = await (await database()).rows(columns, "select name, content from sealed");
      const failures: ComandaError[] = [];
      for (const { name, content } of rows)
        try {
          if (decrypt(content, name, keys).isCurrent) continue;
          await withLease(name, async () => {
            const text = await texts.read(name);
            if (text !== undefined) await texts.write(name, text, text);
          });
        } catch (error) {
          if (!(error instanceof ComandaError)) throw error;
          failures.push(error);
        }
      return { sealed: rows.length, failures };
    },
  };
}

/** @throws {ComandaError} `configuration`; `state_unusable` for a file that others can read or change */
function stateKeys(env: Variables): readonly [Buffer, ...Buffer[]] {
  const { COMANDA_STATE_KEY: variable = "", COMANDA_STATE_KEY_FILE: file = "" } = env;
  const hintFacts = { about: "state_key" } as const;
  let text: string | undefined = variable;
  try {
    if (variable === "" && file !== "") text = readSecret(file);
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    const hint = t`Use a file that only you can read (mode 600). Or use a file that only root can change, including each folder and link on its path.`;
    throw error.reworded(error.message, { hint, hintFacts });
  }
  const words = text?.split(/[\s,]+/).filter(Boolean) ?? [];
  const [first, ...others] = words.map((word) => Buffer.from(word, "base64"));
  const wrong = words.findIndex((word) => !/^[A-Za-z0-9+/]{43}=$/.test(word));
  if (first !== undefined && wrong === -1) return [first, ...others];
  if (wrong !== -1)
    throw new ComandaError("configuration", t`State key ${wrong + 1} isn't 32 bytes in base64.`, {
      hintFacts,
    });
  const message =
    text === undefined
      ? t`${file} can't be read: ${t`the file or folder doesn't exist`}.`
      : t`No 32-byte key in base64 is set. Secrets are stored in PostgreSQL only if they can be encrypted.`;
  const hint = t`Generate one key for all machines: openssl rand -base64 32`;
  throw new ComandaError("configuration", message, { hint, hintFacts });
}
