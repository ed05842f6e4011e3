/** The report as one HTML document: no script, nothing loaded from anywhere. */
import { html, raw } from "hono/html";

import { summaryHistoryYears } from "../../contract/limits.js";
import type { Change } from "../compare/metrics.js";
import { flatten } from "../present/text.js";
import { FiguresTable } from "./figures-table.js";
import type { Report, ReportPart } from "./report.js";
import { Section } from "./section.js";
import { stylesheet } from "./stylesheet.js";

/** Even if a text found a way around the escaping, the browser would run nothing and fetch nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Every text that came from outside is escaped. */
export function renderReport(report: Report): string {
  const { covered, windows, parts } = report;
  const names = covered.join(", ");
  const window = windows.map((one) => one.window).join(", ");
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="comanda" />
        <title>{`Sales of ${names}, ${window}`}</title>
        <style>{raw(stylesheet)}</style>
      </head>
      <body>
        <main>
          <Header report={report} />
          {report.stores.length > 0 && <Stores report={report} />}
          {parts.map((part) => (
            <Part part={part} currency={parts.length > 1 ? (part.currency ?? "no currency") : undefined} />
          ))}
        </main>
        <footer>{`Made by comanda on ${report.madeAt}. The average is revenue divided by orders.`}</footer>
      </body>
    </html>
  );
  const text = html`<!doctype html>${page}`;
  if (text instanceof Promise) throw new TypeError("no part of the page waits for anything");
  return `${text}\n`;
}

function Header({ report }: { readonly report: Report }) {
  const { covered, windows, lacksComparison, askedAt, filters } = report;
  return (
    <header>
      <p class="kicker">Sales report</p>
      <h1>
        <bdi>{covered.join(", ")}</bdi>
      </h1>
      {windows.map(({ window, previousWindow, stores }) => (
        <>
          <p>
            {stores.length > 0 && <bdi>{`${stores.join(", ")}: `}</bdi>}
            {window}
          </p>
          {previousWindow !== undefined && <p class="muted">{`Compared with ${previousWindow}`}</p>}
        </>
      ))}
      {windows.length > 1 && (
        <p class="muted">The stores are in several time zones: each one's days are its own.</p>
      )}
      {lacksComparison && (
        <p class="muted">
          {`Without a comparison: it would begin more than ${summaryHistoryYears} years back.`}
        </p>
      )}
      <p class="muted">{`As of ${askedAt}`}</p>
      {filters.length > 0 && (
        <p class="muted">
          {"Only orders with "}
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
  /** Where there are several. */
  readonly currency: string | undefined;
}

/** The figures in one currency. */
function Part({ part, currency }: PartProps) {
  return (
    <>
      <Headline part={part} currency={currency} />
      {part.sections.map((section) => (
        <Section section={section} part={part} currency={currency} />
      ))}
    </>
  );
}

/** The three figures that everybody looks at first. */
function Headline({ part, currency }: PartProps) {
  const { metrics, canceled, comparison, format } = part;
  const id = currency === undefined ? "headline" : `headline-${currency.replaceAll(" ", "-")}`;
  const cards = [
    { title: "Revenue", name: "total_revenue", show: format.amount },
    { title: "Orders", name: "total_order_count", show: format.count },
    { title: "Average order", name: "average_order_value", show: format.amount },
  ] as const;
  return (
    <section aria-labelledby={id} class="headline">
      {currency === undefined ? (
        <h2 id={id} class="hidden">
          Headline figures
        </h2>
      ) : (
        <h2 id={id}>{`In ${currency}`}</h2>
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
                {` against ${show(comparison.previous[name])}`}
              </dd>
            )}
            {canceled && name !== "average_order_value" && (
              <dd class="muted">{`of which canceled: ${show(canceled[name])}`}</dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Direction by sign, arrow and colour, so that none of them has to be seen. */
function Trend({ change: { absolute }, text }: { readonly change: Change; readonly text: string }) {
  if (absolute === 0) return <span class="trend">unchanged</span>;
  return (
    <span class={absolute > 0 ? "trend up" : "trend down"}>
      <span aria-hidden="true">{absolute > 0 ? "▲ " : "▼ "}</span>
      {text}
    </span>
  );
}

/** The stores of a report over several, those that gave no figures included. */
function Stores({ report: { stores } }: { readonly report: Report }) {
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">By store</h2>
      <FiguresTable caption="Orders and revenue by store" column="Store" rows={stores} />
    </section>
  );
}
