/** Writes rows of named columns in every format of `--format`. */
import { capitalized, translated } from "../languages/language.js";

import { plainStyle, printable, safeJson, wrapWords, type Style, type Tone } from "./text.js";

/** The reader of each format. People read their own language, programs English. */
export const readers = { table: "person", json: "program", csv: "program", markdown: "person" } as const;
export type Format = keyof typeof readers;

export type Cell = string | number | boolean | null;

/** The names of the fields of a row that can be cells. */
type FieldOf<Row> = {
  [Name in keyof Row & string]-?: Row[Name] extends Cell | undefined ? Name : never;
}[keyof Row & string];

/** `name` is the name in CSV, which omits a column without one. */
export type Column<Row> = ColumnOptions<Row> &
  (
    | { readonly name?: string; readonly cell: (row: Row) => Cell | undefined }
    /** Without `cell`, the column contains the field that it is named after. */
    | { readonly name: FieldOf<Row>; readonly cell?: never }
  );

interface ColumnOptions<Row> {
  /**
   * The heading for people, in tables and Markdown, which omit a column without one. Markdown begins it with a capital letter, and
   * tables are in capitals. So it can be a word that sentences use, too.
   */
  readonly heading?: string | undefined;
  readonly align?: "left" | "right";
  /** Money has two decimals in CSV. */
  readonly type?: "money";
  /** Whether tables omit the column. */
  readonly isDetail?: boolean;
  /** Returns `undefined` for the default color. */
  readonly tone?: (row: Row) => Tone | undefined;
  /** Returns the text for people instead of the value, such as a translation, or a time in the store's zone. */
  readonly text?: (row: Row) => string;
}

/** The terminal or file that records are written for. */
export interface View {
  /** Columns of the terminal; `undefined` for a file, whose lines have no limit. */
  readonly width?: number | undefined;
  readonly style: Style;
}

/**
 * Renders rows as a text that ends with a line feed and is safe for a terminal.
 *
 * @param all JSON contains the rows as they are, whatever the columns
 * @param options.view no terminal by default
 * @param options.header whether CSV begins with the names of the columns
 */
export async function renderRecords<Row>(
  format: Format,
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { view = { style: plainStyle }, header = true }: { readonly view?: View; readonly header?: boolean } = {},
): Promise<string> {
  switch (format) {
    case "json":
      return `${safeJson(rows)}\n`;
    case "table":
      return renderTable(all, rows, view);
    case "csv": {
      const columns = all.filter(({ name }) => name !== undefined);
      const lines = rows.map((row) =>
        columns.map((column) => csvCell(cellOf(column, row) ?? null, column.type)),
      );
      if (header) lines.unshift(columns.map((column) => csvCell(column.name ?? null)));
      const { stringify } = await import("csv-stringify/sync");
      // RFC 4180. Quotes distinguish an empty text from no value.
      return stringify(lines, {
        record_delimiter: "windows",
        quoted_match: needsQuotes,
        cast: { boolean: String },
      });
    }
    case "markdown": {
      const { markdownTable } = await import("markdown-table");
      const columns = all.filter(({ heading }) => heading !== undefined);
      const headings = columns.map(({ heading = "" }) => capitalized(translated(heading)));
      const lines = rows.map((row) => columns.map((column) => markdownSafe(personText(column, row))));
      return `${markdownTable([headings, ...lines], { align: columns.map(({ align }) => align ?? null) })}\n`;
    }
  }
}

function cellOf<Row>({ cell, name }: Column<Row>, row: Row): Cell | undefined {
  // The compiler doesn't see that the type of the name allows only fields that are cells.
  return cell ? cell(row) : (row[name] as Cell | undefined);
}

function personText<Row>(column: Column<Row>, row: Row): string {
  return column.text ? column.text(row) : String(cellOf(column, row) ?? "");
}

const gap = "  ";

/**
 * Renders a table without borders, which is easy to read and to `grep`, and without empty columns. On a narrow terminal, texts are
 * wrapped; on a very narrow one, each row is a block of lines.
 */
async function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, style }: View,
): Promise<string> {
  const named = columns.flatMap((column) => {
    if (column.heading === undefined || column.isDetail) return [];
    const texts = rows.map((row) => printable(personText(column, row)));
    const isEmpty = rows.length > 0 && texts.every((text) => text === "");
    return isEmpty ? [] : [{ column, heading: translated(column.heading).toUpperCase(), texts }];
  });
  const widthOf = await measure(named.flatMap(({ texts }) => texts));
  const widest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
  const shown = named.map(({ column, heading, texts }) => {
    // Lines are broken only between words, and numbers never.
    const pieces = column.align === "right" ? texts : texts.flatMap((text) => text.split(" "));
    const least = widest([...heading.split(" "), ...pieces]);
    return { column, heading, texts, least, room: widest([heading, ...texts]) };
  });
  const total = (size: "least" | "room") =>
    shown.reduce((sum, each) => sum + gap.length + each[size], -gap.length);
  if (total("least") > width) {
    const label = widest(shown.map(({ heading }) => heading));
    const blocks = rows.map((_, index) => {
      const filled = shown.filter(({ texts }) => texts[index] !== "");
      return filled
        .map(({ heading, texts }) => `${heading.padEnd(label)}${gap}${texts[index] ?? ""}\n`)
        .join("");
    });
    return wrapWords(blocks.join("\n"), width);
  }
  const excess = total("room") - width;
  for (let taken = 0; taken < excess; taken += 1) {
    // The widest column that can shrink shrinks first.
    const wide = shown.filter(({ room, least }) => room > least).sort((one, other) => other.room - one.room);
    if (wide[0]) wide[0].room -= 1;
  }
  const isWrapped = excess > 0;
  const draw = ({ column, room }: (typeof shown)[number], text: string, tone: Tone | undefined) => {
    const paint = tone === undefined ? String : style[tone];
    // cli-table3 adds blanks, and doesn't continue every tone in the next line.
    if (isWrapped) return text.replaceAll(/\S+/g, (word) => paint(word));
    const blanks = " ".repeat(room - widthOf(text));
    return column.align === "right" ? blanks + paint(text) : paint(text) + blanks;
  };
  const lines = rows.map((row, index) =>
    shown.map((each) => draw(each, each.texts[index] ?? "", each.column.tone?.(row))),
  );
  lines.unshift(shown.map((each) => draw(each, each.heading, "dim")));
  const layout = {
    colAligns: shown.map(({ column }) => column.align ?? "left"),
    colWidths: shown.map(({ room }) => room),
  };
  const text = isWrapped ? await wrapCells(lines, layout) : lines.map((cells) => cells.join(gap)).join("\n");
  return `${text.replaceAll(/ +$/gm, "")}\n`;
}

/** Characters that are one column wide. For other texts, `string-width` is loaded, which contains a list of all emoji. */
const narrow = /^[ -~\u00a0À-ɏ–]*$/;

async function measure(texts: readonly string[]): Promise<(text: string) => number> {
  if (texts.every((text) => narrow.test(text))) return (text) => text.length;
  return (await import("string-width")).default;
}

const borders =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid";

/** cli-table3 compares each row with all others of its table, so each table has at most this many rows. */
const rowsAtOnce = 50;

async function wrapCells(
  lines: readonly string[][],
  layout: { readonly colAligns: ("left" | "right")[]; readonly colWidths: number[] },
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const chars: Record<string, string> = { middle: gap };
  for (const part of borders.split(" ")) chars[part] = "";
  const options = {
    chars,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    ...layout,
    wordWrap: true,
    wrapOnWordBoundary: true,
  };
  const tables: string[] = [];
  for (let from = 0; from < lines.length; from += rowsAtOnce) {
    const table = new Table(options);
    table.push(...lines.slice(from, from + rowsAtOnce));
    tables.push(table.toString());
  }
  return tables.join("\n");
}

/** Some readers end a cell at these characters, or drop these blanks. The library quotes only delimiters and quotes. */
const needsQuotes = /[\r\n\t]|^ | $|^$/;

/** A number isn't a formula. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;

function csvCell(cell: Cell, type?: "money"): string | boolean | null {
  if (typeof cell === "string")
    return plainNumber.test(cell) ? cell : printable(cell, true).replaceAll(formulaStarts, "'");
  if (typeof cell !== "number") return cell;
  return type === "money" ? cell.toFixed(2) : String(cell);
}

/** A spreadsheet reads text that begins like this as a formula. */
const formula = " *[=+\\-@＝＋－＠]";

/**
 * Where an apostrophe prevents a formula, according to OWASP. A reader may begin a cell at the beginning of the text, of a line, or
 * after a tab.
 */
const formulaStarts = new RegExp(
  [`(?<=^|[\\n\\r\\t])(?=${formula})`, "^(?=[\\t\\r])", "(?<=[\\n\\r])(?=\\t|\\r(?!\\n))"].join("|"),
  "g",
);

export function markdownSafe(text: string): string {
  return printable(text).replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`);
}
