/** Draws tables for people. It is loaded only for a table, since its library is slow to load. */
import Table, { type TableConstructorOptions } from "cli-table3";
import stringWidth from "string-width";

import { capitalized, t } from "../shared/language.js";

import { cellText, type Column, type View } from "./column.js";
import { printable } from "./escape.js";
import { fits, layOut, minTableWidth, defaultGap, type Layout, type LayoutColumn } from "./layout.js";
import { paint, type Style } from "./style.js";
import { wrapWords } from "./wrap.js";

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
  middle: "  ",
};

const plainCells = {
  chars: noBorders,
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  wordWrap: true,
  wrapOnWordBoundary: true,
};

/**
 * Headings in capitals and columns two spaces apart, without borders, are as easy to read as to `grep`. Where a terminal
 * is too narrow, texts are wrapped, then shortened; then each row becomes a block of lines.
 */
export function renderTable<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style, fields, gap = defaultGap }: View,
): string {
  const { columns, layout, droppedColumns } = arrange(all, rows, {
    width,
    gap,
    mayLeaveOut: fields === undefined,
  });
  const paintedCells = rows.map((row) =>
    columns.map((column) => {
      const text = textOf(column, row);
      const tone = column.tone?.(row);
      return tone === undefined || text === "" ? text : paint(style, tone)(text);
    }),
  );
  if (layout.kind === "blocks")
    return renderBlocks(columns, paintedCells, { width: width ?? Number.POSITIVE_INFINITY, style });
  const table = renderLines(columns, paintedCells, { layout, style, gap });
  if (droppedColumns.length === 0) return table;
  const names = droppedColumns.map(({ heading }) => heading).join(", ");
  const note = t`Left out for want of room: ${names}. --format csv has all.`;
  return `${table}${style.dim(wrapWords(note, width))}\n`;
}

/** Do the rows fit as a table, rather than as a block of lines each? */
export function isTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, gap = defaultGap }: Pick<View, "width" | "gap">,
): boolean {
  return arrange(columns, rows, { width, gap, mayLeaveOut: false }).layout.kind === "lines";
}

interface Spacing {
  readonly width: number | undefined;
  readonly gap: number;
  /** May columns be left out? Not where a person named them with `--fields`. */
  readonly mayLeaveOut: boolean;
}

interface Arrangement<Row> {
  readonly columns: readonly Column<Row>[];
  readonly layout: Layout;
  readonly droppedColumns: readonly Column<Row>[];
}

function arrange<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, gap, mayLeaveOut }: Spacing,
): Arrangement<Row> {
  const layoutOf = (columns: readonly Column<Row>[]) => layOut(layoutColumns(columns, rows), width, gap);
  const filledColumns = all.filter((column) => rows.some((row) => textOf(column, row) !== ""));
  // Empty columns give their room to the others.
  const columns =
    fits(layoutColumns(all, rows), width, gap) || filledColumns.length === 0 ? all : filledColumns;
  const arrangement = { columns, layout: layoutOf(columns), droppedColumns: [] };
  if (arrangement.layout.kind === "lines" || !mayLeaveOut) return arrangement;
  const droppable = columns
    .filter((column) => column.dropOrder !== undefined)
    .toSorted((left, other) => (left.dropOrder ?? 0) - (other.dropOrder ?? 0));
  for (const count of droppable.keys()) {
    const droppedColumns = droppable.slice(0, count + 1);
    const rest = columns.filter((column) => !droppedColumns.includes(column));
    const layout = layoutOf(rest);
    // On a phone a block shows more than two columns do.
    if (width !== undefined && width < minTableWidth && rest.length < 3) return arrangement;
    if (layout.kind === "lines") return { columns: rest, layout, droppedColumns };
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

interface LineOptions {
  readonly layout: Layout & { readonly kind: "lines" };
  readonly style: Style;
  readonly gap: number;
}

function renderLines<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  { layout, style, gap }: LineOptions,
): string {
  const options = {
    ...plainCells,
    chars: { ...noBorders, middle: " ".repeat(gap) },
    colAligns: columns.map(({ align }) => align ?? "left"),
    ...(layout.widths && { colWidths: [...layout.widths] }),
  };
  const head = columns.map(({ heading }) => style.dim(heading.toUpperCase()));
  if (cells.length <= rowsAtOnce) return drawTable({ ...options, head }, cells);
  const colWidths = [...(layout.widths ?? columns.map((_, index) => columnWidth([head, ...cells], index)))];
  let text = "";
  for (let from = 0; from < cells.length; from += rowsAtOnce) {
    const part = cells.slice(from, from + rowsAtOnce);
    text += drawTable({ ...options, colWidths, head: from === 0 ? head : [] }, part);
  }
  return text;
}

/** cli-table3 compares each row with all the others: a hundred thousand at once would take hours. */
const rowsAtOnce = 50;

function drawTable(options: TableConstructorOptions, cells: readonly (readonly string[])[]): string {
  const table = new Table(options);
  table.push(...cells.map((row) => [...row]));
  return withoutEndBlanks(table.toString());
}

function columnWidth(rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((most, row) => Math.max(most, stringWidth(row[column] ?? "")), 0);
}

/** Empty cells have no line; a blank line stands between two rows. */
function renderBlocks<Row>(
  columns: readonly Column<Row>[],
  rows: readonly (readonly string[])[],
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const headingWidth = Math.max(...columns.map(({ heading }) => stringWidth(heading)));
  const room = Math.max(1, width - headingWidth - 2);
  const line = (heading: string, text: string) => {
    // A text that can't be wrapped, such as an address, has a line of its own, so that it can be copied.
    if (text.split(" ").some((word) => stringWidth(word) > room))
      return `${style.dim(heading)}\n${wrapWords(`  ${text}`, width)}\n`;
    const cells = new Table({ ...plainCells, colWidths: [headingWidth, room] });
    cells.push([style.dim(heading), text]);
    return withoutEndBlanks(cells.toString());
  };
  return rows
    .map((row) =>
      columns
        .map(({ heading }, index) => ({ heading: capitalized(heading), text: row[index] ?? "" }))
        .filter(({ text }) => text !== "")
        .map(({ heading, text }) => line(heading, text))
        .join(""),
    )
    .join("\n");
}

function withoutEndBlanks(text: string): string {
  return `${text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")}\n`;
}
