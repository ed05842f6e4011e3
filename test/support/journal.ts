/** The journal of a folder, as it lies in its database: for tests that leave it as a killed process would. */
import path from "node:path";

import type { Value } from "../../src/state/database.js";
import { openSqlite } from "../../src/state/sqlite.js";

export function journalFile(folder: string): string {
  return path.join(folder, "comanda.db");
}

/** @returns what the statement gives back */
export function inJournal(folder: string, sql: string, ...values: readonly Value[]): unknown[] {
  const connection = openSqlite(journalFile(folder));
  try {
    const statement = connection.prepare(sql);
    return sql.startsWith("select") ? statement.all(...values) : [statement.run(...values)];
  } finally {
    connection.close();
  }
}
