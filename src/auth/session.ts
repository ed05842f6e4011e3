/** Chooses a store that is signed in on this machine, and provides the credentials for its calls. */
import { suggestion, variable } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import type { Variables } from "../client/http.js";
import type { SignedStore } from "../base/hint-facts.js";
import type { Credentials } from "../client/options.js";
import { t } from "../languages/language.js";
import { userName, type Fingerprint } from "../state/journal.js";
import { credentialDigest, parseStoreAlias, type Session } from "../state/sessions.js";
import type { State } from "../state/state.js";
import { createAccessTokenSource, type RenewalOptions } from "./renewal.js";

/**
 * Returns the named store, or else that of COMANDA_STORE, the default store, or the only one.
 *
 * @throws {ComandaError} `invalid_input` for an unknown alias, `not_signed_in` without any store, `usage` if there are several
 *   and none was chosen, `state_unusable` if its session can't be used
 */
export async function chooseSession(
  machine: { readonly env: Variables; readonly state: () => Promise<State> },
  store: string | undefined,
): Promise<Session> {
  const { sessions, settings, location } = await machine.state();
  const typed = store ?? variable(machine, "COMANDA_STORE");
  const named = typed === undefined ? undefined : parseStoreAlias(typed);
  const alias = named ?? (await settings.read()).default_store;
  const session = alias === undefined ? undefined : await sessions.read(alias);
  if (session) return session;
  const listed = await sessions.list();
  const aliases = listed.map((other) => other.store);
  const known = aliases.join(", ");
  // Each user of the machine has separate stores, so cron or root may not find them.
  const origin = t`Stores are read from ${location.address || "?"} (user ${userName() ?? "?"}).`;
  if (named !== undefined) {
    const missing = t`There is no store "${named}" on this machine.`;
    const more = known === "" ? ` ${origin}` : suggestion(named, aliases);
    throw new ComandaError("invalid_input", missing + more, {
      hintFacts: { about: "unknown_store", known, isTyped: store !== undefined },
    });
  }
  const [only, ...others] = listed;
  if (only === undefined)
    throw new ComandaError("not_signed_in", `${t`No store is set up on this machine.`} ${origin}`, {
      hintFacts: { about: "no_store" },
    });
  if (others.length > 0)
    throw new ComandaError("usage", t`This machine has several stores, and none was chosen.`, {
      hintFacts: { about: "several_stores", first: only.store, known },
    });
  if ("error" in only) throw only.error;
  return only;
}

/** Returns the facts of a store for hints about its credentials. */
export function signedStoreOf(session: Session): SignedStore {
  const { store, environment } = session;
  return {
    store,
    environment: environment.name,
    hasApiKey: session.api_key !== undefined,
    hasPartnerKey: session.partner_key !== undefined,
    canSignIn: environment.auth_url !== undefined,
  };
}

/** Each is read for each call, because another process may renew the token. */
export interface SessionCredentials extends Credentials {
  readonly bearer?: () => Promise<string | undefined>;
  readonly apiKey?: () => Promise<string | undefined>;
  readonly partnerKey?: () => Promise<string | undefined>;
}

/** Returns the fingerprint of a session's sign-in, or of the key of a session without one. */
export function fingerprintOf(session: Session): Fingerprint {
  const { environment, tokens, signed_in_at: at, api_key: apiKey } = session;
  let signIn = tokens && at !== undefined ? new Date(at).toISOString() : null;
  if (!tokens && apiKey !== undefined) signIn = credentialDigest(apiKey);
  return { address: environment.base_url, sign_in: signIn };
}

/**
 * Returns what a client needs to call for the store: the `credentials` that sign its calls, the `quota` under which they are
 * counted, which contains no secret, and the `fingerprint` of its sign-in.
 */
export function sessionCredentials(options: RenewalOptions) {
  const { session } = options;
  const { store, environment, tokens, api_key: apiKey, partner_key: partnerKey } = session;
  const source = tokens && createAccessTokenSource(options);
  const signedStore = signedStoreOf(session);
  const credentials: SessionCredentials = {
    signedStore,
    ...(source && { bearer: source.bearer, renew: source.renew, isAdopted: source.isAdopted }),
    ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
    ...(partnerKey !== undefined && { partnerKey: () => Promise.resolve(partnerKey) }),
  };
  const fingerprint = fingerprintOf(session);
  return { credentials, fingerprint, quota: `store ${store} ${environment.base_url}` };
}
