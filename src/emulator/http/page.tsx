/** The portal, the menu and the front page share this frame of a page. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { readerWords, Speaking, usePageWords } from "./page-words.js";
import { portalPaths } from "./paths.js";

interface PageOptions {
  /** The browser's tab shows this title. */
  readonly title: string;
  /** The brand stands beside the icon, at the top. */
  readonly brand: Child;
  /** The brand links to this address, if any. */
  readonly home?: string;
  /** This stands at the other end of the top line. */
  readonly aside?: Child;
  readonly mainClass?: string;
  readonly foot: string;
  readonly children?: Child;
}

export function Page(options: PageOptions) {
  const { title, brand, home, aside, mainClass = "", foot } = options;
  const { language, t } = usePageWords();
  const content = (
    <>
      <img src={portalPaths.icon} alt="" width="28" height="28" />
      {brand}
    </>
  );
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="stylesheet" href={portalPaths.stylesheet} />
        <link rel="icon" type="image/svg+xml" href={portalPaths.icon} />
      </head>
      <body>
        <a class="skip" href="#content">
          {t`Skip to content`}
        </a>
        <header class="top">
          {home === undefined ? (
            <span class="brand">{content}</span>
          ) : (
            <a class="brand" href={home}>
              {content}
            </a>
          )}
          {/* From every page to the one that names all of them. */}
          <a class="badge" href="/">
            {t`Emulator`}
          </a>
          {aside}
        </header>
        <main id="content" class={mainClass}>
          {options.children}
        </main>
        <footer class="foot">{foot}</footer>
      </body>
    </html>
  );
}

/** Shows a page about the emulator itself. */
export function EmulatorPage({ title, children }: Pick<PageOptions, "title" | "children">) {
  const { t } = usePageWords();
  return (
    <Page
      title={title}
      brand="comanda"
      home="/"
      mainClass="wide"
      foot={t`Stores, people and orders are made up.`}
    >
      {children}
    </Page>
  );
}

/** Leads to an address of the emulator's that answers with data. */
export function CodeLink({ href }: { href: string }) {
  return (
    <a href={href}>
      <code>{href}</code>
    </a>
  );
}

/** Names a page in a list of links, and says what it is for. */
export function Entry({ href, title, children }: { href: string; title: string; children: Child }) {
  return (
    <li>
      <a href={href}>{title}</a>
      <p class="small muted">{children}</p>
    </li>
  );
}

/**
 * Makes the headers of a page: nothing is cached, and no page of another's holds it in a frame.
 *
 * @param sources what the page may load, as a Content-Security-Policy has it
 * @param formAction where its forms may lead; anywhere where that is left out
 */
export function documentHeaders(
  sources: string,
  formAction?: "'none'" | "'self'",
): Readonly<Record<string, string>> {
  const forms = formAction === undefined ? "" : `; form-action ${formAction}`;
  return {
    "content-security-policy": `default-src 'none'; ${sources}; base-uri 'none'; frame-ancestors 'none'${forms}`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}

/**
 * Sends a page as a whole document, in its reader's language: without its doctype a browser falls into quirks mode.
 */
export function sendPage(
  c: Context,
  page: JSX.Element,
  status: ContentfulStatusCode = 200,
  headers: Readonly<Record<string, string>> = {},
) {
  c.header("vary", "Accept-Language");
  return c.html(
    html`<!doctype html>${(<Speaking value={readerWords(c)}>{page}</Speaking>)}`,
    status,
    headers,
  );
}
