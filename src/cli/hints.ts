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
