/** Where the owner allows or refuses an app: section 5.2, step 3. */
import { type Scope, scopes as descriptions } from "../../../../contract/oauth.js";
import type { App, Person, Store } from "../../../domain/model.js";
import { portalPaths } from "../paths.js";
import { Alert, FormToken, Layout } from "./layout.js";

interface Consent {
  app: App;
  person: Person;
  formToken: string;
  /** The query of the authorization request: the answer is judged by it again. */
  search: string;
}

export function ConsentPage({
  app,
  person,
  stores,
  formToken,
  search,
  problem,
}: Consent & { stores: readonly Store[]; problem?: string | undefined }) {
  return (
    <Layout title={`Authorise ${app.name}`}>
      <section class="card">
        <div class="stack">
          <h1>
            <bdi>{app.name}</bdi> asks for access to your store
          </h1>
          <SignedInAs person={person} formToken={formToken} search={search} />
        </div>
        {problem !== undefined && <Alert>{problem}</Alert>}
        <form class="stack loose" method="post" action={`${portalPaths.authorize}${search}`}>
          <FormToken value={formToken} />
          <Permissions scopes={app.scopes} />
          <StoreChoice stores={stores} />
          <div class="actions">
            <button class="primary" type="submit" name="decision" value="allow">
              Allow
            </button>
            <button type="submit" name="decision" value="refuse" formnovalidate>
              Refuse
            </button>
          </div>
          <p class="small muted">You can take the access back under Integrations at any time.</p>
        </form>
      </section>
    </Layout>
  );
}

/** For everyone but the owner of a store: only the owner may authorise (section 5.2, step 2). */
export function NotTheOwnerPage({ app, person, formToken, search }: Consent) {
  return (
    <Layout title="Only the owner can do this">
      <section class="card">
        <div class="stack">
          <h1>Only the owner can authorise an app</h1>
          <p>
            <bdi>{app.name}</bdi> asks for access to a store. Ask the store’s owner to do this, or sign in as
            the owner.
          </p>
          <SignedInAs person={person} formToken={formToken} search={search} />
        </div>
        <form class="actions" method="post" action={`${portalPaths.authorize}${search}`}>
          <FormToken value={formToken} />
          <button class="primary" type="submit" name="decision" value="refuse">
            Back to the app
          </button>
        </form>
      </section>
    </Layout>
  );
}

function SignedInAs({ person, formToken, search }: Omit<Consent, "app">) {
  return (
    <form class="small muted" method="post" action={`${portalPaths.logout}${search}`}>
      <FormToken value={formToken} />
      Signed in as <bdi>{person.name}</bdi> (<bdi>{person.email}</bdi>).{" "}
      <button class="link" type="submit">
        Sign in as someone else
      </button>
    </form>
  );
}

function Permissions({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <div class="stack">
      <h2>It will be able to use</h2>
      <ul class="permissions">
        {scopes.map((scope) => (
          <li>
            <span>
              {descriptions[scope]} <code>{scope}</code>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One store is named; of several, none is chosen beforehand, since the wrong one would be a nuisance to undo. */
function StoreChoice({ stores }: { stores: readonly Store[] }) {
  const [first] = stores;
  return (
    <fieldset>
      <legend>{stores.length === 1 ? "At this store" : "At which store?"}</legend>
      {stores.map((store) => (
        <label class="choice">
          <input
            type="radio"
            name="store_id"
            value={store.id}
            required
            checked={stores.length === 1 && store === first}
          />
          <span>
            <strong>
              <bdi>{store.name}</bdi>
            </strong>
            <span class="small muted">Store {store.id}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
