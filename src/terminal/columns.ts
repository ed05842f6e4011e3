/** How a row becomes cells. */

export type Cell = string | number | boolean | null;

export interface Column<Row> {
  /** The heading of the table. */
  readonly heading: string;
  /** The name in CSV; the heading where there is none. */
  readonly name?: string;
  readonly align?: "left" | "right";
  readonly cell: (row: Row) => Cell;
}
