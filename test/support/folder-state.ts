/** The contents of a folder, to check whether a command changed anything and to search them for secrets. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

import { openSqlite } from "../../src/state/sqlite.js";

/** Returns every file below `folder` as a relative path, sorted. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => lstatSync(path.join(folder, name)).isFile())
    .sort();
}

/**
 * Returns each file's mode and a digest of its contents. For a database, the digest covers the rows, because SQLite moves them from
 * its journal to the main file when a connection closes.
 */
export function snapshot(folder: string): Record<string, string> {
  const files = filesIn(folder).filter((name) => !/\.db-(?:wal|shm)$/.test(name));
  return Object.fromEntries(
    files.map((name) => {
      const file = path.join(folder, name);
      const content = name.endsWith(".db") ? rowsOf(file) : readFileSync(file);
      const digest = createHash("sha256").update(content).digest("hex");
      return [name, `${(lstatSync(file).mode & 0o777).toString(8)} ${digest}`];
    }),
  );
}

/** Returns all tables with their rows, or the bytes of a file that isn't a database. */
function rowsOf(file: string): string | Buffer {
  const bytes = readFileSync(file);
  if (!bytes.subarray(0, 15).equals(Buffer.from("SQLite format 3"))) return bytes;
  const reader = openSqlite(file);
  try {
    const rows = (sql: string): unknown[] => reader.prepare(sql).all();
    const names = "select name from sqlite_master where type = 'table' order by name";
    const tables = rows(names) as { readonly name: string }[];
    return JSON.stringify(tables.map(({ name }) => [name, rows(`select * from "${name}"`)]));
  } finally {
    reader.close();
  }
}
