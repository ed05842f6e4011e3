/** The report is one HTML document without a script, and nothing is loaded from anywhere. */
import { html, raw } from "hono/html";

import type { Dimension } from "../../api/values.js";
import { groupBy } from "../../api/basics.js";
import { currentLanguage, inLanguage, t, translated, wordsIn } from "../../languages/language.js";
import {
  answering,
  figures,
  isDaily,
  metricsOf,
  type Change,
  type SalesResult,
  type StoreFigures,
} from "../figures.js";
import { describePeriod, describePrevious } from "../period.js";
import { linesOf, type Line } from "../render/render.js";
import { noNumber, numberFormat } from "../render/words.js";
import { Columns } from "./picture.js";
import stylesheet from "./report.css";

export interface ReportData {
  /** The results of `reportQuestions`, in their order: the summary comes first. */
  readonly results: readonly SalesResult[];
  /** The page was made then, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Writes the page in the language of the first store, whatever that of this process is: English words stand with English numbers and
 * months, Portuguese with Portuguese.
 *
 * @returns undefined where no store gave figures
 */
export async function reportPage(data: ReportData): Promise<string | undefined> {
  const [first] = data.results.flatMap(answering);
  if (!first) return undefined;
  const isPortuguese = /^pt\b/i.test(first.locale);
  const words = await wordsIn(isPortuguese ? "pt-BR" : "en");
  const fits = isPortuguese ? /^pt\b/i : /^en\b/i;
  const results = data.results.map((result) =>
    inLocale(result, (locale) => (fits.test(locale) ? locale : isPortuguese ? "pt-BR" : "en")),
  );
  const page = inLanguage(words, () => write({ ...data, results }));
  // What would turn the direction of the text around it, or is no character at all in HTML.
  return page
    .replaceAll(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, " ")
    .toWellFormed();
}

function inLocale(result: SalesResult, localeFor: (locale: string) => string): SalesResult {
  const changed = (store: StoreFigures) => ({ ...store, locale: localeFor(store.locale) });
  return {
    ...result,
    stores: result.stores.map((store) => ("current" in store ? changed(store) : store)),
    ...(result.total && { total: changed(result.total) }),
  };
}

/** Even if a text found a way around the escaping, the browser would run nothing and fetch nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function write({ results, now }: ReportData): string {
  const [summary] = results;
  const [first] = summary ? answering(summary) : [];
  if (!summary || !first) throw new RangeError("the summary is asked for first");
  const names = answering(summary).map(({ store }) => store ?? "");
  const { zone } = first.current.period;
  const format = new Intl.DateTimeFormat(first.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: zone,
  });
  const moment = (epochMs: number) => format.format(epochMs);
  const page = (
    <html lang={currentLanguage()}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="comanda" />
        <title>{t`Sales of ${names.join(", ")}, ${describePeriod(first.current.period)}`}</title>
        <style>{raw(stylesheet)}</style>
      </head>
      <body>
        <main>
          <header>
            <p class="kicker">{t`Sales report`}</p>
            <h1>
              <bdi>{names.length > mostNames ? t`${names.length} stores` : names.join(", ")}</bdi>
            </h1>
            <Periods stores={answering(summary)} />
            <p class="muted">{t`As of ${moment(oldest(results))}`}</p>
          </header>
          <Headline result={summary} />
          {summary.several && <Stores result={summary} />}
          {results.map((result) => result.by !== undefined && <Section by={result.by} result={result} />)}
        </main>
        <footer>{t`Made by comanda on ${moment(now)}. The average is revenue divided by orders.`}</footer>
      </body>
    </html>
  );
  const text = html`<!doctype html>${page}`;
  if (text instanceof Promise) throw new TypeError("no part of the page waits for anything");
  return `${text}\n`;
}

/** More stores than these are counted in the heading; their names stand in the table. */
const mostNames = 4;

function oldest(results: readonly SalesResult[]): number {
  return Math.min(
    ...results
      .flatMap(answering)
      .flatMap(({ current, previous }) => [current.askedAt, previous?.askedAt ?? Infinity]),
  );
}

function Periods({ stores }: { readonly stores: readonly StoreFigures[] }) {
  const periods = groupBy(stores, ({ current, previous }) => {
    const compared = previous
      ? t`Compared with ${describePrevious(previous.period, current.period)}`
      : t`Without a comparison: it would begin too far back.`;
    return `${describePeriod(current.period)}\n${compared}`;
  });
  return [...periods].map(([texts, sharing]) => {
    const [period, compared] = texts.split("\n");
    return (
      <>
        <p>
          {periods.size > 1 && <bdi>{`${sharing.map(({ store }) => store).join(", ")}: `}</bdi>}
          {period}
        </p>
        <p class="muted">{compared}</p>
      </>
    );
  });
}

/** The three figures that everybody looks at first. Stores of several currencies have no sum; their table has them. */
function Headline({ result }: { readonly result: SalesResult }) {
  const of = result.several ? result.total : answering(result)[0];
  const [line] = of ? linesOf(of, undefined, {}, false) : [];
  if (!of || !line?.current) return null;
  const { current, previous, change } = line;
  const format = numberFormat(of);
  return (
    <section aria-label={t`Headline figures`}>
      <dl>
        {Object.values(figures).map(({ name, heading, show }) => (
          <div class="card">
            <dt>{translated(heading)}</dt>
            <dd class="figure">{format[show](metricsOf(current)[name])}</dd>
            {change && previous && (
              <dd class="muted">
                <Trend change={change[name]} text={format.change(change[name].percent)} />
                {t` against ${format[show](metricsOf(previous)[name])}`}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A line for each store, those that gave no figures included, and for the sum. */
function Stores({ result }: { readonly result: SalesResult }) {
  const rows = result.stores.flatMap((store): readonly TableRow[] =>
    "current" in store
      ? linesOf(store, undefined, {}, false).map((line) => ({ ...line, name: store.store ?? "" }))
      : [{ name: store.store, problem: t`Not covered: ${store.error.message}` }],
  );
  const total = result.total ? linesOf(result.total, undefined, {}, false) : [];
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">{t`By store`}</h2>
      <Table
        caption={t`Orders and revenue by store`}
        heading={t`Store`}
        rows={[...rows, ...total.map((line) => ({ ...line, name: t`Total` }))]}
        by={undefined}
      />
    </section>
  );
}

/** A section has this heading, and the first column of its table has that one. */
const titles: Partial<Record<Dimension, readonly [title: string, column: string]>> = {
  hour: ["By hour", "Hour"],
  day: ["By day", "Day"],
  day_of_week: ["By weekday", "Weekday"],
  order_type: ["By order type", "Order type"],
  sales_channel: ["By channel", "Channel"],
  customer_origin: ["By origin", "Origin"],
  payment_method_id: ["By payment method", "Payment method"],
  driver_id: ["By driver", "Driver"],
  status: ["By status", "Status"],
};

/** Tables longer than this are folded on a screen; on paper they are open. */
const longTable = 12;

/** Of all stores, or of each where they can't be added up: drivers, and amounts of different currencies. */
function Section({ by, result }: { readonly by: Dimension; readonly result: SalesResult }) {
  const [english, column] = titles[by] ?? [by, by];
  const title = translated(english);
  const inTime = by === "day" || isDaily(by);
  const [revenue, orders] = isDaily(by) ? [t`Revenue a day`, t`Orders a day`] : [t`Revenue`, t`Orders`];
  const parts = result.total ? [result.total] : answering(result);
  return (
    <section aria-labelledby={by} class="block">
      <h2 id={by}>{title}</h2>
      {parts.map((of) => {
        const lines = linesOf(of, by, inTime ? {} : { sort: { field: "revenue", descending: true } }, false);
        const isOne = parts.length === 1;
        const isEmpty = lines.every(({ current }) => !current?.orders);
        const caption = `${t`Orders and revenue ${lowerFirst(title)}`}${isOne ? "" : `, ${of.store ?? ""}`}`;
        const table = <Table caption={caption} heading={translated(column)} rows={lines} by={by} />;
        return (
          <>
            {!isOne && (
              <h3>
                <bdi>{of.store ?? ""}</bdi>
              </h3>
            )}
            {isEmpty && <p class="muted">{t`No orders in this period.`}</p>}
            {inTime && !isEmpty && (
              <div class={by === "day" ? "pictures full" : "pictures"}>
                <Columns kind="revenue" caption={`${revenue} ${lowerFirst(title)}`} by={by} lines={lines} />
                <Columns kind="orders" caption={`${orders} ${lowerFirst(title)}`} by={by} lines={lines} />
              </div>
            )}
            {lines.length > longTable ? (
              <details>
                <summary>{t`${caption}: table of ${lines.length} rows`}</summary>
                {table}
              </details>
            ) : (
              lines.length > 0 && table
            )}
          </>
        );
      })}
    </section>
  );
}

type TableRow = Line | { readonly name: string; readonly problem: string };

interface TableProps {
  readonly caption: string;
  readonly heading: string;
  readonly rows: readonly TableRow[];
  readonly by: Dimension | undefined;
}

/** The roles are repeated, since the stylesheet makes blocks of tables on narrow screens. */
function Table({ caption, heading, rows, by }: TableProps) {
  const lines = rows.flatMap((row) => ("problem" in row ? [] : row));
  const compared = lines.some(({ previous }) => previous !== undefined);
  const highest = Math.max(1, ...lines.map(({ current }) => current?.revenue ?? 0));
  const hasBars = by !== undefined && by !== "day" && !isDaily(by);
  const headings = [
    ...[heading, t`Orders`, t`Revenue`, t`Average`],
    ...(compared ? [t`Revenue before`, isDaily(by) ? t`Change per day` : t`Change`] : []),
  ];
  return (
    <table role="table" class={compared ? "compared" : undefined}>
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {headings.map((text) => (
            <th role="columnheader" scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => {
          const name = <bdi>{row.name.trim() || noNumber}</bdi>;
          if ("problem" in row) {
            return (
              <tr role="row">
                <th role="rowheader" scope="row">
                  {name}
                </th>
                <td role="cell" colspan={headings.length - 1} class="problem">
                  {row.problem}
                </td>
              </tr>
            );
          }
          const { of, current, previous, nameBefore } = row;
          const format = numberFormat(of);
          const change = (isDaily(by) ? row.perDay : row.change)?.total_revenue;
          const [days, before] = [current?.days, previous?.days];
          return (
            <tr role="row">
              <th role="rowheader" scope="row">
                {name}
                {days !== undefined &&
                  ` (${before === undefined || before === days ? days : t`${days}, before ${before}`})`}
                {hasBars && (
                  <svg class="bar" aria-hidden="true" height="6">
                    <rect
                      class="revenue"
                      width={`${(((current?.revenue ?? 0) / highest) * 100).toFixed(1)}%`}
                      height="6"
                      rx="2"
                    />
                  </svg>
                )}
              </th>
              {Object.values(figures).map((figure) => (
                <td role="cell">{current ? format[figure.show](metricsOf(current)[figure.name]) : ""}</td>
              ))}
              {compared && (
                <>
                  <td role="cell">
                    {previous ? format.amount(metricsOf(previous).total_revenue) : ""}
                    {by === "day" && nameBefore !== "" && <small>{nameBefore}</small>}
                  </td>
                  <td role="cell">
                    {change ? <Trend change={change} text={format.change(change.percent)} /> : ""}
                  </td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Shows the direction by sign, arrow and colour, so that a reader needs to see only one of them. */
function Trend({ change: { absolute }, text }: { readonly change: Change; readonly text: string }) {
  if (absolute === 0) return <span class="trend">{t`unchanged`}</span>;
  return (
    <span class={absolute > 0 ? "trend up" : "trend down"}>
      <span aria-hidden="true">{absolute > 0 ? "▲ " : "▼ "}</span>
      {text}
    </span>
  );
}

/** Writes a title within a sentence: "by day". */
function lowerFirst(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1);
}
