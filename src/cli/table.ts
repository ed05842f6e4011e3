/** Draws tables for people. It is loaded only for a table. */
import stringWidth from "string-width";

import { capitalized, t } from "../languages/language.js";

import { cellText, type Column, type View } from "./column.js";
import { printable } from "./escape.js";
import { paint, type Style } from "./style.js";
import { wrapWords } from "./wrap.js";

const gap = "  ";
/** Below this, a row that doesn't fit becomes a block: two columns of wrapped words are no easier to read. */
const minWrappedWidth = 50;
/** Columns are left out only where a table remains. */
const minColumns = 3;

/** A column with its texts, and their widths on a terminal. */
interface Drawn {
  readonly name: string;
  /** The name in capitals. */
  readonly heading: string;
  readonly isRight: boolean;
  readonly dropOrder: number | undefined;
  readonly texts: readonly string[];
  /** The texts with their colours. */
  readonly painted: readonly string[];
  readonly natural: number;
  /** Lines are broken between words alone, and numbers never. */
  readonly least: number;
}

/**
 * Headings in capitals and columns two blanks apart, without borders, are as easy to read as to `grep`. Where a terminal is
 * too narrow, texts are wrapped, then columns are left out; else each row becomes a block of lines.
 */
export async function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, style }: View,
): Promise<string> {
  const all = columns.map((column) => drawnColumn(column, rows, style));
  // Empty columns give their room to the others.
  const filled = all.filter(({ texts }) => texts.some((text) => text !== ""));
  const isRoomy = rows.length === 0 || filled.length === 0 || fits(all, "natural", width);
  const wanted = isRoomy ? all : filled;
  const droppable = wanted
    .filter(({ dropOrder }) => dropOrder !== undefined)
    .toSorted((one, other) => (one.dropOrder ?? 0) - (other.dropOrder ?? 0));
  for (let count = 0; count <= droppable.length; count += 1) {
    const dropped = droppable.slice(0, count);
    const shown = wanted.filter((column) => !dropped.includes(column));
    if (count > 0 && shown.length < minColumns) break;
    if (fits(shown, "natural", width)) return drawLines(shown, style) + leftOut(dropped, width, style);
    if (width >= minWrappedWidth && fits(shown, "least", width))
      return (await drawWrapped(shown, width, style)) + leftOut(dropped, width, style);
  }
  return drawBlocks(wanted, width);
}

function drawnColumn<Row>(column: Column<Row>, rows: readonly Row[], style: Style): Drawn {
  const heading = column.heading.toUpperCase();
  const isRight = column.align === "right";
  const texts = rows.map((row) =>
    printable(column.tableText ? column.tableText(row) : cellText(column.cell(row), column)),
  );
  const painted = rows.map((row, index) => {
    const tone = column.tone?.(row);
    const text = texts[index] ?? "";
    return tone === undefined || text === "" ? text : paint(style, tone)(text);
  });
  const words = isRight ? texts : texts.flatMap((text) => text.split(" "));
  return {
    name: column.heading,
    heading,
    isRight,
    dropOrder: column.dropOrder,
    texts,
    painted,
    natural: maxWidth([heading, ...texts]),
    least: maxWidth([...heading.split(" "), ...words]),
  };
}

function fits(columns: readonly Drawn[], measure: "natural" | "least", width: number): boolean {
  return columns.reduce((sum, column) => sum + column[measure], 0) <= roomOf(columns, width);
}

function roomOf(columns: readonly Drawn[], width: number): number {
  return width - gap.length * (columns.length - 1);
}

function leftOut(dropped: readonly Drawn[], width: number, style: Style): string {
  if (dropped.length === 0) return "";
  const names = dropped.map(({ name }) => name).join(", ");
  return `${style.dim(wrapWords(t`Left out for want of room: ${names}. --format csv has all.`, width))}\n`;
}

/** Draws a table that has room for each text as it is. */
function drawLines(columns: readonly Drawn[], style: Style): string {
  const pad = ({ natural, isRight }: Drawn, text: string, painted: string) => {
    const blanks = " ".repeat(natural - terminalWidth(text));
    return isRight ? blanks + painted : painted + blanks;
  };
  const line = (cells: readonly string[]) => `${cells.join(gap).trimEnd()}\n`;
  const [first] = columns;
  return [
    line(columns.map((column) => pad(column, column.heading, style.dim(column.heading)))),
    ...(first?.texts ?? []).map((_, row) =>
      line(columns.map((column) => pad(column, column.texts[row] ?? "", column.painted[row] ?? ""))),
    ),
  ].join("");
}

/** cli-table3 compares each row with all the others: a hundred thousand at once would take hours. */
const rowsAtOnce = 50;

const borders = ["top", "bottom", "left", "right", "mid"].flatMap((side) => [side, `${side}-mid`]);
const corners = ["top", "bottom"].flatMap((side) => [`${side}-left`, `${side}-right`]);
const noBorders = Object.fromEntries([...borders, ...corners].map((part) => [part, ""]));

/** Draws a table whose texts have to be wrapped, by a library that knows how. */
async function drawWrapped(columns: readonly Drawn[], width: number, style: Style): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const headings = columns.map(({ heading }) => style.dim(heading));
  const rows = (columns[0]?.texts ?? []).map((_, row) => columns.map(({ painted }) => painted[row] ?? ""));
  const lines = [headings, ...rows];
  let text = "";
  for (let from = 0; from < lines.length; from += rowsAtOnce) {
    const table = new Table({
      chars: { ...noBorders, middle: gap },
      style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
      colAligns: columns.map(({ isRight }) => (isRight ? "right" : "left")),
      colWidths: wrappedWidths(columns, width),
      wordWrap: true,
      wrapOnWordBoundary: true,
    });
    table.push(...lines.slice(from, from + rowsAtOnce));
    text += `${table.toString().replaceAll(/ +$/gm, "")}\n`;
  }
  return text;
}

/** The widest columns shrink first, each down to its least width at most. */
function wrappedWidths(columns: readonly Drawn[], width: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  let over = widths.reduce((sum, one) => sum + one, 0) - roomOf(columns, width);
  for (; over > 0; over -= 1) {
    const shrinkable = widths.map((one, index) => (one > (columns[index]?.least ?? 0) ? one : 0));
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Draws each row as a block of lines. Empty cells have no line; a blank line stands between two rows. */
function drawBlocks(columns: readonly Drawn[], width: number): string {
  const room = maxWidth(columns.map(({ name }) => name));
  const line = ({ name }: Drawn, text: string) =>
    `${wrapWords(`${capitalized(name)}${" ".repeat(room - terminalWidth(name))}${gap}${text}`, width)}\n`;
  return (columns[0]?.texts ?? [])
    .map((_, row) =>
      columns
        .map((column) => (column.texts[row] === "" ? "" : line(column, column.texts[row] ?? "")))
        .join(""),
    )
    .join("\n");
}

function maxWidth(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
}

/** Most texts are ASCII, whose width is known without the slower `stringWidth`. */
function terminalWidth(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}
