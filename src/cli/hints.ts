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
};

/** Returns what gives the store a valid credential. */
export function credentialHint(scheme: AuthScheme, { session }: CalledStore = {}): string {
  if (scheme === "partner")
    return t`Store both keys with comanda login --api-key and --partner-key, and choose that store with --store.`;
  if (!session)
    return t`Put a valid one into ${scheme === "bearer" ? "COMANDA_ACCESS_TOKEN" : "COMANDA_API_KEY"}, or choose a store with --store.`;
  if (scheme === "api_key")
    return t`Store the API key with: comanda login --api-key --store ${session.store}`;
  return t`Sign in: comanda login --store ${session.store} --env ${session.environment.name}`;
}
