/**
 * A repository may use these of a database, whichever engine keeps it. Statements are written once, in what SQLite and
 * PostgreSQL both understand: `$1` for values, `text` and `bigint` alone (milliseconds, cents, 0 and 1, JSON as text),
 * `on conflict … do update … where … returning`.
 */
import path from "node:path";

import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import schema from "./schema.sql";

export type Value = string | number | null;

/** The columns that a statement gives back, with their types; a `?` says that one may be null. */
export type Columns = Readonly<Record<string, keyof ColumnTypes>>;

interface ColumnTypes {
  readonly text: string;
  readonly bigint: number;
  readonly "text?": string | null;
  readonly "bigint?": number | null;
}

export type Row<Names extends Columns> = { readonly [Name in keyof Names]: ColumnTypes[Names[Name]] };

/**
 * All of these reject with a {@link ComandaError}: `state_unusable`, or `lock_timeout` where another process kept us waiting for
 * half a minute.
 */
export interface Statements {
  /** @returns all rows at once: a page of them, where there may be many */
  readonly rows: <Names extends Columns>(
    columns: Names,
    sql: string,
    ...values: readonly Value[]
  ) => Promise<readonly Row<Names>[]>;
  /** @returns how many rows were changed */
  readonly run: (sql: string, ...values: readonly Value[]) => Promise<number>;
  /** Milliseconds since the epoch, by the one clock of all who share the database: the machine's, or the server's. */
  readonly now: () => Promise<number>;
}

export interface Database extends Statements {
  /** The path, or the address without its password, for messages. */
  readonly place: string;
  /**
   * All of the work's statements, or none, on the disk before it resolves. Transactions of one name come one after the other,
   * whichever processes begin them, so that what was read still holds when it is written. It is held for a moment: nothing but
   * statements may be waited for inside, and never a request.
   *
   * @param name what the work is about, as narrow as it can be: `limits <key>`
   * @param work uses the statements that it is given, and no others of this database. It is done again where a connection was
   *   cut, which leaves open whether it was done: so it has to come to the same when it is done twice
   */
  transaction<Result>(name: string, work: (statements: Statements) => Promise<Result>): Promise<Result>;
}

/** Returns a stored moment as ISO 8601, UTC; until the year 9999, since a damaged row may contain any number. */
export function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), Date.UTC(9999, 11, 30))).toISOString();
}

/** The two databases, by who may read them. */
export type DatabaseName = "comanda" | "sales";

/** The version of the schema that this comanda reads and writes. */
export const schemaVersion = 7;

/** The table that says what a database is written in. */
export const versionTable: Readonly<Record<DatabaseName, string>> = {
  comanda: "schema_version",
  sales: "sales_schema_version",
};

const comanda = ["schema_version", "leases", "limit_places", "limit_blocks", "writes"];
const sales = ["sales_schema_version", "answers", "days", "sales_by_day", "restatements"];
/** The tables and views of each database. On one machine, sign-ins and settings are files, and SQLite itself orders transactions. */
const contents = {
  SQLite: { comanda, sales },
  PostgreSQL: { comanda: [...comanda, "sealed", "turns"], sales: [...sales, "turns"] },
};

/** Returns the statements that create a database of this comanda's schema, to be carried out as one change. */
export function newSchema(name: DatabaseName, engine: keyof typeof contents): string {
  const tables = contents[engine][name].flatMap(statementsOf);
  return [...tables, `insert into ${versionTable[name]} values (${schemaVersion});`].join("\n");
}

/** Returns the statements of schema.sql that create a table or a view and its indexes. */
function statementsOf(name: string): readonly string[] {
  const isOwn = new RegExp(String.raw`^create (?:table|view|index \w+ on) ${name}\s`);
  const statements = schema.match(/^create .*?;$/gms)?.filter((statement) => isOwn.test(statement)) ?? [];
  if (statements.length === 0) throw new RangeError(`schema.sql has no table ${name}`);
  return statements;
}

/**
 * @param table see {@link versionTable}
 * @param isMissing does this error say that there is no such table?
 * @returns `false` where the database is empty
 * @throws {ComandaError} `state_unusable` for any other version than this comanda's: nothing older has been released
 */
export async function hasSchema(
  { place, rows }: Pick<Database, "place" | "rows">,
  table: string,
  isMissing: (error: unknown) => boolean,
): Promise<boolean> {
  try {
    const [row] = await rows({ version: "bigint" }, `select version from ${table}`);
    if (row?.version === schemaVersion) return true;
    if (row && row.version > schemaVersion)
      throw new ComandaError("state_unusable", t`${place} was written by a newer version of comanda.`, {
        hint: t`Update comanda on this machine.`,
      });
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  const message = t`${place} was written by a version of comanda from before the first release.`;
  throw new ComandaError("state_unusable", message, { hintFacts: { about: "old_database" } });
}

/** @returns the rows as they are, each looked at: a database may hold what no comanda wrote */
export function checkedRows<Names extends Columns>(
  columns: Names,
  rows: readonly unknown[],
  place: string,
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
  throw new ComandaError("state_unusable", t`${place} contains data that comanda didn't write.`, {
    hintFacts: { about: "foreign_row" },
  });
}

/** @returns the error of a statement that others have kept waiting for as long as any may */
export function busyDatabase(place: string, cause: unknown): ComandaError {
  return new ComandaError("lock_timeout", t`Timed out waiting for another process that is writing to ${place}.`, {
    hint: t`Try again later.`,
    cause,
  });
}

/**
 * Loads an engine's driver from a package that is installed with comanda. An import would make another program's bundler look
 * for a package that may be missing.
 *
 * @param folder the folder of the calling module; `undefined` in some bundles, which look the driver up from the working folder
 * @throws {ComandaError} `state_unusable`
 */
export function loadDriver<Driver>(
  folder: string | undefined,
  name: "pg" | "@photostructure/sqlite",
  isDriver: (module: unknown) => module is Driver,
): Driver {
  try {
    // webpack would replace an imported createRequire.
    const { createRequire } = process.getBuiltinModule("node:module");
    const driver: unknown = createRequire(path.resolve(folder ?? "", "driver.js"))(name);
    if (isDriver(driver)) return driver;
    throw new TypeError(`${name} lacks what comanda needs`);
  } catch (error) {
    const hintFacts = { about: "missing_driver", name: name === "pg" ? "pg" : "sqlite" } as const;
    const message = t`comanda can't load the database driver ${name}.`;
    throw new ComandaError("state_unusable", message, { hintFacts, cause: error });
  }
}
