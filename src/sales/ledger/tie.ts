/**
 * Does every figure agree with every other? Each order is in one group, however orders are split, so answers about the same
 * window have one total; the days of a window add up to it; revenue by orders is the average. Pure.
 */
import { numberFromCents } from "../../contract/money.js";
import type { KeptDay, KeptSums, KeptTotal } from "../../state/kept-totals.js";

export type Measure = "orders" | "revenue" | "average";

/** Two figures that ought to be the same. */
export interface TieDifference {
  readonly measure: Measure;
  /** What was added up: a dimension, or the days that are known by themselves; empty: the whole, divided. */
  readonly by: string;
  /** The window: its days where it is made of whole ones, else as it went out. */
  readonly from: string;
  readonly to: string;
  /** JSON, as in sales.db. */
  readonly filters: string;
  readonly date_field: string;
  /** What the answer about the whole says: orders, or an amount in the store's currency. */
  readonly said: number;
  /** What its parts come to. */
  readonly counted: number;
}

export interface Tie {
  /** Pairs of figures that were compared. */
  readonly checks: number;
  readonly differences: readonly TieDifference[];
  /** Answers that there was nothing to hold against. */
  readonly alone: number;
}

export function tie({ totals, days }: KeptSums): Tie {
  const windows = byKey(totals, ({ from_text, to_text, date_field, filters }) =>
    JSON.stringify([from_text, to_text, date_field, filters]),
  );
  const daysOf = byKey(days, kindOf);
  const ties = [...windows.values()].map((answers) => tieWindow(answers, daysOf));
  return {
    checks: sum(ties, ({ checks }) => checks),
    differences: ties.flatMap(({ differences }) => differences),
    alone: sum(ties, ({ alone }) => alone),
  };
}

type Figures = Pick<KeptTotal, "orders" | "revenue_cents">;

function tieWindow(answers: readonly KeptTotal[], daysOf: ReadonlyMap<string, readonly KeptDay[]>): Tie {
  // The service's own answer about the whole; where nobody asked for it, the youngest says most.
  const whole =
    answers.find(({ dimension }) => dimension === "") ??
    answers.toSorted((a, b) => b.asked_at - a.asked_at)[0];
  if (!whole) return { checks: 0, differences: [], alone: 0 };
  const byDays = sumOfDays(whole, daysOf.get(kindOf(whole)) ?? []);
  const parts: readonly (readonly [by: string, figures: Figures])[] = [
    ...answers.filter((answer) => answer !== whole).map((answer) => [answer.dimension, answer] as const),
    ...(byDays ? [["days", byDays] as const] : []),
  ];
  const average = averageDifference(whole);
  const differences = [
    ...parts.flatMap(([by, part]) => differencesOf(whole, by, part)),
    ...(average === undefined
      ? []
      : [{ ...windowOf(whole), measure: "average", by: "", ...average } as const]),
  ];
  const checks = 2 * parts.length + (whole.average_cents === null ? 0 : 1);
  return { checks, differences, alone: parts.length === 0 ? 1 : 0 };
}

function differencesOf(whole: KeptTotal, by: string, part: Figures): readonly TieDifference[] {
  const pairs = [
    { measure: "orders", said: whole.orders, counted: part.orders },
    {
      measure: "revenue",
      said: numberFromCents(whole.revenue_cents),
      counted: numberFromCents(part.revenue_cents),
    },
  ] as const;
  return pairs
    .filter(({ said, counted }) => said !== counted)
    .map((pair) => ({ ...windowOf(whole), by, ...pair }));
}

/** How the service rounds is not shown, so a cent less or more is no difference. */
function averageDifference({
  orders,
  revenue_cents: revenue,
  average_cents: average,
}: KeptTotal): Pick<TieDifference, "said" | "counted"> | undefined {
  if (average === null || Math.abs(average * orders - revenue) < Math.max(orders, 1)) return undefined;
  const counted = orders === 0 ? 0 : Math.round(revenue / orders);
  return { said: numberFromCents(average), counted: numberFromCents(counted) };
}

/** @returns `undefined` where a day isn't known, or the window is a day or none */
function sumOfDays(
  { first_day: first, last_day: last }: KeptTotal,
  days: readonly KeptDay[],
): Figures | undefined {
  if (first === null || last === null || first === last) return undefined;
  const within = days.filter(({ date }) => date >= first && date <= last);
  if (within.length !== (Date.parse(last) - Date.parse(first)) / dayMs + 1) return undefined;
  return {
    orders: sum(within, ({ orders }) => orders),
    revenue_cents: sum(within, ({ revenue_cents }) => revenue_cents),
  };
}

const dayMs = 86_400_000;

/** Days are those of windows that count the same orders in the same zone's days. */
function kindOf(of: Pick<KeptDay, "date_field" | "filters" | "time_zone">): string {
  return JSON.stringify([of.date_field, of.filters, of.time_zone]);
}

function windowOf(of: KeptTotal): Pick<TieDifference, "from" | "to" | "filters" | "date_field"> {
  const { first_day, last_day, from_text, to_text, filters, date_field } = of;
  return { from: first_day ?? from_text, to: last_day ?? to_text, filters, date_field };
}

function byKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const lists = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = lists.get(key);
    if (list) list.push(item);
    else lists.set(key, [item]);
  }
  return lists;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
