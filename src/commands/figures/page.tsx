/** Writes the report, an HTML document without scripts that loads nothing. */
import { html, raw } from "hono/html";

import type { Dimension } from "../../api/values.js";
import type { FiguresResult, StoreFigures } from "../../core/figures.js";
import {
  capitalized,
  currentLanguage,
  inLanguage,
  t,
  translated,
  wordsIn,
} from "../../languages/language.js";
import {
  changeOf,
  dimensionName,
  figures,
  isPerDay,
  metricsOf,
  perDayOf,
  type Change,
} from "../../sales/figures.js";
import { describeDays, describeMoment } from "../../sales/period.js";
import { noNumber, numberFormat, type NumberFormat } from "../../views/amounts.js";
import {
  dayCount,
  headerLines,
  linesOf,
  shownFigures,
  storesWithFigures,
  type Line,
} from "../../views/figures.js";
import { Columns } from "./column-chart.js";
import stylesheet from "./report.css";

export interface ReportData {
  /** The results for `reportSections`. The first is the summary. */
  readonly results: readonly FiguresResult[];
  /** The time for the footer, in milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the page in the language of the first store's locale, with all its numbers and dates, whatever the process's language. */
export async function reportPage({ results, now }: ReportData): Promise<string> {
  const [first] = results.flatMap(storesWithFigures);
  if (!first) throw new RangeError("a page needs figures");
  const language = /^pt\b/i.test(first.locale) ? "pt-BR" : "en";
  const fits = language === "en" ? /^en\b/i : /^pt\b/i;
  const localized = (store: StoreFigures) => ({
    ...store,
    locale: fits.test(store.locale) ? store.locale : language,
  });
  const shown = results.map((result) => ({
    ...result,
    stores: result.stores.map((store) => ("current" in store ? localized(store) : store)),
    ...(result.total && { total: localized(result.total) }),
  }));
  const page = inLanguage(await wordsIn(language), () => write({ results: shown, now }));
  // Removes characters that change the direction of text, or that HTML forbids.
  return page
    .replaceAll(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, " ")
    .toWellFormed();
}

/** Prevents the browser from running or loading anything, even if some text weren't escaped. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function write({ results, now }: ReportData): string {
  const [summary] = results;
  const [first] = summary ? storesWithFigures(summary) : [];
  if (!summary || !first) throw new RangeError("the summary must be the first result");
  const names = storesWithFigures(summary).map(({ store }) => store ?? "");
  const { zone } = first.current.period;
  const page = (
    <html lang={currentLanguage()}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="comanda" />
        <title>{`${t`Sales report`}: ${names.join(", ")}, ${describeDays(first.current.period)}`}</title>
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
        <footer>{t`Created by comanda on ${`${describeMoment(now, zone)} (${zone})`}. The average is revenue divided by orders.`}</footer>
      </body>
    </html>
  );
  const text = html`<!doctype html>${page}`;
  if (text instanceof Promise) throw new TypeError("a component of the page is asynchronous");
  return `${text}\n`;
}

/** Shows the three totals. Stores with different currencies have no total, only rows in their table. */
function Headline({ result }: { readonly result: FiguresResult }) {
  const sales = result.several ? result.total : storesWithFigures(result)[0];
  const [line] = sales ? linesOf(sales, undefined) : [];
  if (!sales || !line?.current) return null;
  const { current, previous } = line;
  const change = changeOf(line);
  const format = numberFormat(sales);
  return (
    <section aria-label={t`Total`}>
      <dl>
        {Object.values(figures).map(({ name, heading, show }) => (
          <div class="card">
            <dt>{capitalized(translated(heading))}</dt>
            <dd class="figure">{format[show](metricsOf(current)[name])}</dd>
            {change && previous && (
              <dd class="muted">
                <Trend change={change[name]} format={format} />
                {t`, compared with ${format[show](metricsOf(previous)[name])}`}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

function Stores({ result }: { readonly result: FiguresResult }) {
  const lines: Line[] = [];
  for (const sales of shownFigures(result))
    for (const line of linesOf(sales, undefined)) lines.push({ ...line, name: sales.store ?? t`Total` });
  const heading = t`Store`;
  const title = t`By ${lowerFirst(heading)}`;
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">{title}</h2>
      <Table title={title} heading={heading} lines={lines} by={undefined} />
    </section>
  );
}

/** Shows one dimension, with the total of all stores, or with each store if it has none. */
function Section({ by, result }: { readonly by: Dimension; readonly result: FiguresResult }) {
  const name = dimensionName(by);
  const title = t`By ${name}`;
  const inTime = by === "day" || isPerDay(by);
  const [revenue, orders] = isPerDay(by)
    ? [t`Average daily revenue`, t`Average daily orders`]
    : [capitalized(t`revenue`), capitalized(t`orders`)];
  const parts = result.total ? [result.total] : storesWithFigures(result);
  // If days start late, the results contain no weekdays.
  if (parts.length === 0) return null;
  const isOne = !result.several || result.total !== undefined;
  return (
    <section aria-labelledby={by} class="block">
      <h2 id={by}>{title}</h2>
      {parts.map((sales) => {
        const lines = linesOf(sales, by);
        const ownTitle = isOne ? title : `${title}, ${sales.store ?? ""}`;
        const line = lines.find(({ current, previous }) => current && previous);
        const isEmpty = lines.every(({ current }) => !current?.orders);
        return (
          <>
            {!isOne && (
              <h3>
                <bdi>{sales.store ?? ""}</bdi>
              </h3>
            )}
            {/* A decline may only be a Monday compared with a Saturday. */}
            {line?.previous && by === "day" && (
              <p class="muted">
                {t`Days are compared in order: ${line.name} with ${line.nameBefore}, and so on.`}
              </p>
            )}
            {line?.previous && isPerDay(by) && <p class="muted">{t`Averages per day are compared.`}</p>}
            {isEmpty && <p class="muted">{t`No orders in this period.`}</p>}
            {inTime && !isEmpty && (
              <div class={by === "day" ? "pictures full" : "pictures"}>
                <Columns kind="revenue" caption={`${revenue} ${lowerFirst(title)}`} by={by} lines={lines} />
                <Columns kind="orders" caption={`${orders} ${lowerFirst(title)}`} by={by} lines={lines} />
              </div>
            )}
            {lines.length > 0 && <Table title={ownTitle} heading={capitalized(name)} lines={lines} by={by} />}
          </>
        );
      })}
    </section>
  );
}

interface TableProps {
  /** The table's name for screen readers. */
  readonly title: string;
  readonly heading: string;
  readonly lines: readonly Line[];
  readonly by: Dimension | undefined;
}

/** Has explicit roles, because the stylesheet displays tables as blocks on narrow screens. */
function Table({ title, heading, lines, by }: TableProps) {
  const compared = lines.some(({ previous }) => previous !== undefined);
  const highest = Math.max(1, ...lines.map(({ current }) => current?.revenue ?? 0));
  const hasBars = by !== undefined && by !== "day" && !isPerDay(by);
  const headings = [
    ...[heading, ...Object.values(figures).map((figure) => capitalized(translated(figure.heading)))],
    ...(compared ? [t`Previous revenue`, isPerDay(by) ? t`Change/day` : t`Change`] : []),
  ];
  return (
    <table role="table" aria-label={title} class={compared ? "compared" : undefined}>
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
        {lines.map((line) => {
          const { store, name, current, previous, nameBefore } = line;
          const format = numberFormat(store);
          const change = (isPerDay(by) ? perDayOf(line) : changeOf(line))?.total_revenue;
          const [days, before] = [current?.days, previous?.days];
          const isOther = before !== undefined && before !== days;
          return (
            <tr role="row">
              <th role="rowheader" scope="row">
                <bdi>{name.trim() || noNumber}</bdi>
                {days !== undefined &&
                  ` (${dayCount(days)}${isOther ? t`, ${before} in the previous period` : ""})`}
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

/** Shows a change with a sign and a color, so that either is enough. */
function Trend({ change, format }: { readonly change: Change; readonly format: NumberFormat }) {
  const { absolute, percent } = change;
  const direction = absolute > 0 ? " up" : absolute < 0 ? " down" : "";
  return <span class={`trend${direction}`}>{format.change(percent)}</span>;
}

/** Returns a title for the middle of a sentence: "by day". */
function lowerFirst(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1);
}
