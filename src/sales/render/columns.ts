/** The one list of columns: programs read values of it as CSV, people texts as a table or Markdown. */
import { hasDates } from "../../api/input.js";
import type { DateField, Dimension } from "../../api/values.js";
import { averageCents, type Cents } from "../../api/money.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Cell } from "../../cli/records.js";
import type { Tone } from "../../cli/text.js";
import {
  changeOf,
  compare,
  isTimeline,
  metricsOf,
  noOrders,
  perDayOf,
  totalOf,
  type Change,
  type Metrics,
  type Pair,
  type Row,
  type SalesResult,
  type StoreFigures,
} from "../figures.js";
import type { Period } from "../period.js";
import { namesOf } from "./labels.js";
import { noNumber, numberFormat } from "./numbers.js";

/** A store's row, beside the one that it is compared with. */
export interface Line {
  readonly of: StoreFigures;
  readonly current: Row | undefined;
  readonly previous: Row | undefined;
  readonly change: Metrics<Change> | null;
  /** Weekdays and hours alone have it. */
  readonly perDay: Partial<Metrics<Change>> | null;
  /** What people call the group, or the sum of all; and the day, week or month that stands beside it. */
  readonly name: string;
  readonly nameBefore: string;
  /** The revenue of all groups, also of those that aren't shown. */
  readonly whole: Cents;
}

export interface LineOptions {
  readonly sort?: Sort | undefined;
  /** Only so many groups; those with most revenue where no order is given. */
  readonly top?: number | undefined;
  /** Sales by scheduled date have days where others have moments. */
  readonly dateField?: DateField | undefined;
}

/** Section 2.8 has these three figures. */
export const figures = [
  { name: "total_order_count", heading: "Orders", show: "count", showChange: "countChange" },
  { name: "total_revenue", heading: "Revenue", show: "amount", showChange: "amountChange" },
  { name: "average_order_value", heading: "Average", show: "amount", showChange: "amountChange" },
] as const;

export function answering({ stores }: SalesResult): readonly StoreFigures[] {
  return stores.filter((store) => "current" in store);
}

export function isCompared(result: SalesResult): boolean {
  return answering(result).some(({ previous }) => previous !== undefined);
}

export function isDaily(by: Dimension | undefined): boolean {
  return by === "day_of_week" || by === "hour";
}

/** Pairs the rows with those of the period before, in the order in which every format has them. */
export function pairsOf(
  { current, previous, locale }: StoreFigures,
  by: Dimension | undefined,
  { sort, top }: LineOptions,
): readonly Pair[] {
  const pairs = previous
    ? compare(current.rows, previous.rows, by)
    : current.rows.map((row): Pair => ({ current: row, previous: undefined }));
  const order = sort ?? (top === undefined ? undefined : ({ field: "revenue", descending: true } as const));
  return (order ? rank(pairs, order, locale) : pairs).slice(0, top);
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
  const valueOf = ({ current, previous }: Pair) => {
    const isName = sort.field === "label" || sort.field === "key";
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

/** @param hasSum adds the sum of several groups, for people: readers of CSV add rows up themselves */
export function linesOf(
  of: StoreFigures,
  by: Dimension | undefined,
  options: LineOptions,
  hasSum: boolean,
): readonly Line[] {
  const pairs = pairsOf(of, by, options);
  if (by === undefined)
    return pairs.map((pair) => ({
      ...{ of, ...pair, name: "", nameBefore: "", whole: pair.current?.revenue ?? 0 },
      ...{ change: changeOf(pair), perDay: null },
    }));
  const [total, totalBefore] = [totalOf(of.current.rows), of.previous && totalOf(of.previous.rows)];
  const lineOf = (pair: Pair, name: string, nameBefore: string): Line => ({
    ...{ of, ...pair, name, nameBefore, whole: total.revenue },
    ...{ change: changeOf(pair), perDay: perDayOf(pair)?.change ?? null },
  });
  const names = namesOf(pairs.map(rowIn), by, of.locale);
  const namesBefore = namesOf(
    pairs.map(({ previous }) => previous ?? noOrders),
    by,
    of.locale,
  );
  const lines = pairs.map((pair, index) => {
    const isBlank = isTimeline(by) && pair.current === undefined;
    return lineOf(pair, isBlank ? "" : (names[index] ?? ""), pair.previous ? (namesBefore[index] ?? "") : "");
  });
  const isSummed = hasSum && of.current.rows.length > 1;
  return isSummed ? [...lines, lineOf({ current: total, previous: totalBefore }, t`Total`, "")] : lines;
}

function rowIn({ current, previous }: Pair): Row {
  return current ?? previous ?? noOrders;
}

/** The group that the line is about. A day before that has no day beside it isn't one. */
function groupIn({ current, previous }: Pair, by: Dimension | undefined): Row | undefined {
  return current ?? (isTimeline(by) ? undefined : previous);
}

export function edgesOf({ first, last, start, end }: Period, dateField: DateField | undefined) {
  return hasDates(dateField) ? { from: first, to: last } : { from: start, to: end };
}

export interface SalesColumn {
  /** Programs know it by this name. */
  readonly name: string;
  /** Absent where only people read it. */
  readonly value?: (line: Line) => Cell | undefined;
  /** Absent where only programs read it; people read this heading above it. */
  readonly heading?: string;
  readonly text?: (line: Line) => string;
  readonly isAmount?: boolean;
  readonly isRight?: boolean;
  readonly tone?: (line: Line) => Tone | undefined;
  /** A terminal that is too narrow leaves out the lowest number first. */
  readonly dropOrder?: number;
}

export function columnsOf(result: SalesResult, { dateField }: LineOptions): readonly SalesColumn[] {
  const { by, several } = result;
  const compared = isCompared(result);
  const edge = (side: "current" | "previous", name: "from" | "to", prefix = ""): SalesColumn => ({
    name: `${prefix}${name}`,
    value: ({ of }) => of[side] && edgesOf(of[side].period, dateField)[name],
  });
  return [
    {
      name: "store",
      value: ({ of }) => of.store,
      ...(several && { heading: "Store", text: ({ of }) => of.store ?? t`Total` }),
    },
    edge("current", "from"),
    edge("current", "to"),
    { name: "time_zone", value: ({ of }) => of.current.period.zone },
    { name: "currency", value: ({ of }) => of.currency },
    { name: "asked_at", value: ({ of }) => new Date(of.current.askedAt).toISOString() },
    ...(by === undefined ? [] : groupColumns(result, by)),
    ...figures.flatMap((figure, index) => [
      figureColumn(figure, "current", index),
      ...(compared ? [changeColumn(figure, by, index)] : []),
    ]),
    ...(compared && by !== undefined
      ? [{ ...figureColumn(figures[1], "previous", 1), heading: "Before" }]
      : []),
    ...(by === undefined ? [] : [shareColumn]),
    ...(isDaily(by) ? [daysColumn] : []),
    ...(compared
      ? [
          edge("previous", "from", "previous_"),
          edge("previous", "to", "previous_"),
          ...(isTimeline(by) ? [{ name: "previous_key", value: ({ previous }: Line) => previous?.key }] : []),
          ...comparedColumns(by),
        ]
      : []),
  ];
}

function groupColumns(result: SalesResult, by: Dimension): readonly SalesColumn[] {
  // A filter takes the key, so people see it where the label isn't the same.
  const hasKeys =
    !isTimeline(by) &&
    !isDaily(by) &&
    answering(result).some(({ current: { rows } }) =>
      rows.some(({ key, label }) => key !== null && label !== null && String(key) !== label),
    );
  const beside: SalesColumn = {
    name: "",
    heading: "Beside",
    text: ({ nameBefore }) => nameBefore,
    dropOrder: 3,
  };
  return [
    {
      name: "key",
      value: (line) => groupIn(line, by)?.key,
      ...(hasKeys && { heading: "Key", text: (line) => String(groupIn(line, by)?.key ?? "") }),
    },
    { name: "label", value: (line) => groupIn(line, by)?.label },
    { name: "", heading: englishHeading(by), text: ({ name }) => name },
    ...(isCompared(result) && isTimeline(by) ? [beside] : []),
  ];
}

/** Words a dimension as the heading of a column: `day of week`. */
export function englishHeading(by: Dimension): string {
  return by.replaceAll("_", " ").replace(/ id$/, "");
}

type Figure = (typeof figures)[number];

function figureColumn(
  { name, heading, show }: Figure,
  side: "current" | "previous",
  place: number,
): SalesColumn {
  const value = (line: Line) => line[side] && metricsOf(line[side])[name];
  return {
    ...{ name: side === "current" ? name : "", heading, isRight: true, isAmount: show === "amount" },
    ...(side === "current" ? { value } : { dropOrder: 4 }),
    ...(side === "current" && place === 2 && { dropOrder: 1 }),
    text: (line) => {
      const shown = value(line);
      return shown === undefined ? "" : numberFormat(line.of)[show](shown);
    },
  };
}

/** The average of an order is the same on however many days. */
function changeColumn({ name }: Figure, by: Dimension | undefined, place: number): SalesColumn {
  const isPerDay = isDaily(by) && name !== "average_order_value";
  const of = ({ change, perDay }: Line) => (isPerDay ? perDay : change)?.[name];
  return {
    ...{
      name: "",
      heading: isPerDay ? "Per day" : "Change",
      isRight: true,
      dropOrder: [6, 7, 2][place] ?? 0,
    },
    text: (line) => {
      const change = of(line);
      return change ? numberFormat(line.of).change(change.percent) : "";
    },
    // The sign says so too.
    tone: (line) => {
      const percent = of(line)?.percent ?? 0;
      return percent === 0 ? undefined : percent > 0 ? "good" : "bad";
    },
  };
}

const shareColumn: SalesColumn = {
  ...{ name: "", heading: "Share", isRight: true, dropOrder: 0 },
  text: ({ current, whole, of }) =>
    numberFormat(of).share(whole > 0 && current ? current.revenue / whole : null),
};

/** How many days the period has of a weekday or an hour; in brackets how many before, where that is another number. */
const daysColumn: SalesColumn = {
  ...{ name: "days", heading: "Days", isRight: true, dropOrder: 5 },
  value: ({ current }) => current?.days,
  text: ({ current, previous }) => {
    const [now, before] = [current?.days, previous?.days];
    return before === undefined || before === now ? String(now ?? "") : `${now ?? noNumber} (${before})`;
  },
};

/** What is compared, for programs. */
function comparedColumns(by: Dimension | undefined): readonly SalesColumn[] {
  const part = (change: Change | undefined, side: keyof Change) => change?.[side];
  return [
    ...figures.map(({ name, show }): SalesColumn => ({
      ...{ name: `previous_${name}`, isAmount: show === "amount" },
      value: ({ previous }) => previous && metricsOf(previous)[name],
    })),
    ...(isDaily(by) ? [{ name: "previous_days", value: ({ previous }: Line) => previous?.days }] : []),
    ...figures.flatMap(({ name, show }): SalesColumn[] => [
      {
        ...{ name: `${name}_change`, isAmount: show === "amount" },
        value: ({ change }) => part(change?.[name], "absolute"),
      },
      { name: `${name}_change_percent`, value: ({ change }) => part(change?.[name], "percent") },
    ]),
    ...(isDaily(by) ? figures.slice(0, 2) : []).map(({ name }): SalesColumn => ({
      name: `${name}_per_day_change_percent`,
      value: ({ perDay }) => part(perDay?.[name], "percent"),
    })),
  ];
}
