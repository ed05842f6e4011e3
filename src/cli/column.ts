/** The columns of records, which make cells of rows for every format. */
import type { Style, Tone } from "./style.js";

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
