/** Gives the address of a chosen store and the credentials that sign its calls. */
import { credentialDigest, sessionAccess } from "../auth/session-access.js";
import type { Credentials } from "../client/call/credentials.js";
import type { CredentialKind, Signature } from "../client/call/signature.js";
import type { Transport } from "../client/http/transport.js";
import { ComandaError } from "../shared/errors.js";
import { t, translated } from "../shared/language.js";
import { credentialName } from "../state/credential-names.js";
import type { Fingerprint } from "../state/journal/fingerprint.js";
import type { Session } from "../state/sessions/session.js";

import { baseUrlVariable, type CredentialVariables, type StoreChoice } from "./choose-store.js";
import type { Machine } from "./machine.js";
import { signInWorks } from "./session-state.js";
import type { State } from "./state.js";

/** Figures of one sign-in never pass for another's: after a new sign-in the alias may stand for another store. */
export interface FiguresOwner {
  /** The name reveals nothing of the credentials. */
  readonly signIn: () => Promise<string>;
}

/** The credentials of a target never meet another target's address. */
export interface Target {
  /** Sentences name the store by its alias, or by the host where variables hold its address. */
  readonly label: string;
  /** The alias; absent where environment variables hold address and credentials. */
  readonly store?: string;
  /** The environment's name; the host where it has none. */
  readonly environment: string;
  /** The end of a sentence that says where: "of the store centro", "at api.example". */
  readonly place: string;
  readonly baseUrl: string;
  /** May the address be another machine's by http? */
  readonly allowInsecure: boolean;
  /** The command or variable that the base URL comes from, for hints. */
  readonly baseUrlFrom: string;
  /** Requests of the same key are counted together against the service's limits. It holds no secret. */
  readonly quotaKey: string;
  /** The owner of the stored sales figures; absent where one sign-in can't be told from others. It holds no secret. */
  readonly figures?: FiguresOwner;
  /** The kinds of credentials that the store has; a sign-in that no longer works is left out. */
  readonly credentialKinds: readonly CredentialKind[];
  readonly credentials: Credentials;
  /** Identifies the store whose orders are changed by its present credentials. It holds no secret. */
  readonly fingerprint: () => Fingerprint;
}

/** @param transport sends a renewal of the access token */
export function targetOf(
  machine: Machine,
  state: Pick<State, "sessions" | "folder">,
  choice: StoreChoice,
  transport: Transport,
): Target {
  return choice.kind === "variables"
    ? variablesTarget(choice.variables, state)
    : sessionTarget(machine, state, choice.session, transport);
}

function sessionTarget(
  { context, settings: { timeoutMs }, debug }: Machine,
  { sessions }: Pick<State, "sessions">,
  session: Session,
  transport: Transport,
): Target {
  const { store, signed_in_at: signedInAt } = session;
  const access = sessionAccess({
    session,
    sessions,
    transport,
    clock: context.clock,
    pid: context.host.pid,
    jitter: () => context.system.random.fraction(),
    ...(timeoutMs !== undefined && { requestTimeoutMs: timeoutMs }),
    ...(debug && { debug }),
  });
  const works = signInWorks(session, context.clock.now());
  return {
    label: store,
    store,
    environment: session.environment.name,
    place: t`of the store ${store}`,
    baseUrlFrom: t`comanda env list`,
    ...(signedInAt !== undefined && {
      figures: { signIn: () => Promise.resolve(new Date(signedInAt).toISOString()) },
    }),
    ...access,
    credentialKinds: access.credentialKinds.filter((kind) => kind !== "bearer" || works),
  };
}

function variablesTarget(
  { baseUrl, allowInsecure, accessToken, apiKey, partnerKey }: CredentialVariables,
  { folder }: Pick<State, "folder">,
): Target {
  // The digest tells the credentials of two stores apart without revealing them.
  const digest = credentialDigest(accessToken ?? apiKey ?? "");
  const quotaKey = `credential ${digest}`;
  const { host } = new URL(baseUrl);
  return {
    label: host,
    environment: host,
    place: t`at ${host}`,
    baseUrl,
    allowInsecure,
    baseUrlFrom: baseUrlVariable,
    quotaKey,
    figures: {
      signIn: () => credentialName(folder, digest),
    },
    credentialKinds: [
      ...(accessToken === undefined ? [] : (["bearer"] as const)),
      ...(apiKey === undefined ? [] : (["api_key"] as const)),
      ...(partnerKey === undefined ? [] : (["partner_key"] as const)),
    ],
    credentials: {
      ...(accessToken !== undefined && { bearer: () => Promise.resolve(accessToken) }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
      ...(partnerKey !== undefined && { partnerKey: () => Promise.resolve(partnerKey) }),
      hint: (signature) => translated(hints[signature]),
    },
    fingerprint: () => ({
      address: baseUrl,
      ...(accessToken !== undefined && { sign_in: credentialDigest(accessToken) }),
      ...(apiKey !== undefined && { key: credentialDigest(apiKey) }),
    }),
  };
}

/** A hint helps both where the credential is missing and where the service has refused it. */
const hints: Readonly<Record<Signature, string>> = {
  bearer:
    "Put a valid access token into COMANDA_ACCESS_TOKEN, or choose a store that is signed in with --store.",
  api_key: "Put the store's API key into COMANDA_API_KEY, or choose a store that has one with --store.",
  partner:
    "Put the keys into COMANDA_API_KEY and COMANDA_PARTNER_KEY, or choose a store that has them with --store.",
};

/** Either credential may sign a status change. */
export type PinnedCredential = "bearer" | "api_key";

/**
 * Leaves the target one credential alone.
 *
 * @throws {ComandaError} `not_signed_in` where the target lacks it
 */
export function withCredential(target: Target, auth: PinnedCredential): Target {
  const { credentials, place } = target;
  if (!credentials[auth === "bearer" ? "bearer" : "apiKey"]) {
    const hint = credentials.hint?.(auth);
    throw new ComandaError("not_signed_in", t`There is no ${translated(credentialNames[auth])} ${place}.`, {
      ...(hint !== undefined && { hint }),
    });
  }
  const noCredential = () => Promise.resolve(undefined);
  const missingCredentials = auth === "bearer" ? { apiKey: noCredential } : { bearer: noCredential };
  return { ...target, credentialKinds: [auth], credentials: { ...credentials, ...missingCredentials } };
}

const credentialNames = { bearer: "access token", api_key: "API key" } as const;
