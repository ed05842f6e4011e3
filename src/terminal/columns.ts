/** How a row becomes cells. */

export type Cell = string | number | boolean | null;

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
