/** Writes changes of sales figures: as JSON, and as a row for each changed day, channel and status. */
import type { Column } from "../../terminal/index.js";
import type { ChangedFigures } from "../report/said.js";
import type { ChangeSection, FigureChange } from "../ledger/changes.js";
import { answeringStores, type SalesResult } from "../results.js";
import { storeColumn, toneOfChange } from "./columns.js";
import { linesCsv } from "./csv.js";
import { periodShape, type ShapeContext } from "./json.js";
import { localLabels, sectionTitles } from "./labels.js";
import { createNumberFormat, type NumberFormat } from "./number-format.js";

/**
 * Makes `{"before": …, "changes": [{"date", "orders", "revenue", …}], "by_sales_channel", "by_status", "now": …}`.
 */
export function changesShape(
  { before, now, saidAt, age, period, sections }: ChangedFigures,
  { dateField, currency }: ShapeContext,
): object {
  const beside = { period: periodShape(period, dateField), currency: currency ?? null };
  const moment = (epochMs: number) => new Date(epochMs).toISOString();
  const listOf = (section: ChangeSection) =>
    sections.get(section)?.map(({ key, label, ...figures }) => ({ key, label, ...figuresShape(figures) })) ??
    null;
  return {
    before: { ...before, ...beside, asked_at: moment(saidAt), kept: true },
    changes: sections.get("day")?.map((change) => ({ date: change.key, ...figuresShape(change) })),
    by_sales_channel: listOf("sales_channel"),
    by_status: listOf("status"),
    now: { ...now, ...beside, asked_at: moment(age.askedAt), kept: age.kept },
  };
}

function figuresShape({ orders, revenue, before, now }: Omit<FigureChange, "key" | "label">) {
  return {
    ...{ orders, revenue },
    ...{ orders_before: before.total_order_count, revenue_before: before.total_revenue },
    ...{ orders_now: now.total_order_count, revenue_now: now.total_revenue },
  };
}

export interface ChangeRow extends FigureChange {
  readonly store: string;
  readonly section: ChangeSection;
  /** The reader's locale calls the group so. */
  readonly name: string;
  readonly format: NumberFormat;
  /** The code is one of ISO 4217. */
  readonly currency: string | undefined;
}

export function changeRows(result: SalesResult<ChangedFigures>): readonly ChangeRow[] {
  return answeringStores(result).flatMap(({ store, figures, display }) => {
    const { locale, currency } = display;
    const format = createNumberFormat(display);
    return [...figures.sections].flatMap(([section, changes]) => {
      const names = localLabels(changes, { dimension: section, locale });
      return changes.map((change, index) => ({
        ...{ ...change, store, section, name: names[index] ?? "", format, currency },
      }));
    });
  });
}

const right = { align: "right" } as const;

/** A table at a terminal has the changes. */
export function changeColumns(result: SalesResult<unknown>): readonly Column<ChangeRow>[] {
  return [...storeColumn<ChangeRow>(result, "Store"), ...columns];
}

const columns: readonly Column<ChangeRow>[] = [
  { heading: "By", cell: ({ section }) => sectionTitles[section].column, isWord: true },
  { heading: "Group", cell: ({ name }) => name },
  {
    ...{ heading: "Orders", name: "orders", ...right, tone: ({ orders }) => toneOfChange(orders) },
    cell: ({ format, orders }) => format.countChange(orders),
  },
  {
    ...{ heading: "Revenue", name: "revenue", ...right, tone: ({ revenue }) => toneOfChange(revenue) },
    cell: ({ format, revenue }) => format.amountChange(revenue),
  },
  {
    ...{ heading: "Revenue before", name: "revenue_before", ...right },
    cell: ({ format, before }) => format.amount(before.total_revenue),
  },
  {
    ...{ heading: "Revenue now", name: "revenue_now", ...right },
    cell: ({ format, now }) => format.amount(now.total_revenue),
  },
];

/** A file also has the figures before and now. */
export function changesCsv(result: SalesResult<ChangedFigures>, rows: readonly ChangeRow[]): Promise<string> {
  const cells = ({ section, key, label, orders, revenue, before, now }: Partial<ChangeRow> = {}) => ({
    ...{ by: section ?? null, key: key ?? null, label: label ?? null },
    ...{ orders: orders ?? null, revenue: revenue ?? null },
    ...{ orders_before: before?.total_order_count ?? null, revenue_before: before?.total_revenue ?? null },
    ...{ orders_now: now?.total_order_count ?? null, revenue_now: now?.total_revenue ?? null },
  });
  return linesCsv(result, { rows, cells });
}
