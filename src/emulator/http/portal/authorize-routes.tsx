/** The page behind `auth_url`: section 5.2, steps 2 and 3. */
import { type Context, Hono } from "hono";

import type { Person } from "../../domain/model.js";
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  redirectLocation,
} from "../oauth/authorization-request.js";
import { chosenStore, genuineForm, searchOf } from "./forms.js";
import type { PageVariables } from "./headers.js";
import { ConsentPage, NotTheOwnerPage } from "./pages/consent-page.js";
import { document } from "./pages/document.js";
import { AuthorizationErrorPage } from "./pages/error-page.js";
import { portalPaths } from "./paths.js";
import type { Portal } from "./portal.js";
import { staleFormPage } from "./stale-form.js";

export function authorizeRoutes(portal: Portal): Hono<PageVariables> {
  const { server, sessions, visitors } = portal;
  const routes = new Hono<PageVariables>();

  /** The consent page, or what stands in its place for someone who can't give it. */
  const ask = (
    c: Context<PageVariables>,
    request: AuthorizationRequest,
    person: Person,
    problem?: string,
  ) => {
    const stores = visitors.ownedBy(person);
    const shared = { app: request.app, person, formToken: visitors.of(c).formToken, search: searchOf(c) };
    c.set("formsLeadToAnApp", true);
    const page =
      stores.length === 0 ? (
        <NotTheOwnerPage {...shared} />
      ) : (
        <ConsentPage {...shared} stores={stores} problem={problem} />
      );
    return c.html(document(page), problem === undefined ? 200 : 400);
  };

  const handle = (
    c: Context<PageVariables>,
    answer: (request: AuthorizationRequest, person: Person) => Response | Promise<Response>,
  ): Response | Promise<Response> => {
    const checked = checkAuthorizationRequest(new URL(c.req.url).searchParams, (id) => server.findApp(id));
    if (checked.outcome === "redirect") return c.redirect(checked.location, 303);
    if (checked.outcome === "page") {
      const { error, description } = checked.error;
      return c.html(document(<AuthorizationErrorPage error={error} description={description} />), 400);
    }
    const { person } = visitors.of(c);
    if (!person) return c.redirect(`${portalPaths.login}${searchOf(c)}`, 303);
    return answer(checked.request, person);
  };

  routes.get("/authorize", (c) => handle(c, (request, person) => ask(c, request, person)));

  routes.post("/authorize", (c) =>
    handle(c, (request, person) => {
      const form = genuineForm(c, sessions);
      if (!form) return staleFormPage(c, portal, `${portalPaths.authorize}${searchOf(c)}`);

      const { app, state, redirectUri, codeChallenge } = request;
      const deny = (description: string) => {
        const answer = { error: "access_denied", error_description: description, state };
        return c.redirect(redirectLocation(redirectUri, answer), 303);
      };
      const stores = visitors.ownedBy(person);
      if (stores.length === 0) return deny("only the owner may authorise an app");
      if (form.get("decision") === "refuse") return deny("the owner refused");
      if (form.get("decision") !== "allow") return ask(c, request, person, "Choose Allow or Refuse.");

      const store = chosenStore(form, stores);
      if (!store) return ask(c, request, person, "Choose one of your stores.");
      const consent = { redirectUri, codeChallenge, storeId: store.id, personId: person.id };
      const code = server.issueCode({ ...consent, clientId: app.clientId });
      return c.redirect(redirectLocation(redirectUri, { code, state }), 303);
    }),
  );
  return routes;
}
