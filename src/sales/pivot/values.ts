/**
 * Makes filters of section 4.8 that select the orders with one value of a dimension: a column of a pivot is asked for
 * by them.
 */
import { isFilterValue, type Filter } from "../../contract/filters.js";
import { filterFields } from "../../contract/filter-fields.js";
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";

/**
 * The values of these dimensions can be filtered; there are about so many of each. An order that was paid in several
 * ways is selected by each of them and counted under one, so payment methods are not among them.
 */
const counts = {
  hour: 24,
  order_type: 4,
  order_timing: 2,
  sales_channel: 11,
  customer_origin: 10,
  driver_id: 10,
  status: 10,
} as const satisfies Partial<Record<Dimension, number>>;

type FilterableDimension = keyof typeof counts;

export function isFilterable(dimension: Dimension): dimension is FilterableDimension {
  return Object.hasOwn(counts, dimension);
}

export function usualCount(dimension: FilterableDimension): number {
  return counts[dimension];
}

/** @returns `undefined` for a value that no filter selects: no driver, a status that section 4.8 doesn't have */
export function filtersOf(dimension: Dimension, key: Group["key"]): readonly Filter[] | undefined {
  if (!isFilterable(dimension) || key === null || typeof key === "boolean" || key === "") return undefined;
  if (dimension === "hour") return hourFilters(String(key));
  const value = String(key);
  const { values } = filterFields[dimension];
  return isFilterValue(values, value) ? [{ field: dimension, operator: "in", values: [value] }] : undefined;
}

/** @param key is 9, `09` or `09:00` */
function hourFilters(key: string): readonly Filter[] | undefined {
  const hour = Number(/^(\d{1,2})(?::00)?$/.exec(key)?.[1] ?? Number.NaN);
  if (!(hour >= 0 && hour <= 23)) return undefined;
  const time = (hourNumber: number) => `${String(hourNumber).padStart(2, "0")}:00`;
  const from: Filter = { field: "created_at_time", operator: "gteq", values: [time(hour)] };
  if (hour === 23) return [from];
  return [from, { field: "created_at_time", operator: "lt", values: [time(hour + 1)] }];
}
