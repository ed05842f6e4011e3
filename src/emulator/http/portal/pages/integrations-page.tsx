/** The integrations section of the portal, where a store's API key is issued (section 5.1). */
import type { App, Installation, Store } from "../../../domain/model.js";
import { portalPaths } from "../paths.js";
import { FormToken, Layout, type Visitor } from "./layout.js";

export interface InstalledApp {
  readonly installation: Installation;
  readonly app: App | undefined;
}

export interface StoreIntegrations {
  readonly store: Store;
  readonly installed: readonly InstalledApp[];
  readonly keyShown: boolean;
}

export function IntegrationsPage({
  integrations,
  visitor,
}: {
  integrations: readonly StoreIntegrations[];
  visitor: Visitor;
}) {
  return (
    <Layout title="Integrations" visitor={visitor} wide>
      <div class="stack loose">
        <div class="stack">
          <h1>Integrations</h1>
          <p class="muted">What may act for your stores: the API key, and the apps that you authorised.</p>
        </div>
        {integrations.map((each) => (
          <section class="card" aria-label={each.store.name}>
            <div class="stack">
              <h2>
                <bdi>{each.store.name}</bdi>
              </h2>
              <p class="small muted">Store {each.store.id}</p>
            </div>
            <ApiKey {...each} formToken={visitor.formToken} />
            <InstalledApps {...each} formToken={visitor.formToken} />
          </section>
        ))}
      </div>
    </Layout>
  );
}

function ApiKey({ store, keyShown, formToken }: StoreIntegrations & { formToken: string }) {
  return (
    <div class="stack">
      <h3>API key</h3>
      <div class="row">
        {keyShown ? (
          <code class="key">{store.apiKey}</code>
        ) : (
          <span class="key muted">
            <span aria-hidden="true">•••• •••• •••• ••••</span>
            <span class="small"> hidden</span>
          </span>
        )}
        {keyShown ? (
          <a class="button" href={portalPaths.integrations}>
            Hide key
          </a>
        ) : (
          <form method="post" action={portalPaths.key}>
            <FormToken value={formToken} />
            <button
              type="submit"
              name="store_id"
              value={store.id}
              aria-label={`Show the API key of ${store.name}`}
            >
              Show key
            </button>
          </form>
        )}
      </div>
      <p class="small muted">
        For integrations that send the header <code>X-API-KEY</code>. It opens this store alone.
      </p>
    </div>
  );
}

function InstalledApps({ store, installed, formToken }: StoreIntegrations & { formToken: string }) {
  return (
    <div class="stack">
      <h3>Installed apps</h3>
      {installed.length === 0 && <p class="muted">No app is installed.</p>}
      {installed.map(({ installation, app }) => (
        <form class="row" method="post" action={portalPaths.uninstall}>
          <div>
            <strong>
              <bdi>{app?.name ?? installation.clientId}</bdi>
            </strong>
            <p class="small muted">May use: {installation.scopes.join(", ")}</p>
          </div>
          <FormToken value={formToken} />
          <input type="hidden" name="client_id" value={installation.clientId} />
          <button
            class="danger"
            type="submit"
            name="store_id"
            value={store.id}
            aria-label={`Uninstall ${app?.name ?? installation.clientId}`}
          >
            Uninstall
          </button>
        </form>
      ))}
    </div>
  );
}
