/** Draws tables for people. It is loaded only for a table. */
import Table, { type TableConstructorOptions } from "cli-table3";
import stringWidth from "string-width";

import { capitalized, t } from "../languages/language.js";

import { printable } from "./escape.js";
import { cellText, type Column, type TableCell, type View } from "./column.js";
import { paint, type Style } from "./style.js";
import { wrapWords } from "./wrap.js";

/**
 * Headings in capitals and columns two spaces apart, without borders, are as easy to read as to `grep`. Where a terminal
 * is too narrow, texts are wrapped, then shortened; then each row becomes a block of lines.
 */
export function renderTable<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style, gap = defaultGap }: View,
): string {
  const { columns, layout, droppedColumns } = arrange(all, rows, { width, gap });
  const cells = rows.map((row) =>
    columns.map((column): TableCell => {
      const text = textOf(column, row);
      const tone = column.tone?.(row);
      return { text, painted: tone === undefined || text === "" ? text : paint(style, tone)(text) };
    }),
  );
  if (layout.kind === "blocks") {
    return drawBlocks(columns, cells, { width: width ?? Number.POSITIVE_INFINITY, style });
  }
  const headings = columns.map(({ heading }): TableCell => {
    const text = heading.toUpperCase();
    return { text, painted: style.dim(text) };
  });
  const lines = [headings, ...cells];
  const table =
    layout.kind === "lines"
      ? drawLines(columns, lines, gap)
      : drawWrapped(columns, lines, { widths: layout.widths, gap });
  if (droppedColumns.length === 0) return table;
  const names = droppedColumns.map(({ heading }) => heading).join(", ");
  const note = t`Left out for want of room: ${names}. --format csv has all.`;
  return `${table}${style.dim(wrapWords(note, width))}\n`;
}

interface Spacing {
  readonly width: number | undefined;
  readonly gap: number;
}

interface Arrangement<Row> {
  readonly columns: readonly Column<Row>[];
  readonly layout: Layout;
  readonly droppedColumns: readonly Column<Row>[];
}

function arrange<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, gap }: Spacing,
): Arrangement<Row> {
  const layoutOf = (columns: readonly Column<Row>[]) => layOut(layoutColumns(columns, rows), width, gap);
  const filledColumns = all.filter((column) => rows.some((row) => textOf(column, row) !== ""));
  // Empty columns give their room to the others.
  const columns =
    fits(layoutColumns(all, rows), width, gap) || filledColumns.length === 0 ? all : filledColumns;
  const arrangement = { columns, layout: layoutOf(columns), droppedColumns: [] };
  if (arrangement.layout.kind !== "blocks") return arrangement;
  const droppable = columns
    .filter((column) => column.dropOrder !== undefined)
    .toSorted((left, other) => (left.dropOrder ?? 0) - (other.dropOrder ?? 0));
  for (const count of droppable.keys()) {
    const droppedColumns = droppable.slice(0, count + 1);
    const rest = columns.filter((column) => !droppedColumns.includes(column));
    const layout = layoutOf(rest);
    // On a phone a block shows more than two columns do.
    if (width !== undefined && width < minTableWidth && rest.length < 3) return arrangement;
    if (layout.kind !== "blocks") return { columns: rest, layout, droppedColumns };
  }
  return arrangement;
}

function layoutColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly LayoutColumn[] {
  return columns.map((column) => ({
    heading: column.heading.toUpperCase(),
    cells: rows.map((row) => textOf(column, row)),
    isNumeric: column.align === "right",
    mayShorten: column.mayShorten === true,
  }));
}

function textOf<Row>(column: Column<Row>, row: Row): string {
  return printable(column.tableText ? column.tableText(row) : cellText(column.cell(row), column));
}

/** Draws a table that has room for each text as it is. */
function drawLines<Row>(
  columns: readonly Column<Row>[],
  lines: readonly (readonly TableCell[])[],
  gap: number,
): string {
  const widths = columns.map((_, index) => maxWidth(lines.map((line) => line[index]?.text ?? "")));
  const padded = ({ text, painted }: TableCell, index: number) => {
    const blanks = " ".repeat((widths[index] ?? 0) - terminalWidth(text));
    return columns[index]?.align === "right" ? blanks + painted : painted + blanks;
  };
  return lines.map((line) => `${line.map(padded).join(" ".repeat(gap)).trimEnd()}\n`).join("");
}

export interface LayoutColumn {
  readonly heading: string;
  readonly cells: readonly string[];
  /** A number is never broken into two lines. */
  readonly isNumeric: boolean;
  /** May words be cut where nothing else helps? */
  readonly mayShorten: boolean;
}

export type Layout =
  /** Each column is as wide as its widest cell. */
  | { readonly kind: "lines" }
  | {
      readonly kind: "wrapped";
      /** The terminal's columns for each column of the table. */
      readonly widths: readonly number[];
    }
  | { readonly kind: "blocks" };

export const defaultGap = 2;
/** Below this, a row that doesn't fit becomes a block: two columns of wrapped words are no easier to read. */
export const minTableWidth = 50;
const minShortenedWidth = 8;

/**
 * Keeps lines whole where they fit. Else it wraps them between words, then cuts words where a column allows it, then makes
 * a block of lines of each row.
 *
 * @param width columns of the terminal; absent for no limit
 * @param gap blanks between two columns
 */
export function layOut(
  columns: readonly LayoutColumn[],
  width: number | undefined,
  gap = defaultGap,
): Layout {
  if (width === undefined) return { kind: "lines" };
  if (fits(columns, width, gap)) return { kind: "lines" };
  const room = roomOf(columns, width, gap);
  const naturalWidths = columns.map(naturalWidth);
  if (width < minTableWidth) return { kind: "blocks" };
  const wrappedWidths = columns.map(wrappedWidth);
  if (sum(wrappedWidths) <= room)
    return { kind: "wrapped", widths: shrinkColumns(naturalWidths, wrappedWidths, room) };
  const shortenedWidths = wrappedWidths.map((least, index) =>
    columns[index]?.mayShorten
      ? Math.min(least, Math.max(minShortenedWidth, wordWidth(columns[index].heading)))
      : least,
  );
  if (sum(shortenedWidths) > room) return { kind: "blocks" };
  return { kind: "wrapped", widths: shrinkColumns(wrappedWidths, shortenedWidths, room) };
}

/** Do all columns fit without wrapping? */
export function fits(columns: readonly LayoutColumn[], width: number | undefined, gap = defaultGap): boolean {
  return width === undefined || sum(columns.map(naturalWidth)) <= roomOf(columns, width, gap);
}

function roomOf(columns: readonly LayoutColumn[], width: number, gap: number): number {
  return width - gap * (columns.length - 1);
}

/** The widest columns shrink first, each down to its least width at most. */
function shrinkColumns(
  natural: readonly number[],
  least: readonly number[],
  room: number,
): readonly number[] {
  const widths = [...natural];
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      if (width > (least[index] ?? 0) && width > (widths[widest] ?? 0)) widest = index;
    }
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function naturalWidth({ heading, cells }: LayoutColumn): number {
  return maxWidth([heading, ...cells]);
}

/** Lines are wrapped between words alone, so that neither a heading nor an id is broken. */
function wrappedWidth({ heading, cells, isNumeric }: LayoutColumn): number {
  return Math.max(wordWidth(heading), isNumeric ? maxWidth(cells) : maxWidth(cells.flatMap(wordsOf)));
}

function wordWidth(text: string): number {
  return maxWidth(wordsOf(text));
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ");
}

export function maxWidth(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
}

/** Most texts are ASCII, whose width is known without the slower `stringWidth`. */
export function terminalWidth(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

const noBorders = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
};

/** cli-table3 compares each row with all the others: a hundred thousand at once would take hours. */
const rowsAtOnce = 50;

/** @param lines the headings come first */
export function drawWrapped<Row>(
  columns: readonly Column<Row>[],
  lines: readonly (readonly TableCell[])[],
  { widths, gap }: { readonly widths: readonly number[]; readonly gap: number },
): string {
  const options = { colAligns: columns.map(({ align }) => align ?? "left"), colWidths: [...widths] };
  let text = "";
  for (let from = 0; from < lines.length; from += rowsAtOnce)
    text += draw(
      lines.slice(from, from + rowsAtOnce).map((line) => line.map(({ painted }) => painted)),
      options,
      gap,
    );
  return text;
}

/** Draws each row as a block of lines. Empty cells have no line; a blank line stands between two rows. */
export function drawBlocks<Row>(
  columns: readonly Column<Row>[],
  rows: readonly (readonly TableCell[])[],
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const headingWidth = maxWidth(columns.map(({ heading }) => heading));
  const room = Math.max(1, width - headingWidth - defaultGap);
  const line = (heading: string, { text, painted }: TableCell) => {
    // A text that can't be wrapped, such as an address, has a line of its own, so that it can be copied.
    if (text.split(" ").some((word) => terminalWidth(word) > room))
      return `${style.dim(heading)}\n${wrapWords(`  ${painted}`, width)}\n`;
    return draw([[style.dim(heading), painted]], { colWidths: [headingWidth, room] }, defaultGap);
  };
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          cell.text === "" ? "" : line(capitalized(columns[index]?.heading ?? ""), cell),
        )
        .join(""),
    )
    .join("\n");
}

function draw(lines: string[][], options: TableConstructorOptions, gap: number): string {
  const table = new Table({
    ...options,
    chars: { ...noBorders, middle: " ".repeat(gap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    wordWrap: true,
    wrapOnWordBoundary: true,
  });
  table.push(...lines);
  return `${table
    .toString()
    .split("\n")
    .map((drawnLine) => drawnLine.trimEnd())
    .join("\n")}\n`;
}
