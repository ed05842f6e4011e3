/** The order of groups. */
import { averageCents } from "../api/money.js";
import { alternatives } from "../base/basics.js";
import { invalidValue } from "../base/fields.js";
import { t } from "../languages/language.js";
import type { Pair, Row } from "./figures.js";

const sortFields = ["revenue", "orders", "average", "label", "key"] as const;
type SortField = (typeof sortFields)[number];

const values: Readonly<Record<SortField, (row: Row) => Row["key"]>> = {
  revenue: ({ revenue }) => revenue,
  orders: ({ orders }) => orders,
  average: ({ revenue, orders }) => averageCents(revenue, orders),
  label: ({ label }) => label,
  key: ({ key }) => key,
};

export interface Sort {
  readonly field: SortField;
  readonly descending: boolean;
}

/** The order of a limited number of groups. */
export const byRevenue: Sort = { field: "revenue", descending: true };

/**
 * Reads `revenue`, `label` or, with a direction, `revenue:asc`. The default is descending for figures and ascending for names.
 *
 * @throws {ComandaError} `invalid_input` for an unknown field or direction
 */
export function parseSort(text: string): Sort {
  const [, name, direction] = /^(\w+)(?::(asc|desc))?$/.exec(text) ?? [];
  const field = sortFields.find((field) => field === name);
  if (field === undefined) {
    throw invalidValue("sort", text, {
      hint: t`Use ${alternatives(sortFields)}, optionally with :asc or :desc.`,
    });
  }
  const isName = field === "label" || field === "key";
  return { field, descending: direction === undefined ? !isName : direction === "desc" };
}

/** Sorts groups. Equal ones keep their order; groups that are missing in this period, or have no label or key, come last. */
export function rank(pairs: readonly Pair[], sort: Sort, locale: string): readonly Pair[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const isName = sort.field === "label" || sort.field === "key";
  const valueOf = ({ current, previous }: Pair) => {
    const row = current ?? (isName ? previous : undefined);
    return row ? values[sort.field](row) : null;
  };
  return pairs
    .map((pair) => ({ pair, value: valueOf(pair) }))
    .toSorted(({ value: left }, { value: right }) => {
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      const areNumbers = typeof left === "number" && typeof right === "number";
      const order = areNumbers ? left - right : collator.compare(String(left), String(right));
      return sort.descending ? -order : order;
    })
    .map(({ pair }) => pair);
}
