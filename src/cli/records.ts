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
 */
export async function renderRecords<Row>(
  format: Format,
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { view = { style: plainStyle } }: { readonly view?: View } = {},
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
      lines.unshift(columns.map((column) => csvCell(column.name ?? null)));
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
/** cli-table3 compares each row with all others of its table, so each table has at most this many rows. */
const rowsAtOnce = 50;

const borders =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid";

/** A column of a table, with its texts. The first one is the heading. */
interface Drawn<Row> {
  readonly column: Column<Row>;
  readonly texts: readonly string[];
  /** Width of the longest word, because lines are broken only between words. Numbers are never broken. */
  readonly least: number;
  /** Width of the column: that of its widest text, or less on a narrow terminal. */
  room: number;
}

/** Characters that are one column wide. For other texts, `string-width` is loaded, which contains a list of all emoji. */
const narrow = /^[ -~\u00a0À-ɏ–]*$/;

/**
 * Renders a table without borders, which is easy to read and to `grep`, and without empty columns. On a narrow terminal, texts are
 * wrapped; on a very narrow one, each row is a block of lines.
 */
async function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, style }: View,
): Promise<string> {
  let stringWidth: ((text: string) => number) | undefined;
  const widthOf = (text: string) => (stringWidth && !narrow.test(text) ? stringWidth(text) : text.length);
  const shown: Drawn<Row>[] = [];
  let [total, leastTotal] = [-gap.length, -gap.length];
  for (const column of columns) {
    if (column.heading === undefined || column.isDetail) continue;
    const texts = [translated(column.heading).toUpperCase()];
    for (const row of rows) texts.push(printable(personText(column, row)));
    let [room, least, isEmpty] = [0, 0, rows.length > 0];
    for (const [index, text] of texts.entries()) {
      if (!stringWidth && !narrow.test(text)) stringWidth = (await import("string-width")).default;
      isEmpty &&= index === 0 || text === "";
      room = Math.max(room, widthOf(text));
      const pieces = index > 0 && column.align === "right" ? [text] : text.split(" ");
      for (const piece of pieces) least = Math.max(least, widthOf(piece));
    }
    if (isEmpty) continue;
    shown.push({ column, texts, least, room });
    total += room + gap.length;
    leastTotal += least + gap.length;
  }
  if (leastTotal > width) {
    const label = Math.max(...shown.map(({ texts: [heading = ""] }) => widthOf(heading)));
    const blocks = rows.map((_, index) => {
      let block = "";
      for (const { texts } of shown) {
        const [heading = "", text = ""] = [texts[0], texts[index + 1]];
        const line = `${heading}${" ".repeat(label - widthOf(heading))}${gap}${text}`;
        if (text !== "") block += `${wrapWords(line, width)}\n`;
      }
      return block;
    });
    return blocks.join("\n");
  }
  const isWrapped = total > width;
  while (total > width) {
    // The widest column that can shrink shrinks first.
    let widest: Drawn<Row> | undefined;
    for (const column of shown)
      if (column.room > column.least && column.room > (widest?.room ?? 0)) widest = column;
    if (!widest) break;
    widest.room -= 1;
    total -= 1;
  }
  const lines: string[][] = [];
  for (const [index, row] of [undefined, ...rows].entries()) {
    const cells: string[] = [];
    for (const { column, texts, room } of shown) {
      const text = texts[index] ?? "";
      const tone = row === undefined ? "dim" : column.tone?.(row);
      const paint = (part: string) => (tone === undefined ? part : style[tone](part));
      // cli-table3 doesn't continue every tone in the next line.
      const painted = isWrapped ? text.replaceAll(/\S+/g, paint) : paint(text);
      const blanks = isWrapped ? "" : " ".repeat(room - widthOf(text));
      cells.push(column.align === "right" ? blanks + painted : painted + blanks);
    }
    lines.push(cells);
  }
  let text = "";
  if (isWrapped) {
    const { default: Table } = await import("cli-table3");
    const chars: Record<string, string> = { middle: gap };
    for (const part of borders.split(" ")) chars[part] = "";
    const options = {
      chars,
      style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
      colAligns: shown.map(({ column }) => column.align ?? "left"),
      colWidths: shown.map(({ room }) => room),
      wordWrap: true,
      wrapOnWordBoundary: true,
    };
    for (let from = 0; from < lines.length; from += rowsAtOnce) {
      const table = new Table(options);
      table.push(...lines.slice(from, from + rowsAtOnce));
      text += `${table.toString()}\n`;
    }
  } else for (const cells of lines) text += `${cells.join(gap)}\n`;
  return text.replaceAll(/ +$/gm, "");
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
