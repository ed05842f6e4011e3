/** Rows of named columns in every format that `--format` knows. */
import { translated } from "../shared/language.js";

import { printable, printableLines, safeJson } from "./escape.js";
import { plainStyle } from "./style.js";
import { selectColumns, selectMembers } from "./selection.js";
import type { Cell, Column, View } from "./table.js";

export const formats = ["table", "json", "csv", "markdown"] as const;
export type Format = (typeof formats)[number];

export interface CsvOptions {
  /** Default `,`. */
  readonly delimiter?: string;
  /** What stands before the decimals of a number. Default `.`. */
  readonly decimal?: string;
  /** For programs that take a file without one for some older encoding. */
  readonly byteOrderMark?: boolean;
  /** Default true. */
  readonly header?: boolean;
}

/**
 * @param all what a table, a CSV file and a Markdown table show
 * @param rows for JSON they are printed as they are
 * @param options.view what they are written for; by default no terminal
 * @returns text that ends with a line feed, safe for a terminal
 */
export async function renderRecords<Row>(
  format: Format,
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { view = { style: plainStyle }, ...csv }: CsvOptions & { readonly view?: View } = {},
): Promise<string> {
  const columns = view.fields && format !== "json" ? selectColumns(all, view.fields) : all;
  const cells = () => rows.map((row) => columns.map((column) => column.cell(row)));
  const asIs = columns.map((column) => column.asIs === true);
  switch (format) {
    case "json":
      return `${safeJson(view.fields ? selectMembers(rows, view.fields) : rows)}\n`;
    case "csv":
      return (view.tabs ? renderTabs : renderCsv)(
        [...(csv.header === false ? [] : [columns.map(({ name, heading }) => name ?? heading)]), ...cells()],
        asIs,
        csv,
      );
    case "markdown": {
      const { markdownTable } = await import("markdown-table");
      const lines = cells().map((row) => row.map(markdownCell));
      return `${markdownTable([headed(columns).map(({ heading }) => heading), ...lines], {
        align: columns.map(({ align }) => align ?? null),
      })}\n`;
    }
    case "table": {
      const { renderTable } = await import("./table.js");
      return renderTable(headed(columns), rows, view);
    }
  }
}

/** Does the terminal have room for a table, rather than a block of lines for each row? */
export async function fitsAsTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: View,
): Promise<boolean> {
  const { isTable } = await import("./table.js");
  return isTable(headed(columns), rows, view);
}

function headed<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.map((column) => ({ ...column, heading: translated(column.heading) }));
}

/**
 * RFC 4180. Numbers are written as they are, a text so that no spreadsheet takes it for a formula, unless its column is
 * to be read by machines. An empty text is quoted, which tells it from no value.
 */
async function renderCsv(
  lines: readonly (readonly Cell[])[],
  asIs: readonly boolean[],
  { delimiter = ",", decimal = ".", byteOrderMark = false }: CsvOptions,
): Promise<string> {
  const { stringify } = await import("csv-stringify/sync");
  return stringify(
    lines.map((line) =>
      line.map((cell, column) => {
        if (typeof cell !== "string") return cell;
        return asIs[column] ? printableLines(cell) : formulaSafe(printableLines(cell));
      }),
    ),
    {
      record_delimiter: "windows",
      delimiter,
      bom: byteOrderMark,
      quoted_match: needsQuotes,
      cast: { boolean: String, number: (value) => String(value).replace(".", decimal) },
    },
  );
}

/** @returns the records of what `renderRecords` wrote as CSV; `undefined` for what is none */
export async function parseCsv(text: string): Promise<readonly (readonly string[])[] | undefined> {
  const { parse, CsvError } = await import("csv-parse/sync");
  try {
    return parse(text, { bom: true, relax_column_count: true, record_delimiter: ["\r\n", "\n"] });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/** Values that tabs part, a record a line: no quotes, and a tab or a line break inside a value is written as `\\t`, `\\n`. */
function renderTabs(lines: readonly (readonly Cell[])[], asIs: readonly boolean[]): string {
  const text = (cell: Cell, column: number) => {
    if (typeof cell !== "string") return String(cell ?? "");
    return printable(asIs[column] ? cell : formulaSafe(cell));
  };
  return lines.map((line) => `${line.map(text).join("\t")}\n`).join("");
}

/** Beside the delimiter and the quote: what some reader ends a record or a cell at, blanks that some drop, and no text at all. */
const needsQuotes = /[\r\n\t]|^ | $|^$/;

/** What a spreadsheet takes for the beginning of a formula, with blanks before it or without. */
const formula = " *[=+\\-@＝＋－＠]";

/** The beginnings of the text, of its lines and of what follows a tab, where a reader may begin a cell. */
const formulaStarts = new RegExp(
  [`(?<=^|[\\n\\r\\t])(?=${formula})`, "^(?=[\\t\\r])", "(?<=[\\n\\r])(?=\\t|\\r(?!\\n))"].join("|"),
  "g",
);

/**
 * The text with an apostrophe wherever a formula could begin: OWASP's characters (`=`, `+`, `-`, `@`, the full-width
 * forms of these, tab and CR), at the beginning and after every line break and tab.
 */
export function formulaSafe(text: string): string {
  return text.replaceAll(formulaStarts, "'");
}

function markdownCell(cell: Cell): string {
  return printable(String(cell ?? "")).replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`);
}
