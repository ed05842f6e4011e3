/** Direct access to a folder's journal, for tests that leave it as a killed process would. */
import path from "node:path";

import type { Value } from "../../src/state/database.js";
import { openSqlite } from "../../src/state/sqlite.js";

export function journalFile(folder: string): string {
  return path.join(folder, "comanda.db");
}

/** @returns the rows of the statement */
export function inJournal(folder: string, sql: string, ...values: readonly Value[]): unknown[] {
  const connection = openSqlite(journalFile(folder));
  try {
    const statement = connection.prepare(sql);
    return sql.startsWith("select") ? statement.all(...values) : [statement.run(...values)];
  } finally {
    connection.close();
  }
}
