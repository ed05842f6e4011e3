/** Writes rows of named columns in every format that `--format` knows. */
import { translated } from "../languages/language.js";

import { cellText, plainStyle, printable, printableLines, safeJson } from "./text.js";
import type { Cell, Column, View } from "./table.js";

export type { Cell, Column, View } from "./table.js";

export const formats = ["table", "json", "csv", "markdown"] as const;
export type Format = (typeof formats)[number];

export interface CsvOptions {
  /** Default true. */
  readonly header?: boolean;
}

/**
 * @param rows JSON prints them as they are, without regard to columns
 * @param options.view by default no terminal
 * @returns text that ends with a line feed and is safe for a terminal
 */
export async function renderRecords<Row>(
  format: Format,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { view = { style: plainStyle }, header = true }: CsvOptions & { readonly view?: View } = {},
): Promise<string> {
  if (format === "json") return `${safeJson(rows)}\n`;
  if (format === "csv") {
    const lines = rows.map((row) => columns.map(({ cell, type }) => csvCell(cell(row), type)));
    const names = columns.map((column) => csvCell(column.name ?? column.heading));
    return renderCsv(header ? [names, ...lines] : lines);
  }
  if (format === "table") {
    const { renderTable } = await import("./table.js");
    return renderTable(columns, rows, view);
  }
  const { markdownTable } = await import("markdown-table");
  const headings = columns.map(({ heading }) => translated(heading));
  const lines = rows.map((row) => columns.map((column) => markdownSafe(cellText(column.cell(row), column))));
  return `${markdownTable([headings, ...lines], { align: columns.map(({ align }) => align ?? null) })}\n`;
}

/** Writes CSV of RFC 4180. An empty text is quoted, which distinguishes it from no value. */
async function renderCsv(lines: readonly (readonly Cell[])[]): Promise<string> {
  const { stringify } = await import("csv-stringify/sync");
  return stringify(
    lines.map((line) => [...line]),
    { record_delimiter: "windows", quoted_match: needsQuotes, cast: { boolean: String } },
  );
}

/** A text that is a number, as `--append` reads one from its file, is no formula. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Money has two decimals in every line. */
function csvCell(cell: Cell, type?: "money"): string | boolean | null {
  if (typeof cell === "string") return plainNumber.test(cell) ? cell : formulaSafe(printableLines(cell));
  if (typeof cell !== "number") return cell;
  return type === "money" ? cell.toFixed(2) : String(cell);
}

/** @returns the records of a CSV text that `renderRecords` wrote; `undefined` for any other text */
export async function parseCsv(text: string): Promise<readonly (readonly string[])[] | undefined> {
  const { parse, CsvError } = await import("csv-parse/sync");
  try {
    return parse(text, { bom: true, relax_column_count: true, record_delimiter: ["\r\n", "\n"] });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/** The library quotes the delimiter and the quote. Some readers also end a cell at these characters or drop such blanks. */
const needsQuotes = /[\r\n\t]|^ | $|^$/;

/** A spreadsheet takes such text for the beginning of a formula. */
const formula = " *[=+\\-@＝＋－＠]";

/** A reader may begin a cell at the beginning of the text, of a line, and after a tab. */
const formulaStarts = new RegExp(
  [`(?<=^|[\\n\\r\\t])(?=${formula})`, "^(?=[\\t\\r])", "(?<=[\\n\\r])(?=\\t|\\r(?!\\n))"].join("|"),
  "g",
);

/**
 * Puts an apostrophe wherever a formula could begin: before OWASP's characters (`=`, `+`, `-`, `@`, the full-width
 * forms of these, tab and CR), at the beginning and after every line break and tab.
 */
export function formulaSafe(text: string): string {
  return text.replaceAll(formulaStarts, "'");
}

/** Nothing in the text is a mark of Markdown, or a control of a terminal. */
export function markdownSafe(text: string): string {
  return printable(text).replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`);
}
