/**
 * A command's store and its client. The store comes from `--store`, else from the variables with an address and credentials, else from
 * COMANDA_STORE, the default store or the only store. Everything that applies to each call is added here: credentials, rate limits, the
 * check of the sign-in, the journal, and announcements of waits.
 */
import { chooseSession, sessionCredentials } from "../auth/session.js";
import { createClient, type Client } from "../client/client.js";
import { steadyNow, systemClock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { createTransport, proxiesFor } from "../client/http.js";
import type { CallObserver, InternalOptions, WaitNotice } from "../client/options.js";
import {
  isSafe,
  normalizeBaseUrl,
  TransportError,
  type HttpRequest,
  type Transport,
} from "../client/transport.js";
import { t } from "../languages/language.js";
import { openJournal } from "../state/journal.js";
import { openLimiter } from "../state/limits.js";
import { credentialDigest, type Session } from "../state/sessions.js";
import { allowsInsecure, baseUrlVariable, variable, type Context } from "./context.js";
import type { Output } from "./output.js";

/** The store of a command, before its client is opened. */
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

/** A store with its client. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

/**
 * @param named the store in `--store`
 * @throws {ComandaError} `invalid_input` for an unknown alias, `not_signed_in` without a store, `usage` if there are several and none is
 *   chosen, `state_unusable` for a file that can't be used, `configuration` for variables that don't match
 */
export async function chooseStore(context: Context, named: string | undefined): Promise<Store> {
  const accessToken = variable(context, "COMANDA_ACCESS_TOKEN");
  const apiKey = variable(context, "COMANDA_API_KEY");
  const address = variable(context, baseUrlVariable);
  const credential = accessToken ?? apiKey;
  if (named !== undefined || (address ?? credential) === undefined)
    return storeOf(await chooseSession(context, named));
  if (address === undefined || credential === undefined)
    throw new ComandaError("configuration", t`${address ? "COMANDA_API_KEY" : baseUrlVariable} is missing.`, {
      hint: t`Set both ${baseUrlVariable} and COMANDA_ACCESS_TOKEN or COMANDA_API_KEY, or choose a store with --store.`,
    });
  const allowInsecure = allowsInsecure(context);
  const baseUrl = normalizeBaseUrl(address, allowInsecure, baseUrlVariable);
  const { host } = new URL(baseUrl);
  return { store: undefined, label: host, baseUrl, allowInsecure, accessToken, apiKey };
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

/** Returns whether this machine has several stores, so that sentences about a write name its store. */
export async function knowsSeveral(context: Context): Promise<boolean> {
  try {
    const { sessions } = await context.state();
    return (await sessions.list()).length > 1;
  } catch (error) {
    // The write is already done, so it must not fail because of its sentence.
    if (error instanceof ComandaError) return false;
    throw error;
  }
}

/** Returns whether the stored sign-in is valid or can be renewed. */
export function signInWorks({ tokens, refused_at: refusedAt }: Session, now: number): boolean {
  return (
    tokens !== undefined &&
    refusedAt === undefined &&
    (tokens.expires_at > now || tokens.refresh_token !== undefined)
  );
}

/** Returns the transport of this machine's environment, one for each command. */
export function transportOf({ env, output, opened }: Context): Transport {
  if (!opened.transport && env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    output.warn(
      t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so anyone on the network can read the store's credentials. Unset it. To add your own certificate authority, set NODE_EXTRA_CA_CERTS.`,
    );
  return (opened.transport ??= createTransport({ env }));
}

/** The credentials of a store, with what identifies and counts its calls. */
type Access = ReturnType<typeof sessionCredentials>;

/** Returns a store's own sign-in and keys, or those in environment variables. */
async function accessTo(context: Context, store: Store): Promise<Access> {
  const { session, baseUrl, accessToken, apiKey } = store;
  const { clock, debug, host } = context;
  const { sessions } = await context.state();
  if (session)
    return sessionCredentials({
      session,
      sessions,
      transport: transportOf(context),
      clock,
      pid: host.pid,
      debug,
    });
  // The digest distinguishes credentials without revealing them.
  const fingerprint = { address: baseUrl, sign_in: credentialDigest(accessToken ?? apiKey ?? "") };
  return {
    fingerprint: () => fingerprint,
    quota: `credential ${fingerprint.sign_in} ${baseUrl}`,
    credentials: {
      bearer: () => Promise.resolve(accessToken),
      apiKey: () => Promise.resolve(apiKey),
    },
  };
}

/** Returns the observers of a store's calls. Each may refuse a request before it is recorded and sent. */
function watchersOf({ debug, output }: Context, { label }: Store, { fingerprint }: Access): CallObserver[] {
  // A command changes the orders of one store, even if someone signs in to another one with this alias while it runs.
  const signIn = fingerprint().sign_in;
  const watchers: CallObserver[] = [
    {
      sends(call) {
        if (isSafe(call) || fingerprint().sign_in === signIn) return;
        throw new ComandaError("not_signed_in", t`Someone has signed in to ${label} again.`, {
          hint: t`Nothing more was sent, because the new sign-in may be for another store. Run the command again.`,
        });
      },
    },
  ];
  if (debug)
    watchers.push({
      attempted({ method, url }, { attempt, ms, answer, failure }) {
        const result = answer?.status ?? failure ?? "?";
        debug(t`${method} ${url} (attempt ${attempt}): ${result} in ${Math.round(ms)} ms`);
      },
    });
  if (output.status.isShown) watchers.push(slowCalls(output));
  return watchers;
}

/**
 * Opens the client of a store.
 *
 * @param named the alias in `--store`, or a store
 * @param options.probe its calls change nothing, so they aren't recorded in the journal
 * @param options.watch another observer of the calls
 * @throws {ComandaError} like {@link chooseStore}, and `configuration` for a proxy that can't be used
 */
export async function openConnection(
  context: Context,
  named: string | Store | undefined,
  { probe = false, watch }: { readonly probe?: boolean; readonly watch?: CallObserver } = {},
) {
  const { options, output, clock, env } = context;
  const store = typeof named === "object" ? named : await chooseStore(context, named);
  const { session, label, baseUrl, allowInsecure } = store;
  // A wrong proxy is reported before the command does anything.
  proxiesFor(env, baseUrl);
  const state = await context.state();
  const access = await accessTo(context, store);
  const { credentials, fingerprint, quota } = access;
  const place = { store: store.store ?? null, environment: session?.environment.name ?? label };
  const folderMayLack = session === undefined;
  const recorded = probe ? undefined : openJournal({ state, place, fingerprint, folderMayLack });
  const observers = watchersOf(context, store, access);
  if (watch) observers.push(watch);
  const clientOptions: InternalOptions = {
    baseUrl,
    allowInsecure,
    credentials,
    transport: transportOf(context),
    rateLimiter: openLimiter(state, quota, env),
    clock,
    maxWaitMs: options.maxWaitMs,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    stopping: context,
    completeHint: async (error) => (await import("./hints.js")).completeCommandHint(error, store),
    onWait: (notice) => announceWait(context, notice),
    onFallback: async () => {
      const { credentialHint } = await import("./hints.js");
      const notice = t`The sign-in to ${label} no longer works, so comanda uses its API key.`;
      output.notice(`${notice} ${credentialHint("bearer", store)}`);
    },
    observers,
  };
  return {
    ...store,
    client: createClient({ ...clientOptions, ...(recorded && { journal: recorded.journal }) }),
    /** Returns the request of a call for `--dry-run`, with its secrets masked, and requests no credential. */
    describe: (call: (client: Client) => Promise<unknown>) => describeCall(clientOptions, store, call),
    /** `undefined` for a probe. */
    journal: recorded,
    /**
     * Identifies the store's current sign-in or key, without a secret. After a new sign-in, the alias may be another store, whose figures
     * and orders must not be mixed with those of this one.
     */
    fingerprint,
    quota,
  };
}

async function describeCall(
  clientOptions: InternalOptions,
  { session, accessToken, apiKey }: Store,
  call: (client: Client) => Promise<unknown>,
): Promise<HttpRequest> {
  const { clock = systemClock } = clientOptions;
  let described: HttpRequest | undefined;
  const hiddenIf = (isThere: boolean) => () => Promise.resolve(isThere ? "****" : undefined);
  const client = createClient({
    ...clientOptions,
    credentials: {
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
    observers: [],
  });
  const error: unknown = await call(client).catch((thrown: unknown) => thrown);
  if (!described) throw error;
  return described;
}

/** Shows on a terminal which response a command waits for, after two seconds. */
export function slowCalls({ status }: Output): CallObserver {
  let shown: number | undefined;
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    sends({ number, method, path }) {
      const say = () => {
        shown = number;
        status.show("answer", t`Waiting for the response to ${method} ${path}`);
      };
      timers.set(number, setTimeout(say, 2_000).unref());
    },
    attempted({ number }, { answer }) {
      clearTimeout(timers.get(number));
      timers.delete(number);
      if (shown === number) status.show("answer", undefined);
      if (answer) status.show("wait", undefined);
    },
  };
}

/**
 * Shows why a command waits: on a terminal in the status line, elsewhere in one line for all calls that wait at the same time. An
 * outage is shown in one line, and its retries are counted until the command ends.
 */
export function announceWait(
  { clock, output, opened }: Pick<Context, "clock" | "output" | "opened">,
  { reason, ms }: WaitNotice,
): void {
  const isOutage = reason === "no_answer";
  const isSlowed = reason === "slowed_down";
  if (isOutage) opened.retries += 1;
  const cause = isOutage ? t`The service is unreachable or failing.` : `${t`Rate limit reached`}.`;
  const notice = isSlowed
    ? t`comanda slows down because the service returned 429 twice.`
    : t`${cause} Waiting ${Math.max(1, Math.ceil(ms / 1000))} s.`;
  if (output.status.isShown) {
    const until = new Date(clock.now() + ms).toTimeString().slice(0, 8);
    const limit = isSlowed ? t`Slowed down after HTTP 429` : t`Rate limit: until ${until}`;
    output.status.show("wait", isOutage ? t`Service down, retries: ${opened.retries}` : limit);
    return;
  }
  const isAnnounced = {
    no_answer: opened.retries > 1,
    rate_limited: false,
    rate_limit: opened.isAnnounced,
    slowed_down: opened.isSlowed,
  }[reason];
  if (isSlowed) opened.isSlowed = true;
  const now = steadyNow(clock);
  if (isAnnounced || now < (opened.waitsUntil ?? Number.NEGATIVE_INFINITY)) return;
  opened.waitsUntil = now + ms;
  output.notice(notice);
}
