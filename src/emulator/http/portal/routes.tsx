/** The store portal: signing in, consent, integrations. Server-rendered; there is no script in it. */
import { type Context, Hono } from "hono";

import { authorizeRoutes } from "./authorize-routes.js";
import { readForms } from "./forms.js";
import { type PageVariables, pageHeaders } from "./headers.js";
import { integrationsRoutes } from "./integrations-routes.js";
import { loginRoutes } from "./login-routes.js";
import { document } from "./pages/document.js";
import { MessagePage } from "./pages/error-page.js";
import { HomePage } from "./pages/home-page.js";
import { portalPaths } from "./paths.js";
import { createPortal, type PortalOptions } from "./portal.js";
import { icon, stylesheet } from "./stylesheet.js";

const aDay = "public, max-age=86400";

/** To be mounted at `/portal`; the pages' links begin with it. */
export function portalRoutes(options: PortalOptions): Hono<PageVariables> {
  const portal = createPortal(options);
  const routes = new Hono<PageVariables>();
  routes.use(pageHeaders);
  routes.use(readForms);

  routes.get("/", (c) => c.html(document(<HomePage visitor={portal.visitors.of(c)} />)));
  routes.get("/style.css", (c) => file(c, stylesheet, "text/css; charset=utf-8"));
  routes.get("/icon.svg", (c) => file(c, icon, "image/svg+xml"));
  routes.route("/", authorizeRoutes(portal));
  routes.route("/", loginRoutes(portal));
  routes.route("/", integrationsRoutes(portal));
  return routes;
}

/** For a path below the portal's that has no page. */
export function noPortalPage() {
  const link = { href: portalPaths.home, text: "To the portal’s front page" };
  return document(<MessagePage title="Page not found" message="The portal has no such page." link={link} />);
}

function file(c: Context, text: string, type: string) {
  return c.body(text, 200, { "content-type": type, "cache-control": aDay });
}
