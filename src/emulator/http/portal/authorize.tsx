/** Authorises an app: section 5.2, steps 2 and 3. */
import { type Context, Hono } from "hono";

import { type Scope, scopes as descriptions } from "../../../contract/scopes.js";
import type { App, Person, Store } from "../../domain/model.js";
import {
  approval,
  type AuthorizationRequest,
  checkAuthorizationRequest,
  denial,
} from "../oauth/authorization-request.js";
import { type PageVariables, chosenStore, genuineForm, searchOf, staleFormPage } from "./forms.js";
import { sendPage } from "../page.js";
import { usePageWords } from "../page-words.js";
import { Alert, Layout, PostForm, sendToVisitor } from "./layout.js";
import { portalPaths } from "../paths.js";
import type { Portal } from "./portal.js";

export function authorizeRoutes(portal: Portal): Hono<PageVariables> {
  const { server } = portal;
  const routes = new Hono<PageVariables>();

  /** Shows the consent page, or another one for someone who can't give consent. */
  const ask = (
    c: Context<PageVariables>,
    request: AuthorizationRequest,
    person: Person,
    problem?: string,
  ) => {
    const stores = portal.ownedBy(person);
    const shared = { app: request.app, person, search: searchOf(c) };
    c.set("formsLeadToAnApp", true);
    const page =
      stores.length === 0 ? (
        <NotTheOwnerPage {...shared} />
      ) : (
        <ConsentPage {...shared} stores={stores} problem={problem} />
      );
    return sendToVisitor(c, portal, page, problem === undefined ? 200 : 400);
  };

  const handle = (
    c: Context<PageVariables>,
    answer: (request: AuthorizationRequest, person: Person) => Response | Promise<Response>,
  ): Response | Promise<Response> => {
    const checked = checkAuthorizationRequest(new URL(c.req.url).searchParams, (id) => server.findApp(id));
    if ("error" in checked) {
      const { error, location } = checked;
      if (location !== undefined) return c.redirect(location, 303);
      return sendPage(c, <ErrorPage error={error.error} description={error.description} />, 400);
    }
    const { person } = portal.visitor(c);
    if (!person) return c.redirect(`${portalPaths.login}${searchOf(c)}`, 303);
    return answer(checked.request, person);
  };

  routes.get("/authorize", (c) => handle(c, (request, person) => ask(c, request, person)));

  routes.post("/authorize", (c) =>
    handle(c, (request, person) => {
      const form = genuineForm(c, portal);
      if (!form) return staleFormPage(c, portal, `${portalPaths.authorize}${searchOf(c)}`);

      const deny = (description: string) => c.redirect(denial(request, description), 303);
      const stores = portal.ownedBy(person);
      if (stores.length === 0) return deny("only the owner may authorise an app");
      if (form.get("decision") === "refuse") return deny("the owner refused");
      if (form.get("decision") !== "allow") return ask(c, request, person, "Choose Allow or Refuse.");

      const store = chosenStore(form, stores);
      if (!store) return ask(c, request, person, "Choose one of your stores.");
      return c.redirect(approval(server, request, store.id, person.id), 303);
    }),
  );
  return routes;
}

interface Consent {
  app: App;
  person: Person;
  /** The query of the authorization request comes again, since the answer is judged by it. */
  search: string;
}

function ConsentPage({
  app,
  person,
  stores,
  search,
  problem,
}: Consent & { stores: readonly Store[]; problem?: string | undefined }) {
  const { t, translated } = usePageWords();
  return (
    <Layout title={t`Authorise ${app.name}`}>
      <section class="card">
        <div class="stack">
          <h1>
            <bdi>{app.name}</bdi> {t`asks for access to your store`}
          </h1>
          <SignedInAs person={person} search={search} />
        </div>
        {problem !== undefined && <Alert>{translated(problem)}</Alert>}
        <PostForm class="stack loose" action={`${portalPaths.authorize}${search}`}>
          <Permissions scopes={app.scopes} />
          <StoreChoice stores={stores} />
          <div class="actions">
            <button class="primary" type="submit" name="decision" value="allow">
              {t`Allow`}
            </button>
            <button type="submit" name="decision" value="refuse" formnovalidate>
              {t`Refuse`}
            </button>
          </div>
          <p class="small muted">{t`You can take the access back under Integrations at any time.`}</p>
        </PostForm>
      </section>
    </Layout>
  );
}

/** Shows this to everyone but the owner of a store: only the owner may authorise (section 5.2, step 2). */
function NotTheOwnerPage({ app, person, search }: Consent) {
  const { t } = usePageWords();
  return (
    <Layout title={t`Only the owner can do this`}>
      <section class="card">
        <div class="stack">
          <h1>{t`Only the owner can authorise an app`}</h1>
          <p>
            <bdi>{app.name}</bdi>{" "}
            {t`asks for access to a store. Ask the store’s owner to do this, or sign in as the owner.`}
          </p>
          <SignedInAs person={person} search={search} />
        </div>
        <PostForm class="actions" action={`${portalPaths.authorize}${search}`}>
          <button class="primary" type="submit" name="decision" value="refuse">
            {t`Back to the app`}
          </button>
        </PostForm>
      </section>
    </Layout>
  );
}

function SignedInAs({ person, search }: Omit<Consent, "app">) {
  const { t } = usePageWords();
  return (
    <PostForm class="small muted" action={`${portalPaths.logout}${search}`}>
      {t`Signed in as`} <bdi>{person.name}</bdi> (<bdi>{person.email}</bdi>).{" "}
      <button class="link" type="submit">
        {t`Sign in as someone else`}
      </button>
    </PostForm>
  );
}

function Permissions({ scopes }: { scopes: readonly Scope[] }) {
  const { t, translated } = usePageWords();
  return (
    <div class="stack">
      <h2>{t`It will be able to use`}</h2>
      <ul class="permissions">
        {scopes.map((scope) => (
          <li>
            <span>
              {translated(descriptions[scope])} <code>{scope}</code>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One store is named. Of several, none is chosen beforehand, since the wrong one would be a nuisance to undo. */
function StoreChoice({ stores }: { stores: readonly Store[] }) {
  const { t } = usePageWords();
  return (
    <fieldset>
      <legend>{stores.length === 1 ? t`At this store` : t`At which store?`}</legend>
      {stores.map((store) => (
        <label class="choice">
          <input type="radio" name="store_id" value={store.id} required checked={stores.length === 1} />
          <span>
            <strong>
              <bdi>{store.name}</bdi>
            </strong>
            <span class="small muted">{t`Store ${store.id}`}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Shows that an authorization request can't be answered by a redirect (RFC 6749, section 4.1.2.1). */
function ErrorPage({ error, description }: { error: string; description: string }) {
  const { t } = usePageWords();
  return (
    <Layout title={t`This link doesn’t work`}>
      <section class="card">
        <div class="stack">
          <h1>{t`This link doesn’t work`}</h1>
          <p>
            {t`The app that sent you here asked in a way that the portal can’t answer. Nothing was authorised.`}
          </p>
        </div>
        <dl class="stack small">
          <dt class="muted">{t`For the app’s developer`}</dt>
          <dd lang="en">
            <code>{error}</code>: {description}
          </dd>
        </dl>
      </section>
    </Layout>
  );
}
