/** Signing in and out. The query of an authorization request travels along and leads back to it. */
import { type Context, Hono } from "hono";

import { genuineForm, searchOf } from "./forms.js";
import type { PageVariables } from "./headers.js";
import { document } from "./pages/document.js";
import { LoginPage } from "./pages/login-page.js";
import { portalPaths } from "./paths.js";
import type { Portal } from "./portal.js";
import { staleFormPage } from "./stale-form.js";

export function loginRoutes(portal: Portal): Hono<PageVariables> {
  const { server, sessions, visitors } = portal;
  const routes = new Hono<PageVariables>();

  const show = (c: Context, problem?: string) => {
    const clientId = c.req.query("client_id");
    const page = (
      <LoginPage
        people={visitors.people}
        stores={visitors.stores}
        formToken={visitors.of(c).formToken}
        search={searchOf(c)}
        app={clientId === undefined ? undefined : server.findApp(clientId)}
        problem={problem}
      />
    );
    return c.html(document(page), problem === undefined ? 200 : 400);
  };

  routes.get("/login", (c) => show(c));

  routes.post("/login", (c) => {
    const form = genuineForm(c, sessions);
    if (!form) return staleFormPage(c, portal, `${portalPaths.login}${searchOf(c)}`);
    const person = visitors.people.find(({ id }) => id === form.get("person_id"));
    if (!person) return show(c, "Choose a person to sign in as.");
    sessions.signIn(c, person.id);
    if (isForAnApp(c)) return c.redirect(`${portalPaths.authorize}${searchOf(c)}`, 303);
    return c.redirect(person.profile === "owner" ? portalPaths.integrations : portalPaths.home, 303);
  });

  routes.post("/logout", (c) => {
    const form = genuineForm(c, sessions);
    if (!form) return staleFormPage(c, portal, portalPaths.home);
    sessions.signOut(c);
    return c.redirect(isForAnApp(c) ? `${portalPaths.login}${searchOf(c)}` : portalPaths.home, 303);
  });
  return routes;
}

function isForAnApp(c: Context): boolean {
  return c.req.query("client_id") !== undefined;
}
