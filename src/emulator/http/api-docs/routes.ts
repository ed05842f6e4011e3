/** `/openapi.json`, and a page to browse it: Swagger UI out of this package, nothing from elsewhere. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { Hono } from "hono";

import { jsonAnswer } from "../answers.js";
import { portalPaths } from "../portal/paths.js";
import type { Environment } from "../../service.js";

export const docsPaths = { document: "/openapi.json", page: "/openapi" } as const;

const assets = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
} as const;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>The API of the comanda emulator</title>
    <link rel="stylesheet" href="${docsPaths.page}/swagger-ui.css" />
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

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export function docsRoutes(): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get(docsPaths.document, async (c) => {
    const { openApiDocument } = await import("../../../openapi/document.js");
    const { origin } = new URL(c.req.url);
    return jsonAnswer(openApiDocument({ baseUrl: origin, authUrl: `${origin}${portalPaths.authorize}` }));
  });
  app.get(docsPaths.page, (c) => c.html(page, 200, headers));
  app.get(`${docsPaths.page}/start.js`, (c) =>
    c.body(start, 200, { ...headers, "content-type": assets["swagger-ui-bundle.js"] }),
  );
  for (const [name, type] of Object.entries(assets)) {
    app.get(`${docsPaths.page}/${name}`, (c) => {
      const file = find(name);
      return file === undefined
        ? c.notFound()
        : c.body(readFileSync(file), 200, { ...headers, "content-type": type });
    });
  }
  return app;
}

/** In the package it lies in dist/; in a clone that isn't built, where npm put it. */
function find(name: string): string | undefined {
  const places = ["swagger-ui", path.join("node_modules", "swagger-ui-dist")];
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = places
      .map((place) => path.join(folder, place, name))
      .find((candidate) => existsSync(candidate));
    if (file !== undefined || folder === path.dirname(folder)) return file;
  }
}
