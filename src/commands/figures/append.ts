/** `summary --append` only adds lines to a file, so that two users can use one at the same time. */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { CsvError, parse } from "csv-parse/sync";

import { ComandaError, systemErrorCode } from "../../base/errors.js";
import { t } from "../../languages/language.js";
import type { FiguresResult } from "../../core/figures.js";
import { figures } from "../../sales/figures.js";
import { noNumber } from "../../views/amounts.js";
import { figuresCsv } from "../../views/figures.js";
import { writing } from "../files.js";

type CsvRow = Readonly<Record<string, string>>;

/**
 * Adds a line for each store, period and query that isn't in the file yet.
 *
 * @param result a summary without a comparison
 * @returns the number of added lines, and whether rows that aren't added, because the file has one, have other figures
 * @throws {ComandaError} `invalid_input` for a file that has other columns or another currency, is damaged, or can't be written
 */
export async function appendFigures(
  file: string,
  result: FiguresResult,
): Promise<{ readonly added: number; readonly differ: boolean }> {
  const csv = await figuresCsv(result);
  const [header = ""] = csv.split("\r\n", 1);
  const rows = parse<{ readonly record: CsvRow; readonly raw: string }>(csv, { columns: true, raw: true });
  const own = new Set(rows.map(({ record }) => currencyOf(record)));
  if (own.size > 1) throw unusable(t`The stores have different currencies: ${[...own].join(", ")}.`);
  create(file, header);
  // A spreadsheet may have saved it with a byte order mark, and an editor with only line feeds.
  const content = writing(file, () => readFileSync(file, "utf8")).replace(/^\ufeff/, "");
  const lineEnd = content.startsWith(`${header}\n`) ? "\n" : "\r\n";
  const existing = rowsIn(file, content, header);
  const currencies = new Set([...own, ...existing.map(currencyOf)]);
  if (currencies.size > 1) throw unusable(t`Different currencies in ${file}: ${[...currencies].join(", ")}.`);
  const known = new Map(existing.map((row) => [keyOf(row), row]));
  const added = rows.filter(({ record }) => !known.has(keyOf(record)));
  const differ = rows.some(({ record }) => {
    const before = known.get(keyOf(record));
    return before !== undefined && !isDeepStrictEqual(figuresOf(before), figuresOf(record));
  });
  // The text of a row ends before its line feed.
  const lines = added.map(({ raw }) => raw.replace(/\r$/, lineEnd)).join("");
  if (added.length > 0) add(file, content === "" ? `${header}${lineEnd}${lines}` : lines);
  return { added: added.length, differ };
}

function currencyOf({ currency = "" }: CsvRow): string {
  return currency === "" ? noNumber : currency;
}

function keyOf({ store, from, to, filters, date_field }: CsvRow): string {
  return JSON.stringify([store, from, to, filters, date_field]);
}

/** Returns a row's figures. A spreadsheet may have removed zeros at their end. */
function figuresOf(row: CsvRow): readonly number[] {
  return Object.values(figures).map(({ name }) => Number(row[name]));
}

/** Creates the file with its header in one step, so that it never exists without one. */
function create(file: string, header: string): void {
  const before = writing(file, () => statSync(file, { throwIfNoEntry: false }));
  // A pipe's or device's rows can't be read again, and the wait for its other end would ignore signals.
  if (before && !before.isFile()) throw unusable(t`${file} is not a regular file.`);
  if (before) return;
  const whole = `${file}.${randomUUID()}.tmp`;
  try {
    writing(file, () => writeFileSync(whole, `${header}\r\n`, { flag: "wx" }));
    try {
      linkSync(whole, file);
    } catch (error) {
      // Another process may have created it. On a disk without links, the header comes with the first row.
      if (systemErrorCode(error) !== "EEXIST") add(file, "");
    }
  } finally {
    rmSync(whole, { force: true });
  }
}

function rowsIn(file: string, content: string, header: string): readonly CsvRow[] {
  if (content === "") return [];
  const [first = ""] = content.split(/\r?\n/, 1);
  if (first !== header)
    throw unusable(
      t`The columns of ${file} differ from those of --append (${header}): ${first.slice(0, 500)}`,
    );
  const damaged = (line: number) => unusable(t`${`${file}:${line}`} is damaged.`);
  if (!content.endsWith("\n")) throw damaged(content.split("\n").length);
  try {
    return parse<CsvRow>(content, { record_delimiter: ["\r\n", "\n"], columns: true });
  } catch (error) {
    throw error instanceof CsvError ? damaged(Number(error["lines"])) : error;
  }
}

function unusable(message: string): ComandaError {
  return new ComandaError("invalid_input", message, { hint: t`Nothing was added. Use another file.` });
}

/** Appends in one write, which another process's lines can't interrupt. */
function add(file: string, text: string): void {
  writing(file, () => {
    const bytes = Buffer.from(text, "utf8");
    const descriptor = openSync(file, "a");
    try {
      const { size } = fstatSync(descriptor);
      const written = writeSync(descriptor, bytes);
      if (written === bytes.length) return;
      // An incomplete row would damage the file, unless another process has added to it.
      if (fstatSync(descriptor).size === size + written) ftruncateSync(descriptor, size);
      throw Object.assign(new Error("The row is incomplete."), { code: "ENOSPC" });
    } finally {
      closeSync(descriptor);
    }
  });
}
