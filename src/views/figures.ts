/** Figures in every format: a table, CSV and Markdown from one list of columns, and JSON (`core/results.ts`). */
import type * as z from "zod";

import type { CategoricalDimension, Dimension } from "../api/values.js";
import type { Output } from "../cli/output.js";
import { markdownSafe, renderRecords, type Column, type View } from "../cli/records.js";
import { printable, wrapWords } from "../cli/text.js";
import { missingDocument } from "../core/connection.js";
import type { FiguresQuery, FiguresResult, StoreFigures } from "../core/figures.js";
import type * as results from "../core/results.js";
import { capitalized, continued, plural, t } from "../languages/language.js";
import {
  changeOf,
  dimensionName,
  figures,
  isPerDay,
  isDate,
  isTimeline,
  metricsOf,
  noOrders,
  perDayOf,
  totalOf,
  type Change,
  type Figure,
  type Figures,
  type Metrics,
  type Pair,
  type Row,
} from "../sales/figures.js";
import { weekdayNamed } from "../sales/group-days.js";
import {
  describeAge,
  describeDays,
  describePeriod,
  edgesOf,
  parseDate,
  periodJson,
} from "../sales/period.js";
import { noNumber, numberFormat, withoutDirection } from "./amounts.js";

/** A row of a table, and the one that it is compared with. */
export interface Line extends Pair {
  readonly store: StoreFigures;
  /** The group's name for people, or "Total". */
  readonly name: string;
  /** The name of the day, week or month that it is compared with. */
  readonly nameBefore: string;
}

/**
 * Prints figures to stdout in the output's format.
 *
 * @param hasRows whether a table follows the lines that say what was counted
 */
export async function showFigures(output: Output, result: FiguresResult, hasRows = true): Promise<void> {
  const { format, view } = output;
  if (format === "json") output.value(figuresDocument(result));
  else if (format === "csv") {
    output.text(await figuresCsv(result));
    for (const line of omittedLines(result)) output.notice(line);
  } else {
    const isTable = format === "table";
    const write = (line: string) =>
      `${isTable ? wrapWords(printable(line), output.columns) : markdownSafe(line)}\n`;
    const header = headerLines(result, [result]).map(write).join("");
    const table = hasRows ? await figuresTable(result, format, view) : "";
    const parts = [header, table, omittedLines(result).map(write).join("")].filter(Boolean);
    output.text(parts.join(isTable ? "" : "\n"));
  }
}

/** Returns the rows of all stores with totals, for people. */
export async function figuresTable(
  result: FiguresResult,
  format: "table" | "markdown",
  view?: View,
): Promise<string> {
  const { by } = result;
  const lines = shownFigures(result).flatMap((store) => {
    const { current, previous, totals } = store;
    const groups = Math.max(current.rows.length, previous?.rows.length ?? 0);
    const total = { ...totals, store, name: t`Total`, nameBefore: "" };
    return [...linesOf(store, by), ...(by !== undefined && groups > 1 ? [total] : [])];
  });
  return renderRecords(format, columnsOf(result), lines, view && { view });
}

/** Returns the rows of all stores without totals, which the reader of a CSV file calculates. */
export async function figuresCsv(result: FiguresResult): Promise<string> {
  const lines = storesWithFigures(result).flatMap((store) => linesOf(store, result.by));
  return renderRecords("csv", columnsOf(result), lines);
}

/** Returns the figures of each store, then their total. */
export function shownFigures(result: FiguresResult): readonly StoreFigures[] {
  const stores = storesWithFigures(result);
  return result.total ? [...stores, result.total] : stores;
}

export function storesWithFigures({ stores }: Pick<FiguresResult, "stores">): readonly StoreFigures[] {
  return stores.filter((store) => "current" in store);
}

/**
 * Returns the lines above a table: stores, days, time zone, request time and what was counted, and the stores without figures.
 *
 * @param results everything that is printed below; the request time is that of their oldest answer
 */
export function headerLines(
  { stores, query }: FiguresResult,
  results: readonly FiguresResult[],
): readonly string[] {
  const shown = results.flatMap(storesWithFigures);
  const sharing = new Map<string, string>();
  const missing: string[] = [];
  for (const store of stores) {
    if ("error" in store) {
      missing.push(t`${store.store}: no figures. ${store.error.message}`);
      continue;
    }
    const { period } = store.current;
    let text = describePeriod(period);
    if (store.previous) {
      const { period: before } = store.previous;
      const days = parseDate(period.first).until(period.last).days + 1;
      const daysBefore = parseDate(before.first).until(before.last).days + 1;
      // If 31 days are compared with 30, the line shows both numbers.
      if (days !== daysBefore) text += `, ${dayCount(days)}`;
      text += t`, compared with ${describeDays(before)}`;
      if (days !== daysBefore) text += `, ${dayCount(daysBefore)}`;
    }
    text += `, ${describeAge(ageOf(store, shown), period.zone)}`;
    text += countedText(query);
    const others = sharing.get(text);
    sharing.set(text, `${others === undefined ? "" : `${others}, `}${store.store ?? ""}`);
  }
  const lines = [...sharing].map(([text, names]) => `${names}: ${text}`);
  const currencies = new Set(storesWithFigures({ stores }).map(({ currency }) => currency));
  if (currencies.size > 1) lines.push(t`The stores have different currencies, so a total isn't shown.`);
  return [...lines, ...missing];
}

/** Returns what was counted, as the end of a sentence's subject: `, without canceled orders, status=closed`. */
export function countedText({ net, typed, dateField }: FiguresQuery): string {
  const parts = [...typed];
  if (net) parts.unshift(t`without canceled orders`);
  if (dateField !== "created_at") parts.push(t`date field ${dateField}`);
  return parts.map((part) => `, ${part}`).join("");
}

/** Returns how many groups are left out, with their figures, for each store and the total. */
export function omittedLines(result: FiguresResult): readonly string[] {
  const { several } = result;
  const lines: string[] = [];
  for (const store of shownFigures(result)) {
    const { length } = store.omitted;
    if (length === 0) continue;
    const { orders, revenue } = totalOf(store.omitted.flatMap(({ current }) => current ?? []));
    const sold = numberFormat(store).sold(orders, revenue);
    const line = plural(length, { one: t`1 more group: ${sold}`, other: t`${length} more groups: ${sold}` });
    lines.push(several ? `${store.store ?? t`Total`}: ${continued(line)}` : line);
  }
  return lines;
}

export function dayCount(days: number): string {
  return plural(days, { one: t`1 day`, other: t`${days} days` });
}

/** Returns the request time of the store's oldest answer, and whether any of its answers was cached. */
export function ageOf(figures: StoreFigures, shown: readonly StoreFigures[] = [figures]) {
  let [askedAt, cached] = [Infinity, false];
  for (const { store, current, previous = current } of shown) {
    if (store !== figures.store) continue;
    askedAt = Math.min(askedAt, current.askedAt, previous.askedAt);
    cached ||= current.cached || previous.cached;
  }
  return { askedAt, cached };
}

export function linesOf(store: StoreFigures, by: Dimension | undefined): readonly Line[] {
  const { pairs, locale } = store;
  const groups = pairs.map((pair) => groupOf(pair, by));
  const names = by === undefined ? [] : namesOf(groups, by, locale);
  const before = pairs.map((pair) => pair.previous);
  const namesBefore = isTimeline(by) ? namesOf(before, by, locale) : [];
  return pairs.map((pair, index) => ({
    ...pair,
    store,
    name: names[index] ?? "",
    nameBefore: namesBefore[index] ?? "",
  }));
}

/** Returns the group of a line. One without a current day has none, because its previous day has another key. */
function groupOf({ current, previous }: Pair, by: Dimension | undefined): Row | undefined {
  return current ?? (isTimeline(by) ? undefined : previous);
}

/** Returns the groups' names, with the key if two groups have the same name: `Ana (11)`, `Ana (12)`; "" for a row that is missing. */
function namesOf(rows: readonly (Row | undefined)[], by: Dimension, locale: string): string[] {
  const write = writerOf(by, locale);
  const plain: string[] = [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    let name = row ? (write(row) ?? row.label ?? String(row.key ?? t`(none)`)) : "";
    if (row && name.trim() === "") name = JSON.stringify(name);
    plain.push(name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return plain.map((name, index) =>
    name === "" || counts.get(name) === 1 ? name : `${name} (${JSON.stringify(rows[index]?.key)})`,
  );
}

/** Returns a function that formats the names of days, months, weekdays and hours, and returns `undefined` for other names. */
function writerOf(by: Dimension, locale: string): (row: Row) => string | undefined {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    return (day: string | number) => withoutDirection(format.format(new Date(day)));
  };
  const month = { year: "numeric", month: "2-digit" } as const;
  // English uses ISO 8601, since 05/10 means different days in London and in New York.
  const isEnglish = /^en\b/.test(locale);
  switch (by) {
    case "day": {
      const day = isEnglish ? String : formatter({ ...month, day: "2-digit" });
      const weekday = formatter({ weekday: "short" });
      return ({ key }) => (isDate(key) ? `${day(key)} ${weekday(key)}` : undefined);
    }
    case "month": {
      if (isEnglish) return () => undefined;
      const written = formatter(month);
      return ({ key }) => (/^\d{4}-(?:0\d|1[0-2])$/.test(String(key)) ? written(String(key)) : undefined);
    }
    case "day_of_week": {
      const weekday = formatter({ weekday: "long" });
      return ({ key, label }) => {
        const index = weekdayNamed(label ?? String(key));
        // 1970-01-04 was a Sunday.
        return index === undefined ? undefined : capitalized(weekday((3 + index) * 86_400_000));
      };
    }
    case "hour":
      return ({ key, label }) => {
        const [, hour] = /^(\d{1,2})(?::00)?$/.exec(String(key)) ?? [];
        return label ?? (hour === undefined ? undefined : `${hour.padStart(2, "0")}:00`);
      };
    default:
      by satisfies CategoricalDimension | "week";
      return () => undefined;
  }
}

function columnsOf(result: FiguresResult): readonly Column<Line>[] {
  const { by, several, query } = result;
  const { dateField } = query;
  // Blanks separate filters, so those in a value are encoded as in a URL.
  const encoded = query.filters.map((filter) => filter.replaceAll(/[% ]/g, encodeURIComponent));
  const isCompared = storesWithFigures(result).some(({ previous }) => previous !== undefined);
  const columns: Column<Line>[] = [
    { name: "store", heading: several ? "Store" : undefined, cell: ({ store }) => store.store ?? t`Total` },
    { name: "from", cell: ({ store }) => edgesOf(store.current.period, dateField).from },
    { name: "to", cell: ({ store }) => edgesOf(store.current.period, dateField).to },
    { name: "time_zone", cell: ({ store }) => store.current.period.zone },
    { name: "currency", cell: ({ store }) => store.currency },
    { name: "filters", cell: () => encoded.join(" ") || undefined },
    { name: "date_field", cell: () => dateField },
    { name: "asked_at", cell: ({ store }) => new Date(ageOf(store).askedAt).toISOString() },
  ];
  if (by !== undefined) columns.push(...groupColumns(result, by, isCompared));
  const all = Object.values(figures);
  const previous = by === undefined ? ["Prev. orders", "Prev. revenue"] : [undefined, "Previous"];
  for (const [index, figure] of all.entries()) {
    const { name } = figure;
    // In a comparison of groups, 80 columns have no space for the average and the previous orders.
    const isShown = index < 2 || !isCompared || by === undefined;
    columns.push({ ...figureColumn(figure, "current"), name, heading: isShown ? figure.heading : undefined });
    if (!isCompared || !isShown) continue;
    const heading = previous[index];
    if (heading !== undefined) columns.push({ ...figureColumn(figure, "previous"), heading });
    columns.push(changeColumn(name, isPerDay(by)));
  }
  if (by !== undefined && !isCompared) columns.push(shareColumn);
  if (isPerDay(by)) columns.push({ ...daysColumn, heading: isCompared ? "Days (prev.)" : "Days" });
  if (!isCompared) return columns;
  const edges = ({ store }: Line) => store.previous && edgesOf(store.previous.period, dateField);
  columns.push({ name: "previous_from", cell: (line) => edges(line)?.from });
  columns.push({ name: "previous_to", cell: (line) => edges(line)?.to });
  if (isTimeline(by)) columns.push({ name: "previous_key", cell: ({ previous }) => previous?.key });
  for (const figure of all)
    columns.push({ ...figureColumn(figure, "previous"), name: `previous_${figure.name}` });
  if (isPerDay(by)) columns.push({ name: "previous_days", cell: ({ previous }) => previous?.days });
  for (const { name, type } of all)
    columns.push(
      { name: `${name}_change`, ...type, cell: (line) => changeOf(line)?.[name].absolute },
      { name: `${name}_change_percent`, cell: (line) => changeOf(line)?.[name].percent },
    );
  for (const { name } of isPerDay(by) ? [figures.orders, figures.revenue] : [])
    columns.push({ name: `${name}_per_day_change_percent`, cell: (line) => perDayOf(line)?.[name].percent });
  return columns;
}

function groupColumns(result: FiguresResult, by: Dimension, isCompared: boolean): readonly Column<Line>[] {
  // Filters use the key, so the table shows it if it differs from the label.
  const hasKeys =
    !isTimeline(by) &&
    !isPerDay(by) &&
    storesWithFigures(result).some(({ current: { rows } }) =>
      rows.some(({ key, label }) => key !== null && label !== null && String(key) !== label),
    );
  const columns: Column<Line>[] = [
    { name: "key", heading: hasKeys ? "Key" : undefined, cell: (line) => groupOf(line, by)?.key },
    { name: "label", cell: (line) => groupOf(line, by)?.label },
    { heading: dimensionName(by), cell: ({ name }) => name },
  ];
  if (isCompared && isTimeline(by))
    columns.push({ heading: "Compared with", cell: ({ nameBefore }) => nameBefore });
  return columns;
}

function figureColumn({ name, show, type }: Figure, side: "current" | "previous"): Column<Line> {
  return {
    ...type,
    align: "right",
    cell: (line) => line[side] && metricsOf(line[side])[name],
    text: (line) => (line[side] ? numberFormat(line.store)[show](metricsOf(line[side])[name]) : ""),
  };
}

/** Creates the column of a change, whose sign has the same meaning as its color. */
function changeColumn(name: keyof Metrics, isPerDay: boolean): Column<Line> {
  const changesIn: (line: Line) => Partial<Metrics<Change>> | null = isPerDay ? perDayOf : changeOf;
  return {
    heading: isPerDay ? "Change/day" : "Change",
    align: "right",
    cell: (line) => {
      const change = changesIn(line)?.[name];
      return change && numberFormat(line.store).change(change.percent);
    },
    tone: (line) => {
      const percent = changesIn(line)?.[name]?.percent ?? 0;
      return percent === 0 ? undefined : percent > 0 ? "green" : "red";
    },
  };
}

const shareColumn: Column<Line> = {
  heading: "Share",
  align: "right",
  cell: ({ current, store }) => {
    const whole = store.totals.current?.revenue ?? 0;
    return numberFormat(store).share(whole > 0 && current ? current.revenue / whole : null);
  },
};

/** The number of days with this weekday or hour, followed by the previous period's in parentheses if it differs. */
const daysColumn: Column<Line> = {
  name: "days",
  align: "right",
  cell: ({ current }) => current?.days,
  text: ({ current, previous }) => {
    const [now, before] = [current?.days, previous?.days];
    return before === undefined || before === now ? String(now ?? "") : `${now ?? noNumber} (${before})`;
  },
};

/** Returns one store's figures, or those of several stores, as one document. */
export function figuresDocument(
  result: FiguresResult,
): z.output<typeof results.storeFigures | typeof results.comparedFigures | typeof results.figuresOfStores> {
  const { several, stores, total } = result;
  const [only] = stores;
  if (!several && only && "current" in only) return storeDocument(result, only);
  return {
    stores: stores.map((store) => ("error" in store ? missingDocument(store) : storeDocument(result, store))),
    total: total ? storeDocument(result, total) : null,
  };
}

function storeDocument({ by, query, alerts }: FiguresResult, figures: StoreFigures) {
  const { store, currency, current, previous, pairs, omitted, totals } = figures;
  const grouped = <Total, Group>(total: Total, groups: readonly Group[]) =>
    by === undefined ? total : { group_by: by, groups: [...groups], totals: total };
  const sideOf = ({ period, askedAt, cached }: Figures, side: "current" | "previous") => {
    const rows = pairs.flatMap((pair) => pair[side] ?? []);
    const groups = rows.map(({ key, label, days, ...row }) => ({
      key,
      label,
      ...metricsOf(row),
      ...(days !== undefined && { days }),
    }));
    const left = omitted.flatMap((pair) => pair[side] ?? []);
    return {
      ...grouped(metricsOf(totals[side] ?? noOrders), groups),
      ...(left.length > 0 && { omitted: { groups: left.length, ...metricsOf(totalOf(left)) } }),
      period: { ...(previous && { label: period.label }), ...periodJson(period, query.dateField) },
      asked_at: new Date(askedAt).toISOString(),
      cached,
    };
  };
  const about = { store, query: { filters: [...query.filters], date_field: query.dateField }, currency };
  // The total of several stores has none.
  const judgement = alerts &&
    store !== null && {
      alerts: alerts.flatMap(({ store: alias, rule, holds, value, baseline }) =>
        alias === store ? { rule: rule.text, holds, value, baseline } : [],
      ),
    };
  if (!previous) return { ...about, ...sideOf(current, "current"), ...judgement };
  const changes = pairs.map((each) => {
    const { key = null, label = null } = groupOf(each, by) ?? {};
    return {
      key,
      label,
      ...(isTimeline(by) && { previous_key: each.previous?.key ?? null }),
      ...changesOf(each),
      ...(isPerDay(by) && { per_day: perDayOf(each) }),
    };
  });
  return {
    ...about,
    current: sideOf(current, "current"),
    previous: sideOf(previous, "previous"),
    change: by === undefined ? changeOf(totals) : grouped(changesOf(totals), changes),
    ...judgement,
  };
}

/** Returns changes that are all null if one side is missing. */
function changesOf(pair: Pair) {
  return changeOf(pair) ?? { total_order_count: null, total_revenue: null, average_order_value: null };
}
