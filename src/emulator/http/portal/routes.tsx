/**
 * The store portal has pages to sign in, to consent and to see integrations. They are rendered here, without any
 * script.
 */
import { type Context, Hono } from "hono";

import { authorizeRoutes } from "./authorize.js";
import { type PageVariables, pageHeaders, readForms } from "./forms.js";
import { integrationsRoutes } from "./integrations.js";
import { loginRoutes } from "./login.js";
import { Entry, sendPage } from "../page.js";
import { usePageWords } from "../page-words.js";
import { Layout, MessagePage, sendToVisitor } from "./layout.js";
import { portalPaths } from "../paths.js";
import { Portal } from "./portal.js";
import { icon, stylesheet } from "../stylesheet.js";

const aDay = "public, max-age=86400";

/** Makes the routes below `/portal`. The pages' links begin with it. */
export function portalRoutes(...parts: ConstructorParameters<typeof Portal>): Hono<PageVariables> {
  const portal = new Portal(...parts);
  const routes = new Hono<PageVariables>();
  routes.use(pageHeaders);
  routes.use(readForms);

  routes.get("/", (c) =>
    sendToVisitor(c, portal, <HomePage isSignedIn={portal.visitor(c).person !== undefined} />),
  );
  routes.get("/style.css", (c) => file(c, stylesheet, "text/css; charset=utf-8"));
  routes.get("/icon.svg", (c) => file(c, icon, "image/svg+xml"));
  routes.route("/", authorizeRoutes(portal));
  routes.route("/", loginRoutes(portal));
  routes.route("/", integrationsRoutes(portal));
  return routes;
}

/** Answers a path below the portal's that has no page. */
export function noPortalPage(c: Context) {
  return sendPage(c, <MessagePage title="Page not found" message="The portal has no such page." />, 404);
}

function file(c: Context, text: string, type: string) {
  return c.body(text, 200, { "content-type": type, "cache-control": aDay });
}

function HomePage({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = usePageWords();
  return (
    <Layout title={t`Welcome`} hasSignOut>
      <section class="card">
        <div class="stack">
          <h1>{t`Store portal`}</h1>
          <p>
            {t`The part of the service that store owners see, emulated on this machine. Apps send an owner here to be authorised; an app is never authorised from this page.`}
          </p>
        </div>
        <ul class="links">
          <Entry href={portalPaths.integrations} title={t`Integrations`}>
            {t`The API key of each store, and the installed apps.`}
          </Entry>
          {!isSignedIn && (
            <Entry href={portalPaths.login} title={t`Sign in`}>
              {t`As the owner of a store, or as someone who isn’t.`}
            </Entry>
          )}
        </ul>
      </section>
    </Layout>
  );
}
