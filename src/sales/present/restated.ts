/**
 * Tells what has changed in figures that were known already, in one line each: `5 Oct restated: −R$ 70,10 since 1
 * Nov`.
 */
import type { Dimension } from "../../contract/enums.js";
import { centsFromNumber, numberFromCents } from "../../contract/money.js";
import type { Restatement } from "../ledger/restatements.js";
import type { NumberFormat } from "./number-format.js";
import { currentLanguage, plural, t, translated } from "../../shared/language.js";

export interface RestatedOptions {
  readonly format: NumberFormat;
  /** The store's zone is an IANA name. */
  readonly zone: string;
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
}

/** Writes the largest changes first; a change that several dimensions show is told once. */
export function restatedLines(all: readonly Restatement[], options: RestatedOptions): readonly string[] {
  const size = ({ first }: Cause) => Math.abs(first.after.total_revenue - first.before.total_revenue);
  const causes = causesOf(all);
  return causes
    .toSorted((a, b) => size(b) - size(a))
    .map(({ first, others }) => {
      const line = lineOf(first, options);
      return others.length === 0
        ? line
        : t`${line}; also by ${others.map((name) => translated(name)).join(", ")}`;
    });
}

interface Cause {
  readonly first: Restatement;
  /** These other dimensions show it. */
  readonly others: Dimension[];
}

/**
 * Joins the same change of the same days in several dimensions, since it is of the same orders: the whole tells it,
 * or the day. Two drivers with the same change stay two.
 */
function causesOf(all: readonly Restatement[]): readonly Cause[] {
  const rank = ({ dimension }: Restatement) => (dimension === null ? 0 : dimension === "day" ? 1 : 2);
  const byChange = new Map<string, Cause[]>();
  for (const restatement of all.toSorted((a, b) => rank(a) - rank(b))) {
    const { dimension } = restatement;
    const change = JSON.stringify(changeOf(restatement));
    const causes = byChange.get(change) ?? [];
    const cause = causes.find(
      ({ first, others }) =>
        dimension !== null &&
        ![first.dimension, ...others].includes(dimension) &&
        mayBeOne(daysOf(first), daysOf(restatement)),
    );
    if (cause && dimension !== null) cause.others.push(dimension);
    else byChange.set(change, [...causes, { first: restatement, others: [] }]);
  }
  return [...byChange.values()].flat();
}

type Days = Pick<Restatement, "from" | "to">;

/** Gives the days of a change. A day's figures are of that day, whatever window it was asked for in. */
function daysOf({ dimension, key, from, to }: Restatement): Days {
  return isDay(dimension, key) ? { from: key, to: key } : { from, to };
}

function mayBeOne(left: Days, other: Days): boolean {
  const has = (outer: Days, inner: Days) => outer.from <= inner.from && inner.to <= outer.to;
  return has(left, other) || has(other, left);
}

function isDay(dimension: Dimension | null, key: Restatement["key"]): key is string {
  return dimension === "day" && typeof key === "string" && /^\d{4}-\d{2}-\d{2}$/.test(key);
}

function changeOf({ before, after }: Restatement): { readonly revenue: number; readonly orders: number } {
  const cents = (centsFromNumber(after.total_revenue) ?? 0) - (centsFromNumber(before.total_revenue) ?? 0);
  return { revenue: numberFromCents(cents), orders: after.total_order_count - before.total_order_count };
}

function lineOf(restatement: Restatement, { format, zone, now }: RestatedOptions): string {
  const { since, dimension, key, label, from, to } = restatement;
  const { revenue, orders } = changeOf(restatement);
  const count = format.countChange(orders);
  const changes = [
    ...(revenue === 0 ? [] : [format.amountChange(revenue)]),
    ...(orders === 0
      ? []
      : [plural(Math.abs(orders), { one: t`${count} order`, other: t`${count} orders` })]),
  ].join(", ");
  const day = (date: string) => dayOf(Date.parse(`${date}T12:00:00Z`), { now, timeZone: "UTC" });
  const days = from === to ? day(from) : t`${day(from)} to ${day(to)}`;
  // Two drivers may have one name.
  const id = dimension?.endsWith("_id") && label !== null && key !== null ? ` (${String(key)})` : "";
  const name = label ?? (key === null ? t`none` : String(key));
  const group = dimension && `${translated(dimension)} ${name}${id}, ${days}`;
  const about = isDay(dimension, key) ? day(key) : (group ?? days);
  return t`${about} restated: ${changes} since ${dayOf(since, { now, timeZone: zone })}`;
}

/** Writes a day, with the year only where it isn't this one. */
function dayOf(
  epochMs: number,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): string {
  const locale = currentLanguage() === "pt-BR" ? "pt-BR" : "en-GB";
  const yearOf = (moment: number) =>
    new Intl.DateTimeFormat(locale, { year: "numeric", timeZone }).format(moment);
  const year = yearOf(epochMs) === yearOf(now) ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", ...year, timeZone }).format(
    epochMs,
  );
}
