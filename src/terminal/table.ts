/** Draws tables for people. It is loaded only for a table. */
import { t } from "../languages/language.js";

import { cellText, type Column, type TableCell, type View } from "./column.js";
import { printable } from "./escape.js";
import {
  defaultGap,
  fits,
  layOut,
  maxWidth,
  minTableWidth,
  terminalWidth,
  type Layout,
  type LayoutColumn,
} from "./layout.js";
import { paint } from "./style.js";
import { wrapWords } from "./wrap.js";

/**
 * Headings in capitals and columns two spaces apart, without borders, are as easy to read as to `grep`. Where a terminal
 * is too narrow, texts are wrapped, then shortened; then each row becomes a block of lines.
 */
export async function renderTable<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style, gap = defaultGap }: View,
): Promise<string> {
  const { columns, layout, droppedColumns } = arrange(all, rows, { width, gap });
  const cells = rows.map((row) =>
    columns.map((column): TableCell => {
      const text = textOf(column, row);
      const tone = column.tone?.(row);
      return { text, painted: tone === undefined || text === "" ? text : paint(style, tone)(text) };
    }),
  );
  if (layout.kind === "blocks") {
    const { drawBlocks } = await import("./wrapped-table.js");
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
      : (await import("./wrapped-table.js")).drawWrapped(columns, lines, { widths: layout.widths, gap });
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
