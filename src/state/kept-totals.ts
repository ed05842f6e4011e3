/** What the kept answers of a store come to, one by one: what an accountant adds up. */
import type { StateFolder } from "./state-folder.js";

/** The newest answer to one question, added up. */
export interface KeptTotal {
  /** What it is grouped by; empty: it is a whole summary. */
  readonly dimension: string;
  readonly date_field: string;
  /** JSON, as in sales.db. */
  readonly filters: string;
  /** The window as it went out. */
  readonly from_text: string;
  readonly to_text: string;
  readonly time_zone: string;
  /** YYYY-MM-DD; null where the window isn't made of whole days. */
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** Milliseconds since the epoch. */
  readonly asked_at: number;
  readonly orders: number;
  readonly revenue_cents: number;
  /** The service's own; null where it is grouped. */
  readonly average_cents: number | null;
}

/** The newest figures of one day. */
export interface KeptDay {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly date_field: string;
  readonly filters: string;
  readonly time_zone: string;
  readonly orders: number;
  readonly revenue_cents: number;
}

export interface KeptSums {
  readonly totals: readonly KeptTotal[];
  readonly days: readonly KeptDay[];
}

const totalColumns = {
  dimension: "text",
  date_field: "text",
  filters: "text",
  from_text: "text",
  to_text: "text",
  time_zone: "text",
  first_day: "text?",
  last_day: "text?",
  asked_at: "bigint",
} as const;

/** Of the newest sign-in: after another one the alias may stand for another store. */
const newestSource = "select max(id) from sources where store = $1";

const totals = `
select ${Object.keys(totalColumns).join(", ")},
  cast(coalesce(sum(order_count), 0) as bigint) as orders,
  cast(coalesce(sum(revenue_cents), 0) as bigint) as revenue_cents,
  max(case when dimension = '' then average_cents end) as average_cents
from (
  select answers.*, row_number() over (
    partition by dimension, date_field, filters, from_text, to_text order by id desc) as later
  from answers
  where source_id = (${newestSource}) and dimension not like 'running %' and from_at >= $2 and to_at <= $3
) as a left join figures f on f.answer_id = a.id
where a.later = 1
group by a.id, ${Object.keys(totalColumns).join(", ")}
order by a.id`;

const days = `
select date, date_field, filters, time_zone, orders, revenue_cents from sales_by_day
where store = $1 and environment = (select environment from sources where id = (${newestSource}))
order by date`;

/**
 * @param span of windows that lie within it, in milliseconds since the epoch
 * @throws {ComandaError} `state_unusable`
 */
export async function keptSums(
  data: StateFolder,
  store: string,
  span: { readonly from: number; readonly to: number },
): Promise<KeptSums> {
  const database = await data.existingDatabase("sales");
  if (!database) return { totals: [], days: [] };
  const sums = { orders: "bigint", revenue_cents: "bigint" } as const;
  return {
    totals: await database.rows(
      { ...totalColumns, ...sums, average_cents: "bigint?" },
      totals,
      ...[store, span.from, span.to],
    ),
    days: await database.rows(
      { date: "text", date_field: "text", filters: "text", time_zone: "text", ...sums },
      days,
      store,
    ),
  };
}

/** The orders of one driver in a window. */
export interface DriverOrders {
  readonly driver: number;
  /** As the service calls the driver. */
  readonly name: string | null;
  readonly orders: number;
}

const drivers = `
select group_key, label, order_count from figures
where group_key is not null and answer_id = (
  select max(id) from answers
  where source_id = (${newestSource}) and dimension = 'driver_id' and date_field = 'created_at' and filters = '[]'
    and first_day = $2 and last_day = $3)
order by position`;

/**
 * The newest answer by driver about just these days; none where nobody asked.
 *
 * @param days YYYY-MM-DD, both included
 * @throws {ComandaError} `state_unusable`
 */
export async function keptDriverOrders(
  data: StateFolder,
  store: string,
  days: { readonly first: string; readonly last: string },
): Promise<readonly DriverOrders[]> {
  const database = await data.existingDatabase("sales");
  const columns = { group_key: "text", label: "text?", order_count: "bigint" } as const;
  const rows = (await database?.rows(columns, drivers, store, days.first, days.last)) ?? [];
  return rows.map(({ group_key: key, label, order_count: orders }) => ({
    driver: Number(key),
    name: label,
    orders,
  }));
}
