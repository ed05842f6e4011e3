/** Draws tables whose texts have to be wrapped to fit a terminal, by a library that knows how. */
import Table, { type TableConstructorOptions } from "cli-table3";

import { capitalized } from "../languages/language.js";

import type { Column, TableCell } from "./column.js";
import { defaultGap, maxWidth, terminalWidth } from "./layout.js";
import type { Style } from "./style.js";
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
