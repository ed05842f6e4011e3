/** The report as one HTML document: no script, nothing loaded from anywhere. */
import { html, raw } from "hono/html";

import { summaryHistoryYears } from "../../contract/limits.js";
import type { Change } from "../compare/metrics.js";
import { flatten } from "../present/text.js";
import { FiguresTable } from "./figures-table.js";
import type { Report } from "./report.js";
import { Section } from "./section.js";
import { stylesheet } from "./stylesheet.js";

/** Even if a text found a way around the escaping, the browser would run nothing and fetch nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Every text that came from outside is escaped. */
export function renderReport(report: Report): string {
  const { covered, window, sections } = report;
  const names = covered.join(", ");
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
          <Headline report={report} />
          {report.stores.length > 0 && <Stores report={report} />}
          {sections.map((section) => (
            <Section section={section} report={report} />
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
  const { covered, window, previousWindow, lacksComparison, askedAt, filters } = report;
  return (
    <header>
      <p class="kicker">Sales report</p>
      <h1>
        <bdi>{covered.join(", ")}</bdi>
      </h1>
      <p>{window}</p>
      {previousWindow !== undefined && <p class="muted">{`Compared with ${previousWindow}`}</p>}
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

/** The three figures that everybody looks at first. */
function Headline({ report }: { readonly report: Report }) {
  const { metrics, comparison, format } = report;
  const cards = [
    { title: "Revenue", name: "total_revenue", show: format.amount },
    { title: "Orders", name: "total_order_count", show: format.count },
    { title: "Average order", name: "average_order_value", show: format.amount },
  ] as const;
  return (
    <section aria-labelledby="headline" class="headline">
      <h2 id="headline" class="hidden">
        Headline figures
      </h2>
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
function Stores({ report: { stores, format } }: { readonly report: Report }) {
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">By store</h2>
      <FiguresTable caption="Orders and revenue by store" column="Store" rows={stores} format={format} />
    </section>
  );
}
