/** Brings schema.sql into a database, and what later versions change. It is loaded where a database is new or older. */
import { schemaVersion, versionTable, type DatabaseName } from "./database.js";
import schema from "./schema.sql";

/** All of it, with what is said of it. */
export const schemaText: string = schema;

/** The change of a later version of the schema. */
export interface SchemaStep {
  /** The version that it leads to: one more than before. */
  readonly version: number;
  readonly database: DatabaseName;
  /** The statements of the step. schema.sql has the same change. */
  readonly sql: string;
}

/** The parts of schema.sql that a database has, by their names. */
const partsOfFiles: Readonly<Record<DatabaseName, readonly string[]>> = {
  comanda: ["comanda.db"],
  sales: ["sales.db"],
};
export const partsInPostgres: Readonly<Record<DatabaseName, readonly string[]>> = {
  comanda: ["comanda.db", "chain"],
  sales: ["sales.db"],
};

/** The steps in the order of their versions. */
const steps: readonly SchemaStep[] = [];

/** The schema as one comanda knows it. */
export interface Schema {
  readonly version: number;
  /** The steps from older versions to this one. */
  readonly steps: readonly SchemaStep[];
}

export const currentSchema: Schema = { version: schemaVersion, steps };

/**
 * Gives the statements that bring a database to a schema.
 *
 * @param version what it is written in; `undefined` for a new one
 * @param parts what a new one has of schema.sql
 * @returns statements to be carried out as one change
 */
export function schemaChange(
  database: DatabaseName,
  version: number | undefined,
  to: Schema = currentSchema,
  parts: readonly string[] = partsOfFiles[database],
): string {
  const table = versionTable[database];
  if (version === undefined)
    return `${parts.map(textOf).join("\n")}\ninsert into ${table} values (${to.version});\n`;
  const changes = to.steps.filter((step) => step.database === database && step.version > version);
  return [...changes.map(({ sql }) => sql), `update ${table} set version = ${to.version};\n`].join("\n");
}

function textOf(name: string): string {
  const [, ...parts] = schema.split(/^-- === /m);
  return parts.find((part) => part.startsWith(`${name}:`))?.replace(/^.*\n/, "") ?? "";
}

/** SQLite has `bigint` under another name, and tables that keep to their types where that is asked for. */
export function inSqlite(sql: string): string {
  return sql.replaceAll(/^( +\w+ )bigint\b/gm, "$1integer").replaceAll(/^\);$/gm, ") strict;");
}

type ColumnType = "text" | "bigint" | "text?" | "bigint?";

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that tell its rows apart. A table with one row has none, and isn't listed. */
  readonly key: readonly string[];
}

/** The tables of a database, as schema.sql has them: without those that say what it is written in. */
export function tablesOf(database: DatabaseName): readonly Table[] {
  return [...textOf(`${database}.db`).matchAll(/^create table (\w+) \(\n(.*?)^\);$/gms)].flatMap(
    ([, name = "", body = ""]) => {
      const lines = [...body.matchAll(/^ +(\w+) (text|bigint)\b([^\n]*)/gm)];
      const [, several] = /^ +primary key \((.*)\)/m.exec(body) ?? [];
      const [alone] = lines.filter(([, , , rest = ""]) => rest.startsWith(" primary key"));
      const key = several?.split(", ") ?? (alone?.[1] === undefined ? [] : [alone[1]]);
      const columns: Record<string, ColumnType> = {};
      for (const [, column = "", type, rest = ""] of lines) {
        const isNullable = !rest.startsWith(" not null") && !key.includes(column);
        if (type === "text") columns[column] = isNullable ? "text?" : "text";
        else columns[column] = isNullable ? "bigint?" : "bigint";
      }
      return key.length === 0 ? [] : { name, columns, key };
    },
  );
}
