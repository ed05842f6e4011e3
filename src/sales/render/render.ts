/** Draws figures as a table, CSV, JSON or Markdown. */
import type { Dimension } from "../../api/values.js";
import { t, translated } from "../../languages/language.js";
import { printable, wrapWords } from "../../cli/text.js";
import { codesOf, type Output } from "../../cli/output.js";
import { type Column, formulaSafe, markdownSafe, renderRecords } from "../../cli/records.js";
import { alertJson, type Alert } from "../alert.js";
import {
  changeOf,
  isTimeline,
  metricsOf,
  perDayOf,
  type Figures,
  type MissingStore,
  type Pair,
  type Row,
  type SalesResult,
  type StoreFigures,
} from "../figures.js";
import { describeMoment, describePeriod, describePrevious } from "../period.js";
import { barChart } from "./chart.js";
import {
  answering,
  columnsOf,
  edgesOf,
  figures,
  isDaily,
  linesOf,
  pairsOf,
  type Line,
  type LineOptions,
} from "./columns.js";
import { numberFormat } from "./numbers.js";

export interface RenderOptions extends LineOptions {
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
    return;
  }
  if (format === "csv") {
    output.text(
      await renderRecords("csv", programColumns(result, options), csvLines(result, options), { view }),
    );
    return;
  }
  const comparison = comparisonRows(result);
  const table =
    comparison.length > 0
      ? await renderRecords(format, comparisonColumns, comparison, { view })
      : await renderForPeople(result, output, options);
  const head = headLines(result).map((line) =>
    format === "table" ? wrapWords(printable(line), output.columns) : markdownSafe(line),
  );
  const width = output.columns ?? 80;
  const bars = options.chart === true ? barsOf(result, options, width) : "";
  // A narrow terminal shows each group once: beside its bar.
  const isTold = bars !== "" && width < narrowBelow;
  const shownTable = isTold ? "" : format === "table" ? table : `\n${table}`;
  output.text(`${head.join("\n")}\n${shownTable}${bars === "" ? "" : `\n${bars}`}`);
}

const narrowBelow = 60;

/** Says whose figures these are, of which days, in which zone, and asked when; and which stores gave none. */
function headLines({ stores }: SalesResult): readonly string[] {
  const sharing = new Map<string, string[]>();
  const missing: string[] = [];
  for (const store of stores) {
    if ("error" in store) {
      missing.push(t`${store.store}: no figures. ${store.error.message}`);
      continue;
    }
    const { period, askedAt, kept } = store.current;
    const zone = period.byDays ? "" : ` (${period.zone})`;
    const beside = store.previous ? t`, beside ${describePrevious(store.previous.period, period)}` : "";
    const moment = describeMoment(askedAt, period.zone);
    const asked = kept ? t`asked ${moment} and kept since` : t`asked ${moment}`;
    const text = `${describePeriod(period)}${zone}${beside}, ${asked}`;
    sharing.set(text, [...(sharing.get(text) ?? []), store.store ?? ""]);
  }
  return [...[...sharing].map(([text, names]) => `${names.join(", ")}: ${text}`), ...missing];
}

/** The rows of CSV: those of all stores, and no sums, since readers add them up. */
export function csvLines(result: SalesResult, options: LineOptions): readonly Line[] {
  return answering(result).flatMap((of) => linesOf(of, result.by, options, false));
}

export function programColumns(result: SalesResult, options: LineOptions): readonly Column<Line>[] {
  return columnsOf(result, options).flatMap(({ name, value, isAmount = false }): Column<Line>[] => {
    if (!value) return [];
    const cell = (line: Line) => {
      const found = value(line) ?? null;
      return typeof found === "string" ? formulaSafe(found) : found;
    };
    return [{ heading: name, name, cell, ...(isAmount && { type: "money" as const }) }];
  });
}

/** Each text is made once: a table that has to fit a terminal is measured several times. */
function renderForPeople(
  result: SalesResult,
  { format, view }: Output,
  options: LineOptions,
): Promise<string> {
  const columns = columnsOf(result, options).flatMap(({ heading, text, ...column }) =>
    heading !== undefined && text ? [{ heading, text, ...column }] : [],
  );
  const total = result.total ? [result.total] : [];
  const lines = [...answering(result), ...total].flatMap((of) => linesOf(of, result.by, options, true));
  const rows = lines.map((line) => ({ line, texts: columns.map(({ text }) => text(line)) }));
  const drawn = columns.map(
    ({ heading, isRight = false, tone, dropOrder }, place): Column<(typeof rows)[number]> => ({
      heading,
      align: isRight ? "right" : "left",
      cell: ({ texts }) => texts[place] ?? "",
      ...(tone && { tone: ({ line }) => tone(line) }),
      ...(dropOrder !== undefined && { dropOrder }),
    }),
  );
  return renderRecords(format, drawn, rows, { view });
}

interface ComparisonRow {
  readonly cells: readonly string[];
  readonly percent: number;
}

const comparisonColumns = ["Figure", "Current", "Previous", "Change", "%"].map(
  (heading, place): Column<ComparisonRow> => ({
    ...{ heading, cell: ({ cells }) => cells[place] ?? "" },
    ...(place > 0 && { align: "right" as const }),
    ...(place > 2 && { tone: ({ percent }) => (percent === 0 ? undefined : percent > 0 ? "good" : "bad") }),
  }),
);

/**
 * One store's two periods have room for a line for each of the three figures.
 *
 * @returns none for all other results
 */
function comparisonRows({ by, several, stores: [store] }: SalesResult): readonly ComparisonRow[] {
  const rows: ComparisonRow[] = [];
  if (by !== undefined || several || !store || "error" in store) return rows;
  const [current, previous] = [store.current.rows[0], store.previous?.rows[0]];
  const change = changeOf({ current, previous });
  if (!current || !previous || !change) return rows;
  const format = numberFormat(store);
  const [values, valuesBefore] = [metricsOf(current), metricsOf(previous)];
  for (const { name, heading, show, showChange } of figures) {
    const { absolute, percent } = change[name];
    const sides = [format[show](values[name]), format[show](valuesBefore[name])];
    const cells = [translated(heading), ...sides, format[showChange](absolute), format.change(percent)];
    rows.push({ cells, percent: percent ?? 0 });
  }
  return rows;
}

/** Bars of the total, or of each store where there is none. */
function barsOf(result: SalesResult, options: LineOptions, width: number): string {
  const shown = result.total ? [result.total] : answering(result);
  return shown
    .map((of) => {
      const bars = linesOf(of, result.by, options, false).flatMap(({ current, name }) =>
        current
          ? {
              label: name,
              value: current.revenue,
              text: numberFormat(of).amount(metricsOf(current).total_revenue),
            }
          : [],
      );
      const heading = shown.length > 1 ? `${printable(of.store ?? "")}\n` : "";
      return `${heading}${barChart(bars, width).join("")}`;
    })
    .join("\n");
}

/**
 * Makes the value that `--json` prints: one store's figures as they are, and of several `{"stores": [{"store", …}], "total"}`, where a
 * store that gave none has an `error`.
 */
export function salesJson(result: SalesResult, options: RenderOptions = {}): object {
  const { by, several, stores, total } = result;
  const [only] = several ? [] : answering(result);
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
  return { store, error: { exit_code: error.exitCode, ...codesOf(error), message: error.message } };
}

function storeJson(of: StoreFigures, by: Dimension | undefined, options: RenderOptions): object {
  const { current, previous, store, currency } = of;
  const pairs = pairsOf(of, by, options);
  const grouped = (groups: readonly object[]) => ({ group_by: by, groups });
  const sideOf = ({ period, askedAt, kept }: Figures, side: "current" | "previous") => {
    const rows = pairs.flatMap((pair) => pair[side] ?? []);
    return {
      ...(by === undefined ? metricsOf(rows[0] ?? { orders: 0, revenue: 0 }) : grouped(rows.map(groupJson))),
      period: {
        ...(previous && { label: period.label }),
        ...edgesOf(period, options.dateField),
        time_zone: period.zone,
        ...(period.dayStarts !== undefined && { day_starts: period.dayStarts }),
      },
      currency,
      asked_at: new Date(askedAt).toISOString(),
      kept,
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
    ...{ key, label },
    ...(isTimeline(by) && { previous_key: previous?.key ?? null }),
    ...(changeOf(pair) ?? { total_order_count: null, total_revenue: null, average_order_value: null }),
    ...(isDaily(by) && { per_day: perDayOf(pair)?.change ?? null }),
  };
}
