/**
 * Opens the connection to a chosen store: the only way that a command gets a client. Whatever belongs to every call is
 * put around it here: credentials, limits, the owner of the orders, the journal.
 */
import { together, type CallObserver, type WaitNotice } from "../client/observer.js";
import {
  createClient,
  createDescriber,
  type Client,
  type CommandLineOptions,
  type Describer,
} from "../client/client.js";
import { createTransport, proxiesFor } from "../client/http.js";
import type { Transport } from "../client/transport.js";
import { t } from "../languages/language.js";
import { openJournal, ownerObserver, type Journal, type OrderCredential } from "../state/journal.js";
import { openLimiter } from "../state/limits.js";

import { chooseStore, type ChosenStore, type StoreAddress, type StoreFlag } from "./store.js";
import type { Context } from "../cli/context.js";
import type { State } from "../state/state.js";
import { credentialsOf, pinned, type StoreCredentials } from "./store-credentials.js";
import { slowCalls, waitNotices } from "./wait-notices.js";

export interface Connection extends StoreAddress, StoreCredentials {
  readonly client: Client;
  /** `--dry-run` shows its requests. */
  readonly describer: Describer;
  /** Absent for a probe. */
  readonly journal: Journal | undefined;
  close(): Promise<void>;
}

export interface ConnectionOptions extends StoreFlag {
  /** The store, where it is chosen already. */
  readonly chosen?: ChosenStore;
  /** The only credential that calls may be signed with. */
  readonly auth?: OrderCredential | undefined;
  /** A probe changes nothing, so the journal needs no line of it. */
  readonly isProbe?: boolean;
  /** A further observer of the calls. */
  readonly watch?: CallObserver;
  /** Several connections may share it; the caller closes it. */
  readonly transport?: Transport;
  /** Gets the notices that would go to stderr. */
  readonly onWait?: (notice: WaitNotice) => void;
  /** Is a call made at once and once, or not at all? It neither waits nor is it repeated. */
  readonly singleAttempt?: boolean;
}

/** @throws {ComandaError} as `chooseStore`, and `not_signed_in` where the store lacks the credential of `auth` */
export async function openConnection(context: Context, options: ConnectionOptions): Promise<Connection> {
  const { auth } = options;
  const state = await context.state();
  const transport = options.transport ?? openTransport(context);
  const address = options.chosen ?? (await chooseStore(context, options));
  const credentials = credentialsOf(context, state, address, transport);
  const store = {
    ...address,
    ...(auth === undefined ? credentials : pinned(credentials, auth, address)),
  };
  const journal = options.isProbe
    ? undefined
    : openJournal({
        state,
        place: { store: store.store ?? null, environment: store.environment },
        fingerprint: store.fingerprint,
        folderMayLack: store.store === undefined,
      });
  // A wrong proxy is told before the command does anything, and not at the first of many requests.
  proxiesFor(context.env, store.baseUrl);
  const clientOptions: CommandLineOptions = {
    ...clientOptionsOf(context, state, store, options),
    transport,
    observer: together([
      ownerObserver(store),
      options.watch,
      context.debug && debugObserver(context.debug),
      // After all that may still refuse: what it has written down as sent goes out.
      journal?.observer,
      slowCalls(context.output),
    ]),
  };
  return {
    ...store,
    client: createClient(clientOptions),
    describer: createDescriber(clientOptions, store.credentialKinds),
    journal,
    close: async () => {
      if (!options.transport) await transport.close();
    },
  };
}

type ConnectedStore = StoreAddress & StoreCredentials;

function clientOptionsOf(
  context: Context,
  state: State,
  store: ConnectedStore,
  { onWait = waitNotices(context), singleAttempt = false }: ConnectionOptions,
): Omit<CommandLineOptions, "transport" | "observer"> {
  const { options: settings, output } = context;
  const { baseUrl, allowInsecure, baseUrlFrom, credentials, place } = store;
  return {
    ...{ baseUrl, allowInsecure, credentials, onWait },
    rateLimiter: openLimiter(store, { env: context.env, folder: state }),
    clock: context.clock,
    maxWaitMs: singleAttempt ? 0 : settings.maxWaitMs,
    ...(singleAttempt && { maxRetries: 0 }),
    ...(settings.timeoutMs !== undefined && { timeoutMs: settings.timeoutMs }),
    stopping: context,
    optionNames: { baseUrl: baseUrlFrom, timeoutMs: "--timeout", maxWaitMs: "--max-wait" },
    onFallback: () => {
      output.notice(
        [t`The sign-in ${place} works no more, so its API key is used.`, credentials.hint?.("bearer")]
          .filter(Boolean)
          .join(" "),
      );
    },
  };
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

/**
 * Opens the network as this machine's environment describes it. The caller closes it.
 *
 * @param baseUrl the calls' address, if that is known
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function openTransport(context: Context, baseUrl?: string): Transport {
  const { output } = context;
  const { env, openTransport: open = createTransport } = context;
  if (baseUrl !== undefined) proxiesFor(env, baseUrl);
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    output.warnOnce(
      t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so no certificate is checked: whoever stands in between can read the store's credentials. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.`,
    );
  }
  return open({ env });
}

/** @throws {ComandaError} as `openConnection`, and what the work throws */
export async function withConnection<Result>(
  context: Context,
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await openConnection(context, options);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/**
 * Gives the network alone, to work that concerns no store or makes no call of the API.
 *
 * @param baseUrl the calls' address, if that is known
 * @throws {ComandaError} as `openTransport`, and what the work throws
 */
export async function withTransport<Result>(
  context: Context,
  baseUrl: string | undefined,
  work: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const transport = openTransport(context, baseUrl);
  try {
    return await work(transport);
  } finally {
    await transport.close();
  }
}
