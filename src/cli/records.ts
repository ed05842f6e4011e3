/** Writes rows of named columns in every format that `--format` knows. */
import { translated, type Word } from "../languages/language.js";

import { plainStyle, printable, safeJson, wrapWords, type Style, type Tone } from "./text.js";

/** Who reads a format: people have their own language, and programs English. */
export const readers = { table: "person", json: "program", csv: "program", markdown: "person" } as const;
export type Format = keyof typeof readers;

export type Cell = string | number | boolean | null;

export interface OpenColumn<Row> {
  readonly heading: string;
  /** The name in CSV; the heading by default. */
  readonly name?: string;
  readonly align?: "left" | "right";
  /** CSV writes money with two decimals. */
  readonly type?: "money";
  /** People read what has a translation in their language, and programs read English. */
  readonly isWord?: "open" | undefined;
  /** A table has no room for it; the other formats have it. */
  readonly isDetail?: boolean;
  /** `undefined` for the terminal's own colour. */
  readonly tone?: (row: Row) => Tone | undefined;
  readonly cell: (row: Row) => Cell | undefined;
  /** A table at a terminal shows this text in place of the value, such as a moment by the store's clock. */
  readonly tableText?: (row: Row) => string;
}

/** Its texts are comanda's own words, each of which needs a translation to compile. */
interface WordColumn<Row> extends Omit<OpenColumn<Row>, "isWord" | "cell"> {
  readonly isWord: true;
  readonly cell: (row: Row) => Word | "" | undefined;
}

export type Column<Row> = OpenColumn<Row> | WordColumn<Row>;

/** The terminal or file that records are written for. */
export interface View {
  /** Columns of the terminal; absent for a file, whose lines have no limit. */
  readonly width?: number | undefined;
  readonly style: Style;
}

/**
 * @param rows JSON prints them as they are, without regard to columns
 * @param options.view by default no terminal
 * @param options.header has CSV a line of names? It has, unless it goes on in a file
 * @returns text that ends with a line feed and is safe for a terminal
 */
export async function renderRecords<Row>(
  format: Format,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { view = { style: plainStyle }, header = true }: { readonly view?: View; readonly header?: boolean } = {},
): Promise<string> {
  switch (format) {
    case "json":
      return `${safeJson(rows)}\n`;
    case "table":
      return renderTable(columns, rows, view);
    case "csv": {
      const lines = rows.map((row) => columns.map(({ cell, type }) => csvCell(cell(row) ?? null, type)));
      if (header) lines.unshift(columns.map((column) => csvCell(column.name ?? column.heading)));
      const { stringify } = await import("csv-stringify/sync");
      // RFC 4180. An empty text is quoted, which tells it from no value.
      return stringify(lines, {
        record_delimiter: "windows",
        quoted_match: needsQuotes,
        cast: { boolean: String },
      });
    }
    case "markdown": {
      const { markdownTable } = await import("markdown-table");
      const headings = columns.map(({ heading }) => translated(heading));
      const lines = rows.map((row) => columns.map((column) => markdownSafe(cellText(column, row))));
      return `${markdownTable([headings, ...lines], { align: columns.map(({ align }) => align ?? null) })}\n`;
    }
  }
}

function cellText<Row>({ cell, isWord }: Column<Row>, row: Row): string {
  const text = String(cell(row) ?? "");
  return isWord ? translated(text) : text;
}

const gap = "  ";
/** cli-table3 compares each row with all others of its table. */
const rowsAtOnce = 50;

const borders =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid";

/** A column with its texts, the heading first. */
interface Drawn<Row> {
  readonly column: Column<Row>;
  readonly texts: readonly string[];
  /** Lines are broken between words alone, and numbers never. */
  readonly least: number;
  /** As wide as its widest text, or what is left of that. */
  room: number;
}

/**
 * Headings in capitals and columns two blanks apart, without borders, are as easy to read as to `grep`. Columns that are empty
 * are left out. Where a terminal is too narrow, texts are wrapped; where it is narrower than that, each row is a block of lines.
 */
async function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, style }: View,
): Promise<string> {
  const { default: stringWidth } = await import("string-width");
  // Most texts are ASCII, whose width is known without the slower `stringWidth`.
  const widthOf = (text: string) => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));
  const shown: Drawn<Row>[] = [];
  for (const column of columns) {
    if (column.isDetail) continue;
    const texts = [translated(column.heading).toUpperCase()];
    for (const row of rows) texts.push(printable(column.tableText?.(row) ?? cellText(column, row)));
    let [room, least, isEmpty] = [0, 0, rows.length > 0];
    for (const [place, text] of texts.entries()) {
      isEmpty &&= place === 0 || text === "";
      room = Math.max(room, widthOf(text));
      const pieces = place > 0 && column.align === "right" ? [text] : text.split(" ");
      for (const piece of pieces) least = Math.max(least, widthOf(piece));
    }
    if (!isEmpty) shown.push({ column, texts, least, room });
  }
  let [total, leastTotal] = [-gap.length, -gap.length];
  for (const { room, least } of shown) {
    total += room + gap.length;
    leastTotal += least + gap.length;
  }
  if (leastTotal > width) {
    const label = Math.max(...shown.map(({ texts: [heading = ""] }) => widthOf(heading)));
    const blocks = rows.map((_, place) => {
      let block = "";
      for (const { texts } of shown) {
        const [heading = "", text = ""] = [texts[0], texts[place + 1]];
        const line = `${heading}${" ".repeat(label - widthOf(heading))}${gap}${text}`;
        if (text !== "") block += `${wrapWords(line, width)}\n`;
      }
      return block;
    });
    return blocks.join("\n");
  }
  const isWrapped = total > width;
  while (total > width) {
    // The widest column that isn't at its least width shrinks first.
    let widest: Drawn<Row> | undefined;
    for (const column of shown)
      if (column.room > column.least && column.room > (widest?.room ?? 0)) widest = column;
    if (!widest) break;
    widest.room -= 1;
    total -= 1;
  }
  const lines: string[][] = [];
  for (let place = 0; place <= rows.length; place += 1) {
    const row = rows[place - 1];
    const cells: string[] = [];
    for (const { column, texts, room } of shown) {
      const text = texts[place] ?? "";
      const tone = row === undefined ? "dim" : column.tone?.(row);
      const painted = tone === undefined ? text : style[tone](text);
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

/** The library quotes the delimiter and the quote. Some readers also end a cell at these characters or drop such blanks. */
const needsQuotes = /[\r\n\t]|^ | $|^$/;

/** A text that is a number is no formula. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Money has two decimals in every line. */
function csvCell(cell: Cell, type?: "money"): string | boolean | null {
  if (typeof cell === "string") return plainNumber.test(cell) ? cell : formulaSafe(printable(cell, true));
  if (typeof cell !== "number") return cell;
  return type === "money" ? cell.toFixed(2) : String(cell);
}

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
function formulaSafe(text: string): string {
  return text.replaceAll(formulaStarts, "'");
}

/** Nothing in the text is a mark of Markdown, or a control of a terminal. */
export function markdownSafe(text: string): string {
  return printable(text).replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`);
}
