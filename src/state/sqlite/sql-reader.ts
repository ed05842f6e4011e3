/** Reads a database by a statement that a person has written. SQLite itself sees to it that it does nothing but read. */
import { ComandaError } from "../../shared/errors.js";
import { isObject } from "../../shared/json.js";
import { t } from "../../shared/language.js";
import {
  openSqliteReader,
  sqliteCode,
  sqliteCodes,
  type SqliteQuery,
  type SqliteReader,
} from "./sqlite-driver.js";
import { damaged, isDamage } from "./sqlite-errors.js";

export type SqlValue = string | number | null;

export interface SqlResult {
  readonly columns: readonly string[];
  /** Row by row, as they are asked for. */
  readonly rows: Iterable<readonly SqlValue[]>;
}

/** Bytes that SQLite may take for itself. */
const heapLimit = 256 * 1024 * 1024;

/**
 * @param file opened for reading alone, so that nothing can be written, attached and made, or loaded
 * @throws {ComandaError} `usage` for what isn't one reading statement, `invalid_input` for one with a mistake
 */
export function readBySql(file: string, statement: string): SqlResult {
  const reader = sayingWhy(file, () => openSqliteReader(file));
  sayingWhy(file, () => reader.exec(`pragma hard_heap_limit = ${heapLimit}`));
  const query = prepare(reader, file, statement.trim().replace(/(?:;\s*)+$/, ""));
  query.setReadBigInts(true);
  const rows = sayingWhy(file, () => query.iterate()[Symbol.iterator]());
  const first = nextRow(file, rows);
  const columns = [...new Set(query.columns?.().map(({ name }) => name) ?? Object.keys(first ?? {}))];
  return { columns, rows: valuesOf(first) };

  function* valuesOf(row: Row | undefined): Generator<readonly SqlValue[]> {
    for (let each = row; each !== undefined; each = nextRow(file, rows)) {
      const values = each;
      yield columns.map((name) => plainValue(values[name]));
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

function nextRow(file: string, rows: Iterator<unknown, unknown>): Row | undefined {
  const next = sayingWhy(file, () => rows.next());
  return next.done !== true && isObject(next.value) ? next.value : undefined;
}

/** A text that can stand within a query is one statement that reads: SQLite's own grammar says so. */
function prepare(reader: SqliteReader, file: string, statement: string): SqliteQuery {
  try {
    reader.prepare(`with statement as (\n${statement}\n) select 1 from statement`);
  } catch (error) {
    if (sqliteCode(error) !== sqliteCodes.error) throw error;
    throw new ComandaError(
      "usage",
      t`SQLite doesn't take that as one statement that reads: ${messageOf(error)}`,
      { hint: hint(), cause: error },
    );
  }
  return sayingWhy(file, () => reader.prepare(statement));
}

function plainValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "string" ? value : null;
}

function sayingWhy<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) throw damaged(file, error);
    if (sqliteCode(error) === undefined) throw error;
    const message = t`SQLite says: ${messageOf(error)}`;
    throw new ComandaError("invalid_input", message, { hint: hint(), cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hint(): string {
  return t`comanda help sales-db has the tables and their columns.`;
}
