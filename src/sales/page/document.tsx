/** The report is one HTML document without a script, and nothing is loaded from anywhere. */
import { html, raw } from "hono/html";

import { summaryHistoryYears } from "../../contract/limits.js";
import { flatten } from "../present/text.js";
import { FiguresTable } from "./figures-table.js";
import type { Report, ReportPart } from "./report.js";
import { Heatmap } from "./heatmap.js";
import { blockId, Pending, Section } from "./section.js";
import { reportDataTemplate } from "../report/data.js";
import { Since } from "./since.js";
import { stylesheet } from "./stylesheet.js";
import { Trend } from "./trend.js";
import { currentLanguage, t } from "../../shared/language.js";
import { safeJson } from "../../terminal/index.js";

/** Even if a text found a way around the escaping, the browser would run nothing and fetch nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Writes the page. Every text that came from outside is escaped. */
export function renderReport(report: Report): string {
  const { covered, windows, parts } = report;
  const names = covered.join(", ");
  const window = windows.map((window) => window.window).join(", ");
  const page = (
    <html lang={currentLanguage()} data-state={report.readyAt === undefined ? undefined : "incomplete"}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="comanda" />
        <title>{t`Sales of ${names}, ${window}`}</title>
        <style>{raw(stylesheet)}</style>
      </head>
      <body>
        <main>
          <Header report={report} />
          {report.readyAt !== undefined && <Incomplete readyAt={report.readyAt} />}
          {report.since && <Since since={report.since} />}
          {report.stores.length > 0 && <Stores stores={report.stores} />}
          {parts.map((part) => (
            <Part
              part={part}
              currency={parts.length > 1 ? nameOf(part) : undefined}
              isFolded={report.stores.length > 0}
            />
          ))}
        </main>
        <footer>
          {t`Made by comanda on ${report.madeAt}. The average is revenue divided by orders.`}
          {report.readyAt === undefined && parts.some(lacksComparisons) && (
            <>
              {" "}
              {t`Sections without a comparison would have taken longer. This compares them all:`}{" "}
              <code>comanda report --compare-sections</code>
            </>
          )}
          {report.foot.map((line) => (
            <p>{line}</p>
          ))}
        </footer>
        {report.data && raw(reportDataTemplate(safeJson(report.data)))}
      </body>
    </html>
  );
  const text = html`<!doctype html>${page}`;
  if (text instanceof Promise) throw new TypeError("no part of the page waits for anything");
  return `${text}\n`;
}

/** More stores than these are counted in the heading; their names stand in the table. */
const maxNames = 4;

function Header({ report }: { readonly report: Report }) {
  const { covered, windows, lacksComparison, askedAt, filters, parts } = report;
  return (
    <header>
      <p class="kicker">{t`Sales report`}</p>
      <h1>
        <bdi>{covered.length > maxNames ? t`${covered.length} stores` : covered.join(", ")}</bdi>
      </h1>
      {windows.map(({ window, previousWindow, stores }) => (
        <>
          <p>
            {stores.length > 0 && <bdi>{`${stores.join(", ")}: `}</bdi>}
            {window}
          </p>
          {previousWindow !== undefined && <p class="muted">{t`Compared with ${previousWindow}`}</p>}
        </>
      ))}
      {windows.length > 1 && (
        <p class="muted">{t`The stores are in several time zones: each one's days are its own.`}</p>
      )}
      {parts.length > 1 && (
        <p class="muted">
          {t`The stores count in several currencies (${parts.map(nameOf).join(", ")}): amounts of different ones are not added up.`}
        </p>
      )}
      {lacksComparison && (
        <p class="muted">
          {t`Without a comparison: it would begin more than ${summaryHistoryYears} years back.`}
        </p>
      )}
      <p class="muted">{t`As of ${askedAt}`}</p>
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

interface PartProps {
  readonly part: ReportPart;
  readonly currency: string | undefined;
}

/**
 * Shows the figures in one currency. The sections of several stores are folded on a screen, so that all stores fit a
 * page.
 */
function Part({ part, currency, isFolded }: PartProps & { readonly isFolded: boolean }) {
  return (
    <>
      <Headline part={part} currency={currency} />
      {part.sections.map((section) => (
        <Section section={section} part={part} currency={currency} isFolded={isFolded} />
      ))}
      {part.heatmap && <Heatmap heatmap={part.heatmap} part={part} currency={currency} />}
      {part.pending.length > 0 && <Pending names={part.pending} currency={currency} />}
    </>
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
function Headline({ part, currency }: PartProps) {
  const { metrics, canceled, comparison, format } = part;
  const id = blockId("headline", currency);
  const cards = [
    { title: t`Revenue`, name: "total_revenue", show: format.amount },
    { title: t`Orders`, name: "total_order_count", show: format.count },
    { title: t`Average order`, name: "average_order_value", show: format.amount },
  ] as const;
  return (
    <section aria-labelledby={id} class="headline">
      {currency === undefined ? (
        <h2 id={id} class="hidden">
          {t`Headline figures`}
        </h2>
      ) : (
        <h2 id={id}>{t`In ${currency}`}</h2>
      )}
      <dl>
        {cards.map(({ title, name, show }) => (
          <div class="card">
            <dt>{title}</dt>
            <dd class="figure">{show(metrics[name])}</dd>
            {comparison && (
              <dd class="muted">
                <Trend
                  change={comparison.change[name]}
                  text={format.percentChange(comparison.change[name].percent)}
                />
                {t` against ${show(comparison.previous[name])}`}
              </dd>
            )}
            {canceled && name !== "average_order_value" && (
              <dd class="muted">{t`of which canceled: ${show(canceled[name])} (${format.share(shareOf(canceled[name], metrics[name]))})`}</dd>
            )}
          </div>
        ))}
      </dl>
      {comparison?.calendar !== undefined && <p class="muted">{comparison.calendar}</p>}
    </section>
  );
}

function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** Shows a line for each store of a report over several, those that gave no figures included. */
function Stores({ stores }: Pick<Report, "stores">) {
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">{t`By store`}</h2>
      <FiguresTable caption={t`Orders and revenue by store`} column={t`Store`} rows={stores} />
    </section>
  );
}

/** Tells whether the headline is compared, and a section isn't. */
function lacksComparisons({ comparison, sections }: ReportPart): boolean {
  const isCompared = sections.filter(({ groups }) => groups.some(({ previous }) => previous !== undefined));
  return (
    comparison !== undefined && isCompared.length < sections.filter(({ groups }) => groups.length > 0).length
  );
}

function nameOf({ currency }: ReportPart): string {
  return currency ?? t`no currency`;
}
