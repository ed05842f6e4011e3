/** Tables for people. Loaded only when one is drawn. */
import { capitalized, t } from "../shared/language.js";

import { shownCell, type Column, type View } from "./column.js";
import { printable } from "./escape.js";
import {
  fits,
  layOut,
  narrowest,
  terminalWidth,
  usualGap,
  widest,
  type Layout,
  type LayoutColumn,
} from "./layout.js";
import { asItIs, paint, type Paint, type Style } from "./style.js";
import { linesOfWords, wrapWords } from "./wrap.js";

/**
 * Headings in capitals, columns two spaces apart, no borders: as easy to read as to `grep`. Where a terminal is too
 * narrow for that, texts are wrapped, then shortened; then each row becomes a block of lines.
 */
export function renderTable<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style, fields, gap = usualGap }: View,
): string {
  const { columns, layout, leftOut } = arrange(all, rows, { width, gap, mayLeaveOut: fields === undefined });
  const cells = rows.map((row) =>
    columns.map((column) => {
      const tone = column.tone?.(row);
      return { text: textOf(column, row), paint: tone === undefined ? asItIs : paint(style, tone) };
    }),
  );
  if (layout.kind === "blocks")
    return blocks(columns, cells, { width: width ?? Number.POSITIVE_INFINITY, style });
  const table = lines(columns, cells, { layout, style, gap });
  if (leftOut.length === 0) return table;
  const names = leftOut.map(({ heading }) => heading).join(", ");
  const note = t`Left out for want of room: ${names}. --format csv has all.`;
  return `${table}${style.dim(wrapWords(note, width))}\n`;
}

/** Can the rows be a table there, rather than a block of lines each? */
export function isTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, gap = usualGap }: Pick<View, "width" | "gap">,
): boolean {
  return arrange(columns, rows, { width, gap, mayLeaveOut: false }).layout.kind === "lines";
}

interface Spacing {
  readonly width: number | undefined;
  readonly gap: number;
  /** May columns give their place at all? Not where somebody has asked for each. */
  readonly mayLeaveOut: boolean;
}

interface Arranged<Row> {
  readonly columns: readonly Column<Row>[];
  readonly layout: Layout;
  readonly leftOut: readonly Column<Row>[];
}

function arrange<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, gap, mayLeaveOut }: Spacing,
): Arranged<Row> {
  const laidOut = (columns: readonly Column<Row>[]) => layOut(measured(columns, rows), width, gap);
  const said = all.filter((column) => rows.some((row) => textOf(column, row) !== ""));
  // A column that says nothing of any row gives its place to those that say something.
  const columns = fits(measured(all, rows), width, gap) || said.length === 0 ? all : said;
  const usual = { columns, layout: laidOut(columns), leftOut: [] };
  if (usual.layout.kind === "lines" || !mayLeaveOut) return usual;
  const mayGo = columns
    .filter((column) => column.leftOut !== undefined)
    .toSorted((left, other) => (left.leftOut ?? 0) - (other.leftOut ?? 0));
  for (const count of mayGo.keys()) {
    const leftOut = mayGo.slice(0, count + 1);
    const rest = columns.filter((column) => !leftOut.includes(column));
    const layout = laidOut(rest);
    // On a phone a block says more than two columns do.
    if (width !== undefined && width < narrowest && rest.length < 3) return usual;
    if (layout.kind === "lines") return { columns: rest, layout, leftOut };
  }
  return usual;
}

function measured<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly LayoutColumn[] {
  return columns.map((column) => ({
    heading: column.heading.toUpperCase(),
    cells: rows.map((row) => textOf(column, row)),
    isNumeric: column.align === "right",
    mayShorten: column.mayShorten === true,
  }));
}

function textOf<Row>(column: Column<Row>, row: Row): string {
  return printable(column.inTable ? column.inTable(row) : shownCell(column.cell(row), column));
}

interface LineOptions {
  readonly layout: Layout & { readonly kind: "lines" };
  readonly style: Style;
  readonly gap: number;
}

interface DrawnCell {
  readonly text: string;
  readonly paint: Paint;
}

function lines<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly DrawnCell[])[],
  { layout, style, gap }: LineOptions,
): string {
  const head = columns.map(({ heading }) => ({ text: heading.toUpperCase(), paint: style.dim }));
  const all = [head, ...cells];
  const places = columns.map(({ align = "left" }, index) => ({
    align,
    width: layout.widths?.[index] ?? widest(all.map((row) => row[index]?.text ?? "")),
  }));
  return all.map((row) => drawnRow(row, places, gap)).join("");
}

interface Place {
  readonly align: "left" | "right";
  readonly width: number;
}

/** As many lines as the tallest cell has. */
function drawnRow(cells: readonly DrawnCell[], places: readonly Place[], gap: number): string {
  const columns = cells.map(({ text, paint }, index) => {
    const { align, width } = places[index] ?? { align: "left", width: terminalWidth(text) };
    const parts = linesOfWords(text.split(" "), (line) => terminalWidth(line) <= width);
    return { paint, align, width, parts: parts.map((line) => shortened(line, width)) };
  });
  const height = Math.max(...columns.map(({ parts }) => parts.length));
  return Array.from({ length: height }, (_, at) => {
    const line = columns.map(({ paint, align, width, parts }) => {
      const part = parts[at] ?? "";
      const blanks = " ".repeat(width - terminalWidth(part));
      const shown = part === "" ? "" : paint(part);
      return align === "left" ? shown + blanks : blanks + shown;
    });
    return `${line.join(" ".repeat(gap)).trimEnd()}\n`;
  }).join("");
}

function shortened(text: string, width: number): string {
  if (terminalWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (terminalWidth(characters.join("")) >= width) characters.pop();
  return `${characters.join("")}…`;
}

/** A line for each cell that says something, and an empty one between two rows. */
function blocks<Row>(
  columns: readonly Column<Row>[],
  rows: readonly (readonly DrawnCell[])[],
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const headings = columns.map(({ heading }) => capitalized(heading));
  const headingWidth = widest(headings);
  const room = Math.max(1, width - headingWidth - usualGap);
  const places = [headingWidth, room].map((width) => ({ align: "left" as const, width }));
  const line = (heading: string, cell: DrawnCell) => {
    // What can't be wrapped, such as an address, starts on a line of its own, whole, so that it can be copied.
    if (widest(cell.text.split(" ")) > room)
      return `${style.dim(heading)}\n${cell.paint(wrapWords(`  ${cell.text}`, width))}\n`;
    return drawnRow([{ text: heading, paint: style.dim }, cell], places, usualGap);
  };
  return rows
    .map((row) =>
      row.map((cell, index) => (cell.text === "" ? "" : line(headings[index] ?? "", cell))).join(""),
    )
    .join("\n");
}
