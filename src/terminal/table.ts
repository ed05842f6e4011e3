/** Tables for people. Loaded only when one is drawn. */
import Table from "cli-table3";

import { printable } from "./escape.js";

export type Cell = string | number | boolean | null;

/** How a row becomes a cell, in every format. */
export interface Column<Row> {
  /** The heading of the table. */
  readonly heading: string;
  /** The name in CSV; the heading where there is none. */
  readonly name?: string;
  readonly align?: "left" | "right";
  /** CSV: a text as it is, for machines; a spreadsheet may take it for a formula. */
  readonly asIs?: boolean;
  readonly cell: (row: Row) => Cell;
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
  middle: "  ",
};

/** Headings in capitals, columns two spaces apart, no borders: as easy to read as to `grep`. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly (readonly Cell[])[],
): string {
  const table = new Table({
    chars: noBorders,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    head: columns.map(({ heading }) => heading.toUpperCase()),
    colAligns: columns.map(({ align }) => align ?? "left"),
  });
  table.push(...rows.map((row) => row.map((cell) => printable(String(cell ?? "")))));
  const lines = table.toString().split("\n");
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
