/** The columns of records: how a row becomes a cell, in every format. */
import { translated } from "../shared/language.js";

import type { Style, Tone } from "./style.js";

export type Cell = string | number | boolean | null;

/** A day is `2026-11-20`, a moment an ISO 8601 date-time, a share a number from 0 to 1. */
export type CellType = "money" | "day" | "moment" | "share";

/** How a row becomes a cell, in every format. */
export interface Column<Row> {
  /** The heading of the table. */
  readonly heading: string;
  /** The name in CSV; the heading where there is none. */
  readonly name?: string;
  readonly align?: "left" | "right";
  /** What its numbers and texts are, for files that tell them apart. Money has two decimals in CSV, too. */
  readonly type?: CellType;
  /** ISO 4217: of its money; `undefined` where nobody said it. */
  readonly currency?: (row: Row) => string | undefined;
  /** Are its texts comanda's own words? People read those in their language, programs in English. */
  readonly isWord?: boolean;
  /** May words be cut where a terminal is too narrow? Never those that a person copies, such as ids. */
  readonly mayShorten?: boolean;
  /**
   * A column that may be left out where the table doesn't fit: the lowest number goes first.
   * Absent for a column that always stays.
   */
  readonly leftOut?: number;
  /** `undefined` for the terminal's own colour. */
  readonly tone?: (row: Row) => Tone | undefined;
  readonly cell: (row: Row) => Cell;
  /** What a table at a terminal shows in place of the value, such as a moment by this machine's clock. */
  readonly inTable?: (row: Row) => string;
}

/** What takes tables in place of a text: a workbook. */
export interface Sheets {
  add<Row>(sheet: string, columns: readonly Column<Row>[], rows: readonly Row[]): void;
}

/** What `--fields` takes. */
export interface Fields {
  readonly names: readonly string[];
  /** Called with a name that the result doesn't have, and those that it has. */
  readonly missing: (name: string, names: readonly string[]) => void;
  /** Called where it has none of them. */
  readonly nothing: () => void;
}

/** What records are written for. */
export interface View {
  /** Columns of the terminal; absent where it is none, and a line may be as long as it has to be. */
  readonly width?: number | undefined;
  readonly style: Style;
  /** The columns that are wanted; absent for all. */
  readonly fields?: Fields | undefined;
  /** Blanks between two columns of a table; two by default. */
  readonly gap?: number;
  /** CSV: values that tabs part, and no quotes. */
  readonly tabs?: boolean | undefined;
  /** In place of CSV: what takes its columns and rows. */
  readonly workbook?: Sheets | undefined;
}

/** A cell as people read it. */
export function shownCell<Row>(cell: Cell, { isWord }: Pick<Column<Row>, "isWord">): string {
  const text = String(cell ?? "");
  return isWord ? translated(text) : text;
}
