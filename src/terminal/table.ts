/** Tables for people. Loaded only when one is drawn. */
import Table, { type TableConstructorOptions } from "cli-table3";
import stringWidth from "string-width";

import { capitalized, t } from "../shared/language.js";

import { shownCell, type Column, type View } from "./column.js";
import { printable } from "./escape.js";
import { fits, layOut, narrowest, usualGap, type Layout, type LayoutColumn } from "./layout.js";
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
 * Headings in capitals, columns two spaces apart, no borders: as easy to read as to `grep`. Where a terminal is too
 * narrow for that, texts are wrapped, then shortened; then each row becomes a block of lines.
 */
export function renderTable<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style, fields, gap = usualGap }: View,
): string {
  const { columns, layout, leftOut } = arrange(all, rows, { width, gap, mayLeaveOut: fields === undefined });
  const painted = rows
    .map((row) => columns.map((column) => textOf(column, row)))
    .map((cells, at) =>
      cells.map((text, index) => {
        const row = rows[at];
        const tone = row === undefined ? undefined : columns[index]?.tone?.(row);
        return tone === undefined || text === "" ? text : paint(style, tone)(text);
      }),
    );
  if (layout.kind === "blocks")
    return blocks(columns, painted, { width: width ?? Number.POSITIVE_INFINITY, style });
  const table = lines(columns, painted, { layout, style, gap });
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

function lines<Row>(
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
  if (cells.length <= rowsAtOnce) return drawn({ ...options, head }, cells);
  const colWidths = layout.widths ?? columns.map((_, index) => widest([head, ...cells], index));
  return range(0, cells.length, rowsAtOnce)
    .map((from) => cells.slice(from, from + rowsAtOnce))
    .map((part, index) =>
      drawn({ ...options, colWidths: [...colWidths], head: index === 0 ? head : [] }, part),
    )
    .join("");
}

/** cli-table3 compares each row with all the others: a hundred thousand at once would take hours. */
const rowsAtOnce = 50;

function drawn(options: TableConstructorOptions, cells: readonly (readonly string[])[]): string {
  const table = new Table(options);
  table.push(...cells.map((row) => [...row]));
  return withoutEndBlanks(table.toString());
}

function widest(rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((most, row) => Math.max(most, stringWidth(row[column] ?? "")), 0);
}

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
}

/** A line for each cell that says something, and an empty one between two rows. */
function blocks<Row>(
  columns: readonly Column<Row>[],
  rows: readonly (readonly string[])[],
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const headingWidth = Math.max(...columns.map(({ heading }) => stringWidth(heading)));
  const room = Math.max(1, width - headingWidth - 2);
  const line = (heading: string, text: string) => {
    // What can't be wrapped, such as an address, starts on a line of its own, whole, so that it can be copied.
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
