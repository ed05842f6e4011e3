/** Shows orders, revenue and average in a table with one row for each store, day or group. */
import { compareMetrics, type Change } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import { noNumber, type NumberFormat } from "../present/number-format.js";
import { t } from "../../shared/language.js";

export type FiguresTableRow =
  | {
      readonly name: string;
      readonly metrics: Metrics;
      /** The row is compared with these figures, where there are any. */
      readonly previous?: Metrics | undefined;
      /** The revenue changed by this much, where it isn't the difference of the two amounts. */
      readonly change?: Change | undefined;
      /** The revenue of each day is drawn as a line. */
      readonly line?: readonly number[] | undefined;
      readonly format: NumberFormat;
    }
  | { readonly name: string; readonly problem: string };

interface FiguresTableProps {
  readonly caption: string;
  readonly column: string;
  readonly rows: readonly FiguresTableRow[];
  readonly perDay?: boolean;
}

/** The roles are repeated, since the stylesheet makes blocks of tables on narrow screens. */
export function FiguresTable({ caption, column, rows, perDay = false }: FiguresTableProps) {
  const isCompared = rows.some((row) => "previous" in row && row.previous !== undefined);
  const isDrawn = rows.some((row) => "line" in row && row.line !== undefined);
  const headings = [
    column,
    ...(isDrawn ? [t`Day by day`] : []),
    perDay ? t`Orders a day` : t`Orders`,
    perDay ? t`Revenue a day` : t`Revenue`,
    t`Average`,
    ...(isCompared ? [perDay ? t`A day before` : t`Revenue before`, t`Change`] : []),
  ];
  const cellsOf = (row: FiguresTableRow) => {
    if ("problem" in row) {
      return (
        <td role="cell" colspan={headings.length - 1} class="problem">
          {row.problem}
        </td>
      );
    }
    const { format, metrics, previous, line = [] } = row;
    const change = previous && (row.change ?? compareMetrics(metrics, previous).total_revenue);
    const hasPercent = change && (change.percent !== null || change.absolute === 0);
    const cells = [
      format.count(metrics.total_order_count),
      format.amount(metrics.total_revenue),
      format.amount(metrics.average_order_value),
      ...(isCompared
        ? [
            previous ? format.amount(previous.total_revenue) : noNumber,
            hasPercent ? <Trend change={change} text={format.percentChange(change.percent)} /> : noNumber,
          ]
        : []),
    ];
    return (
      <>
        {isDrawn && (
          <td role="cell" class="line">
            <Line values={line} format={format} />
          </td>
        )}
        {cells.map((cell) => (
          <td role="cell">{cell}</td>
        ))}
      </>
    );
  };
  return (
    <table
      role="table"
      class={[isCompared && "compared", isDrawn && "drawn"].filter(Boolean).join(" ") || undefined}
    >
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {headings.map((heading) => (
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
            {cellsOf(row)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Shows the direction by sign, arrow and colour, so that a reader needs to see only one of them.
 *
 * @param text is the change as it is written, with its sign
 */
export function Trend({ change: { absolute }, text }: { readonly change: Change; readonly text: string }) {
  if (absolute === 0) return <span class="trend">{t`unchanged`}</span>;
  return (
    <span class={absolute > 0 ? "trend up" : "trend down"}>
      <span aria-hidden="true">{absolute > 0 ? "▲ " : "▼ "}</span>
      {text}
    </span>
  );
}

const lineHeight = 24;

/** Draws the course of the revenue in the size of the cell; the table has the sums. */
function Line({ values, format }: { readonly values: readonly number[]; readonly format: NumberFormat }) {
  if (values.length < 2) return null;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const y = (value: number) => (lineHeight - 2) * (1 - (highest > 0 ? value / highest : 0)) + 1;
  return (
    <svg
      role="img"
      aria-label={t`Revenue day by day, from ${format.amount(lowest)} to ${format.amount(highest)}`}
      viewBox={`0 0 ${values.length - 1} ${lineHeight}`}
      height={lineHeight}
      preserveAspectRatio="none"
    >
      <polyline points={values.map((value, day) => `${day},${y(value).toFixed(1)}`).join(" ")} />
    </svg>
  );
}
