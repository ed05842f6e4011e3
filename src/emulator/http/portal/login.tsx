/** Lets people sign in and out. The query of an authorization request travels along and leads back to it. */
import { type Context, Hono } from "hono";

import type { App, Person, Store } from "../../domain/model.js";
import { type PageVariables, genuineForm, searchOf, staleFormPage } from "./forms.js";
import { usePageWords } from "../page-words.js";
import { Alert, Layout, PostForm, sendToVisitor } from "./layout.js";
import { portalPaths } from "../paths.js";
import type { Portal } from "./portal.js";

export function loginRoutes(portal: Portal): Hono<PageVariables> {
  const routes = new Hono<PageVariables>();

  const show = (c: Context, problem?: string) => {
    const app = portal.server.findApp(c.req.query("client_id") ?? "");
    const page = <LoginPage portal={portal} search={searchOf(c)} app={app} problem={problem} />;
    return sendToVisitor(c, portal, page, problem === undefined ? 200 : 400);
  };

  routes.get("/login", (c) => show(c));

  routes.post("/login", (c) => {
    const form = genuineForm(c, portal);
    if (!form) return staleFormPage(c, portal, `${portalPaths.login}${searchOf(c)}`);
    const person = portal.people.find(({ id }) => id === form.get("person_id"));
    if (!person) return show(c, "Choose a person to sign in as.");
    portal.signIn(c, person);
    if (isForAnApp(c)) return c.redirect(`${portalPaths.authorize}${searchOf(c)}`, 303);
    return c.redirect(person.profile === "owner" ? portalPaths.integrations : portalPaths.home, 303);
  });

  routes.post("/logout", (c) => {
    const form = genuineForm(c, portal);
    if (!form) return staleFormPage(c, portal, portalPaths.home);
    portal.signOut(c);
    return c.redirect(isForAnApp(c) ? `${portalPaths.login}${searchOf(c)}` : portalPaths.home, 303);
  });
  return routes;
}

function isForAnApp(c: Context): boolean {
  return c.req.query("client_id") !== undefined;
}

function LoginPage({
  portal,
  search,
  app,
  problem,
}: {
  portal: Portal;
  /** The authorization page was asked with this query, or "". */
  search: string;
  app?: App | undefined;
  problem?: string | undefined;
}) {
  const { t, translated } = usePageWords();
  return (
    <Layout title={t`Sign in`}>
      <PostForm class="card" action={`${portalPaths.login}${search}`}>
        <div class="stack">
          <h1>{t`Sign in`}</h1>
          {app && (
            <p>
              {t`to continue to`} <bdi>{app.name}</bdi>
            </p>
          )}
          <p class="note">{t`This is the emulator: choose who you want to be. There is no password.`}</p>
        </div>
        {problem !== undefined && <Alert>{translated(problem)}</Alert>}
        <fieldset>
          <legend>{t`People of the emulated stores`}</legend>
          {portal.people.map((person) => (
            <PersonChoice person={person} stores={portal.storesOf(person)} />
          ))}
        </fieldset>
        <div class="actions">
          <button class="primary" type="submit">
            {t`Sign in`}
          </button>
        </div>
      </PostForm>
    </Layout>
  );
}

const profileNames = { owner: "Owner", manager: "Manager", attendant: "Attendant" } as const;

function PersonChoice({ person, stores }: { person: Person; stores: readonly Store[] }) {
  const { t, translated } = usePageWords();
  return (
    <label class="choice">
      <input type="radio" name="person_id" value={person.id} required />
      <span>
        <strong>
          <bdi>{person.name}</bdi>
        </strong>{" "}
        <span class={person.profile === "owner" ? "role" : "role other"}>
          {translated(profileNames[person.profile])}
        </span>
        <span class="small muted">
          <bdi>{person.email}</bdi>
        </span>
        <span class="small muted">
          <bdi>{stores.length === 0 ? t`No store` : stores.map(({ name }) => name).join(", ")}</bdi>
        </span>
      </span>
    </label>
  );
}
