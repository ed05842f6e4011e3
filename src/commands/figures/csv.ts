/** How CSV is written, from the flags and the locale. */
import { ComandaError } from "../../errors/index.js";
import { spreadsheetMarks } from "../../summary/present/number-format.js";
import type { CsvOptions, Format } from "../../terminal/index.js";

import type { CsvFlags } from "./options.js";

/** @throws {ComandaError} `usage` where the flags would have no effect */
export function checkCsvFlags({ excel = false, header }: CsvFlags, format: Format): void {
  if (format === "csv" || (!excel && header)) return;
  throw new ComandaError("usage", `${excel ? "--excel" : "--no-header"} goes with --format csv.`, {
    hint: "Add --format csv, or leave it out.",
  });
}

export function csvOptions({ excel = false, header }: CsvFlags, locale: string): CsvOptions {
  return { header, ...(excel && { byteOrderMark: true, ...spreadsheetMarks(locale) }) };
}
