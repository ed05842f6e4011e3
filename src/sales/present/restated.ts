/** What has changed in figures that were known already, in one line each: `5 Oct restated: −R$ 70,10 since 1 Nov`. */
import type { Dimension } from "../../contract/enums.js";
import { centsFromNumber, numberFromCents } from "../../contract/money.js";
import type { Restatement } from "../ledger/restatements.js";
import type { NumberFormat } from "./number-format.js";
import { currentLanguage, plural, t, translated } from "../../shared/language.js";

export interface RestatedOptions {
  readonly format: NumberFormat;
  /** IANA name of the store's zone. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** More of them make nobody wiser; JSON has them all. */
const shown = 10;

/** The largest changes first; a change that several dimensions show is told once. */
export function restatedLines(all: readonly Restatement[], options: RestatedOptions): readonly string[] {
  const size = (restatement: Restatement) =>
    Math.abs(restatement.after.total_revenue - restatement.before.total_revenue);
  const causes = causesOf(all.toSorted((a, b) => size(b) - size(a)));
  const lines = causes.slice(0, shown).map(([restatement, others]) => {
    const line = lineOf(restatement, options);
    return others.length === 0
      ? line
      : t`${line}; also by ${others.map((name) => translated(name)).join(", ")}`;
  });
  return causes.length > shown
    ? [...lines, t`… and ${causes.length - shown} more restated; --json has them all.`]
    : lines;
}

/** The same change of the same days in each dimension is of the same orders: the first of the whole, or of the day, tells it. */
function causesOf(
  all: readonly Restatement[],
): readonly (readonly [restatement: Restatement, others: readonly Dimension[]])[] {
  const rank = ({ dimension }: Restatement) => (dimension === null ? 0 : dimension === "day" ? 1 : 2);
  const counts = new Map<string, number>();
  const causes = new Map<string, Restatement[]>();
  for (const restatement of all) {
    const { dimension, from, to, since } = restatement;
    const change = JSON.stringify([from, to, changeOf(restatement)]);
    const place = JSON.stringify([change, dimension, since]);
    const count = counts.get(place) ?? 0;
    counts.set(place, count + 1);
    // Two drivers with the same change are two changes.
    const cause = `${change}/${count}`;
    causes.set(cause, [...(causes.get(cause) ?? []), restatement]);
  }
  return [...causes.values()].flatMap((cause) => {
    const [first, ...others] = cause.toSorted((a, b) => rank(a) - rank(b));
    const dimensions = others.flatMap(({ dimension }) => dimension ?? []);
    return first
      ? [[first, [...new Set(dimensions)].filter((name) => name !== first.dimension)] as const]
      : [];
  });
}

function changeOf({ before, after }: Restatement): { readonly revenue: number; readonly orders: number } {
  const cents = (centsFromNumber(after.total_revenue) ?? 0) - (centsFromNumber(before.total_revenue) ?? 0);
  return { revenue: numberFromCents(cents), orders: after.total_order_count - before.total_order_count };
}

function lineOf(restatement: Restatement, { format, zone, now }: RestatedOptions): string {
  const { since } = restatement;
  const { revenue, orders } = changeOf(restatement);
  const what = [
    ...(revenue === 0 ? [] : [format.amountChange(revenue)]),
    ...(orders === 0 ? [] : [ordersText(orders, format)]),
  ].join(", ");
  const day = (epochMs: number, timeZone: string) => dayOf(epochMs, { now, timeZone });
  const about = aboutWhat(restatement, (date) => day(Date.parse(`${date}T12:00:00Z`), "UTC"));
  return t`${about} restated: ${what} since ${day(since, zone)}`;
}

function ordersText(orders: number, format: NumberFormat): string {
  const count = format.countChange(orders);
  return plural(Math.abs(orders), { one: t`${count} order`, other: t`${count} orders` });
}

function aboutWhat({ dimension, key, label, from, to }: Restatement, day: (date: string) => string): string {
  const days = from === to ? day(from) : t`${day(from)} to ${day(to)}`;
  if (dimension === null) return days;
  const name = label ?? (key === null ? t`none` : String(key));
  const isDay = dimension === "day" && typeof key === "string" && /^\d{4}-\d{2}-\d{2}$/.test(key);
  // Two drivers may have one name.
  const id = dimension.endsWith("_id") && label !== null && key !== null ? ` (${String(key)})` : "";
  return isDay ? day(key) : `${translated(dimension)} ${name}${id}, ${days}`;
}

/** The year only where it isn't this one. */
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
