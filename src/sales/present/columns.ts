/** All tables of sales figures for people share the columns of the three figures. */
import type { Column, Format, Tone, View } from "../../terminal/index.js";
import type { DateField } from "../../contract/enums.js";
import type { GroupChange } from "../compare/groups.js";
import type { MetricsChange } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import { t } from "../../shared/language.js";
import type { Display, SalesResult } from "../results.js";
import { noNumber, type NumberFormat } from "./number-format.js";

export interface TableOptions {
  readonly view: View;
  readonly format: Exclude<Format, "json">;
  /** Two periods were asked for. This is known even where no store answered. */
  readonly compared: boolean;
  readonly dateField: DateField | undefined;
  /** Sums are compared per day, since the periods may have them on more days or fewer. */
  readonly perDay?: boolean;
}

export interface FiguresRow {
  readonly store: string;
  readonly current: Metrics | undefined;
  readonly change?: (MetricsChange & Pick<GroupChange, "per_day">) | undefined;
  /** People read numbers in this format. It is absent where a store gave no figures. */
  readonly format: NumberFormat | undefined;
}

/** Section 2.8 has these three figures. */
export const metrics = [
  { name: "total_order_count", heading: "Orders", show: "count", showChange: "countChange" },
  { name: "total_revenue", heading: "Revenue", show: "amount", showChange: "amountChange" },
  { name: "average_order_value", heading: "Average", show: "amount", showChange: "amountChange" },
] as const;

/**
 * Makes the columns for people: the store where there may be several, what the row is about, and the figures as the
 * reader's locale writes them, each with its change where two periods are compared.
 */
export function tableColumns<Row extends FiguresRow>(
  result: SalesResult<unknown>,
  { compared, perDay = false }: TableOptions,
  rowColumns: readonly Column<Row>[],
): readonly Column<Row>[] {
  return [
    ...storeColumn<Row>(result, "Store"),
    ...rowColumns,
    ...metrics.flatMap(({ name, heading, show }): Column<Row>[] => [
      {
        ...{ heading, name },
        align: "right",
        cell: ({ current, format }) => (format ? format[show](current?.[name] ?? 0) : noNumber),
      },
      ...(compared ? [changeColumn<Row>(name, perDay)] : []),
    ]),
  ];
}

/** Makes the column of a change. The average of an order is the same on however many days. */
function changeColumn<Row extends FiguresRow>(name: keyof Metrics, perDay: boolean): Column<Row> {
  const isPerDay = perDay && name !== "average_order_value";
  const percentOf = ({ change }: Row) =>
    isPerDay ? (change?.per_day?.[name].percent ?? null) : change?.[name].percent;
  return {
    heading: isPerDay ? "Per day" : "Change",
    name: isPerDay ? `${name}_per_day_change_percent` : `${name}_change_percent`,
    align: "right",
    tone: (row) => toneOfChange(percentOf(row)),
    cell: (row) => (row.change && row.format ? row.format.percentChange(percentOf(row) ?? null) : noNumber),
  };
}

/** More is green, less is red; the sign says so too. */
export function toneOfChange(percent: number | null | undefined): Tone | undefined {
  if (!percent) return undefined;
  return percent > 0 ? "good" : "bad";
}

/** Names a total. Amounts of different currencies aren't added up, so each currency has one. */
export function totalName({ totals }: SalesResult<unknown>, { currency }: Display): string {
  return totals.length > 1 ? t`Total ${currency ?? t`without currency`}` : t`Total`;
}

/** A single store needs no column of its name. */
export function storeColumn<Row extends { readonly store: string }>(
  { areSeveral }: SalesResult<unknown>,
  heading: string,
): Column<Row>[] {
  return areSeveral ? [{ heading, cell: ({ store }) => store }] : [];
}
