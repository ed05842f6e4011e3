/** From the choice of a store to a client that can call: the only way that a command gets one. */
import { proxiesFor } from "../client/http/proxy.js";
import {
  createClient,
  createDescriber,
  createTransport,
  type CallObserver,
  type Client,
  type ClientOptions,
  type Describer,
  type Transport,
  type WaitNotice,
} from "../client/index.js";
import { ComandaError } from "../shared/errors.js";
import type * as clearing from "../state/journal/clear-history.js";
import { historyAgeMs } from "../state/settings/history-age.js";
import { openLimiter } from "../state/limiter.js";

import { chooseStore, type StoreChoice, type StoreFlag } from "./choose-store.js";
import type { Invocation } from "./context.js";
import { refuseOtherStore, type Asking } from "./confirmation.js";
import { openCommandGate, type CommandGate, type GateOptions } from "./gate.js";
import type { State } from "./state.js";
import { pinnedTo, targetOf, type PinnedCredential, type Target } from "./target.js";
import { waitNotices } from "./wait-notices.js";
import { t } from "../shared/language.js";

export interface Connection
  extends
    Pick<Target, "label" | "place" | "available" | "store" | "environment" | "fingerprint">,
    Pick<CommandGate, "journal" | "confirmCancel"> {
  readonly client: Client;
  /** For `--dry-run`. */
  readonly describer: Describer;
  close(): Promise<void>;
}

export interface ConnectionOptions extends StoreFlag, GateOptions {
  /** The only credential that calls may be signed with. */
  readonly auth?: PinnedCredential | undefined;
  /** In place of what the flags choose: credentials that aren't stored yet. */
  readonly choice?: StoreChoice;
  /** As {@link ClientParts.once}. */
  readonly once?: boolean;
}

/**
 * @param machine what asks where something has to be confirmed
 * @throws {ComandaError} as `chooseStore`, and `not_signed_in` where the store hasn't the credential that is asked for
 */
export async function openConnection(
  invocation: Invocation,
  machine: Asking & HistoryChanging,
  options: ConnectionOptions,
): Promise<Connection> {
  const state = await machine.state();
  const transport = openTransport(invocation);
  const choice = options.choice ?? (await chooseStore(invocation.context, state, options));
  const chosen = targetOf(invocation, state, choice, transport);
  const target = options.auth === undefined ? chosen : pinnedTo(chosen, options.auth);
  const { label, place, available, store, environment, fingerprint } = target;
  refuseOtherStore(target, options.confirm);
  const { observer, journal, confirmCancel } = openCommandGate(
    invocation,
    { machine, state, target },
    options,
  );
  const clientOptions = optionsOf(invocation, {
    ...{ state, transport, target, observer, once: options.once },
    onWarning: (message) => {
      invocation.output.warnOnce(message);
    },
  });
  return {
    client: createClient(clientOptions),
    describer: createDescriber(clientOptions, available),
    ...{ label, place, available, environment, fingerprint, journal, confirmCancel },
    ...(store !== undefined && { store }),
    close: async () => {
      await journal?.close();
      if (journal?.hasWritten()) await forgetOld(invocation, machine, state);
      await transport.close();
    },
  };
}

interface HistoryChanging {
  readonly historyChanges: () => Promise<Pick<typeof clearing, "clearHistory">>;
}

/** What is older than a person wants it kept. What was done is done, also where that fails. */
async function forgetOld(
  { context, output }: Invocation,
  machine: HistoryChanging,
  { folder, settings }: State,
): Promise<void> {
  try {
    const { history_age: age } = await settings.read();
    if (age === undefined) return;
    const ms = historyAgeMs(age);
    if (ms === undefined) return;
    const { clearHistory } = await machine.historyChanges();
    await clearHistory(folder, context.clock.now() - ms, { keepsUnfinished: true });
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    output.warn(error.message);
  }
}

/** The network as this machine's environment wants it, and what is said about that. */
export function openTransport({
  context: { env, openTransport: open = createTransport },
  output,
}: Pick<Invocation, "context" | "output">): Transport {
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    output.warnOnce(
      t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so no certificate is checked: whoever stands in between can read the store's credentials. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.`,
    );
  }
  return open({ env });
}

/**
 * Before anything is done, rather than at the first request of many.
 *
 * @param baseUrl where calls will go
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function checkProxy({ context: { env } }: Pick<Invocation, "context">, baseUrl: string): void {
  proxiesFor(env, baseUrl);
}

export interface ClientParts {
  readonly state: State;
  /** The caller's to close. */
  readonly transport: Transport;
  readonly target: Target;
  readonly observer: CallObserver;
  /** In place of the usual notices on stderr. */
  readonly onWait?: (notice: WaitNotice) => void;
  /** As `ClientOptions.onWarning`; absent where what is asked is held against more than one client's answers. */
  readonly onWarning?: (message: string) => void;
  /** Work that nobody waits for: everybody else goes first where a rate limit makes them wait. */
  readonly background?: boolean;
  /** Is a call made at once and once, or not at all? Nothing is waited for, and nothing repeated. */
  readonly once?: boolean | undefined;
}

export function clientOf(invocation: Invocation, parts: ClientParts): Client {
  return createClient(optionsOf(invocation, parts));
}

function optionsOf(
  invocation: Invocation,
  {
    state,
    transport,
    target,
    observer,
    onWait = waitNotices(invocation),
    onWarning,
    background,
    once = false,
  }: ClientParts,
): ClientOptions {
  const { context, settings, output } = invocation;
  checkProxy(invocation, target.baseUrl);
  return {
    baseUrl: target.baseUrl,
    credentials: target.credentials,
    transport,
    rateLimiter: openLimiter(target, { env: context.env, folder: state.folder, background }),
    clock: context.clock,
    random: () => context.system.random.fraction(),
    maxWaitMs: once ? 0 : settings.maxWaitMs,
    ...(once && { maxRetries: 0 }),
    ...(settings.timeoutMs !== undefined && { timeoutMs: settings.timeoutMs }),
    userAgent: `comanda/${context.version}`,
    optionNames: { baseUrl: target.baseUrlFrom, timeoutMs: "--timeout", maxWaitMs: "--max-wait" },
    onWait,
    ...(onWarning && { onWarning }),
    observer,
    onFallback: () => {
      output.notice(
        [
          t`The sign-in ${target.place} works no more, so its API key is used.`,
          target.credentials.hint?.("bearer"),
        ]
          .filter(Boolean)
          .join(" "),
      );
    },
  };
}
