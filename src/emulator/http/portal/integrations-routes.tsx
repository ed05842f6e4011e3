/** The integrations section: API keys (section 5.1) and installed apps (section 5.2). */
import { type Context, Hono } from "hono";

import type { Person, Store } from "../../domain/model.js";
import { chosenStore, genuineForm } from "./forms.js";
import type { PageVariables } from "./headers.js";
import { document } from "./pages/document.js";
import { MessagePage } from "./pages/error-page.js";
import { IntegrationsPage } from "./pages/integrations-page.js";
import { portalPaths } from "./paths.js";
import type { Portal } from "./portal.js";
import { staleFormPage } from "./stale-form.js";

export function integrationsRoutes(portal: Portal): Hono<PageVariables> {
  const { server, sessions, visitors } = portal;
  const routes = new Hono<PageVariables>();

  const show = (c: Context, person: Person, shown?: Store) => {
    const installed = server.installations().filter(({ active }) => active);
    const integrations = visitors.ownedBy(person).map((store) => ({
      store,
      keyShown: store === shown,
      installed: installed
        .filter(({ storeId }) => storeId === store.id)
        .map((installation) => ({ installation, app: server.findApp(installation.clientId) })),
    }));
    return c.html(document(<IntegrationsPage integrations={integrations} visitor={visitors.of(c)} />));
  };

  /** Only for someone who is signed in and owns a store. */
  const asOwner = (c: Context, answer: (person: Person) => Response | Promise<Response>) => {
    const visitor = visitors.of(c);
    if (!visitor.person) return c.redirect(portalPaths.login, 303);
    if (visitors.ownedBy(visitor.person).length > 0) return answer(visitor.person);
    return c.html(
      document(
        <MessagePage
          title="Only the owner can see this"
          message="The integrations of a store are for its owner. Sign in as the owner to see them."
          visitor={visitor}
          link={{ href: portalPaths.login, text: "Sign in as someone else" }}
        />,
      ),
      403,
    );
  };

  /** A form of this page about one of the person's own stores. */
  const decide = (
    c: Context<PageVariables>,
    act: (person: Person, store: Store, form: URLSearchParams) => Response | Promise<Response>,
  ) =>
    asOwner(c, (person) => {
      const form = genuineForm(c, sessions);
      const store = form && chosenStore(form, visitors.ownedBy(person));
      if (!form || !store) return staleFormPage(c, portal, portalPaths.integrations);
      return act(person, store, form);
    });

  routes.get("/integrations", (c) => asOwner(c, (person) => show(c, person)));
  // Answered without a redirect, so that the key is in no address and gone with the next page.
  routes.post("/integrations/key", (c) => decide(c, (person, store) => show(c, person, store)));
  routes.post("/integrations/uninstall", (c) =>
    decide(c, (_, store, form) => {
      server.uninstall(store.id, form.get("client_id") ?? "");
      return c.redirect(portalPaths.integrations, 303);
    }),
  );
  return routes;
}
