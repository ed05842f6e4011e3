/** Adds up the kept answers of a store, as an accountant does. */
import type { Row } from "./database.js";
import type { StateFolder } from "./state-folder.js";

const windowColumns = {
  from_text: "text",
  to_text: "text",
  first_day: "text?",
  last_day: "text?",
  date_field: "text",
  filters: "text",
} as const;

const columns = {
  id: "bigint",
  ...windowColumns,
  /** The dimension that was added up, or `days` for days that are known by themselves; empty for the whole itself. */
  part: "text",
  /** The days that were added up. */
  days: "bigint",
  orders: "bigint",
  revenue_cents: "bigint",
  /** The service's own; null where it was asked for groups alone. */
  average_cents: "bigint?",
  part_orders: "bigint",
  part_revenue_cents: "bigint",
} as const;

/** A window's whole, and what one of its parts comes to. */
export type KeptPair = Row<typeof columns>;

/** The newest sign-in counts: after another one the alias may stand for another store. */
const newestSource = "select max(id) from sources where store = $1";
const ofWindow = Object.keys(windowColumns).join(", ");
const ofWhole = Object.keys(windowColumns)
  .map((name) => `whole.${name}`)
  .join(", ");

/** The whole is the service's own answer about it; where nobody asked for it, the youngest one says most. */
const pairs = `
with totals as (
  select a.id, asked_at, dimension, time_zone, ${ofWindow},
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
  group by a.id, asked_at, dimension, time_zone, ${ofWindow}
), parts as (
  select from_text, to_text, date_field, filters, time_zone,
    first_value(first_day) over wholes as first_day, first_value(last_day) over wholes as last_day,
    first_value(id) over wholes as id, first_value(orders) over wholes as orders,
    first_value(revenue_cents) over wholes as revenue_cents,
    first_value(average_cents) over wholes as average_cents,
    case when row_number() over wholes = 1 then '' else dimension end as part,
    orders as part_orders, revenue_cents as part_revenue_cents
  from totals
  window wholes as (
    partition by date_field, filters, from_text, to_text
    order by case when dimension = '' then 0 else 1 end, asked_at desc, id)
)
select * from (
  select id, ${ofWindow}, part, 0 as days, orders, revenue_cents, average_cents, part_orders, part_revenue_cents
  from parts
  union all
  select whole.id, ${ofWhole}, 'days', count(*), whole.orders, whole.revenue_cents, whole.average_cents,
    cast(sum(day.orders) as bigint), cast(sum(day.revenue_cents) as bigint)
  from parts as whole join sales_by_day as day
    on day.date_field = whole.date_field and day.filters = whole.filters and day.time_zone = whole.time_zone
    and day.date between whole.first_day and whole.last_day
  where whole.part = '' and whole.first_day < whole.last_day
    and day.store = $1 and day.environment = (select environment from sources where id = (${newestSource}))
  group by whole.id, ${ofWhole}, whole.orders, whole.revenue_cents, whole.average_cents
) as pairs order by from_text, to_text, id, part`;

/**
 * @param span of windows that lie within it, in milliseconds since the epoch
 * @throws {ComandaError} `state_unusable`
 */
export async function keptPairs(
  state: StateFolder,
  store: string,
  span: { readonly from: number; readonly to: number },
): Promise<readonly KeptPair[]> {
  return state.rowsIn("sales", columns, pairs, store, span.from, span.to);
}

/** The orders of one driver in a window. */
export interface DriverOrders {
  readonly driver: number;
  /** The service's name of the driver. */
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
  state: StateFolder,
  store: string,
  days: { readonly first: string; readonly last: string },
): Promise<readonly DriverOrders[]> {
  const columns = { group_key: "text", label: "text?", order_count: "bigint" } as const;
  const rows = await state.rowsIn("sales", columns, drivers, store, days.first, days.last);
  return rows.map(({ group_key: key, label, order_count: orders }) => ({
    driver: Number(key),
    name: label,
    orders,
  }));
}
