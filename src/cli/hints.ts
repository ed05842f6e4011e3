/** The command line's hints: what to type or to set, by what they are about. Loaded when the first of them is shown. */
import type { AuthScheme } from "../api/operations.js";
import { completeHint } from "../base/errors.js";
import type { HintFacts, HintKinds } from "../base/hint-facts.js";
import { t } from "../languages/language.js";
import type { Session } from "../state/sessions.js";

/** A store that a client calls. Environment variables hold its address and credentials if it has no session. */
interface CalledStore {
  readonly session?: Session;
}

/** @param store of the client that has failed, if it was one */
export function completeCommandHint<Thrown>(thrown: Thrown, store?: CalledStore): Thrown {
  return completeHint(thrown, (facts) => hintOf(facts, store));
}

function hintOf<Kind extends keyof HintKinds>(
  facts: HintFacts<Kind>,
  store: CalledStore | undefined,
): string {
  return hints[facts.about](facts, store);
}

const hints: {
  readonly [Kind in keyof HintKinds]: (facts: HintKinds[Kind], store: CalledStore | undefined) => string;
} = {
  base_url: ({ variable }, store) =>
    t`Check the base URL: ${variable ?? (store && !store.session ? "COMANDA_BASE_URL" : t`comanda env list`)}.`,
  timeout: () => t`Try again, or allow more time: ${"--timeout"}.`,
  max_wait: () => t`Try again later, or allow a longer wait: ${"--max-wait"}.`,
  credential: ({ schemes }, store) => schemes.map((scheme) => credentialHint(scheme, store)).join("\n"),
  sign_in: signInCommand,
  sign_in_expired: () => t`Sign in again with comanda login.`,
  sign_in_unfinished: () => t`Run comanda login again; --timeout gives more time.`,
  access_denied: () =>
    t`Somebody pressed Refuse at the portal, or who is signed in there isn't the store's Owner: the Owner alone may authorise an app. To try again: comanda login`,
  redirect: () => t`Run comanda login on a terminal, or register an http redirect address on 127.0.0.1.`,
  redirect_port: () =>
    t`End the program that uses it (another comanda login?), or register another redirect address and set it with comanda env set <name> --redirect-uri <uri> ….`,
  app: ({ environment }) =>
    t`Check the environment ${environment} with comanda env list: client_id and redirect_uri must be the registered ones, and the app approved.`,
  token_service: () =>
    t`Try again later. If that doesn't help, check the network and the base_url (comanda env list).`,
  no_store: () =>
    t`Sign in at one: comanda login --store <alias> --env <name>\nOr have a look around first: comanda demo`,
  unknown_store: ({ store, known }) => {
    const add = `comanda login --store ${store}`;
    if (known === "") return t`Sign in first: ${add} --env <name>`;
    return t`It knows: ${known}. To add it: ${add} --env <name>`;
  },
  several_stores: ({ first, known }) =>
    t`It knows ${known}: name one, in a command with --store <alias>, or choose it once for all: comanda stores use ${first}`,
  stores: () => t`See the stores that this machine knows: comanda stores list`,
  other_environment: ({ store }) =>
    t`Take another alias, or forget this one first: comanda stores remove ${store}`,
  address: ({ environment }) => t`Set it again: comanda env set ${environment} …`,
  alias_taken: ({ alias }) =>
    t`Choose another name, or remove that store first: comanda stores remove ${alias}`,
  environments: () => t`See what is set: comanda env list`,
  environment_unset: ({ environment }) =>
    t`Set it: comanda env set ${environment} --base-url <url> --auth-url <url> --client-id <id>`,
  environment_value: () => t`See how an environment is set: comanda env set --help`,
  wrong_figures: () =>
    t`Ask again with --fresh; should it stay so, tell the service. No figure is made of it.`,
  damaged_settings: () =>
    t`Repair it in an editor, or delete it and set anew what \`comanda env list\` then lacks.`,
  damaged_sign_in: () => t`Delete it and sign in again: comanda login`,
  old_database: () =>
    t`Move it away (in PostgreSQL: drop its schemas), and sign in again: comanda login. You lose the journal: history, what --resume skips, and the drivers' fees.`,
  damaged_database: () =>
    t`Move it away, and comanda creates a new one; sign-ins are not in it. With comanda.db you lose the journal: history, what --resume skips, and the drivers' fees. With sales.db you lose the days that sync stored.`,
  foreign_row: () => t`\`comanda doctor\` looks at it.`,
  missing_tables: () => t`Once, with COMANDA_STATE naming the role that may: comanda doctor`,
  missing_right: () => t`\`comanda help chain\` names the roles and what each may do.`,
  missing_driver: ({ name }) =>
    name === "pg"
      ? t`Install it beside comanda: npm install --global comanda pg`
      : t`Use Node 22.13 or newer, or install comanda again with its optional dependencies: npm install --include=optional`,
  no_unknown: ({ order }) =>
    t`\`comanda history --order ${order}\` shows what was sent, and what came of it.`,
  which_store: ({ store }) => t`Say which one is meant: --store ${store}`,
};

/** Returns what gives the store a valid credential. */
export function credentialHint(scheme: AuthScheme, { session }: CalledStore = {}): string {
  if (scheme === "partner")
    return t`Store both keys with comanda login --api-key and --partner-key, and choose that store with --store.`;
  if (!session)
    return t`Put a valid one into ${scheme === "bearer" ? "COMANDA_ACCESS_TOKEN" : "COMANDA_API_KEY"}, or choose a store with --store.`;
  if (scheme === "api_key")
    return t`Store the API key with: comanda login --api-key --store ${session.store}`;
  return signInCommand({ store: session.store, environment: session.environment.name });
}

function signInCommand({ store, environment }: HintKinds["sign_in"]): string {
  return t`Sign in: comanda login --store ${store} --env ${environment}`;
}
