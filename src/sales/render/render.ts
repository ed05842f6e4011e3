/** One list of columns draws figures as a table, CSV and Markdown; JSON has the same rows. */
import type { DateField, Dimension } from "../../api/values.js";
import { averageCents, type Cents } from "../../api/money.js";
import type { Output } from "../../cli/output.js";
import { markdownSafe, renderRecords, type Column, type OpenColumn } from "../../cli/records.js";
import { printable, wrapWords } from "../../cli/text.js";
import { ComandaError } from "../../base/errors.js";
import { plural, t } from "../../languages/language.js";
import { alertJson, type Alert } from "../alert.js";
import {
  storesWithFigures,
  changeOf,
  compare,
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
import { daysOf, describeMoment, describePeriod, edgesOf } from "../period.js";
import { noNumber, numberFormat, withoutDirection } from "../preferences.js";

/** A store's row, beside the one that it is compared with. */
export interface Line extends Pair {
  readonly of: StoreFigures;
  readonly change: Metrics<Change> | null;
  /** Weekdays and hours alone have it. */
  readonly perDay: Partial<Metrics<Change>> | null;
  /** What people call the group, or the sum of all; and the day, week or month that stands beside it. */
  readonly name: string;
  readonly nameBefore: string;
  /** The revenue of all groups, also of those that aren't shown. */
  readonly whole: Cents;
}

export interface RenderOptions {
  readonly sort?: Sort | undefined;
  /** Only so many groups; those with most revenue where no order is given. */
  readonly top?: number | undefined;
  /** Sales by scheduled date have days where others have moments. */
  readonly dateField?: DateField | undefined;
  /** Draws the revenue as bars beneath a table for people. */
  readonly chart?: boolean | undefined;
  /** JSON has them beside the figures of their store. */
  readonly alerts?: readonly Alert[] | undefined;
}

/** Writes to stdout in the output's format. */
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
  const drawn: "table" | "markdown" = format;
  const columns: Column<Line>[] = [];
  for (const { heading, text, ...column } of columnsOf(result, options))
    if (heading !== undefined) columns.push({ align: "left", ...column, heading, cell: text ?? column.cell });
  const { by, total } = result;
  const lines: Line[] = [];
  for (const of of total ? [...storesWithFigures(result), total] : storesWithFigures(result))
    for (const line of linesOf(of, by, options, true)) lines.push(line);
  let text = "";
  for (const line of headerLines(result, [result]))
    text += `${drawn === "table" ? wrapWords(printable(line), output.columns) : markdownSafe(line)}\n`;
  // A narrow terminal shows each group once, with its orders and revenue beside its bar.
  const isNarrow = options.chart === true && output.columns !== undefined && output.columns < narrowBelow;
  if (!isNarrow)
    text += `${drawn === "table" ? "" : "\n"}${await renderRecords(drawn, columns, lines, { view })}`;
  if (options.chart === true) text += `\n${await barsOf(result, options, isNarrow, output.columns ?? 80)}`;
  output.text(text);
}

const narrowBelow = 60;

/** The rows of all stores, and no sums, since readers add them up. */
export async function salesCsv(result: SalesResult, options: RenderOptions, header = true): Promise<string> {
  const columns: Column<Line>[] = [];
  for (const { name, ...column } of columnsOf(result, options))
    if (name !== undefined) columns.push({ ...column, heading: name });
  const lines = storesWithFigures(result).flatMap((of) => linesOf(of, result.by, options, false));
  return renderRecords("csv", columns, lines, { header });
}

/**
 * Says whose figures these are, of which days, in which zone, and asked when; and which stores gave none.
 *
 * @param beneath what stands beneath it: the oldest of all its answers was asked then
 */
export function headerLines({ stores }: SalesResult, beneath: readonly SalesResult[]): readonly string[] {
  const shown = beneath.flatMap(storesWithFigures);
  const sharing = new Map<string, string>();
  const missing: string[] = [];
  for (const store of stores) {
    if ("error" in store) {
      missing.push(t`${store.store}: no figures. ${store.error.message}`);
      continue;
    }
    const { period } = store.current;
    const { askedAt, cached } = ageOf(store, shown);
    const zone = period.byDays ? "" : ` (${period.zone})`;
    let beside = "";
    if (store.previous) {
      const [days, before] = [daysOf(period).length, daysOf(store.previous.period).length];
      beside = t`, beside ${describePeriod(store.previous.period)}`;
      if (days !== before)
        beside += plural(before, {
          one: t`, 1 day against ${days}`,
          other: t`, ${before} days against ${days}`,
        });
    }
    const moment = describeMoment(askedAt, period.zone);
    const asked = cached ? t`asked ${moment} and kept since` : t`asked ${moment}`;
    const text = `${describePeriod(period)}${zone}${beside}, ${asked}`;
    const before = sharing.get(text);
    sharing.set(text, `${before === undefined ? "" : `${before}, `}${store.store ?? ""}`);
  }
  const lines: string[] = [];
  for (const [text, names] of sharing) lines.push(`${names}: ${text}`);
  return [...lines, ...missing];
}

/** Of all answers of a store together: the oldest was asked then, and is any of them kept? */
function ageOf(of: StoreFigures, shown: readonly StoreFigures[] = [of]): Pick<Figures, "askedAt" | "cached"> {
  let [askedAt, cached] = [Infinity, false];
  for (const { store, current, previous = current } of shown) {
    if (store !== of.store) continue;
    askedAt = Math.min(askedAt, current.askedAt, previous.askedAt);
    cached ||= current.cached || previous.cached;
  }
  return { askedAt, cached };
}

/** Bars of the total, or of each store where there is none. */
async function barsOf(
  result: SalesResult,
  options: RenderOptions,
  isNarrow: boolean,
  width: number,
): Promise<string> {
  const { barChart } = await import("./chart.js");
  const shown = result.total ? [result.total] : storesWithFigures(result);
  const charts = shown.map((of) => {
    const { sold, amount } = numberFormat(of);
    const bars = linesOf(of, result.by, options, false).flatMap(({ current, name }) => {
      if (!current) return [];
      const { orders, revenue } = current;
      const text = isNarrow ? sold(orders, revenue) : amount(metricsOf(current).total_revenue);
      return { label: name, value: revenue, text };
    });
    const heading = shown.length > 1 ? `${printable(of.store ?? "")}\n` : "";
    const sum = totalOf(of.current.rows);
    const end = isNarrow ? `${t`Total`}: ${sold(sum.orders, sum.revenue)}\n` : "";
    return `${heading}${barChart(bars, width).join("")}${end}`;
  });
  return charts.join("\n");
}

/** `--sort` and `--top` decide which groups are shown, and in which order. */
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
 * Reads `revenue`, `label` or, with a direction, `revenue:asc`. Without one, figures go down and names go up.
 *
 * @throws {ComandaError} `invalid_input` for another field or direction
 */
export function parseSort(text: string): Sort {
  const [, name, direction] = /^(\w+)(?::(asc|desc))?$/.exec(text) ?? [];
  const field = (["revenue", "orders", "average", "label", "key"] as const).find((field) => field === name);
  if (field === undefined) {
    throw new ComandaError("invalid_input", t`Groups can't be sorted by "${text}".`, {
      hint: t`Give --sort ${Object.keys(values).join(", ")}, each with :asc or :desc after it if wanted.`,
    });
  }
  const isName = field === "label" || field === "key";
  return { field, descending: direction === undefined ? !isName : direction === "desc" };
}

/** Equal groups keep their order. A group that this period doesn't have, or one without a label or key, comes last. */
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

/** Pairs the rows with those of the period before, in the order in which every format has them. */
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

/** @param hasSum adds the sum of several groups, for people: readers of CSV add rows up themselves */
export function linesOf(
  of: StoreFigures,
  by: Dimension | undefined,
  options: RenderOptions,
  hasSum: boolean,
): readonly Line[] {
  const pairs = [...pairsOf(of, by, options)];
  const total = by === undefined ? noOrders : totalOf(of.current.rows);
  const rows: Row[] = [];
  const before: Row[] = [];
  for (const { current, previous } of pairs) {
    rows.push(current ?? previous ?? noOrders);
    before.push(previous ?? noOrders);
  }
  const names = by === undefined ? [] : [...namesOf(rows, by, of.locale)];
  const namesBefore = by !== undefined && of.previous && isTimeline(by) ? namesOf(before, by, of.locale) : [];
  if (hasSum && by !== undefined && of.current.rows.length > 1) {
    pairs.push({ current: total, previous: of.previous && totalOf(of.previous.rows) });
    names.push(t`Total`);
  }
  const lines: Line[] = [];
  for (const [place, pair] of pairs.entries()) {
    const isBlank = isTimeline(by) && pair.current === undefined;
    lines.push({
      ...pair,
      of,
      name: isBlank ? "" : (names[place] ?? ""),
      nameBefore: pair.previous ? (namesBefore[place] ?? "") : "",
      change: changeOf(pair),
      perDay: isPerDay(by) ? perDayOf(pair) : null,
      whole: total.revenue,
    });
  }
  return lines;
}

/** Two drivers of one name have their keys behind it: `Ana (11)`, `Ana (12)`. */
function namesOf(rows: readonly Row[], by: Dimension, locale: string): readonly string[] {
  const write = writerOf(by, locale);
  const plain: string[] = [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    let name = write(row) ?? row.label ?? (row.key === null ? t`(none)` : String(row.key));
    if (name.trim() === "") name = JSON.stringify(name);
    plain.push(name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names: string[] = [];
  for (const [place, name] of plain.entries())
    names.push(counts.get(name) === 1 ? name : `${name} (${JSON.stringify(rows[place]?.key)})`);
  return names;
}

/** A key that is no date, and a name that is no weekday, stay what the service calls them. */
function writerOf(by: Dimension, locale: string): (row: Row) => string | undefined {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const month = { year: "numeric", month: "2-digit" } as const;
  // English writes ISO 8601, since 05/10 is one day in London and another in New York.
  const isEnglish = /^en\b/.test(locale);
  if (by === "day") {
    const day = isEnglish ? undefined : format({ ...month, day: "2-digit" });
    const weekday = format({ weekday: "short" });
    return ({ key }) => {
      if (!isDate(key)) return undefined;
      const date = Date.parse(key);
      return withoutDirection(`${day?.format(date) ?? key} ${weekday.format(date)}`);
    };
  }
  if (by === "month" && !isEnglish) {
    const written = format(month);
    return ({ key }) =>
      typeof key === "string" && /^\d{4}-(?:0\d|1[0-2])$/.test(key)
        ? withoutDirection(written.format(Date.parse(key)))
        : undefined;
  }
  if (by === "day_of_week") {
    const weekday = format({ weekday: "long" });
    return ({ key, label }) => {
      const place = weekdayNamed(label ?? String(key));
      // 1970-01-04 was a Sunday.
      const name = place === undefined ? undefined : weekday.format((3 + place) * 86_400_000);
      return name === undefined ? undefined : name.charAt(0).toUpperCase() + withoutDirection(name.slice(1));
    };
  }
  if (by === "hour") {
    return ({ key, label }) => {
      const [, hour] = /^(\d{1,2})(?::00)?$/.exec(String(key)) ?? [];
      return label ?? (hour === undefined ? undefined : `${hour.padStart(2, "0")}:00`);
    };
  }
  return () => undefined;
}

/** Programs know a column by its name, and people read the heading above it: where one of them is absent, the others alone have it. */
interface SalesColumn extends Omit<OpenColumn<Line>, "heading"> {
  readonly heading?: string | undefined;
  /** What people read in place of the cell. */
  readonly text?: (line: Line) => string;
}

function columnsOf(result: SalesResult, { dateField }: RenderOptions): readonly SalesColumn[] {
  const { by, several } = result;
  let isCompared = false;
  for (const { previous } of storesWithFigures(result)) isCompared ||= previous !== undefined;
  const columns: SalesColumn[] = [
    { name: "store", heading: several ? "Store" : undefined, cell: ({ of }) => of.store ?? t`Total` },
    { name: "from", cell: ({ of }) => edgesOf(of.current.period, dateField).from },
    { name: "to", cell: ({ of }) => edgesOf(of.current.period, dateField).to },
    { name: "time_zone", cell: ({ of }) => of.current.period.zone },
    { name: "currency", cell: ({ of }) => of.currency },
    { name: "asked_at", cell: ({ of }) => new Date(ageOf(of).askedAt).toISOString() },
  ];
  if (by !== undefined) columns.push(...groupColumns(result, by, isCompared));
  const all = Object.values(figures);
  for (const [place, figure] of all.entries()) {
    const column = figureColumn(figure, "current");
    // Beside what was before, 80 columns have no room for a group's average, nor for how many orders it had.
    const isShown = place < 2 || !isCompared || by === undefined;
    columns.push({ ...column, heading: isShown ? figure.heading : undefined });
    if (!isCompared || (place === 2 && by !== undefined)) continue;
    if (place === 1 || (place === 0 && by === undefined))
      columns.push({ ...figureColumn(figure, "previous"), heading: "Before" });
    columns.push(changeColumn(figure.name, isPerDay(by)));
  }
  if (by !== undefined && !isCompared) columns.push(shareColumn);
  if (isPerDay(by)) columns.push({ ...daysColumn, heading: isCompared ? "Days (before)" : "Days" });
  if (!isCompared) return columns;
  const edges = ({ of }: Line) => of.previous && edgesOf(of.previous.period, dateField);
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
  // A day before that has no day beside it isn't the group that a line is about.
  const groupIn = ({ current, previous }: Line) => current ?? (isTimeline(by) ? undefined : previous);
  // A filter takes the key, so people see it where the label isn't the same.
  const hasKeys =
    !isTimeline(by) &&
    !isPerDay(by) &&
    storesWithFigures(result).some(({ current: { rows } }) =>
      rows.some(({ key, label }) => key !== null && label !== null && String(key) !== label),
    );
  const columns: SalesColumn[] = [
    { name: "key", heading: hasKeys ? "Key" : undefined, cell: (line) => groupIn(line)?.key },
    { name: "label", cell: (line) => groupIn(line)?.label },
    { heading: by.replaceAll("_", " ").replace(/ id$/, ""), cell: ({ name }) => name },
  ];
  if (isCompared && isTimeline(by)) columns.push({ heading: "Beside", cell: ({ nameBefore }) => nameBefore });
  return columns;
}

function figureColumn({ name, show, type }: Figure, side: "current" | "previous"): SalesColumn {
  return {
    ...(side === "current" && { name }),
    ...type,
    align: "right",
    cell: (line) => line[side] && metricsOf(line[side])[name],
    text: (line) => (line[side] ? numberFormat(line.of)[show](metricsOf(line[side])[name]) : ""),
  };
}

/** The sign says what the colour says. */
function changeColumn(name: keyof Metrics, isPerDay: boolean): SalesColumn {
  const side = isPerDay ? "perDay" : "change";
  return {
    heading: isPerDay ? "Per day" : "Change",
    align: "right",
    cell: (line) => {
      const change = line[side]?.[name];
      return change && numberFormat(line.of).change(change.percent);
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
  cell: ({ current, whole, of }) =>
    numberFormat(of).share(whole > 0 && current ? current.revenue / whole : null),
};

/** How many days the period has of a weekday or an hour; in brackets how many before, where that is another number. */
const daysColumn: SalesColumn = {
  name: "days",
  align: "right",
  cell: ({ current }) => current?.days,
  text: ({ current, previous }) => {
    const [now, before] = [current?.days, previous?.days];
    return before === undefined || before === now ? String(now ?? "") : `${now ?? noNumber} (${before})`;
  },
};

/**
 * Makes the value that `--json` prints: one store's figures as they are, and of several `{"stores": [{"store", …}], "total"}`, where a
 * store that gave none has an `error`.
 */
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

/** Tells in JSON why a store gave nothing. */
export function missingJson({ store, error }: MissingStore): object {
  const { exitCode, code, serviceCode, message } = error;
  return { store, error: { exit_code: exitCode, code, service_code: serviceCode, message } };
}

function storeJson(of: StoreFigures, by: Dimension | undefined, options: RenderOptions): object {
  const { current, previous, store, currency } = of;
  const pairs = pairsOf(of, by, options);
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
  const alerts = options.alerts?.filter((alert) => alert.store === store).map(alertJson);
  const beside = alerts && store !== null ? { alerts } : {};
  if (!previous) return { ...sideOf(current, "current"), ...beside };
  const change =
    by === undefined
      ? pairs[0] && changeOf(pairs[0])
      : grouped(pairs.map((pair) => groupChangeJson(pair, by)));
  return { current: sideOf(current, "current"), previous: sideOf(previous, "previous"), change, ...beside };
}

function groupJson(row: Row): object {
  const { key, label, days } = row;
  return { key, label, ...metricsOf(row), ...(days !== undefined && { days }) };
}

/** Where a side is missing, what would be a change is null. */
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
