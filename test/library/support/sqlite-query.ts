/** Returns the `query` of `createSqlTokenStore` for SQLite. */
import type { Query } from "../../../examples/sql-token-store.mjs";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";

export function sqliteQuery(connection: DatabaseSyncInstance): Query {
  // The first process after a kill recovers the file, and the others wait for it.
  connection.exec("pragma busy_timeout = 10000; pragma journal_mode = wal");
  return (sql, values) =>
    Promise.resolve().then(() => {
      const statement = connection.prepare(sql.replaceAll(/\$\d/g, "?"));
      return statement.all(...values) as Record<string, unknown>[];
    });
}
