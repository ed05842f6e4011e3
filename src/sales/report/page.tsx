/** The report is one HTML document without a script, and nothing is loaded from anywhere. */
import { html, raw } from "hono/html";

import type { Dimension } from "../../api/values.js";
import { currentLanguage, inLanguage, plural, t, translated, wordsIn } from "../../languages/language.js";
import {
  storesWithFigures,
  figures,
  isPerDay,
  metricsOf,
  type Change,
  type SalesResult,
  type StoreFigures,
} from "../figures.js";
import { describePeriod, zonedNow } from "../period.js";
import { noNumber, numberFormat, type NumberFormat } from "../preferences.js";
import { headerLines, linesOf, type Line } from "../render/render.js";
import { Columns, comparedPeriods } from "./column-chart.js";
import stylesheet from "./report.css";

export interface ReportData {
  /** The results of `reportDimensions`, in their order: the summary comes first. */
  readonly results: readonly SalesResult[];
  /** The page was made then, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Writes the page in the language of the first store, whatever that of this process is: English words stand with English numbers and
 * months, Portuguese with Portuguese.
 */
export async function reportPage(data: ReportData): Promise<string> {
  const [first] = data.results.flatMap(storesWithFigures);
  if (!first) throw new RangeError("a page needs figures");
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
  const [first] = summary ? storesWithFigures(summary) : [];
  if (!summary || !first) throw new RangeError("the summary is asked for first");
  const names = storesWithFigures(summary).map(({ store }) => store ?? "");
  const { zone } = first.current.period;
  const format = new Intl.DateTimeFormat(first.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  // The clock in the store's zone, read as UTC's: Node 20 has no zones of an offset, such as -03:00.
  const wallTime = now + zonedNow(now, zone).offsetNanoseconds / 1_000_000;
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
              <bdi>{names.join(", ")}</bdi>
            </h1>
            {headerLines(summary, results).map((line) => (
              <p class="muted">{line}</p>
            ))}
          </header>
          <Headline result={summary} />
          {summary.several && <Stores result={summary} />}
          {results.map((result) => result.by !== undefined && <Section by={result.by} result={result} />)}
        </main>
        <footer>{t`Made by comanda on ${format.format(wallTime)}. The average is revenue divided by orders.`}</footer>
      </body>
    </html>
  );
  const text = html`<!doctype html>${page}`;
  if (text instanceof Promise) throw new TypeError("no part of the page waits for anything");
  return `${text}\n`;
}

/** The three figures that everybody looks at first. Stores of several currencies have no sum; their table has them. */
function Headline({ result }: { readonly result: SalesResult }) {
  const of = result.several ? result.total : storesWithFigures(result)[0];
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
                <Trend change={change[name]} format={format} />
                {t` against ${format[show](metricsOf(previous)[name])}`}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A line for each store that gave figures, and for the sum. */
function Stores({ result }: { readonly result: SalesResult }) {
  const lines: Line[] = [];
  for (const of of result.total ? [...storesWithFigures(result), result.total] : storesWithFigures(result))
    for (const line of linesOf(of, undefined, {}, false)) lines.push({ ...line, name: of.store ?? t`Total` });
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">{t`By store`}</h2>
      <Table caption={t`Orders and revenue by store`} heading={t`Store`} lines={lines} by={undefined} />
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

/** Of all stores, or of each where they can't be added up: drivers, and amounts of different currencies. */
function Section({ by, result }: { readonly by: Dimension; readonly result: SalesResult }) {
  const [english, column] = titles[by] ?? [by, by];
  const title = translated(english);
  const inTime = by === "day" || isPerDay(by);
  const [revenue, orders] = isPerDay(by) ? [t`Revenue a day`, t`Orders a day`] : [t`Revenue`, t`Orders`];
  const parts = result.total ? [result.total] : storesWithFigures(result);
  // Weekdays of late days aren't asked for.
  if (parts.length === 0) return null;
  const isOne = !result.several || result.total !== undefined;
  return (
    <section aria-labelledby={by} class="block">
      <h2 id={by}>{title}</h2>
      {parts.map((of) => {
        const lines = linesOf(of, by, inTime ? {} : { sort: { field: "revenue", descending: true } }, false);
        const isEmpty = lines.every(({ current }) => !current?.orders);
        const caption = `${t`Orders and revenue ${lowerFirst(title)}`}${isOne ? "" : `, ${of.store ?? ""}`}`;
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
            {lines.length > 0 && (
              <Table caption={caption} heading={translated(column)} lines={lines} by={by} />
            )}
          </>
        );
      })}
    </section>
  );
}

interface TableProps {
  readonly caption: string;
  readonly heading: string;
  readonly lines: readonly Line[];
  readonly by: Dimension | undefined;
}

/** The roles are repeated, since the stylesheet makes blocks of tables on narrow screens. */
function Table({ caption, heading, lines, by }: TableProps) {
  const compared = lines.some(({ previous }) => previous !== undefined);
  const highest = Math.max(1, ...lines.map(({ current }) => current?.revenue ?? 0));
  const hasBars = by !== undefined && by !== "day" && !isPerDay(by);
  const headings = [
    ...[heading, t`Orders`, t`Revenue`, t`Average`],
    ...(compared ? [t`Revenue before`, isPerDay(by) ? t`Change per day` : t`Change`] : []),
  ];
  return (
    <table role="table" class={compared ? "compared" : undefined}>
      <caption>
        {caption}
        {compared && <small>{comparedPeriods(lines, by)}</small>}
      </caption>
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
        {lines.map(({ of, name, current, previous, nameBefore, perDay, change: ownChange }) => {
          const format = numberFormat(of);
          const change = (isPerDay(by) ? perDay : ownChange)?.total_revenue;
          const [days, before] = [current?.days, previous?.days];
          const dayCount = days !== undefined && plural(days, { one: t`1 day`, other: t`${days} days` });
          const isOther = before !== undefined && before !== days;
          return (
            <tr role="row">
              <th role="rowheader" scope="row">
                <bdi>{name.trim() || noNumber}</bdi>
                {dayCount && ` (${dayCount}${isOther ? t`, ${before} in the previous period` : ""})`}
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
                  <td role="cell">{change ? <Trend change={change} format={format} /> : ""}</td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Shows the direction by sign and colour, so that a reader needs to see only one of them. */
function Trend({ change, format }: { readonly change: Change; readonly format: NumberFormat }) {
  const { absolute, percent } = change;
  const direction = absolute > 0 ? " up" : absolute < 0 ? " down" : "";
  return <span class={`trend${direction}`}>{format.change(percent)}</span>;
}

/** Writes a title within a sentence: "by day". */
function lowerFirst(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1);
}
