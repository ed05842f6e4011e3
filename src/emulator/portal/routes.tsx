/** The store portal: signing in, consent, integrations. Server-rendered; there is no script in it. */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";

import { authorizeRoutes } from "./authorize-routes.js";
import { type PageVariables, pageHeaders } from "./headers.js";
import { integrationsRoutes } from "./integrations-routes.js";
import { loginRoutes } from "./login-routes.js";
import { document } from "./pages/document.js";
import { MessagePage } from "./pages/error-page.js";
import { HomePage } from "./pages/home-page.js";
import { portalPaths } from "./paths.js";
import { createPortal, type PortalOptions } from "./portal.js";
import { icon, stylesheet } from "./stylesheet.js";

const maximumFormBytes = 64 * 1024;
const aDay = "public, max-age=86400";

/** To be mounted at `/portal`; the pages' links begin with it. */
export function portalRoutes(options: PortalOptions): Hono<PageVariables> {
  const portal = createPortal(options);
  const routes = new Hono<PageVariables>();
  routes.use(pageHeaders);
  routes.use(bodyLimit({ maxSize: maximumFormBytes }));

  routes.get("/", (c) => c.html(document(<HomePage visitor={portal.visitors.of(c)} />)));
  routes.get("/style.css", (c) => file(c, stylesheet, "text/css; charset=utf-8"));
  routes.get("/icon.svg", (c) => file(c, icon, "image/svg+xml"));
  routes.route("/", authorizeRoutes(portal));
  routes.route("/", loginRoutes(portal));
  routes.route("/", integrationsRoutes(portal));

  // Not notFound(): a mounted application's own is never called.
  routes.all("*", (c) => {
    const link = { href: portalPaths.home, text: "To the portal’s front page" };
    const page = <MessagePage title="Page not found" message="The portal has no such page." link={link} />;
    return c.html(document(page), 404);
  });
  return routes;
}

function file(c: Context, text: string, type: string) {
  return c.body(text, 200, { "content-type": type, "cache-control": aDay });
}
