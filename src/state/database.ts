/**
 * The interface to both engines. Statements are written once, in the SQL that SQLite and PostgreSQL share: `$1` for values, only
 * the types `text` and `bigint` (milliseconds, cents, 0 and 1, JSON as text), `on conflict … do update … where … returning`.
 */
import path from "node:path";

import { ComandaError, isComandaError } from "../base/errors.js";
import type { HintFacts } from "../base/hint-facts.js";
import { t } from "../languages/language.js";
import schema from "./schema.sql";

export type Value = string | number | null;

/** The columns that a statement returns, with their types; `?` marks a nullable one. */
export type Columns = Readonly<Record<string, keyof ColumnTypes>>;

interface ColumnTypes {
  readonly text: string;
  readonly bigint: number;
  readonly "text?": string | null;
  readonly "bigint?": number | null;
}

export type Row<Names extends Columns> = { readonly [Name in keyof Names]: ColumnTypes[Names[Name]] };

/**
 * All functions reject with a {@link ComandaError}: `state_unusable`, `unreachable` if PostgreSQL accepts no connection for 10 s, or
 * `lock_timeout` after a wait of 30 s. `--max-wait` shortens both.
 */
export interface Statements {
  /** @returns all rows at once, so a query that may return many needs a limit */
  readonly rows: <Names extends Columns>(
    columns: Names,
    sql: string,
    ...values: readonly Value[]
  ) => Promise<readonly Row<Names>[]>;
  /** @returns the number of changed rows */
  readonly run: (sql: string, ...values: readonly Value[]) => Promise<number>;
  /** Returns milliseconds since the epoch, by the clock of the machine or server, which all processes share. */
  readonly now: () => Promise<number>;
}

export interface Database extends Statements {
  /** The same for statements that complete work, such as recording an outcome: neither `--max-wait` nor an interrupt shortens their waits. */
  readonly completing: Statements;
  /** The path, or the address without its password, as messages show it. */
  readonly location: string;
  /**
   * Executes all of the work's statements or none, and writes them to the disk before it resolves. Transactions of one name run
   * one after the other across all processes, so rows don't change between reading and writing. The work may await only
   * statements.
   *
   * @param name the subject of the work, as narrow as possible: `limits <key>`
   * @param work uses only the statements that it receives. It is repeated after a lost connection, which may have happened after
   *   the commit, so repeating it must have the same result
   */
  transaction<Result>(name: string, work: (statements: Statements) => Promise<Result>): Promise<Result>;
}

/** Returns whether a database can't be used, as opposed to an interrupt or an error of the work. */
export function isDatabaseError(error: unknown): error is ComandaError {
  return (["state_unusable", "unreachable", "lock_timeout"] as const).some((code) =>
    isComandaError(error, code),
  );
}

/** Returns the SHA-256 of a text. Node's module is loaded only here, because that takes longer than most commands run. */
export function digestOf(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}

/** Formats a stored time as ISO 8601 in UTC, at most of the year 9999, because a damaged row may contain any number. */
export function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), Date.UTC(9999, 11, 30))).toISOString();
}

/** The private database, and the one that other programs may read. */
export type DatabaseName = "comanda" | "sales";

export const schemaVersion = 8;

export const versionTable: Readonly<Record<DatabaseName, string>> = {
  comanda: "schema_version",
  sales: "sales_schema_version",
};

/** The sections of schema.sql. On one machine, sign-ins and settings are files, and SQLite orders transactions. */
const [, comanda = "", sealed = "", turns = "", sales = ""] = schema.split(/^-- ===.*$/m);
const contents = {
  sqlite: { comanda, sales },
  postgresql: { comanda: comanda + sealed + turns, sales: sales + turns },
};

/** Returns the statements that create a database, to be executed in one transaction. */
export function newSchema(name: DatabaseName, engine: keyof typeof contents): string {
  return `${contents[engine][name]}insert into ${versionTable[name]} values (${schemaVersion});`;
}

/**
 * @param place the file, or the schema in PostgreSQL
 * @param isMissing returns whether the error means that the table doesn't exist
 * @returns `false` if the database is empty
 * @throws {ComandaError} `state_unusable` for any other version, since no older one was released
 */
export async function hasSchema(
  { location, rows }: Pick<Database, "location" | "rows">,
  place: string,
  table: string,
  isMissing: (error: unknown) => boolean,
): Promise<boolean> {
  try {
    const [row] = await rows({ version: "bigint" }, `select version from ${table}`);
    if (row?.version === schemaVersion) return true;
    if (row && row.version > schemaVersion) throw newerVersion(location);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  const message = t`${location} was written by a pre-release version of comanda.`;
  throw new ComandaError("state_unusable", message, { hintFacts: { about: "damaged_database", place } });
}

/** Writes a row without changing it, to find a full disk, a standby or a missing right before a change must be recorded. */
export async function checkWritable(database: Database, name: DatabaseName): Promise<void> {
  const update = `update ${versionTable[name]} set version = version`;
  await database.transaction("doctor", ({ run }) => run(update));
}

export function newerVersion(location: string): ComandaError {
  return new ComandaError("state_unusable", t`${location} was written by a newer version of comanda.`, {
    hint: t`Update comanda on this machine.`,
  });
}

/** Checks the types of all rows, because other programs may have written to the database. */
export function checkedRows<Names extends Columns>(
  columns: Names,
  rows: readonly unknown[],
  location: string,
): readonly Row<Names>[] {
  const isRow = (row: unknown): row is Row<Names> => {
    if (typeof row !== "object" || row === null) return false;
    for (const [name, type] of Object.entries(columns)) {
      const value: unknown = Reflect.get(row, name);
      const wanted = type.startsWith("text") ? "string" : "number";
      if (value === null ? !type.endsWith("?") : typeof value !== wanted) return false;
    }
    return true;
  };
  if (rows.every(isRow)) return rows;
  throw damaged(location, { about: "foreign_row" });
}

export type Damage = "damaged_settings" | "damaged_sign_in" | "damaged_database" | "foreign_row";

export function damaged(location: string, hintFacts: HintFacts<Damage>, cause?: unknown): ComandaError {
  return new ComandaError("state_unusable", t`${location} is damaged.`, { hintFacts, cause });
}

export function busyDatabase(location: string, cause: unknown): ComandaError {
  const message = t`Timed out waiting for another process that is writing to ${location}.`;
  return new ComandaError("lock_timeout", message, { hint: t`Try again later.`, cause });
}

/**
 * Loads an engine's driver from a package that is installed with comanda. An import would make another program's bundler look for
 * a package that may be missing.
 *
 * @param folder the folder of the calling module; `undefined` in some bundles, which look the driver up from the working folder
 * @param dependency a package that the driver is installed with, to load instead of the driver
 * @throws {ComandaError} `state_unusable`
 */
export function loadDriver<Driver>(
  folder: string | undefined,
  name: "pg" | "@photostructure/sqlite",
  isDriver: (module: unknown) => module is Driver,
  dependency?: string,
): Driver {
  try {
    // webpack would replace an imported createRequire.
    const { createRequire } = process.getBuiltinModule("node:module");
    const load = createRequire(path.resolve(folder ?? "", "driver.js"));
    const driver: unknown = dependency ? createRequire(load.resolve(name))(dependency) : load(name);
    if (isDriver(driver)) return driver;
    throw new TypeError(`${name} lacks what comanda needs`);
  } catch (error) {
    const hintFacts = { about: "missing_driver", name: name === "pg" ? "pg" : "sqlite" } as const;
    const message = t`comanda can't load the database driver ${name}.`;
    throw new ComandaError("state_unusable", message, { hintFacts, cause: error });
  }
}
