/** Signing in: one of the emulator's people is chosen, without a password. */
import type { App, Person, Store } from "../../../domain/model.js";
import { portalPaths } from "../paths.js";
import { Alert, FormToken, Layout } from "./layout.js";

export function LoginPage({
  people,
  stores,
  formToken,
  search,
  app,
  problem,
}: {
  people: readonly Person[];
  stores: readonly Store[];
  formToken: string;
  /** The query that the authorization page was asked with, or "". */
  search: string;
  app?: App | undefined;
  problem?: string | undefined;
}) {
  return (
    <Layout title="Sign in">
      <form class="card" method="post" action={`${portalPaths.login}${search}`}>
        <FormToken value={formToken} />
        <div class="stack">
          <h1>Sign in</h1>
          {app && (
            <p>
              to continue to <bdi>{app.name}</bdi>
            </p>
          )}
          <p class="note">This is the emulator: choose who you want to be. There is no password.</p>
        </div>
        {problem !== undefined && <Alert>{problem}</Alert>}
        <fieldset>
          <legend>People of the emulated stores</legend>
          {people.map((person) => (
            <PersonChoice person={person} stores={stores} />
          ))}
        </fieldset>
        <div class="actions">
          <button class="primary" type="submit">
            Sign in
          </button>
        </div>
      </form>
    </Layout>
  );
}

const profileNames = { owner: "Owner", manager: "Manager", attendant: "Attendant" } as const;

function PersonChoice({ person, stores }: { person: Person; stores: readonly Store[] }) {
  const names = stores.filter(({ id }) => person.storeIds.includes(id)).map(({ name }) => name);
  return (
    <label class="choice">
      <input
        type="radio"
        name="person_id"
        value={person.id}
        required
        data-profile={person.profile}
        data-stores={person.storeIds.join(" ")}
      />
      <span>
        <strong>
          <bdi>{person.name}</bdi>
        </strong>{" "}
        <span class={person.profile === "owner" ? "role" : "role other"}>{profileNames[person.profile]}</span>
        <span class="small muted">
          <bdi>{person.email}</bdi>
        </span>
        <span class="small muted">
          <bdi>{names.length === 0 ? "No store" : names.join(", ")}</bdi>
        </span>
      </span>
    </label>
  );
}
