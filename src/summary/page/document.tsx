/** The report as one HTML document: no script, nothing loaded from anywhere. */
import { html, raw } from "hono/html";

import { flatten } from "../present/text.js";
import { Headline } from "./headline.js";
import type { Report } from "./report.js";
import { Section } from "./section.js";
import { Stores } from "./stores.js";
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

function Header({ report: { covered, window, previousWindow, filters } }: { readonly report: Report }) {
  return (
    <header>
      <p class="kicker">Sales report</p>
      <h1>
        <bdi>{covered.join(", ")}</bdi>
      </h1>
      <p>{window}</p>
      {previousWindow !== undefined && <p class="muted">{`Compared with ${previousWindow}`}</p>}
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
