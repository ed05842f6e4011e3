/** The report is one HTML document without a script, and nothing is loaded from anywhere. */
import { html, raw } from "hono/html";

import type { DateField } from "../../contract/enums.js";
import { summaryHistoryYears } from "../../contract/limits.js";
import { groupBy } from "../../shared/group-by.js";
import { currentLanguage, t } from "../../shared/language.js";
import { safeJson } from "../../terminal/index.js";
import { compareMetrics } from "../compare/metrics.js";
import { totalsOf } from "../merge/stores.js";
import { describePrevious } from "../period/comparison.js";
import { describePeriod } from "../period/period.js";
import { calendarText } from "../present/calendar-text.js";
import { createNumberFormat } from "../present/number-format.js";
import { reportShape } from "../present/report-data.js";
import { flatten } from "../present/text.js";
import { daysOf, reportDataTemplate, type ReportData } from "../report/data.js";
import { addReports, type ReportFigures } from "../report/plan.js";
import { changesSince } from "../report/said.js";
import { answeringStores, oldestAge, type SalesResult, type StoreFigures } from "../results.js";
import { Trend } from "./figures-table.js";
import { blockId, Heatmap, Section, type Part } from "./section.js";
import { Since, StoreTable, type Moment } from "./stores.js";
import { stylesheet } from "./stylesheet.js";

export interface PageOptions {
  /** A comparison was asked for. */
  readonly isCompared: boolean;
  readonly dateField: DateField | undefined;
  /** The filters stay as they were typed. */
  readonly filters: readonly string[];
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  /** The rest will be there at this time, in milliseconds since the epoch; absent where this is all. */
  readonly readyAt?: number;
  /** Each line tells how figures compare with each other. */
  readonly foot?: readonly string[];
  /** The figures of the last report; this one tells what has changed since. */
  readonly last?: ReportData | undefined;
}

type Stores = readonly StoreFigures<ReportFigures>[];

/** Even if a text found a way around the escaping, the browser would run nothing and fetch nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Writes the page. Every text that came from outside is escaped.
 *
 * @returns `undefined` where no store gave figures
 */
export function renderReport(result: SalesResult<ReportFigures>, options: PageOptions): string | undefined {
  const { dateField, now, readyAt, last, foot = [] } = options;
  const stores = answeringStores(result);
  const [first] = stores;
  if (!first) return undefined;
  const format = new Intl.DateTimeFormat(first.display.locale, {
    ...{ dateStyle: "long", timeStyle: "short", timeZone: first.zone },
  });
  const moment = (epochMs: number) => format.format(epochMs);
  // The page says that its averages are revenue divided by orders, whatever the service calls an average.
  const totals = result.areSeveral ? result.totals : totalsOf(result, addReports);
  const parts = totals.map(({ figures, display }): Part => ({
    ...{ figures, display, dateField, format: createNumberFormat(display) },
    currencyName: totals.length > 1 ? (display.currency ?? t`no currency`) : undefined,
  }));
  const changes = last && changesSince(last, result, options);
  const names = stores.map(({ store }) => store).join(", ");
  const windows = [...new Set(stores.map(({ figures }) => describePeriod(figures.summary.current.period)))];
  const page = (
    <html lang={currentLanguage()} {...(readyAt === undefined ? {} : { "data-state": "incomplete" })}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="comanda" />
        <title>{t`Sales of ${names}, ${windows.join(", ")}`}</title>
        <style>{raw(stylesheet)}</style>
      </head>
      <body>
        <main>
          <Header {...{ stores, parts, options, moment }} />
          {readyAt !== undefined && <Incomplete readyAt={moment(readyAt)} />}
          {changes && changes.length > 0 && <Since {...{ changes, moment }} />}
          {result.areSeveral && <StoreTable result={result} />}
          {parts.map((part) => (
            <>
              <Headline part={part} areSeveral={result.areSeveral} />
              {/* The sections of several stores are folded on a screen, so that all stores fit a page. */}
              {[...part.figures.sections].map(([dimension, section]) => (
                <Section {...{ dimension, section, part }} isFolded={result.areSeveral} />
              ))}
              {part.figures.heatmap && <Heatmap heatmap={part.figures.heatmap} part={part} />}
            </>
          ))}
        </main>
        <footer>
          {t`Made by comanda on ${moment(now)}. The average is revenue divided by orders.`}
          {readyAt === undefined && parts.some(lacksComparisons) && (
            <>
              {" "}
              {t`Sections without a comparison would have taken longer. This compares them all:`}{" "}
              <code>comanda report --compare-sections</code>
            </>
          )}
          {foot.map((line) => (
            <p>{line}</p>
          ))}
        </footer>
        {readyAt === undefined && raw(reportDataTemplate(safeJson(dataOf(stores, options))))}
      </body>
    </html>
  );
  const text = html`<!doctype html>${page}`;
  if (text instanceof Promise) throw new TypeError("no part of the page waits for anything");
  return `${text}\n`;
}

/** Makes the figures as JSON, for `comanda changes` and for other programs. */
function dataOf(stores: Stores, { dateField, filters }: PageOptions): object {
  return {
    version: 1,
    ...{ date_field: dateField ?? "created_at", filters },
    stores: stores.map(({ store, figures, display: { currency } }) => ({
      store,
      ...daysOf(figures.summary.current.period),
      ...reportShape(figures, { dateField, currency }),
    })),
  };
}

/** Tells whether the headline is compared, and a section isn't. */
function lacksComparisons({ figures: { summary, sections } }: Part): boolean {
  return summary.previous !== undefined && [...sections.values()].some(({ previous }) => !previous);
}

/** More stores than these are counted in the heading; their names stand in the table. */
const maxNames = 4;

interface HeaderProps {
  readonly stores: Stores;
  readonly parts: readonly Part[];
  readonly options: PageOptions;
  readonly moment: Moment;
}

function Header({ stores, parts, options: { isCompared, filters }, moment }: HeaderProps) {
  const byZone = [...groupBy(stores, ({ zone }) => zone).values()];
  const lacksComparison = isCompared && stores.some(({ figures }) => !figures.summary.previous);
  const currencies = parts.flatMap(({ currencyName }) => currencyName ?? []).join(", ");
  const namesOf = (some: Stores) => some.map(({ store }) => store).join(", ");
  return (
    <header>
      <p class="kicker">{t`Sales report`}</p>
      <h1>
        <bdi>{stores.length > maxNames ? t`${stores.length} stores` : namesOf(stores)}</bdi>
      </h1>
      {byZone.map((inZone) => {
        const { current, previous } = inZone[0]?.figures.summary ?? {};
        return (
          <>
            <p>
              {byZone.length > 1 && <bdi>{`${namesOf(inZone)}: `}</bdi>}
              {current && describePeriod(current.period)}
            </p>
            {current && previous && (
              <p class="muted">{t`Compared with ${describePrevious(previous.period, current.period)}`}</p>
            )}
          </>
        );
      })}
      {byZone.length > 1 && (
        <p class="muted">{t`The stores are in several time zones: each one's days are its own.`}</p>
      )}
      {parts.length > 1 && (
        <p class="muted">
          {t`The stores count in several currencies (${currencies}): amounts of different ones are not added up.`}
        </p>
      )}
      {lacksComparison && (
        <p class="muted">
          {t`Without a comparison: it would begin more than ${summaryHistoryYears} years back.`}
        </p>
      )}
      <p class="muted">{t`As of ${moment(oldestAge(stores.map(({ age }) => age)).askedAt)}`}</p>
      {filters.length > 0 && (
        <p class="muted">
          {t`Only orders with `}
          {filters.map((filter, index) => (
            <>
              {index > 0 && ", "}
              <code>{flatten(filter)}</code>
            </>
          ))}
        </p>
      )}
    </header>
  );
}

function Incomplete({ readyAt }: { readonly readyAt: string }) {
  return (
    <p class="block" role="note">
      <strong>{t`This report isn’t complete yet.`}</strong>{" "}
      {t`The other figures will be here at about ${readyAt}: open the page again then. If it still says this, the report was stopped; the same command goes on where it was.`}
    </p>
  );
}

/** Shows the three figures that everybody looks at first. */
function Headline({ part, areSeveral }: { readonly part: Part; readonly areSeveral: boolean }) {
  const { figures, display, format, currencyName } = part;
  const { current, previous } = figures.summary;
  const { canceled } = current;
  const change = previous && compareMetrics(current.figures, previous.figures);
  // Several stores differ, and the page has no room for it.
  const calendar = areSeveral ? undefined : calendarText(figures.summary, display);
  const id = blockId("headline", currencyName);
  const cards = [
    { title: t`Revenue`, name: "total_revenue", show: format.amount },
    { title: t`Orders`, name: "total_order_count", show: format.count },
    { title: t`Average order`, name: "average_order_value", show: format.amount },
  ] as const;
  return (
    <section aria-labelledby={id} class="headline">
      {currencyName === undefined ? (
        <h2 id={id} class="hidden">
          {t`Headline figures`}
        </h2>
      ) : (
        <h2 id={id}>{t`In ${currencyName}`}</h2>
      )}
      <dl>
        {cards.map(({ title, name, show }) => (
          <div class="card">
            <dt>{title}</dt>
            <dd class="figure">{show(current.figures[name])}</dd>
            {change && (
              <dd class="muted">
                <Trend change={change[name]} text={format.percentChange(change[name].percent)} />
                {t` against ${show(previous.figures[name])}`}
              </dd>
            )}
            {canceled && name !== "average_order_value" && (
              <dd class="muted">{t`of which canceled: ${show(canceled[name])} (${format.share(shareOf(canceled[name], current.figures[name]))})`}</dd>
            )}
          </div>
        ))}
      </dl>
      {calendar !== undefined && <p class="muted">{calendar}</p>}
    </section>
  );
}

function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
