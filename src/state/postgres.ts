/**
 * The databases that many machines share: PostgreSQL, by the driver `pg`, which is installed and loaded only
 * where COMANDA_STATE names an address. One process has one pool of connections for both.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

import type * as pg from "pg";

import { isLoopbackHost, once } from "../base/basics.js";
import { ComandaError, systemErrorCode, type ErrorOptions } from "../base/errors.js";
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
import { readPrivate, shellWord } from "./private-file.js";
import { overtaken, type TextStore } from "./sessions.js";

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

/** int8, int2, int4, float8, and numeric, which a sum of int8 is (pg_type.dat). */
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 701, 1700]);

/** @param machine connections say so, beside the number of this process */
export function openPostgres(address: PostgresAddress, machine = hostname()) {
  const { place, ...server } = address;
  const pool = once(() => {
    const { Client, Pool } = loadDriver(import.meta.dirname, "pg", isDriver);
    // The pool's own time limit would take a wait for one of its connections for a server that doesn't answer.
    const TimedClient = class extends Client {
      constructor() {
        super({
          ...server,
          application_name: `comanda ${process.pid} ${machine}`,
          connectionTimeoutMillis: connectWithinMs,
          types: { getTypeParser: (type) => (numberTypes.has(type) ? Number : String) },
        });
      }
    };
    // A pooler such as PgBouncer rejects these as startup parameters, so that each connection sets them before its first use.
    const verify: pg.PoolConfig["verify"] = (client, done) =>
      client.query(
        `set lock_timeout = ${waitMs}; set idle_in_transaction_session_timeout = ${stillMs};
         set search_path to ${Object.values(schemaNames).join(", ")}`,
        (error) => done(error),
      );
    // It keeps no program running.
    const opened = new Pool({ Client: TimedClient, allowExitOnIdle: true, max: connectionsAtOnce, verify });
    // One that breaks while nobody uses it is replaced by the next statement.
    opened.on("error", () => undefined);
    // One that breaks between two statements is told by the second of them; an event that nobody hears ends the program.
    opened.on("connect", (client) => client.on("error", () => undefined));
    return opened;
  });

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
    database: async (name: DatabaseName): Promise<Database> => {
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
            t`${place} doesn't contain comanda's tables, and this user may not create them.`,
            { hintFacts: { about: "missing_tables" }, cause: error },
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
async function whenBack<Result>(work: () => Promise<Result>, withinMs = backWithinMs): Promise<Result> {
  const start = performance.now();
  for (let pauseMs = betweenTriesMs.first; ; pauseMs = Math.min(2 * pauseMs, betweenTriesMs.most)) {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof ComandaError ? error.cause : error;
      // What was sent over a connection that is lost may have been done.
      const isLost =
        lostCodes.test(codeOf(cause)) || (cause instanceof Error && lostWords.test(cause.message));
      if (!isLost || performance.now() - start >= withinMs) throw error;
    }
    await delay(pauseMs);
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
    let advice: ErrorOptions = {
      hint: t`Check the address in COMANDA_STATE, and whether the server is running and accepts this user.`,
    };
    if (code === codes.noRight) advice = { hintFacts: { about: "missing_right" } };
    else if (/SSL|TLS|certificate/i.test(words))
      advice = {
        hint: t`comanda verifies the server's certificate unless the address is on this machine. To trust your own certificate authority, set NODE_EXTRA_CA_CERTS.`,
      };
    const message = t`${place} can't be used: ${said}`;
    throw new ComandaError("state_unusable", message, { ...advice, cause: error });
  }
}

function codeOf(error: unknown): string {
  return systemErrorCode(error instanceof ComandaError ? error.cause : error) ?? "";
}

export type PostgresAddress = ReturnType<typeof parsePostgresAddress>;

/**
 * Reads what COMANDA_STATE says. No message quotes it, since it may hold a password in any place.
 *
 * @returns as the driver takes it, which takes PGUSER and PGPASSWORD, the system's user, or ~/.pgpass where user or password are
 *   absent; and its place without a password, for messages
 * @throws {ComandaError} `configuration`
 */
export function parsePostgresAddress(text: string) {
  try {
    const url = new URL(text);
    const { sslmode, ...others } = Object.fromEntries(url.searchParams);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const isLocal = isLoopbackHost(host);
    // Nobody on the way may read the sign-ins. The other modes promise at most what is done anyway.
    const isEncrypted = sslmode === undefined ? !isLocal : sslmode !== "disable";
    // A password with a "/", "?" or "#" that isn't encoded ends the host's part too early.
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
        // The certificate, and the name in it.
        ssl: isEncrypted && { rejectUnauthorized: true, host },
        place: `postgres://${shownUser}${url.hostname}:${port}/${database}`,
      };
    }
  } catch {
    // No address at all, or a percent sign that encodes nothing.
  }
  throw new ComandaError("configuration", t`COMANDA_STATE isn't a valid PostgreSQL address.`, {
    hint: t`For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, write "@", "/", "?", "#" and "%" as %40, %2F, %3F, %23 and %25. The only option is sslmode; sslmode=disable is accepted only for this machine.`,
  });
}

/** A write is tried for so long while the server is away: it may be all that is left of a sign-in. */
const storeWithinMs = 60_000;

/**
 * What is secret in PostgreSQL, and what would send a secret elsewhere: rows that are encrypted (AES-256-GCM) with a key that the
 * database never sees, each bound to its name. The key is in COMANDA_STATE_KEY, or in the file that COMANDA_STATE_KEY_FILE names.
 * Several may stand there, parted by spaces, commas or lines: the first one encrypts, and all of them are tried to decrypt, so that
 * another key comes into use without a pause.
 *
 * Its functions reject with `configuration` where there is no key, and with `state_unusable` for what isn't sealed with it.
 */
export function openSealedRows(
  database: () => Promise<Database>,
  env: Readonly<Record<string, string | undefined>>,
): TextStore {
  const placeOf = (name: string) => t`The row ${name} in PostgreSQL`;

  async function contentOf(name: string): Promise<string | undefined> {
    const sql = "select content from sealed where name = $1";
    const [row] = await (await database()).rows({ content: "text" }, sql, name);
    return row?.content;
  }

  /** With a key set, what isn't sealed is refused: whoever may write into the database could have put it there. */
  function opened(content: string, name: string, keys = stateKeys(env)): string {
    const bytes = Buffer.from(content, "base64");
    for (const key of keys) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(-16));
        return decipher.update(bytes.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // The next one may be its key.
      }
    }
    throw new ComandaError(
      "state_unusable",
      t`${placeOf(name)} can't be decrypted with the key that is set here. Someone else may have written it.`,
      {
        hint: t`Set COMANDA_STATE_KEY to the key that the other machines use. If it is already the right key, delete that row from the table sealed, then sign in or set it again.`,
      },
    );
  }

  return {
    placeOf,
    async read(name) {
      // Where there is none, that is said before a browser opens.
      const keys = stateKeys(env);
      const content = await contentOf(name);
      return content === undefined ? undefined : opened(content, name, keys);
    },
    async names() {
      const rows = await (await database()).rows({ name: "text" }, "select name from sealed");
      return rows.map(({ name }) => name);
    },
    async write(name, text, before, { to = name } = {}) {
      const content = seal(stateKeys(env)[0], text, to);
      await whenBack(async () => {
        const { run } = await database();
        const current = await contentOf(name);
        let changed = 0;
        if (current === undefined) {
          const insert = "insert into sealed (name, content) values ($1, $2) on conflict (name) do nothing";
          if (before === undefined) changed = await run(insert, to, content);
        } else if (opened(current, name) === before) {
          const update = "update sealed set name = $1, content = $2 where name = $3 and content = $4";
          changed = await run(update, to, content, name, current);
        }
        // The answer to an earlier try may have been lost together with the connection.
        if (changed === 0 && (await contentOf(to)) !== content) throw overtaken(placeOf(name));
      }, storeWithinMs);
    },
    async remove(name) {
      await (await database()).run("delete from sealed where name = $1", name);
    },
  };
}

/**
 * @returns at least one
 * @throws {ComandaError} `configuration`; `state_unusable` for a file that others may read
 */
function stateKeys(env: Readonly<Record<string, string | undefined>>): readonly [Buffer, ...Buffer[]] {
  const { COMANDA_STATE_KEY: variable = "", COMANDA_STATE_KEY_FILE: file } = env;
  const text = variable === "" && file ? readKeyFile(file) : variable;
  if (text === undefined) {
    const message = t`${file ?? ""} can't be read: ${t`the file or folder doesn't exist`}.`;
    throw new ComandaError("configuration", message, { hint: t`Check COMANDA_STATE_KEY_FILE.` });
  }
  const words = text.split(/[\s,]+/).filter(Boolean);
  const [first, ...others] = words.map((word) => Buffer.from(word, "base64"));
  if (first !== undefined && words.every((word) => /^[A-Za-z0-9+/]{43}=$/.test(word)))
    return [first, ...others];
  // The value is never quoted.
  throw new ComandaError(
    "configuration",
    t`No 32-byte key in base64 is set. Secrets are stored in PostgreSQL only encrypted.`,
    {
      hint: t`Generate one key for all machines with openssl rand -base64 32, then set COMANDA_STATE_KEY or COMANDA_STATE_KEY_FILE.`,
    },
  );
}

/** @throws {ComandaError} `state_unusable` for a file that is a link, or that others may read */
function readKeyFile(file: string): string | undefined {
  try {
    return readPrivate(file);
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    throw error.reworded(error.message, {
      hint: t`Use a file that isn't a link and that only you can read (chmod 600 ${shellWord(file)}), or put the key in COMANDA_STATE_KEY.`,
    });
  }
}

/** @returns nonce, text and tag in base64 */
function seal(key: Buffer, text: string, name: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(name));
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString("base64");
}
