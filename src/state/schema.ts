/** Brings schema.sql into a database, and what later versions change. It is loaded where a database is new or older. */
import { schemaVersion, versionTable, type DatabaseName } from "./database.js";
import schema from "./schema.sql";

/** The parts of schema.sql that a database has, by their names. */
const partsOfFiles: Readonly<Record<DatabaseName, readonly string[]>> = {
  comanda: ["comanda.db"],
  sales: ["sales.db"],
};
export const partsInPostgres: Readonly<Record<DatabaseName, readonly string[]>> = {
  comanda: ["comanda.db", "chain"],
  sales: ["sales.db", "chain of sales"],
};

/**
 * What later versions change: the statements that lead from version 1 to 2, from 2 to 3 and so on. schema.sql has the same
 * change, and `schemaVersion` counts it.
 */
const steps: Readonly<Record<DatabaseName, readonly string[]>> = { comanda: [], sales: [] };

/**
 * Gives the statements that bring a database to this comanda's schema, to be carried out as one change.
 *
 * @param version what it is written in; `undefined` for a new one
 * @param parts what a new one has of schema.sql
 */
export function schemaChange(
  database: DatabaseName,
  version: number | undefined,
  parts: readonly string[] = partsOfFiles[database],
): string {
  const table = versionTable[database];
  const changes =
    version === undefined
      ? [...parts.map(textOf), `insert into ${table} values (${schemaVersion});`]
      : [...steps[database].slice(version - 1), `update ${table} set version = ${schemaVersion};`];
  return changes.join("\n");
}

function textOf(name: string): string {
  const [, ...parts] = schema.split(/^-- === /m);
  return parts.find((part) => part.startsWith(`${name}:`))?.replace(/^.*\n/, "") ?? "";
}

/** SQLite has `bigint` under another name, and tables that keep to their types where that is asked for. */
export function inSqlite(sql: string): string {
  return sql.replaceAll(/^( +\w+ )bigint\b/gm, "$1integer").replaceAll(/^\);$/gm, ") strict;");
}
