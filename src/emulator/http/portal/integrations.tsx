/** Shows API keys (section 5.1) and installed apps (section 5.2). */
import { type Context, Hono } from "hono";

import type { Person, Store } from "../../domain/model.js";
import { type PageVariables, chosenStore, genuineForm, staleFormPage } from "./forms.js";
import type { AuthorizationServer } from "../oauth/authorization-server.js";
import { usePageWords } from "../page-words.js";
import { Layout, MessagePage, PostForm, sendToVisitor } from "./layout.js";
import { portalPaths } from "../paths.js";
import type { Portal } from "./portal.js";

export function integrationsRoutes(portal: Portal): Hono<PageVariables> {
  const routes = new Hono<PageVariables>();

  const show = (c: Context, person: Person, shown?: Store) =>
    sendToVisitor(c, portal, <IntegrationsPage portal={portal} person={person} shown={shown} />);

  /** Only someone who is signed in and owns a store may see this. */
  const asOwner = (c: Context, answer: (person: Person) => Response | Promise<Response>) => {
    const { person } = portal.visitor(c);
    if (!person) return c.redirect(portalPaths.login, 303);
    if (portal.ownedBy(person).length > 0) return answer(person);
    return sendToVisitor(
      c,
      portal,
      <MessagePage
        title="Only the owner can see this"
        message="The integrations of a store are for its owner. Sign in as the owner to see them."
        href={portalPaths.login}
        link="Sign in as someone else"
      />,
      403,
    );
  };

  /** Reads a form of this page about one of the person's own stores. */
  const decide = (
    c: Context<PageVariables>,
    act: (person: Person, store: Store, form: URLSearchParams) => Response | Promise<Response>,
  ) =>
    asOwner(c, (person) => {
      const form = genuineForm(c, portal);
      const store = form && chosenStore(form, portal.ownedBy(person));
      if (!form || !store) return staleFormPage(c, portal, portalPaths.integrations);
      return act(person, store, form);
    });

  routes.get("/integrations", (c) => asOwner(c, (person) => show(c, person)));
  // There is no redirect, so that the key is in no address and gone with the next page.
  routes.post("/integrations/key", (c) => decide(c, (person, store) => show(c, person, store)));
  routes.post("/integrations/uninstall", (c) =>
    decide(c, (_, store, form) => {
      portal.server.uninstall(store.id, form.get("client_id") ?? "");
      return c.redirect(portalPaths.integrations, 303);
    }),
  );
  return routes;
}

/** @param shown the key of this store is shown */
function IntegrationsPage({
  portal,
  person,
  shown,
}: {
  portal: Portal;
  person: Person;
  shown: Store | undefined;
}) {
  const { t } = usePageWords();
  return (
    <Layout title={t`Integrations`} hasSignOut wide>
      <div class="stack loose">
        <div class="stack">
          <h1>{t`Integrations`}</h1>
          <p class="muted">{t`What may act for your stores: the API key, and the apps that you authorised.`}</p>
        </div>
        {portal.ownedBy(person).map((store) => (
          <section class="card" aria-label={store.name}>
            <div class="stack">
              <h2>
                <bdi>{store.name}</bdi>
              </h2>
              <p class="small muted">{t`Store ${store.id}`}</p>
            </div>
            <ApiKey store={store} keyShown={store === shown} />
            <InstalledApps store={store} server={portal.server} />
          </section>
        ))}
      </div>
    </Layout>
  );
}

function ApiKey({ store, keyShown }: { store: Store; keyShown: boolean }) {
  const { t } = usePageWords();
  return (
    <div class="stack">
      <h3>{t`API key`}</h3>
      <div class="row">
        {keyShown ? (
          <code class="key">{store.apiKey}</code>
        ) : (
          <span class="key muted">
            <span aria-hidden="true">•••• •••• •••• ••••</span>
            <span class="small"> {t`hidden`}</span>
          </span>
        )}
        {keyShown ? (
          <a class="button" href={portalPaths.integrations}>
            {t`Hide key`}
          </a>
        ) : (
          <PostForm action={portalPaths.key}>
            <button
              type="submit"
              name="store_id"
              value={store.id}
              aria-label={t`Show the API key of ${store.name}`}
            >
              {t`Show the API key`}
            </button>
          </PostForm>
        )}
      </div>
      <p class="small muted">
        {t`For integrations that send the header`} <code>X-API-KEY</code>. {t`It opens this store alone.`}
      </p>
    </div>
  );
}

function InstalledApps({ store, server }: { store: Store; server: AuthorizationServer }) {
  const { t } = usePageWords();
  const installed = server
    .installations()
    .filter(({ active, storeId }) => active && storeId === store.id)
    .map(({ clientId, scopes }) => ({ clientId, scopes, name: server.findApp(clientId)?.name ?? clientId }));
  return (
    <div class="stack">
      <h3>{t`Installed apps`}</h3>
      {installed.length === 0 && <p class="muted">{t`No app is installed.`}</p>}
      {installed.map(({ clientId, scopes, name }) => (
        <PostForm class="row" action={portalPaths.uninstall}>
          <div>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <p class="small muted">{t`May use: ${scopes.join(", ")}`}</p>
          </div>
          <input type="hidden" name="client_id" value={clientId} />
          <button
            class="danger"
            type="submit"
            name="store_id"
            value={store.id}
            aria-label={t`Uninstall ${name}`}
          >
            {t`Uninstall`}
          </button>
        </PostForm>
      ))}
    </div>
  );
}
