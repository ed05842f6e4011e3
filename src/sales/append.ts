/** `summary --append` adds lines to a file, and does nothing else to it: two users may add to one at the same time. */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";

import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t } from "../languages/language.js";
import { fileErrorReason } from "../state/private-file.js";
import type { SalesResult } from "./figures.js";
import { salesCsv } from "./render/render.js";

/** `summary --format csv` begins with it too. */
const header =
  "store,from,to,time_zone,currency,asked_at,total_order_count,total_revenue,average_order_value";

/**
 * Adds a line for each store and period that the file lacks.
 *
 * @param result of all orders of a period, compared with nothing
 * @returns how many lines were added
 * @throws {ComandaError} `invalid_input` for a file that has another header or currency, is damaged, or can't be written
 */
export async function appendSales(file: string, result: SalesResult): Promise<number> {
  const lines = await salesCsv(result, {}, false);
  const rows = lines.split("\r\n").slice(0, -1).map(cellsOf);
  create(file);
  // A spreadsheet may have saved it with a byte order mark, and an editor with line feeds alone.
  const content = writing(file, () => readFileSync(file, "utf8")).replace(/^\ufeff/, "");
  const lineEnd = content.startsWith(`${header}\n`) ? "\n" : "\r\n";
  const known = rowsIn(file, content);
  const [currency, other] = new Set([...known, ...rows].map((row) => row.currency));
  if (currency !== undefined && other !== undefined) {
    throw new ComandaError(
      "invalid_input",
      t`${file} has amounts in ${currency || t`no currency`}, and these are in ${other || t`no currency`}.`,
      { hint: t`Nothing was added. Give another file.` },
    );
  }
  const places = new Set(known.map(({ place }) => place));
  const added = rows.filter(({ place }) => !places.has(place));
  const own = added.map(({ line }) => `${line}${lineEnd}`).join("");
  if (added.length > 0) add(file, content === "" ? `${header}${lineEnd}${own}` : own);
  return added.length;
}

/** No alias, moment, zone or currency has a comma or a quote. */
function cellsOf(line: string) {
  const [store = "", from = "", to = "", , currency = "", ...others] = line.split(",");
  const isWhole = store !== "" && from !== "" && to !== "" && others.length === 4;
  return { line, place: [store, from, to].join(), currency, isWhole };
}

/** The file is there with its header or not at all, whoever makes it first. */
function create(file: string): void {
  if (existsSync(file)) return;
  const whole = `${file}.${randomUUID()}.tmp`;
  writing(file, () => writeFileSync(whole, `${header}\r\n`, { flag: "wx" }));
  try {
    linkSync(whole, file);
  } catch (error) {
    // Somebody else was first, or there are no links here: then the first row brings the header.
    if (systemErrorCode(error) !== "EEXIST") add(file, "");
  } finally {
    unlinkSync(whole);
  }
}

function rowsIn(file: string, content: string) {
  if (content === "") return [];
  const [first, ...lines] = content.split(/\r?\n/);
  const refuse = (message: string) =>
    new ComandaError("invalid_input", message, {
      hint: t`It is left as it is. Mend it, or give another file.`,
    });
  if (first !== header)
    throw refuse(t`${file} doesn't begin with the header that --append writes: ${header}`);
  if (lines.pop() !== "") throw refuse(t`The last row of ${file} isn't whole.`);
  const rows = lines.map(cellsOf);
  const damaged = rows.findIndex(({ isWhole }) => !isWhole);
  if (damaged >= 0) throw refuse(t`Row ${damaged + 1} of ${file} is not one that --append writes.`);
  return rows;
}

/** One write at the end, wherever that is by now: a line that another process adds stands before or behind it. */
function add(file: string, text: string): void {
  writing(file, () => {
    const bytes = Buffer.from(text, "utf8");
    const descriptor = openSync(file, "a");
    try {
      if (writeSync(descriptor, bytes) < bytes.length) throw new Error(t`there is no space left`);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** @throws {ComandaError} `invalid_input` where the work at a file that was named fails */
export function writing<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new ComandaError("invalid_input", t`${file} can't be written: ${fileErrorReason(error)}.`, {
      hint: t`Choose another place.`,
    });
  }
}
