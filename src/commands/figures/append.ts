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

import { ComandaError, systemErrorCode } from "../../base/errors.js";
import { t } from "../../languages/language.js";
import { fileErrorReason } from "../../state/private-file.js";
import type { FiguresResult } from "../../core/figures.js";
import { noNumber } from "../../views/amounts.js";
import { figuresCsv } from "../../views/figures.js";

/** The first columns of `summary --format csv`. */
const header =
  "store,from,to,time_zone,currency,asked_at,total_order_count,total_revenue,average_order_value";

/**
 * Adds a line for each store and period that isn't in the file yet.
 *
 * @param result a summary without filters and comparison
 * @returns the number of added lines
 * @throws {ComandaError} `invalid_input` for a file that has a different header or currency, is damaged, or can't be written
 */
export async function appendFigures(file: string, result: FiguresResult): Promise<number> {
  const lines = await figuresCsv(result, false);
  const rows = lines.split("\r\n").slice(0, -1).map(cellsOf);
  create(file);
  // A spreadsheet may have saved it with a byte order mark, and an editor with only line feeds.
  const content = writing(file, () => readFileSync(file, "utf8")).replace(/^\ufeff/, "");
  const lineEnd = content.startsWith(`${header}\n`) ? "\n" : "\r\n";
  const existing = rowsIn(file, content);
  const currencies = new Set([...existing, ...rows].map(({ currency }) => currency || noNumber));
  if (currencies.size > 1) throw unusable(t`Different currencies in ${file}: ${[...currencies].join(", ")}.`);
  const keys = new Set(existing.map(({ key }) => key));
  const added = rows.filter(({ key }) => !keys.has(key));
  const own = added.map(({ line }) => `${line}${lineEnd}`).join("");
  if (added.length > 0) add(file, content === "" ? `${header}${lineEnd}${own}` : own);
  return added.length;
}

/** Splits at commas, since no alias, moment, zone or currency contains a comma or a quote. */
function cellsOf(line: string) {
  const [store = "", from = "", to = "", , currency = "", ...others] = line.split(",");
  const isWhole = store !== "" && from !== "" && to !== "" && others.length === 4;
  return { line, key: [store, from, to].join(), currency, isWhole };
}

/** Creates the file with its header in one step, so that it never exists without one. */
function create(file: string): void {
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

function rowsIn(file: string, content: string) {
  if (content === "") return [];
  const [first, ...lines] = content.split(/\r?\n/);
  if (first !== header) throw unusable(t`${file} doesn't start with the header of --append: ${header}`);
  const rows = lines.map(cellsOf);
  const end = rows.pop();
  const damaged = rows.findIndex(({ isWhole }) => !isWhole);
  if (damaged >= 0 || end?.line !== "")
    throw unusable(t`${`${file}:${damaged >= 0 ? damaged + 2 : lines.length + 1}`} is damaged.`);
  return rows;
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
      throw new Error(t`there is no space left`);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** @throws {ComandaError} `invalid_input` if the work on a file that the user named fails */
export function writing<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function unwritable(file: string, error: unknown): ComandaError {
  return new ComandaError("invalid_input", t`Can't write ${file}: ${fileErrorReason(error)}.`);
}
