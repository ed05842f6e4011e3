/** Makes a workbook with a sheet for each table, in which numbers, amounts, days and moments have types. */
import type { Cell as WrittenCell, SheetData } from "write-excel-file/node";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { localDateTime } from "../shared/local-time.js";
import type { Cell, Column, Sheets } from "./column.js";
import { printableLines } from "./escape.js";

/** Every spreadsheet takes so many rows beside the row of names. */
const mostRows = 1_048_575;
const [minWidth, maxWidth] = [8, 60];

export class Workbook implements Sheets {
  readonly #sheets = new Map<string, { readonly data: SheetData; readonly widths: number[] }>();

  /** @throws {ComandaError} `usage` for more rows than a sheet can have */
  add<Row>(sheet: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const names = columns.map(({ name, heading }) => name ?? heading);
    const { data, widths } = this.#sheets.get(sheet) ?? {
      data: [names.map((value): WrittenCell => ({ value, type: String, fontWeight: "bold" }))],
      widths: names.map(({ length }) => Math.max(minWidth, length + 2)),
    };
    this.#sheets.set(sheet, { data, widths });
    if (data.length + rows.length > mostRows + 1) throw tooMany();
    for (const row of rows) {
      const cells = columns.map((column) => cellOf(column.cell(row), column, row));
      data.push(cells);
      for (const [at, column] of columns.entries())
        widths[at] = Math.max(widths[at] ?? 0, Math.min(maxWidth, String(column.cell(row) ?? "").length + 2));
    }
  }

  /** @returns the file; `undefined` where no table was added since the last call */
  async bytes(): Promise<Uint8Array | undefined> {
    if (this.#sheets.size === 0) return undefined;
    const { default: write } = await import("write-excel-file/node");
    const sheets = [...this.#sheets].map(([sheet, { data, widths }]) => ({
      ...{ sheet, data, stickyRowsCount: 1 },
      columns: widths.map((width) => ({ width })),
    }));
    this.#sheets.clear();
    return write(sheets).toBuffer();
  }
}

function tooMany(): ComandaError {
  return new ComandaError("usage", t`A sheet has at most ${mostRows} rows.`, {
    hint: t`Ask for less, or give --format csv.`,
  });
}

function cellOf<Row>(cell: Cell, { type, currency }: Column<Row>, row: Row): WrittenCell {
  if (cell === null) return null;
  if (typeof cell === "boolean") return { value: cell, type: Boolean };
  if (typeof cell === "number") return { value: cell, type: Number, ...formatOf(type, currency?.(row)) };
  if (type === "day" && /^\d{4}-\d{2}-\d{2}$/.test(cell))
    return { value: new Date(cell), type: Date, format: "yyyy-mm-dd" };
  // A sheet has no time zones, so it shows the time of this machine's clock, as a table does.
  if (type === "moment")
    return {
      value: new Date(`${localDateTime(Date.parse(cell))}Z`),
      ...{ type: Date, format: momentFormat },
    };
  // A cell of type text is never run as a formula.
  return { value: printableLines(cell), type: String };
}

const momentFormat = "yyyy-mm-dd hh:mm:ss";

function formatOf(type: Column<never>["type"], currency: string | undefined): { readonly format?: string } {
  if (type === "money") return { format: currency === undefined ? "#,##0.00" : `[$${currency}] #,##0.00` };
  return type === "share" ? { format: "0.0%" } : {};
}
