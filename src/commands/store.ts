/**
 * Which store a command works at, with which credentials, and the client that calls it. `--store` goes first, then the variables
 * that hold an address and credentials, then COMANDA_STORE, the default store, the only store. Whatever belongs to every call is
 * put around it here: credentials, limits, the owner of the orders, the journal, and what is said while it waits.
 */
import { sessionCredentials } from "../auth/renewal.js";
import { variable, type Context } from "../cli/context.js";
import type { Output } from "../cli/output.js";
import type { CommandLineOptions } from "../client/call.js";
import { createClient, describeCall, type Client, type DescribedRequest } from "../client/client.js";
import { steadyNow } from "../client/clock.js";
import type { CredentialKind, Credentials, Signature } from "../client/credentials.js";
import { ComandaError } from "../client/errors.js";
import { createTransport, proxiesFor } from "../client/http.js";
import type { CallObserver, ObservedCall, WaitNotice } from "../client/observer.js";
import { isSafe, normalizeBaseUrl, type Transport } from "../client/transport.js";
import { t, translated } from "../languages/language.js";
import {
  openJournal,
  userName,
  type Fingerprint,
  type Journal,
  type OrderCredential,
} from "../state/journal.js";
import { openLimiter } from "../state/limits.js";
import { credentialDigest, parseStoreAlias, quotaKeyOf, storeKey, type Session } from "../state/sessions.js";
import { chooseSession as chooseFrom, unknownStore, type Settings } from "../state/settings.js";
import type { State } from "../state/state.js";

/** A store that commands work at. Nothing is opened for it. */
export interface Store {
  /** The alias; `undefined` where environment variables hold address and credentials. */
  readonly store: string | undefined;
  /** Sentences name the store by its alias, or by the host where variables hold its address. */
  readonly label: string;
  /** The environment's name; the host where it has none. */
  readonly environment: string;
  /** The end of a sentence that says where: "of the store centro", "at api.example". */
  readonly place: string;
  /** The address that requests are built on. */
  readonly baseUrl: string;
  /** May the address be another machine's by http? */
  readonly allowInsecure: boolean;
  /** What is stored of it; absent where variables hold the credentials. */
  readonly session?: Session;
  readonly accessToken?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** A store with a client that calls it. */
export interface Connection extends Store {
  readonly client: Client;
  /** `--dry-run` shows its requests. */
  readonly describe: (call: (client: Client) => Promise<unknown>) => Promise<DescribedRequest>;
  /** Absent for a probe. */
  readonly journal: Journal | undefined;
  /** Identifies the store whose orders are changed by its present credentials. It holds no secret. */
  readonly fingerprint: () => Fingerprint;
  /** Requests of the same key are counted together against the service's limits. It holds no secret. */
  readonly quotaKey: string;
  /**
   * Figures of one sign-in never pass for another's: after a new sign-in the alias may stand for another store. `undefined` where
   * one sign-in can't be told from others. The name reveals nothing of the credentials.
   */
  readonly signIn: string | undefined;
}

export interface ConnectionOptions {
  /** Signs with this credential alone. Such a probe changes nothing, so the journal needs no line of it. */
  readonly probe?: OrderCredential;
  /** Is a call made at once and once, or not at all? It neither waits nor is it repeated. */
  readonly singleAttempt?: boolean;
  /** A further observer of the calls. */
  readonly watch?: CallObserver;
  /** Gets the notices that would go to stderr. */
  readonly onWait?: (notice: WaitNotice) => void;
}

/** Hints name this variable, too. */
export const baseUrlVariable = "COMANDA_BASE_URL";

/**
 * @param named the store that `--store` names
 * @throws {ComandaError} `invalid_input` for an alias that isn't known, `not_signed_in` where none is, `usage` where
 *   there are several and none is chosen, `state_unusable` where its file can't be used, `configuration` for variables
 *   that don't fit
 */
export async function chooseStore(context: Context, named: string | undefined): Promise<Store> {
  const accessToken = variable(context, "COMANDA_ACCESS_TOKEN");
  const apiKey = variable(context, "COMANDA_API_KEY");
  const address = variable(context, baseUrlVariable);
  const credential = accessToken ?? apiKey;
  if (named !== undefined || (address ?? credential) === undefined)
    return storeOf(await chooseSession(context, named));
  if (address === undefined) {
    const name = accessToken === undefined ? "COMANDA_API_KEY" : "COMANDA_ACCESS_TOKEN";
    throw new ComandaError("configuration", t`${name} is set, but ${baseUrlVariable} isn't.`, {
      hint: t`A credential and its address go together: set both, or neither.`,
    });
  }
  if (credential === undefined) {
    throw new ComandaError("configuration", t`${baseUrlVariable} is set, but no credential is.`, {
      hint: t`Set COMANDA_ACCESS_TOKEN or COMANDA_API_KEY too, or choose a store with --store.`,
    });
  }
  const allowInsecure = variable(context, "COMANDA_ALLOW_INSECURE") === "1";
  const baseUrl = normalizeBaseUrl(address, allowInsecure, baseUrlVariable);
  const { host } = new URL(baseUrl);
  return {
    store: undefined,
    label: host,
    environment: host,
    place: t`at ${host}`,
    baseUrl,
    allowInsecure,
    accessToken,
    apiKey,
  };
}

export function storeOf(session: Session): Store & { readonly store: string } {
  const { store, environment } = session;
  return {
    store,
    label: store,
    environment: environment.name,
    place: t`of the store ${store}`,
    baseUrl: environment.base_url,
    allowInsecure: environment.allow_insecure ?? false,
    session,
  };
}

/**
 * Where there are several stores and nothing says which, a person at a terminal is asked.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseSession(context: Context, store: string | undefined): Promise<Session> {
  const { sessions, settings, place } = await context.state();
  const typed = store ?? variable(context, "COMANDA_STORE");
  const named = typed === undefined ? undefined : parseStoreAlias(typed);
  let choice = await chooseFrom(sessions, {
    named,
    settings: named === undefined ? await settings.read() : undefined,
  });
  if (choice.kind === "several" && context.canAsk()) {
    const choices = choice.aliases.map((value) => ({ value, name: value }));
    choice = await chooseFrom(sessions, { named: await context.choose(t`Which store?`, choices) });
  }
  switch (choice.kind) {
    case "session":
      return choice.session;
    case "none":
      throw noStore(place);
    case "unknown": {
      const { alias, aliases } = choice;
      const add = `comanda login --store ${alias}`;
      const hint =
        aliases.length > 0 ? t`It knows: ${aliases.join(", ")}. To add it: ${add}` : t`Sign in first: ${add}`;
      throw unknownStore(alias, aliases, hint);
    }
    case "several":
      throw new ComandaError("usage", t`This machine knows several stores; say which one.`, {
        hint: t`With --store <alias>, or once for all: comanda stores use ${choice.aliases[0]}`,
      });
  }
}

/** Another user of the machine has stores of their own, as cron's or root's have it. */
function noStore({ address }: State["place"]): ComandaError {
  const looked = t`Looked in ${address || "?"}, for the user ${userName() ?? "?"}.`;
  const hint = t`Sign in at one: comanda login --store <alias> --env <name>\nOr have a look around first: comanda demo`;
  return new ComandaError("not_signed_in", t`This machine knows no store yet.`, {
    hint: `${looked}\n${hint}`,
  });
}

/** A store whose session can't be used concerns itself alone: a report of several goes on without it. */
export interface UnusableStore {
  readonly store: string;
  readonly error: ComandaError;
}

/**
 * Chooses the stores of a report, each once: two spellings of an alias are one store. An unknown alias is a slip and ends the
 * command.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(
  context: Context,
  { stores, allStores }: { readonly stores: readonly string[]; readonly allStores: boolean },
): Promise<readonly (Store | UnusableStore)[]> {
  if (!allStores && stores.length < 2) return [await chooseStore(context, stores[0])];
  const { sessions, place } = await context.state();
  const listed = await sessions.list();
  if (allStores && listed.length === 0) throw noStore(place);
  const known = new Map(listed.map((session) => [storeKey(session.store), session]));
  const aliases = allStores ? listed.map(({ store }) => store) : stores;
  const chosen: (Store | UnusableStore)[] = [];
  for (const [key, alias] of new Map(aliases.map((alias) => [storeKey(alias), alias]))) {
    const session = known.get(key) ?? (await chooseSession(context, alias));
    if (!("error" in session)) chosen.push(storeOf(session));
    else {
      const { store, error } = session;
      const reason =
        error instanceof ComandaError ? error : new ComandaError("state_unusable", error.message);
      chosen.push({ store, error: reason });
    }
  }
  return chosen;
}

/**
 * Gives the alias to a command that makes no calls, in the spelling that is stored: a store that is named may have been removed
 * since, and stays as it was typed.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function storedAlias(context: Context, named: string | undefined): Promise<string> {
  if (named === undefined) return (await chooseSession(context, undefined)).store;
  const { sessions, settings } = await context.state();
  const inSettings = Object.keys((await settings.read()).stores ?? {});
  const stored = [...(await sessions.list()).map(({ store }) => store), ...inSettings];
  return stored.find((other) => storeKey(other) === storeKey(named)) ?? named;
}

/** Does this machine know more than one store? Then a write that is done says at which it was. */
export async function knowsSeveral(context: Context): Promise<boolean> {
  try {
    const { sessions } = await context.state();
    return (await sessions.list()).length > 1;
  } catch (error) {
    // The write is done all the same.
    if (error instanceof ComandaError) return false;
    throw error;
  }
}

/** Without settings that can be read, times are in this machine's zone: what was sent is shown all the same. */
export async function storeSettings(context: Context): Promise<Settings["stores"]> {
  try {
    const { settings } = await context.state();
    return (await settings.read()).stores;
  } catch (error) {
    if (error instanceof ComandaError) return undefined;
    throw error;
  }
}

/** Does the sign-in work, by what is stored? */
export function signInWorks({ tokens, refused_at: refusedAt }: Session, now: number): boolean {
  return (
    tokens !== undefined &&
    refusedAt === undefined &&
    (tokens.expires_at > now || tokens.refresh_token !== undefined)
  );
}

/**
 * Does work at a store, over a network of its own.
 *
 * @param store the alias that `--store` names, or a store that is chosen already
 * @throws {ComandaError} as {@link chooseStore}, and what the work throws
 */
export async function withConnection<Result>(
  context: Context,
  { store, ...options }: ConnectionOptions & { readonly store: string | Store | undefined },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const transport = openTransport(context);
  try {
    const chosen = typeof store === "object" ? store : await chooseStore(context, store);
    return await work(await openConnection(context, chosen, transport, options));
  } finally {
    await transport.close();
  }
}

/** @param transport is the caller's to close */
export async function openConnection(
  context: Context,
  store: Store,
  transport: Transport,
  { probe, singleAttempt = false, watch, onWait = waitNotices(context) }: ConnectionOptions = {},
): Promise<Connection> {
  const { options, output, clock, debug } = context;
  const { session, baseUrl, allowInsecure, place } = store;
  const state = await context.state();
  // A wrong proxy is told before the command does anything, and not at the first of many requests.
  proxiesFor(context.env, baseUrl);
  const { sessions } = state;
  const { pid } = context.host;
  const { credentials: all, fingerprint } = session
    ? sessionCredentials(
        { session, sessions, transport, clock, pid, ...(debug && { debug }) },
        credentialDigest,
      )
    : credentialsOfVariables(store);
  const none = () => Promise.resolve(undefined);
  const credentials: Credentials = {
    ...all,
    ...(probe === "bearer" && { apiKey: none }),
    ...(probe === "api_key" && { bearer: none }),
  };
  const journal = probe
    ? undefined
    : openJournal({
        state,
        place: { store: store.store ?? null, environment: store.environment },
        fingerprint,
        folderMayLack: store.store === undefined,
      });
  // All that a command changes is changed at one store, whoever signs in anew meanwhile.
  const owner = fingerprint().sign_in;
  const quotaKey = session ? quotaKeyOf(session.store) : `credential ${owner ?? ""}`;
  const signedInAt = session?.signed_in_at;
  const clientOptions: CommandLineOptions = {
    baseUrl,
    allowInsecure,
    credentials,
    transport,
    rateLimiter: openLimiter({ baseUrl, quotaKey }, { env: context.env, folder: state }),
    clock,
    maxWaitMs: singleAttempt ? 0 : options.maxWaitMs,
    ...(singleAttempt && { maxRetries: 0 }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    stopping: context,
    optionNames: {
      baseUrl: session ? t`comanda env list` : baseUrlVariable,
      timeoutMs: "--timeout",
      maxWaitMs: "--max-wait",
    },
    onWait,
    onFallback: () => {
      const notice = t`The sign-in ${place} works no more, so its API key is used.`;
      output.notice([notice, credentials.hint?.("bearer")].filter(Boolean).join(" "));
    },
    observers: [
      {
        sends(call: ObservedCall) {
          if (isSafe(call) || fingerprint().sign_in === owner) return;
          throw new ComandaError("not_signed_in", t`There was another sign-in ${place} meanwhile.`, {
            hint: t`Nothing more was sent, since nothing tells whether it is the same store's. Run the command again.`,
          });
        },
      },
      watch,
      debug && debugObserver(debug),
      // After all that may still refuse: what it has written down as sent goes out.
      journal?.observer,
      output.status.isShown ? slowCalls(output) : undefined,
    ].filter((observer) => observer !== undefined),
  };
  return {
    ...store,
    client: createClient(clientOptions),
    describe: (call) => {
      const kinds: CredentialKind[] = [];
      if (credentials.bearer && (!session || signInWorks(session, clock.now()))) kinds.push("bearer");
      if (credentials.apiKey) kinds.push("api_key");
      if (credentials.partnerKey) kinds.push("partner_key");
      return describeCall(clientOptions, kinds, call);
    },
    journal,
    fingerprint,
    quotaKey,
    signIn: session ? (signedInAt === undefined ? undefined : new Date(signedInAt).toISOString()) : quotaKey,
  };
}

function credentialsOfVariables({ baseUrl, accessToken, apiKey }: Store): {
  readonly credentials: Credentials;
  readonly fingerprint: () => Fingerprint;
} {
  // The digest tells the credentials of two stores apart without revealing them.
  const fingerprint = { address: baseUrl, sign_in: credentialDigest(accessToken ?? apiKey ?? "") };
  return {
    credentials: {
      ...(accessToken !== undefined && { bearer: () => Promise.resolve(accessToken) }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
      hint: (signature) => translated(variableHints[signature]),
    },
    fingerprint: () => fingerprint,
  };
}

/** A hint helps both where the credential is missing and where the service has refused it. */
const variableHints: Readonly<Record<Signature, string>> = {
  bearer:
    "Put a valid access token into COMANDA_ACCESS_TOKEN, or choose a store that is signed in with --store.",
  api_key: "Put the store's API key into COMANDA_API_KEY, or choose a store that has one with --store.",
  partner:
    "Store both keys with comanda login --api-key and --partner-key, and choose that store with --store.",
};

/**
 * Opens the network as this machine's environment describes it. The caller closes it.
 *
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function openTransport({ env, output }: Context): Transport {
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    output.warn(
      t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so no certificate is checked: whoever stands in between can read the store's credentials. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.`,
    );
  }
  return createTransport({ env });
}

/**
 * Gives the network alone, to work that concerns no store or makes no call of the API.
 *
 * @param baseUrl the calls' address, if that is known
 * @throws {ComandaError} `configuration` for a proxy that can't be used, and what the work throws
 */
export async function withTransport<Result>(
  context: Context,
  baseUrl: string | undefined,
  work: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  if (baseUrl !== undefined) proxiesFor(context.env, baseUrl);
  const transport = openTransport(context);
  try {
    return await work(transport);
  } finally {
    await transport.close();
  }
}

function debugObserver(debug: (message: string) => void): CallObserver {
  return {
    attempted({ method, url }, { attempt, ms, answer, failure }) {
      debug(
        t`${method} ${url} (attempt ${attempt}): ${answer?.status ?? failure ?? "?"} in ${Math.round(ms)} ms`,
      );
    },
  };
}

/** Nobody wonders before. */
const slowMs = 2_000;

/** Says at a terminal which answer is awaited, where it takes long. */
export function slowCalls({ status }: Output): CallObserver {
  let shown: number | undefined;
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    sends({ number, method, path }) {
      const say = () => {
        shown = number;
        status.show("wait", t`Waiting for the answer to ${method} ${path}`);
      };
      timers.set(number, setTimeout(say, slowMs).unref());
    },
    attempted({ number }) {
      clearTimeout(timers.get(number));
      timers.delete(number);
      if (shown === number) status.show("wait", undefined);
    },
  };
}

/**
 * Says why nothing happens while calls wait, once for all that wait together. At a terminal that is gone when the wait is over; a
 * service that can't be reached gets a line of its own, since that may matter afterwards.
 */
export function waitNotices({ clock, signal, output }: Pick<Context, "clock" | "signal" | "output">) {
  let endsAt = Number.NEGATIVE_INFINITY;
  return ({ reason, ms }: WaitNotice): void => {
    if (steadyNow(clock) < endsAt) return;
    endsAt = steadyNow(clock) + ms;
    const seconds = Math.max(1, Math.ceil(ms / 1000));
    if (reason === "no_answer") {
      output.notice(t`The service can't be reached or is failing. Trying again in ${seconds} s.`);
      return;
    }
    const cause =
      reason === "rate_limit" ? t`The service's rate limit is reached.` : t`The service asks to slow down.`;
    const until = new Date(clock.now() + ms).toTimeString().slice(0, 8);
    const text = t`${cause} Waiting ${seconds} s, until ${until}.`;
    if (!output.status.isShown) {
      output.notice(text);
      return;
    }
    output.status.show("wait", text);
    // An interrupt ends the wait, too.
    void clock
      .sleep(ms, signal)
      .catch(() => undefined)
      .then(() => output.status.show("wait", undefined));
  };
}
