/** Brings schema.sql into a database. It is loaded where one is new. */
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
 * Gives the statements that make a database of this comanda's schema, to be carried out as one change.
 *
 * @param parts what it has of schema.sql
 */
export function newSchema(database: DatabaseName, parts: readonly string[] = partsOfFiles[database]): string {
  return [...parts.map(textOf), `insert into ${versionTable[database]} values (${schemaVersion});`].join(
    "\n",
  );
}

function textOf(name: string): string {
  const [, ...parts] = schema.split(/^-- === /m);
  return parts.find((part) => part.startsWith(`${name}:`))?.replace(/^.*\n/, "") ?? "";
}

/** SQLite has `bigint` under another name, and tables that keep to their types where that is asked for. */
export function inSqlite(sql: string): string {
  return sql.replaceAll(/^( +\w+ )bigint\b/gm, "$1integer").replaceAll(/^\);$/gm, ") strict;");
}
