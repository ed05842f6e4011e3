/** Orders, revenue and average of several things, one row for each. */
import type { Metrics } from "../merge/sums.js";
import type { NumberFormat } from "../present/number-format.js";

/** Figures, or why there are none. */
export type FiguresTableRow =
  | { readonly name: string; readonly metrics: Metrics; readonly format: NumberFormat }
  | { readonly name: string; readonly problem: string };

interface FiguresTableProps {
  readonly caption: string;
  /** Heading of the first column. */
  readonly column: string;
  readonly rows: readonly FiguresTableRow[];
}

/** The roles are said again, since the stylesheet makes blocks of tables on narrow screens. */
export function FiguresTable({ caption, column, rows }: FiguresTableProps) {
  return (
    <table role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[column, "Orders", "Revenue", "Average"].map((heading) => (
            <th role="columnheader" scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row">
            <th role="rowheader" scope="row">
              <bdi>{row.name}</bdi>
            </th>
            <Cells row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ row }: { readonly row: FiguresTableRow }) {
  if ("problem" in row) {
    return (
      <td role="cell" colspan={3} class="problem">
        {row.problem}
      </td>
    );
  }
  const { format, metrics } = row;
  const { total_order_count, total_revenue, average_order_value } = metrics;
  return (
    <>
      <td role="cell">{format.count(total_order_count)}</td>
      <td role="cell">{format.amount(total_revenue)}</td>
      <td role="cell">{format.amount(average_order_value)}</td>
    </>
  );
}
