/**
 * Questions of an owner and of an accountant: in words, as a command, as SQL over `sales.db`, and as plain counting over
 * the orders themselves.
 */

import type { Dimension } from "../../../src/contract/enums.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { keySlowly } from "../../emulator/summary/brute-force.js";

/** Three stores in three zones and two currencies. */
export const chain = [
  { name: "centro", id: 601, zone: "America/Sao_Paulo", currency: "BRL" },
  { name: "manaus", id: 602, zone: "America/Manaus", currency: "BRL" },
  { name: "porto", id: 603, zone: "Europe/Lisbon", currency: "EUR" },
] as const;
export type StoreName = (typeof chain)[number]["name"];

/** An order at the store it belongs to, with the day it was made on there. */
export interface SoldOrder extends OrderRecord {
  readonly store: StoreName;
  readonly day: string;
  by(dimension: Dimension): string;
}

export interface Question {
  readonly words: string;
  /** The command, without `--json`. */
  readonly line: string;
  /** Gives `name`, `orders` and `cents`. */
  readonly sql: string;
  /** Which orders it is about. */
  readonly of: (order: SoldOrder) => boolean;
  /** What each of them is counted under; absent: all together. */
  readonly by?: (order: SoldOrder) => string;
}

export function soldOrders(orders: Iterable<OrderRecord>): readonly SoldOrder[] {
  const stores = new Map<number, (typeof chain)[number]>(chain.map((store) => [store.id, store]));
  return [...orders].flatMap((order) => {
    const store = stores.get(order.storeId);
    if (!store) return [];
    const by = (dimension: Dimension) => String(keySlowly(order, dimension, store.zone));
    return { ...order, store: store.name, day: by("day"), by };
  });
}

const at = (store: StoreName) => (order: SoldOrder) => order.store === store;
const between = (from: string, to: string) => (order: SoldOrder) => from <= order.day && order.day <= to;
const and =
  (...conditions: readonly ((order: SoldOrder) => boolean)[]) =>
  (order: SoldOrder) =>
    conditions.every((holds) => holds(order));
const october = between("2026-10-01", "2026-10-31");
const weekdayOf = (order: SoldOrder) => order.by("day_of_week");
const hourOf = (order: SoldOrder) => Number(order.by("hour"));

const inDays = (from: string, to: string) => `date between '${from}' and '${to}'`;
const inOctober = inDays("2026-10-01", "2026-10-31");
const wholeDays = (of: string) =>
  `select 'all' as name, sum(orders) as orders, sum(revenue_cents) as cents from sales_by_day where filters = '[]' and ${of}`;
const daysBy = (name: string, of: string) =>
  `select ${name} as name, sum(orders) as orders, sum(revenue_cents) as cents from sales_by_day
   where filters = '[]' and ${of} group by ${name} having sum(orders) > 0`;
/** Of each day by itself, as `sync` asks them. */
const partsBy = (name: string, dimension: Dimension, of: string) =>
  `select ${name} as name, sum(orders) as orders, sum(revenue_cents) as cents
   from (select *, from_date as date, coalesce(key, 'null') as part from sales_by_dimension
     where from_date = to_date and filters = '[]' and dimension = '${dimension}') as parts
   where ${of} group by ${name} having sum(orders) > 0`;
/** What the service counted itself by a filter, of the month that the command asked. */
const filtered = (filter: string) =>
  `select key as name, orders, revenue_cents as cents from sales_by_dimension
   where dimension = 'order_type' and store = 'centro' and filters = '["${filter}"]' and from_date = '2026-10-01'`;
const centro = "--store centro --period 2026-10";

const periods: readonly (readonly [words: string, flags: string, from: string, to: string])[] = [
  ["a Wednesday", "--period 2026-11-18", "2026-11-18", "2026-11-18"],
  ["the Sunday of a clock that goes back", "--period 2026-10-25", "2026-10-25", "2026-10-25"],
  ["the week before", "--period last-week", "2026-11-09", "2026-11-15"],
  ["the last 14 days", "--period last-14-days", "2026-11-06", "2026-11-19"],
  ["the month before", "--period last-month", "2026-10-01", "2026-10-31"],
  ["this month until yesterday", "--period month-to-yesterday", "2026-11-01", "2026-11-19"],
  ["two weeks across the end of a month", "--from 2026-10-25 --to 2026-11-07", "2026-10-25", "2026-11-07"],
];
const splits: readonly (readonly [words: string, dimension: Dimension])[] = [
  ["At which hours", "hour"],
  ["On which days", "day"],
  ["On which weekdays", "day_of_week"],
  ["In which weeks", "week"],
  ["Delivered, fetched or eaten here", "order_type"],
  ["At once or for later", "order_timing"],
  ["Through which channel", "sales_channel"],
  ["From where the customers came", "customer_origin"],
  ["Paid how", "payment_method_id"],
  ["Brought by whom", "driver_id"],
  ["In which status", "status"],
];
/** Days of the week and weeks follow from days, and are asked of them. */
const sqlBy = (dimension: Dimension, of: string) =>
  dimension === "day"
    ? daysBy("date", of)
    : dimension === "day_of_week"
      ? daysBy("strftime('%w', date)", of)
      : dimension === "week"
        ? daysBy("strftime('%G-W%V', date)", of)
        : partsBy("part", dimension, of);

const ofPeriods = chain.flatMap(({ name }) =>
  periods.map(([words, flags, from, to]): Question => ({
    words: `What did ${name} sell in ${words}?`,
    line: `summary --store ${name} ${flags}`,
    sql: wholeDays(`store = '${name}' and ${inDays(from, to)}`),
    of: and(at(name), between(from, to)),
  })),
);
const ofSplits = chain.flatMap(({ name }) =>
  splits.map(([words, dimension]): Question => ({
    words: `${words} did ${name} sell in October?`,
    line: `grouped --by ${dimension.replaceAll("_", "-")} --store ${name} --period 2026-10`,
    sql: sqlBy(dimension, `store = '${name}' and ${inOctober}`),
    of: and(at(name), october),
    by: (order) => order.by(dimension),
  })),
);
/** A value of a dimension is a filter, and a part of the days by that dimension. */
const ofValues = (
  [
    ["were delivered", "order_type", "delivery"],
    ["were canceled", "status", "canceled"],
    ["came through the catalog", "sales_channel", "catalog"],
    ["came for later", "order_timing", "scheduled"],
    ["came from nowhere that is known", "customer_origin", "null"],
  ] as const
).map(([words, dimension, value]): Question => ({
  words: `How many orders of October ${words}?`,
  line: `summary ${centro} --filter ${dimension}=${value}`,
  sql: partsBy("'all'", dimension, `store = 'centro' and part = '${value}' and ${inOctober}`),
  of: (order) => order.store === "centro" && october(order) && order.by(dimension) === value,
}));
const filters: readonly (readonly [
  words: string,
  filter: string,
  kept: string,
  holds: (order: SoldOrder) => boolean,
])[] = [
  ["were not canceled", "status!=canceled", "status_not_in=canceled", ({ status }) => status !== "canceled"],
  ["cost 80 or more", "total>=80", "total_gteq=80", ({ total }) => total >= 8_000],
  ["cost less than 80", "total<80", "total_lt=80", ({ total }) => total < 8_000],
  ["had no fee", "delivery_fee=0", "delivery_fee_eq=0", ({ deliveryFee }) => deliveryFee === 0],
  ["came before 15:00", "created_at_time<15:00", "created_at_time_lt=15:00", (order) => hourOf(order) < 15],
];
const ofFilters = filters.map(([words, filter, kept, holds]): Question => ({
  words: `How many orders of October ${words}, of each kind?`,
  line: `grouped --by order-type ${centro} --filter ${filter}`,
  sql: filtered(kept),
  of: (order) => order.store === "centro" && october(order) && holds(order),
  by: (order) => order.by("order_type"),
}));

const ofCells: readonly Question[] = [
  {
    words: "At which hours of which weekday did centro sell in October?",
    line: `pivot --rows day-of-week --cols hour ${centro}`,
    sql: partsBy("strftime('%w', date) || ' ' || part", "hour", `store = 'centro' and ${inOctober}`),
    of: and(at("centro"), october),
    by: (order) => `${weekdayOf(order)} ${order.by("hour")}`,
  },
  {
    words: "Which channel brought what in which week?",
    line: `pivot --rows week --cols sales-channel ${centro}`,
    sql: partsBy(
      "strftime('%G-W%V', date) || ' ' || part",
      "sales_channel",
      `store = 'centro' and ${inOctober}`,
    ),
    of: and(at("centro"), october),
    by: (order) => `${order.by("week")} ${order.by("sales_channel")}`,
  },
  {
    words: "Who brought what on which day?",
    line: "pivot --rows day --cols driver-id --store manaus --from 2026-11-09 --to 2026-11-15",
    sql: partsBy(
      "date || ' ' || part",
      "driver_id",
      `store = 'manaus' and ${inDays("2026-11-09", "2026-11-15")}`,
    ),
    of: and(at("manaus"), between("2026-11-09", "2026-11-15")),
    by: (order) => `${order.day} ${order.by("driver_id")}`,
  },
];

/** Both sides of a comparison: `then` of the earlier one. */
const sides = (now: readonly [string, string], then: readonly [string, string]) => {
  const [isNow, wasThen] = [between(...now), between(...then)];
  return {
    sql: daysBy(
      `case when ${inDays(...now)} then 'now' else 'then' end`,
      `store = 'centro' and (${inDays(...now)} or ${inDays(...then)})`,
    ),
    of: (order: SoldOrder) => order.store === "centro" && (isNow(order) || wasThen(order)),
    by: (order: SoldOrder) => (isNow(order) ? "now" : "then"),
  };
};
const compared: readonly Question[] = [
  {
    words: "Is this month so far better than the last one to the same day?",
    line: "summary --store centro --period month-to-yesterday --compare month",
    ...sides(["2026-11-01", "2026-11-19"], ["2026-10-01", "2026-10-19"]),
  },
  {
    words: "Was last week better than the one before?",
    line: "summary --store centro --period last-week --compare week",
    ...sides(["2026-11-09", "2026-11-15"], ["2026-11-02", "2026-11-08"]),
  },
  {
    words: "And than any other week?",
    line: "summary --store centro --period last-week --compare 2026-10-05..2026-10-11",
    ...sides(["2026-11-09", "2026-11-15"], ["2026-10-05", "2026-10-11"]),
  },
];

const ofChain: readonly Question[] = [
  {
    words: "What did each store sell in October, in its own days?",
    line: "summary --all-stores --period 2026-10",
    sql: daysBy("store", inOctober),
    of: october,
    by: ({ store }) => store,
  },
  {
    words: "And each through which channel?",
    line: "grouped --by sales-channel --all-stores --period 2026-10",
    sql: partsBy("store || ' ' || part", "sales_channel", inOctober),
    of: october,
    by: (order) => `${order.store} ${order.by("sales_channel")}`,
  },
];

export const accountant: readonly Question[] = [
  ...[ofPeriods, ofSplits, ofValues, ofFilters, ofCells, compared, ofChain].flat(),
];

/** The rows of each question, by name: how many orders, and how many cents. */
export type Rows = Readonly<Record<string, readonly [orders: number, cents: number]>>;

export function counted(
  orders: readonly SoldOrder[],
  { of, by = () => "all" }: Pick<Question, "of" | "by">,
): Rows {
  const rows: Record<string, [number, number]> = {};
  for (const order of orders) {
    if (!of(order)) continue;
    const row = (rows[by(order)] ??= [0, 0]);
    row[0] += 1;
    row[1] += order.total;
  }
  return rows;
}
