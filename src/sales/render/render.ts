/** Renders figures: one list of columns for the table, CSV and Markdown, and the same rows as JSON. */
import type { CategoricalDimension, DateField, Dimension } from "../../api/values.js";
import { averageCents, type Cents } from "../../api/money.js";
import type { Output } from "../../cli/output.js";
import { markdownSafe, renderRecords, type Column, type OpenColumn } from "../../cli/records.js";
import { printable, wrapWords } from "../../cli/text.js";
import { ComandaError } from "../../base/errors.js";
import { plural, t } from "../../languages/language.js";
import type { Alert } from "../alert.js";
import {
  storesWithFigures,
  changeOf,
  compare,
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
  type MissingStore,
  type Pair,
  type Row,
  type SalesResult,
  type StoreFigures,
} from "../figures.js";
import { weekdayNamed } from "../group-days.js";
import { describeDays, describeMoment, describePeriod, edgesOf, parseDate } from "../period.js";
import { noNumber, numberFormat, withoutDirection } from "../preferences.js";

/** A store's row and the one that it is compared with. */
export interface Line extends Pair {
  readonly sales: StoreFigures;
  readonly change: Metrics<Change> | null;
  /** The change per day, for weekdays and hours. */
  readonly perDay: Partial<Metrics<Change>> | null;
  /** The group's name for people, or "Total". */
  readonly name: string;
  /** The name of the day, week or month that it is compared with. */
  readonly nameBefore: string;
  /** The revenue of all groups, including those that --top omits. */
  readonly whole: Cents;
}

export interface RenderOptions {
  readonly sort?: Sort | undefined;
  /** The maximum number of groups. Without `sort`, those with the highest revenue are shown. */
  readonly top?: number | undefined;
  /** Sales by scheduled date are listed with dates instead of date-times. */
  readonly dateField?: DateField | undefined;
  /** Whether a table is followed by the revenue as bars. */
  readonly chart?: boolean | undefined;
  readonly alerts?: readonly Alert[] | undefined;
}

/** Prints figures to stdout in the output's format. */
export async function renderSales(
  result: SalesResult,
  output: Output,
  options: RenderOptions = {},
): Promise<void> {
  const { format, view } = output;
  if (format === "json") {
    output.value(salesJson(result, options));
    output.alsoDraw?.((people) => renderSales(result, people, options));
    return;
  }
  if (format === "csv") {
    output.text(await salesCsv(result, options));
    return;
  }
  format satisfies "table" | "markdown";
  const columns: Column<Line>[] = [];
  for (const { heading, text, ...column } of columnsOf(result, options))
    if (heading !== undefined) columns.push({ align: "left", ...column, heading, cell: text ?? column.cell });
  const { by, total } = result;
  const lines: Line[] = [];
  for (const sales of total ? [...storesWithFigures(result), total] : storesWithFigures(result))
    for (const line of linesOf(sales, by, options, true)) lines.push(line);
  let text = "";
  for (const line of headerLines(result, [result]))
    text += `${format === "table" ? wrapWords(printable(line), output.columns) : markdownSafe(line)}\n`;
  // On a narrow terminal, the bars with orders and revenue replace the table.
  const isNarrow = options.chart === true && output.columns !== undefined && output.columns < 60;
  if (!isNarrow)
    text += `${format === "table" ? "" : "\n"}${await renderRecords(format, columns, lines, { view })}`;
  if (options.chart === true) text += `\n${await barsOf(result, options, isNarrow, output.columns ?? 80)}`;
  output.text(text);
}

/** Returns the rows of all stores without totals, which the reader of a CSV file calculates. */
export async function salesCsv(result: SalesResult, options: RenderOptions, header = true): Promise<string> {
  const columns: Column<Line>[] = [];
  for (const { name, ...column } of columnsOf(result, options))
    if (name !== undefined) columns.push({ ...column, heading: name });
  const lines = storesWithFigures(result).flatMap((sales) => linesOf(sales, result.by, options, false));
  return renderRecords("csv", columns, lines, { header });
}

/**
 * Returns the lines above a table: stores, days, time zone and request time, and the stores without figures.
 *
 * @param results everything that is printed below; the request time is that of their oldest answer
 */
export function headerLines({ stores }: SalesResult, results: readonly SalesResult[]): readonly string[] {
  const shown = results.flatMap(storesWithFigures);
  const sharing = new Map<string, string>();
  const missing: string[] = [];
  for (const store of stores) {
    if ("error" in store) {
      missing.push(t`${store.store}: no figures. ${store.error.message}`);
      continue;
    }
    const { period } = store.current;
    const { askedAt, cached } = ageOf(store, shown);
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
    const moment = describeMoment(askedAt, period.zone);
    text += `, ${t`as of ${moment}`}${cached ? ` (${t`cached`})` : ""}`;
    const others = sharing.get(text);
    sharing.set(text, `${others === undefined ? "" : `${others}, `}${store.store ?? ""}`);
  }
  const lines: string[] = [];
  for (const [text, names] of sharing) lines.push(`${names}: ${text}`);
  return [...lines, ...missing];
}

export function dayCount(days: number): string {
  return plural(days, { one: t`1 day`, other: t`${days} days` });
}

/** Returns the request time of the store's oldest answer, and whether any of its answers was cached. */
function ageOf(sales: StoreFigures, shown: readonly StoreFigures[] = [sales]) {
  let [askedAt, cached] = [Infinity, false];
  for (const { store, current, previous = current } of shown) {
    if (store !== sales.store) continue;
    askedAt = Math.min(askedAt, current.askedAt, previous.askedAt);
    cached ||= current.cached || previous.cached;
  }
  return { askedAt, cached };
}

/** Draws the total as bars, or each store without a total. */
async function barsOf(
  result: SalesResult,
  options: RenderOptions,
  isNarrow: boolean,
  width: number,
): Promise<string> {
  const { barChart } = await import("./chart.js");
  const shown = result.total ? [result.total] : storesWithFigures(result);
  const charts = shown.map((sales) => {
    const { sold, amount } = numberFormat(sales);
    const bars = linesOf(sales, result.by, options, false).flatMap(({ current, name }) => {
      if (!current) return [];
      const { orders, revenue } = current;
      const text = isNarrow ? sold(orders, revenue) : amount(metricsOf(current).total_revenue);
      return { label: name, value: revenue, text };
    });
    const heading = shown.length > 1 ? `${printable(sales.store ?? "")}\n` : "";
    const sum = totalOf(sales.current.rows);
    const end = isNarrow ? `${t`Total`}: ${sold(sum.orders, sum.revenue)}\n` : "";
    return `${heading}${barChart(bars, width).join("")}${end}`;
  });
  return charts.join("\n");
}

/** The fields of `--sort`. */
const values = {
  revenue: ({ revenue }: Row) => revenue,
  orders: ({ orders }: Row) => orders,
  average: ({ revenue, orders }: Row) => averageCents(revenue, orders),
  label: ({ label }: Row) => label,
  key: ({ key }: Row) => key,
} as const;

export interface Sort {
  readonly field: keyof typeof values;
  readonly descending: boolean;
}

/**
 * Reads `revenue`, `label` or, with a direction, `revenue:asc`. The default is descending for figures and ascending for names.
 *
 * @throws {ComandaError} `invalid_input` for an unknown field or direction
 */
export function parseSort(text: string): Sort {
  const [, name, direction] = /^(\w+)(?::(asc|desc))?$/.exec(text) ?? [];
  const field = (["revenue", "orders", "average", "label", "key"] as const).find((field) => field === name);
  if (field === undefined) {
    throw new ComandaError("invalid_input", t`Invalid value "${text}" for ${"--sort"}.`, {
      hint: t`Use one of ${Object.keys(values).join(", ")}, optionally with :asc or :desc.`,
    });
  }
  const isName = field === "label" || field === "key";
  return { field, descending: direction === undefined ? !isName : direction === "desc" };
}

/** Sorts groups. Equal ones keep their order; groups that are missing in this period, or have no label or key, come last. */
function rank(pairs: readonly Pair[], sort: Sort, locale: string): readonly Pair[] {
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

/** Pairs the rows with those of the previous period, in the order of every format. */
function pairsOf(
  { current, previous, locale }: StoreFigures,
  by: Dimension | undefined,
  { sort, top }: RenderOptions,
): readonly Pair[] {
  let pairs: readonly Pair[] = compare(current, previous, by);
  const order = sort ?? (top === undefined ? undefined : ({ field: "revenue", descending: true } as const));
  if (order) pairs = rank(pairs, order, locale);
  return pairs.slice(0, top);
}

/** @param hasSum adds the total of several groups */
export function linesOf(
  sales: StoreFigures,
  by: Dimension | undefined,
  options: RenderOptions,
  hasSum: boolean,
): readonly Line[] {
  const pairs = [...pairsOf(sales, by, options)];
  const total = by === undefined ? noOrders : totalOf(sales.current.rows);
  const rows: (Row | undefined)[] = [];
  const before: (Row | undefined)[] = [];
  for (const { current, previous } of pairs) {
    rows.push(isTimeline(by) ? current : (current ?? previous));
    before.push(previous);
  }
  const names = by === undefined ? [] : namesOf(rows, by, sales.locale);
  const namesBefore = isTimeline(by) ? namesOf(before, by, sales.locale) : [];
  if (hasSum && by !== undefined && sales.current.rows.length > 1) {
    pairs.push({ current: total, previous: sales.previous && totalOf(sales.previous.rows) });
    names.push(t`Total`);
  }
  const lines: Line[] = [];
  for (const [index, pair] of pairs.entries())
    lines.push({
      ...pair,
      sales,
      name: names[index] ?? "",
      nameBefore: namesBefore[index] ?? "",
      change: changeOf(pair),
      perDay: isPerDay(by) ? perDayOf(pair) : null,
      whole: total.revenue,
    });
  return lines;
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
  const names: string[] = [];
  for (const [index, name] of plain.entries())
    names.push(
      name === "" || counts.get(name) === 1 ? name : `${name} (${JSON.stringify(rows[index]?.key)})`,
    );
  return names;
}

/** Returns a function that formats the names of days, months, weekdays and hours, and returns `undefined` for other names. */
function writerOf(by: Dimension, locale: string): (row: Row) => string | undefined {
  const utc = { timeZone: "UTC" } as const;
  const month = { ...utc, year: "numeric", month: "2-digit" } as const;
  // English uses ISO 8601, since 05/10 means different days in London and in New York.
  const isEnglish = /^en\b/.test(locale);
  switch (by) {
    case "day": {
      const day = isEnglish ? undefined : new Intl.DateTimeFormat(locale, { ...month, day: "2-digit" });
      const weekday = new Intl.DateTimeFormat(locale, { ...utc, weekday: "short" });
      return ({ key }) => {
        if (!isDate(key)) return undefined;
        const date = Date.parse(key);
        return withoutDirection(`${day?.format(date) ?? key} ${weekday.format(date)}`);
      };
    }
    case "month": {
      if (isEnglish) return () => undefined;
      const written = new Intl.DateTimeFormat(locale, month);
      return ({ key }) =>
        typeof key === "string" && /^\d{4}-(?:0\d|1[0-2])$/.test(key)
          ? withoutDirection(written.format(Date.parse(key)))
          : undefined;
    }
    case "day_of_week": {
      const weekday = new Intl.DateTimeFormat(locale, { ...utc, weekday: "long" });
      return ({ key, label }) => {
        const index = weekdayNamed(label ?? String(key));
        // 1970-01-04 was a Sunday.
        const name = index === undefined ? undefined : weekday.format((3 + index) * 86_400_000);
        return name === undefined
          ? undefined
          : name.charAt(0).toUpperCase() + withoutDirection(name.slice(1));
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

/** A column with a name is part of the CSV, and one with a heading is part of the table. */
interface SalesColumn extends Omit<OpenColumn<Line>, "heading"> {
  readonly heading?: string | undefined;
  /** The table's text, if it isn't that of the cell. */
  readonly text?: (line: Line) => string;
}

function columnsOf(result: SalesResult, { dateField }: RenderOptions): readonly SalesColumn[] {
  const { by, several } = result;
  let isCompared = false;
  for (const { previous } of storesWithFigures(result)) isCompared ||= previous !== undefined;
  const columns: SalesColumn[] = [
    { name: "store", heading: several ? "Store" : undefined, cell: ({ sales }) => sales.store ?? t`Total` },
    { name: "from", cell: ({ sales }) => edgesOf(sales.current.period, dateField).from },
    { name: "to", cell: ({ sales }) => edgesOf(sales.current.period, dateField).to },
    { name: "time_zone", cell: ({ sales }) => sales.current.period.zone },
    { name: "currency", cell: ({ sales }) => sales.currency },
    { name: "asked_at", cell: ({ sales }) => new Date(ageOf(sales).askedAt).toISOString() },
  ];
  if (by !== undefined) columns.push(...groupColumns(result, by, isCompared));
  const all = Object.values(figures);
  for (const [index, figure] of all.entries()) {
    const column = figureColumn(figure, "current");
    // In a comparison of groups, 80 columns have no space for the average and the previous orders.
    const isShown = index < 2 || !isCompared || by === undefined;
    columns.push({ ...column, heading: isShown ? figure.heading : undefined });
    if (!isCompared || (index === 2 && by !== undefined)) continue;
    if (index === 1 || (index === 0 && by === undefined))
      columns.push({ ...figureColumn(figure, "previous"), heading: "Previous" });
    columns.push(changeColumn(figure.name, isPerDay(by)));
  }
  if (by !== undefined && !isCompared) columns.push(shareColumn);
  if (isPerDay(by)) columns.push({ ...daysColumn, heading: isCompared ? "Days (prev.)" : "Days" });
  if (!isCompared) return columns;
  const edges = ({ sales }: Line) => sales.previous && edgesOf(sales.previous.period, dateField);
  columns.push({ name: "previous_from", cell: (line) => edges(line)?.from });
  columns.push({ name: "previous_to", cell: (line) => edges(line)?.to });
  if (isTimeline(by)) columns.push({ name: "previous_key", cell: ({ previous }) => previous?.key });
  for (const figure of all)
    columns.push({ ...figureColumn(figure, "previous"), name: `previous_${figure.name}` });
  if (isPerDay(by)) columns.push({ name: "previous_days", cell: ({ previous }) => previous?.days });
  for (const { name, type } of all)
    columns.push(
      { name: `${name}_change`, ...type, cell: ({ change }) => change?.[name].absolute },
      { name: `${name}_change_percent`, cell: ({ change }) => change?.[name].percent },
    );
  for (const { name } of isPerDay(by) ? [figures.orders, figures.revenue] : [])
    columns.push({
      name: `${name}_per_day_change_percent`,
      cell: ({ perDay }) => perDay?.[name]?.percent,
    });
  return columns;
}

function groupColumns(result: SalesResult, by: Dimension, isCompared: boolean): readonly SalesColumn[] {
  // A line without a current day has no group; its previous day has another key.
  const groupIn = ({ current, previous }: Line) => current ?? (isTimeline(by) ? undefined : previous);
  // Filters use the key, so the table shows it if it differs from the label.
  const hasKeys =
    !isTimeline(by) &&
    !isPerDay(by) &&
    storesWithFigures(result).some(({ current: { rows } }) =>
      rows.some(({ key, label }) => key !== null && label !== null && String(key) !== label),
    );
  const columns: SalesColumn[] = [
    { name: "key", heading: hasKeys ? "Key" : undefined, cell: (line) => groupIn(line)?.key },
    { name: "label", cell: (line) => groupIn(line)?.label },
    { heading: dimensionName(by), cell: ({ name }) => name },
  ];
  if (isCompared && isTimeline(by))
    columns.push({ heading: "Compared with", cell: ({ nameBefore }) => nameBefore });
  return columns;
}

function figureColumn({ name, show, type }: Figure, side: "current" | "previous"): SalesColumn {
  return {
    ...(side === "current" && { name }),
    ...type,
    align: "right",
    cell: (line) => line[side] && metricsOf(line[side])[name],
    text: (line) => (line[side] ? numberFormat(line.sales)[show](metricsOf(line[side])[name]) : ""),
  };
}

/** Creates the column of a change, whose sign has the same meaning as its color. */
function changeColumn(name: keyof Metrics, isPerDay: boolean): SalesColumn {
  const side = isPerDay ? "perDay" : "change";
  return {
    heading: isPerDay ? "Change/day" : "Change",
    align: "right",
    cell: (line) => {
      const change = line[side]?.[name];
      return change && numberFormat(line.sales).change(change.percent);
    },
    tone: (line) => {
      const percent = line[side]?.[name]?.percent ?? 0;
      return percent === 0 ? undefined : percent > 0 ? "green" : "red";
    },
  };
}

const shareColumn: SalesColumn = {
  heading: "Share",
  align: "right",
  cell: ({ current, whole, sales }) =>
    numberFormat(sales).share(whole > 0 && current ? current.revenue / whole : null),
};

/** The number of days with this weekday or hour, followed by the previous period's in parentheses if it differs. */
const daysColumn: SalesColumn = {
  name: "days",
  align: "right",
  cell: ({ current }) => current?.days,
  text: ({ current, previous }) => {
    const [now, before] = [current?.days, previous?.days];
    return before === undefined || before === now ? String(now ?? "") : `${now ?? noNumber} (${before})`;
  },
};

/** Returns what `--json` prints: one store's figures, or `{"stores": [{"store", …}], "total"}`. A store without figures has an `error`. */
function salesJson(result: SalesResult, options: RenderOptions): object {
  const { by, several, stores, total } = result;
  const [only] = several ? [] : storesWithFigures(result);
  if (only) return storeJson(only, by, options);
  return {
    stores: stores.map((store) => {
      if ("error" in store) return missingJson(store);
      return { store: store.store, ...storeJson(store, by, options) };
    }),
    total: total ? storeJson(total, by, options) : null,
  };
}

export function missingJson({ store, error }: MissingStore): object {
  const { exitCode, code, serviceCode, message } = error;
  return { store, error: { exit_code: exitCode, code, service_code: serviceCode, message } };
}

function storeJson(sales: StoreFigures, by: Dimension | undefined, options: RenderOptions): object {
  const { current, previous, store, currency } = sales;
  const pairs = pairsOf(sales, by, options);
  const grouped = (groups: readonly object[]) => ({ group_by: by, groups });
  const sideOf = ({ period, askedAt, cached }: Figures, side: "current" | "previous") => {
    const rows = pairs.flatMap((pair) => pair[side] ?? []);
    return {
      ...(by === undefined ? metricsOf(rows[0] ?? noOrders) : grouped(rows.map(groupJson))),
      period: {
        ...(previous && { label: period.label }),
        ...edgesOf(period, options.dateField),
        time_zone: period.zone,
        ...(period.dayStarts !== undefined && { day_starts: period.dayStarts }),
      },
      currency,
      asked_at: new Date(askedAt).toISOString(),
      kept: cached,
    };
  };
  const alerts = options.alerts
    ?.filter((alert) => alert.store === store)
    .map(({ rule, holds, value, baseline }) => ({ rule: rule.text, holds, value, baseline }));
  const alertField = alerts && store !== null ? { alerts } : {};
  if (!previous) return { ...sideOf(current, "current"), ...alertField };
  const change =
    by === undefined
      ? pairs[0] && changeOf(pairs[0])
      : grouped(pairs.map((pair) => groupChangeJson(pair, by)));
  return {
    current: sideOf(current, "current"),
    previous: sideOf(previous, "previous"),
    change,
    ...alertField,
  };
}

function groupJson(row: Row): object {
  const { key, label, days } = row;
  return { key, label, ...metricsOf(row), ...(days !== undefined && { days }) };
}

/** Returns the changes of a group, all null if one side is missing. */
function groupChangeJson(pair: Pair, by: Dimension): object {
  const { current, previous } = pair;
  const { key = null, label = null } = current ?? (isTimeline(by) ? {} : (previous ?? {}));
  return {
    key,
    label,
    ...(isTimeline(by) && { previous_key: previous?.key ?? null }),
    ...(changeOf(pair) ?? { total_order_count: null, total_revenue: null, average_order_value: null }),
    ...(isPerDay(by) && { per_day: perDayOf(pair) }),
  };
}
