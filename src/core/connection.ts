/**
 * A store and its client. The store comes from the alias that was named, else from the variables with an address and credentials, else
 * from COMANDA_STORE, the default store or the only store. Everything that applies to each call is added here: credentials, rate
 * limits, the check of the sign-in, the journal, and notices.
 */
import type * as z from "zod";

import { variable } from "../base/basics.js";
import { systemClock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { newSignIn } from "../auth/renewal.js";
import { chooseSession, fingerprintOf, sessionCredentials, signedStoreOf } from "../auth/session.js";
import { createClient, type Client } from "../client/client.js";
import { proxyFor } from "../client/http.js";
import type { CallObserver, InternalOptions } from "../client/options.js";
import { isSendable, normalizeBaseUrl, TransportError } from "../client/transport.js";
import type { HttpRequest, HttpResponse } from "../client/transport.js";
import { t } from "../languages/language.js";
import { openJournal } from "../state/journal.js";
import { openLimiter } from "../state/limits.js";
import { credentialDigest, storeKey, type Session } from "../state/sessions.js";
import type { missingStore } from "./results.js";
import type { Workspace } from "./workspace.js";

/** The store of a connection, before its client is opened. */
export interface Store {
  /** The alias; `undefined` if environment variables contain address and credentials. */
  readonly store: string | undefined;
  /** The name in sentences: the alias, or else the host. */
  readonly label: string;
  readonly baseUrl: string;
  /** Whether `http:` to other machines is allowed. */
  readonly allowInsecure: boolean;
  /** The stored sign-in; absent if environment variables contain the credentials. */
  readonly session?: Session;
  readonly accessToken?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** A store with its client. What a person has confirmed for it is changed there, whatever the default store becomes. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

/**
 * @param named the alias that the user chose; `undefined` for the default
 * @throws {ComandaError} `invalid_input` for an unknown alias, `not_signed_in` without a store, `usage` if there are several and none is
 *   chosen, `state_unusable` for a file that can't be used, `configuration` for variables that don't match
 */
export async function chooseStore(workspace: Workspace, named: string | undefined): Promise<Store> {
  const address = variable(workspace, "COMANDA_BASE_URL");
  const accessToken = variable(workspace, "COMANDA_ACCESS_TOKEN");
  const apiKey = variable(workspace, "COMANDA_API_KEY");
  const credential = accessToken ?? apiKey;
  if (named !== undefined || (address ?? credential) === undefined)
    return storeOf(await chooseSession(workspace, named));
  if (address === undefined || credential === undefined) {
    const [name, other] =
      address === undefined ? ["COMANDA_BASE_URL"] : ["COMANDA_ACCESS_TOKEN", "COMANDA_API_KEY"];
    const problem = other === undefined ? t`${name} is missing.` : t`${name} or ${other} is missing.`;
    throw new ComandaError("configuration", problem, {
      hintFacts: { about: "missing_variable", isAddress: address === undefined },
    });
  }
  for (const [name, value] of Object.entries({ COMANDA_ACCESS_TOKEN: accessToken, COMANDA_API_KEY: apiKey }))
    if (value !== undefined && !isSendable(value))
      throw new ComandaError("configuration", t`${name} isn't valid.`, {
        hint: t`The value must be one line of at most 4,096 visible ASCII characters without spaces.`,
      });
  const allowInsecure = variable(workspace, "COMANDA_ALLOW_INSECURE") === "1";
  const baseUrl = normalizeBaseUrl(address, allowInsecure);
  const { host } = new URL(baseUrl);
  return { store: undefined, label: host, baseUrl, allowInsecure, accessToken, apiKey };
}

/** A store whose sign-in can't be used, or whose figures can't be fetched. */
export interface MissingStore {
  readonly store: string;
  readonly error: ComandaError;
}

export function missingDocument({ store, error }: MissingStore): z.output<typeof missingStore> {
  const { exitCode, code, serviceCode, message } = error;
  return { store, error: { exit_code: exitCode, code, service_code: serviceCode, message } };
}

/** The stores of a command: these aliases, all of this machine, or if none is named, the default one. */
export interface StoreSelection {
  readonly stores: readonly string[];
  readonly allStores?: boolean | undefined;
  /** Whether the result lists stores, even if there is only one. */
  readonly several: boolean;
}

/**
 * Returns the named stores, or all of this machine, each once even if its alias is named twice. A store whose sign-in can't be used is
 * missing, but an unknown alias ends the work.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(
  workspace: Workspace,
  { stores, allStores = false }: Omit<StoreSelection, "several">,
): Promise<readonly (Store | MissingStore)[]> {
  const { sessions } = await workspace.state();
  const listed = await sessions.list();
  // This throws if no store is set up.
  if (listed.length === 0) await chooseSession(workspace, stores[0]);
  const known = new Map(listed.map((session) => [storeKey(session.store), session]));
  const aliases = allStores ? listed.map(({ store }) => store) : stores;
  const chosen: (Store | MissingStore)[] = [];
  for (const [key, alias] of new Map(aliases.map((each) => [storeKey(each), each]))) {
    const session = known.get(key) ?? (await chooseSession(workspace, alias));
    chosen.push("error" in session ? session : storeOf(session));
  }
  return chosen;
}

export function storeOf(session: Session): Store & { readonly store: string } {
  const { store, environment } = session;
  return {
    store,
    label: store,
    baseUrl: environment.base_url,
    allowInsecure: environment.allow_insecure ?? false,
    session,
  };
}

/** Returns the aliases of this machine's stores, for sentences about a write: if there are several, they name its store. */
export async function knownStores({ state }: Workspace): Promise<readonly string[]> {
  try {
    const { sessions } = await state();
    return (await sessions.list()).map(({ store }) => store);
  } catch (error) {
    // The write is already done, so it must not fail because of its sentence.
    if (error instanceof ComandaError) return [];
    throw error;
  }
}

/** Returns whether this machine has several stores, so that a sentence about a write names its store. */
export async function hasSeveralStores(workspace: Workspace): Promise<boolean> {
  return (await knownStores(workspace)).length > 1;
}

/** Returns the time zone of a store for a time in a sentence; `undefined` if none is set, or the settings can't be read. */
export async function storeZone({ state }: Workspace, label: string): Promise<string | undefined> {
  try {
    const { settings } = await state();
    return (await settings.read()).stores?.[label]?.time_zone;
  } catch (error) {
    // Neither a call nor its outcome depends on the sentence.
    if (error instanceof ComandaError) return undefined;
    throw error;
  }
}

/** Creates the error for a store of this machine without a credential that works. */
export function notSignedIn(code: "not_signed_in" | "token_refused", session: Session): ComandaError {
  const signedStore = signedStoreOf(session);
  const schemes = [signedStore.canSignIn ? "bearer" : "api_key"] as const;
  return new ComandaError(code, t`The store ${session.store} is not signed in.`, {
    hintFacts: { about: "credential", problem: "missing", schemes, signedStore },
  });
}

/** Returns whether the stored sign-in is valid or can be renewed. */
export function signInWorks({ tokens, refused_at: refusedAt }: Session, now: number): boolean {
  return (
    tokens !== undefined &&
    refusedAt === undefined &&
    (tokens.expires_at > now || tokens.refresh_token !== undefined)
  );
}

/**
 * Returns the credentials that sign a store's calls, the limiter that counts them with those of other processes, and the journal that
 * records its changes. `fingerprint` identifies the store's current sign-in or key, without a secret: after a new sign-in, the alias
 * may be another store, whose figures and orders must not be mixed with those of this one.
 */
export async function accessTo(
  workspace: Pick<Workspace, "env" | "pid" | "clock" | "debug" | "state" | "transport">,
  { session, store, label, baseUrl, accessToken, apiKey }: Store,
) {
  const { env, pid, clock, debug } = workspace;
  const state = await workspace.state();
  let signed: ReturnType<typeof sessionCredentials>;
  if (session) {
    const transport = await workspace.transport();
    signed = sessionCredentials({ session, sessions: state.sessions, transport, clock, pid, debug });
  } else {
    // The digest distinguishes credentials without revealing them.
    const own = { address: baseUrl, sign_in: credentialDigest(accessToken ?? apiKey ?? "") };
    signed = {
      fingerprint: own,
      quota: `credential ${own.sign_in} ${baseUrl}`,
      credentials: {
        bearer: () => Promise.resolve(accessToken),
        apiKey: () => Promise.resolve(apiKey),
      },
    };
  }
  const { fingerprint, quota } = signed;
  const place = { store: store ?? null, environment: session?.environment.name ?? label };
  const recorded = openJournal({ state, place, fingerprint, folderMayLack: session === undefined });
  return { ...signed, ...recorded, rateLimiter: openLimiter(state, quota, env) };
}

type OnResponse = (response: HttpResponse | undefined) => void;

/**
 * Opens the client of a store.
 *
 * @param named the alias that the user chose, or a store
 * @param options.probe its calls change nothing, so they aren't recorded in the journal, and a signal ends them at once
 * @param options.onResponse receives each response of its calls, and `undefined` for a request without one
 * @throws {ComandaError} like {@link chooseStore}, and `configuration` for a proxy that can't be used
 */
export async function openConnection(
  workspace: Workspace,
  named: string | Store | undefined,
  { probe = false, onResponse }: { readonly probe?: boolean; readonly onResponse?: OnResponse } = {},
) {
  const { clock, debug, env, maxWaitMs, timeoutMs, notify } = workspace;
  const store = typeof named === "object" ? named : await chooseStore(workspace, named);
  const { session, label, baseUrl, allowInsecure } = store;
  // A wrong proxy is reported before anything is done.
  proxyFor(env, baseUrl);
  const access = await accessTo(workspace, store);
  const { credentials, rateLimiter, journal, fingerprint } = access;
  /**
   * Finds a new sign-in that this process hasn't read yet, because it has sent nothing since.
   *
   * @throws {ComandaError} `not_signed_in` after a new sign-in or a sign-out, `invalid_input` if the store was renamed or removed
   */
  const checkStoredSignIn = async () => {
    if (!session) return;
    const stored = await chooseSession(workspace, session.store);
    const { sign_in: signIn } = fingerprintOf(stored);
    // This process may still have the deleted key.
    if (signIn === null) throw notSignedIn("not_signed_in", stored);
    if (signIn !== fingerprint.sign_in) throw newSignIn(label);
  };
  const observer: CallObserver = {
    sends({ number }) {
      notify({ type: "progress", about: "call", number, isOver: false });
    },
    attempted({ number, method, url }, { attempt, ms, answer, failure }) {
      notify({ type: "progress", about: "call", number, isOver: true });
      onResponse?.(answer);
      const result = answer?.status ?? failure ?? "?";
      debug?.(t`${method} ${url} (attempt ${attempt}): ${result} in ${Math.round(ms)} ms`);
    },
  };
  const { signedStore } = credentials;
  const hintFacts = { about: "credential", problem: "refused", schemes: ["bearer"], signedStore } as const;
  const clientOptions: InternalOptions = {
    baseUrl,
    allowInsecure,
    credentials,
    transport: await workspace.transport(),
    rateLimiter,
    clock,
    maxWaitMs,
    ...(timeoutMs !== undefined && { timeoutMs }),
    onWait: async ({ reason, ms }) => {
      const zone = reason === "no_answer" ? undefined : await storeZone(workspace, label);
      notify({ type: "wait", reason, ms, zone });
    },
    onFallback: () => notify({ type: "notice", about: "fallback", label, hintFacts }),
    observer,
  };
  return {
    ...store,
    ...access,
    workspace,
    checkStoredSignIn,
    client: createClient({ ...clientOptions, ...(!probe && { journal, stopping: workspace }) }),
    /** Returns the request of a call for a dry run, with its secrets masked, and requests no credential. */
    describe: (call: (client: Client) => Promise<unknown>) => describeCall(clientOptions, store, call),
  };
}

async function describeCall(
  clientOptions: InternalOptions,
  { session, accessToken, apiKey }: Store,
  call: (client: Client) => Promise<unknown>,
): Promise<HttpRequest> {
  const { clock = systemClock, credentials } = clientOptions;
  let described: HttpRequest | undefined;
  const hiddenIf = (isThere: boolean) => () => Promise.resolve(isThere ? "****" : undefined);
  const client = createClient({
    ...clientOptions,
    credentials: {
      signedStore: credentials.signedStore,
      bearer: hiddenIf(session ? signInWorks(session, clock.now()) : accessToken !== undefined),
      apiKey: hiddenIf((session?.api_key ?? apiKey) !== undefined),
      partnerKey: hiddenIf(session?.partner_key !== undefined),
    },
    transport: {
      send: (request) => {
        described = request;
        return Promise.reject(new TransportError("aborted", false, "nothing is sent"));
      },
      close: () => Promise.resolve(),
    },
    rateLimiter: false,
    observer: undefined,
  });
  const error: unknown = await call(client).catch((thrown: unknown) => thrown);
  if (!described) throw error;
  return described;
}
