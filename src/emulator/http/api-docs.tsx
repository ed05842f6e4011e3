/**
 * Serves `/openapi.json`, and Swagger UI to browse it where that is installed on this machine, else a page that says how. It
 * is half as large as comanda, so it isn't part of the package. Nothing is loaded from elsewhere.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { Hono } from "hono";

import type { ServiceEnv } from "../service.js";
import { jsonAnswer } from "./answers.js";
import { CodeLink, documentHeaders, EmulatorPage, sendPage } from "./page.js";
import { usePageWords } from "./page-words.js";
import { docsPaths, portalPaths } from "./paths.js";

const assets = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
} as const;

/** Swagger UI 5.17 has only light colours. They are inverted, but for code, which is dark already. */
const darkStyles = `
      @media (prefers-color-scheme: dark) {
        html { color-scheme: dark; background: #101614; }
        nav a { color: #4fd1b8; }
        #api { background: #fff; filter: invert(0.92) hue-rotate(180deg); }
        #api .microlight { filter: invert(1) hue-rotate(180deg); }
      }
    `;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>The API of the comanda emulator</title>
    <link rel="stylesheet" href="${docsPaths.page}/swagger-ui.css" />
    <style>${darkStyles}</style>
    <link rel="icon" type="image/svg+xml" href="${portalPaths.icon}" />
  </head>
  <body>
    <nav aria-label="Emulator"><a href="/">Emulator</a></nav>
    <div id="api"></div>
    <noscript>The document is at <a href="${docsPaths.document}">${docsPaths.document}</a>.</noscript>
    <script src="${docsPaths.page}/swagger-ui-bundle.js"></script>
    <script src="${docsPaths.page}/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({ url: ${JSON.stringify(docsPaths.document)}, dom_id: "#api", deepLinking: true });\n`;

const headers = documentHeaders(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
  "'none'",
);

/** @param findAsset finds a file of Swagger UI on this machine */
export function docsRoutes(findAsset = installedAsset): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get(docsPaths.document, async (c) => {
    const { openApiDocument } = await import("../../openapi/document.js");
    const { origin } = new URL(c.req.url);
    return jsonAnswer(openApiDocument({ baseUrl: origin, authUrl: `${origin}${portalPaths.authorize}` }));
  });
  app.get(docsPaths.page, (c) => {
    if (Object.keys(assets).every((name) => findAsset(name) !== undefined)) return c.html(page, 200, headers);
    return sendPage(c, <InstallPage />, 200, headers);
  });
  app.get(`${docsPaths.page}/start.js`, (c) =>
    c.body(start, 200, { ...headers, "content-type": assets["swagger-ui-bundle.js"] }),
  );
  for (const [name, type] of Object.entries(assets)) {
    app.get(`${docsPaths.page}/${name}`, (c) => {
      const file = findAsset(name);
      return file === undefined
        ? c.notFound()
        : c.body(readFileSync(file), 200, { ...headers, "content-type": type });
    });
  }
  return app;
}

function InstallPage() {
  const { t } = usePageWords();
  return (
    <EmulatorPage title={t`The API of the comanda emulator`}>
      <section class="card">
        <div class="stack">
          <h1>{t`The API’s description`}</h1>
          <p>
            {t`Everything about it, schemas too, is in the OpenAPI document:`}{" "}
            <CodeLink href={docsPaths.document} />
          </p>
          <p class="small muted">
            {t`To try calls out on this page, install Swagger UI beside comanda:`}{" "}
            <code>npm install swagger-ui-dist@5.17.14</code>
          </p>
        </div>
      </section>
    </EmulatorPage>
  );
}

/** Finds a file where npm has put it: beside comanda, or in a clone's own folder. */
function installedAsset(name: string): string | undefined {
  // In a bundle of CommonJS a module has no place, so the search begins where the program runs.
  for (let folder = path.resolve([import.meta.dirname].join("")); ; folder = path.dirname(folder)) {
    const file = path.join(folder, "node_modules", "swagger-ui-dist", name);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return undefined;
  }
}
