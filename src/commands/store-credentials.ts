/** Gives the credentials of a chosen store, which sign its calls. */
import { sessionCredentials } from "../auth/credentials.js";
import type { Credentials } from "../client/credentials.js";
import type { CredentialKind, Signature } from "../client/credentials.js";
import type { Transport } from "../client/transport.js";
import { ComandaError } from "../client/errors.js";
import { once } from "../api/once.js";
import { t, translated } from "../languages/language.js";
import { credentialDigest, credentialName } from "../state/credential-names.js";
import type { Fingerprint, OrderCredential } from "../state/journal.js";
import type { Session } from "../state/sessions.js";

import type { ChosenStore, CredentialVariables } from "./store.js";
import type { Context } from "../cli/context.js";
import { signInWorks } from "./session-state.js";
import type { State } from "../state/state.js";

export interface StoreCredentials {
  readonly credentials: Credentials;
  /** The kinds of credentials that the store has; a sign-in that no longer works is left out. */
  readonly credentialKinds: readonly CredentialKind[];
  /** Identifies the store whose orders are changed by its present credentials. It holds no secret. */
  readonly fingerprint: () => Fingerprint;
  /** The owner of the stored sales figures; absent where one sign-in can't be told from others. */
  readonly figures?: FiguresOwner;
}

/** Figures of one sign-in never pass for another's: after a new sign-in the alias may stand for another store. */
interface FiguresOwner {
  /** The name reveals nothing of the credentials. */
  readonly signIn: () => Promise<string>;
}

/** @param transport sends a renewal of the access token */
export function credentialsOf(
  context: Context,
  state: State,
  store: ChosenStore,
  transport: Transport,
): StoreCredentials {
  return store.kind === "variables"
    ? ofVariables(store.variables, store.baseUrl, state)
    : ofSession(context, store.session, state, transport);
}

function ofSession(
  context: Context,
  session: Session,
  { sessions }: State,
  transport: Transport,
): StoreCredentials {
  const { signed_in_at: signedInAt } = session;
  const { credentials, fingerprint } = sessionCredentials({
    session,
    sessions,
    transport,
    clock: context.clock,
    pid: context.host.pid,
    ...(context.debug && { debug: context.debug }),
  });
  const works = signInWorks(session, context.clock.now());
  return {
    credentials,
    credentialKinds: [
      ...(credentials.bearer && works ? (["bearer"] as const) : []),
      ...(credentials.apiKey ? (["api_key"] as const) : []),
      ...(credentials.partnerKey ? (["partner_key"] as const) : []),
    ],
    fingerprint,
    ...(signedInAt !== undefined && {
      figures: { signIn: () => Promise.resolve(new Date(signedInAt).toISOString()) },
    }),
  };
}

function ofVariables(
  { accessToken, apiKey }: CredentialVariables,
  baseUrl: string,
  state: State,
): StoreCredentials {
  return {
    credentials: {
      ...(accessToken !== undefined && { bearer: () => Promise.resolve(accessToken) }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
      hint: (signature) => translated(hints[signature]),
    },
    credentialKinds: [
      ...(accessToken === undefined ? [] : (["bearer"] as const)),
      ...(apiKey === undefined ? [] : (["api_key"] as const)),
    ],
    fingerprint: once(() => ({
      address: baseUrl,
      ...(accessToken !== undefined && { sign_in: credentialDigest(accessToken) }),
      ...(apiKey !== undefined && { key: credentialDigest(apiKey) }),
    })),
    figures: { signIn: () => credentialName(state, credentialDigest(accessToken ?? apiKey ?? "")) },
  };
}

/** A hint helps both where the credential is missing and where the service has refused it. */
const hints: Readonly<Record<Signature, string>> = {
  bearer:
    "Put a valid access token into COMANDA_ACCESS_TOKEN, or choose a store that is signed in with --store.",
  api_key: "Put the store's API key into COMANDA_API_KEY, or choose a store that has one with --store.",
  partner:
    "Store both keys with comanda login --api-key and --partner-key, and choose that store with --store.",
};

/**
 * Leaves the store one credential alone.
 *
 * @throws {ComandaError} `not_signed_in` where the store lacks it
 */
export function pinned(
  store: StoreCredentials,
  auth: OrderCredential,
  { place }: Pick<ChosenStore, "place">,
): StoreCredentials {
  const { credentials } = store;
  if (!credentials[auth === "bearer" ? "bearer" : "apiKey"]) {
    const hint = credentials.hint?.(auth);
    throw new ComandaError("not_signed_in", t`There is no ${translated(credentialNames[auth])} ${place}.`, {
      ...(hint !== undefined && { hint }),
    });
  }
  const noCredential = () => Promise.resolve(undefined);
  const missingCredentials = auth === "bearer" ? { apiKey: noCredential } : { bearer: noCredential };
  return { ...store, credentialKinds: [auth], credentials: { ...credentials, ...missingCredentials } };
}

const credentialNames = { bearer: "access token", api_key: "API key" } as const;
