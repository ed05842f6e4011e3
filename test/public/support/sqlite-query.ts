/** What a program gives to `createSqlTokenStore` for SQLite. */
import type { SqlTokenStoreOptions } from "../../../src/public/oauth.js";
import type { SqliteConnection } from "../../../src/state/sqlite-driver.js";

export function sqliteQuery(connection: SqliteConnection): SqlTokenStoreOptions["query"] {
  connection.exec("pragma journal_mode = wal; pragma busy_timeout = 10000");
  return (sql, values) =>
    Promise.resolve().then(() => {
      const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
      return connection.prepare(sql).all(named) as Record<string, unknown>[];
    });
}
