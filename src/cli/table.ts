/** Draws tables for people. It is loaded only for a table. */
import Table from "cli-table3";
import stringWidth from "string-width";

import { capitalized, t, translated } from "../languages/language.js";

import { type Style, type Tone, cellText, paint, printable, wrapWords } from "./text.js";

export type Cell = string | number | boolean | null;

export interface Column<Row> {
  readonly heading: string;
  /** The name in CSV; the heading by default. */
  readonly name?: string;
  readonly align?: "left" | "right";
  /** CSV writes money with two decimals. */
  readonly type?: "money";
  /** Are the texts comanda's own words? People read them in their language, programs in English. */
  readonly isWord?: boolean;
  /** Where the table doesn't fit, the column with the lowest number is left out first; without a number it always stays. */
  readonly dropOrder?: number;
  /** `undefined` for the terminal's own colour. */
  readonly tone?: (row: Row) => Tone | undefined;
  readonly cell: (row: Row) => Cell;
  /** A table at a terminal shows this text in place of the value, such as a moment by the store's clock. */
  readonly tableText?: (row: Row) => string;
}

/** The terminal or file that records are written for. */
export interface View {
  /** Columns of the terminal; absent for a file, whose lines have no limit. */
  readonly width?: number | undefined;
  readonly style: Style;
}

const gap = "  ";
/** Below this, a row that doesn't fit becomes a block: two columns of wrapped words are no easier to read. */
const minWrappedWidth = 50;
/** Columns are left out only where a table remains. */
const minColumns = 3;

/** A column with its texts, and their widths on a terminal. */
interface Drawn {
  readonly name: string;
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
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, style }: View,
): string {
  const all = columns.map((column): Drawn => {
    const name = translated(column.heading);
    const isRight = column.align === "right";
    const texts = rows.map((row) =>
      printable(column.tableText ? column.tableText(row) : cellText(column.cell(row), column)),
    );
    const painted = texts.map((text, index) => {
      const row = rows[index];
      const tone = row === undefined || text === "" ? undefined : column.tone?.(row);
      return tone === undefined ? text : paint(style, tone)(text);
    });
    const words = [name, ...(isRight ? [] : texts)].flatMap((text) => text.split(" "));
    return {
      ...{ name, isRight, dropOrder: column.dropOrder, texts, painted },
      natural: maxWidth([name, ...texts]),
      least: maxWidth(isRight ? [...words, ...texts] : words),
    };
  });
  // Empty columns give their room to the others.
  const filled = all.filter(({ texts }) => texts.some((text) => text !== ""));
  const wanted = filled.length === 0 || sum(all, "natural") <= width ? all : filled;
  const droppable = wanted
    .filter(({ dropOrder }) => dropOrder !== undefined)
    .toSorted((one, other) => (one.dropOrder ?? 0) - (other.dropOrder ?? 0));
  for (let count = 0; count <= droppable.length; count += 1) {
    const dropped = droppable.slice(0, count);
    const shown = wanted.filter((column) => !dropped.includes(column));
    if (count > 0 && shown.length < minColumns) break;
    if (sum(shown, "natural") > width && (width < minWrappedWidth || sum(shown, "least") > width)) continue;
    const names = dropped.map(({ name }) => name).join(", ");
    const note = t`Left out for want of room: ${names}. --format csv has all.`;
    return draw(shown, width, style.dim) + (count === 0 ? "" : `${style.dim(wrapWords(note, width))}\n`);
  }
  return rows.map((_, row) => block(wanted, row, width)).join("\n");
}

function sum(columns: readonly Drawn[], measure: "natural" | "least"): number {
  return columns.reduce((total, column) => total + column[measure], gap.length * (columns.length - 1));
}

/** cli-table3 compares each row with all the others: a hundred thousand at once would take hours. */
const rowsAtOnce = 50;

const borders = ["top", "bottom", "left", "right", "mid"].flatMap((side) => [side, `${side}-mid`]);
const corners = ["top", "bottom"].flatMap((side) => [`${side}-left`, `${side}-right`]);
const noBorders = Object.fromEntries([...borders, ...corners].map((part) => [part, ""]));

function draw(columns: readonly Drawn[], width: number, head: (text: string) => string): string {
  // The widest columns shrink first, each down to its least width at most.
  const colWidths = columns.map(({ natural }) => natural);
  for (let over = sum(columns, "natural") - width; over > 0; over -= 1) {
    const shrinkable = colWidths.map((one, index) => (one > (columns[index]?.least ?? 0) ? one : 0));
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    colWidths[widest] = (colWidths[widest] ?? 0) - 1;
  }
  const lines = [
    columns.map(({ name }) => head(name.toUpperCase())),
    ...(columns[0]?.texts ?? []).map((_, row) => columns.map(({ painted }) => painted[row] ?? "")),
  ];
  let text = "";
  for (let from = 0; from < lines.length; from += rowsAtOnce) {
    const table = new Table({
      chars: { ...noBorders, middle: gap },
      style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
      colAligns: columns.map(({ isRight }) => (isRight ? "right" : "left")),
      colWidths,
      wordWrap: true,
      wrapOnWordBoundary: true,
    });
    table.push(...lines.slice(from, from + rowsAtOnce));
    text += `${table.toString().replaceAll(/ +$/gm, "")}\n`;
  }
  return text;
}

/** A row as a block of lines. Empty cells have no line. */
function block(columns: readonly Drawn[], row: number, width: number): string {
  const room = maxWidth(columns.map(({ name }) => name));
  return columns
    .filter(({ texts }) => texts[row] !== "")
    .map(({ name, texts }) => {
      const label = capitalized(name) + " ".repeat(room - stringWidth(name));
      return `${wrapWords(`${label}${gap}${texts[row] ?? ""}`, width)}\n`;
    })
    .join("");
}

function maxWidth(texts: readonly string[]): number {
  // Most texts are ASCII, whose width is known without the slower `stringWidth`.
  const widths = texts.map((text) => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text)));
  return widths.reduce((most, width) => Math.max(most, width), 0);
}
