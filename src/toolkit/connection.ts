/** Opens the client of a chosen store: the only way that a command gets one. */
import type { WaitNotice } from "../client/call/observer.js";
import type { ClientOptions } from "../client/client-options.js";
import { createClient, type Client } from "../client/client.js";
import { createDescriber, type Describer } from "../client/describe-request.js";
import { createLazyTransport } from "../client/http/lazy-transport.js";
import { proxiesFor } from "../client/http/proxy.js";
import type { Transport } from "../client/http/transport.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { openLimiter } from "../state/limiter.js";
import { historyAgeMs } from "../state/settings/store-settings.js";

import type { StoreChoice, StoreFlag } from "./choose-store.js";
import { refuseOtherStore } from "./confirmation.js";
import { openCommandGate, type CommandGate, type GateOptions } from "./gate.js";
import type { Machine } from "./machine.js";
import type { State } from "./state.js";
import { withCredential, targetOf, type PinnedCredential, type Target } from "./target.js";
import { waitNotices } from "./wait-notices.js";

export interface Connection extends Target, Pick<CommandGate, "journal" | "confirmCancel"> {
  readonly client: Client;
  /** `--dry-run` shows its requests. */
  readonly describer: Describer;
  close(): Promise<void>;
}

export interface ConnectionOptions extends StoreFlag, GateOptions {
  /** The only credential that calls may be signed with. */
  readonly auth?: PinnedCredential | undefined;
  /** Replaces the choice by flags. */
  readonly choice?: StoreChoice;
  /** Several connections may share it; the caller closes it. */
  readonly transport?: Transport;
  /** Gets the notices that would go to stderr. */
  readonly onWait?: (notice: WaitNotice) => void;
  /** Nobody waits for this work, so it lets all others go first where a rate limit makes them wait. */
  readonly background?: boolean;
  /** Is a call made at once and once, or not at all? It neither waits nor is it repeated. */
  readonly singleAttempt?: boolean;
  /** Does the caller warn of filter values that the API doesn't list? It may see more answers than one client does. */
  readonly callerWarnsOfValues?: boolean;
}

/** @throws {ComandaError} as `chooseStore`, and `not_signed_in` where the store lacks the credential of `auth` */
export async function openConnection(machine: Machine, options: ConnectionOptions): Promise<Connection> {
  const state = await machine.state();
  const transport = options.transport ?? openTransport(machine);
  const storeTarget = targetOf(
    machine,
    state,
    options.choice ?? (await machine.chooseStore(options)),
    transport,
  );
  const target = options.auth === undefined ? storeTarget : withCredential(storeTarget, options.auth);
  refuseOtherStore(target, options.confirm);
  const { observer, journal, confirmCancel } = openCommandGate(machine, { state, target }, options);
  // A wrong proxy is told before the command does anything, and not at the first of many requests.
  proxiesFor(machine.context.env, target.baseUrl);
  const clientOptions = { ...clientOptionsOf(machine, state, target, options), transport, observer };
  return {
    ...target,
    client: createClient(clientOptions),
    describer: createDescriber(clientOptions, target.credentialKinds),
    ...{ journal, confirmCancel },
    close: async () => {
      await journal?.close();
      if (journal?.hasWritten()) await clearOldHistory(machine, state);
      if (!options.transport) await transport.close();
    },
  };
}

function clientOptionsOf(
  machine: Machine,
  state: State,
  target: Target,
  {
    onWait = waitNotices(machine),
    background,
    singleAttempt = false,
    callerWarnsOfValues = false,
  }: ConnectionOptions,
): Omit<ClientOptions, "transport" | "observer"> {
  const { context, settings, output } = machine;
  const { baseUrl, allowInsecure, baseUrlFrom, credentials, place } = target;
  return {
    ...{ baseUrl, allowInsecure, credentials, onWait },
    rateLimiter: openLimiter(target, { env: context.env, folder: state.folder, background }),
    clock: context.clock,
    random: () => context.system.random.fraction(),
    maxWaitMs: singleAttempt ? 0 : settings.maxWaitMs,
    ...(singleAttempt && { maxRetries: 0 }),
    ...(settings.timeoutMs !== undefined && { timeoutMs: settings.timeoutMs }),
    userAgent: `comanda/${context.version}`,
    optionNames: { baseUrl: baseUrlFrom, timeoutMs: "--timeout", maxWaitMs: "--max-wait" },
    ...(!callerWarnsOfValues && {
      onWarning: (message: string) => {
        output.warnOnce(message);
      },
    }),
    doneBefore: journalKnowledge(machine, state, target),
    onFallback: () => {
      output.notice(
        [t`The sign-in ${place} works no more, so its API key is used.`, credentials.hint?.("bearer")]
          .filter(Boolean)
          .join(" "),
      );
    },
  };
}

/** Tells `ok_if_already` whether the journal has the change. A journal that can't be read costs a warning, not the call. */
function journalKnowledge(
  { output }: Machine,
  { folder, settings }: State,
  { store, environment }: Target,
): NonNullable<ClientOptions["doneBefore"]> {
  return async (change) => {
    try {
      const { isLastChange } = await import("../state/journal/done-before.js");
      return await isLastChange(folder, await settings.read(), { store: store ?? null, environment }, change);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      output.warnOnce(error.message);
      return false;
    }
  };
}

/** The writes of the command are done by now, so a failure here is only a warning. */
async function clearOldHistory({ context, output }: Machine, { folder, settings }: State): Promise<void> {
  try {
    const { history_age: age } = await settings.read();
    const ms = age === undefined ? undefined : historyAgeMs(age);
    if (ms === undefined) return;
    const { clearHistory } = await import("../state/journal/clear-history.js");
    await clearHistory(folder, context.clock.now() - ms, { keepsUnfinished: true });
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    output.warn(error.message);
  }
}

/**
 * Opens the network as this machine's environment describes it. The caller closes it.
 *
 * @param baseUrl the calls' address, if that is known
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function openTransport(machine: Machine, baseUrl?: string): Transport {
  const { context, output } = machine;
  const { env, openTransport: open = createLazyTransport } = context;
  if (baseUrl !== undefined) proxiesFor(env, baseUrl);
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    output.warnOnce(
      t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so no certificate is checked: whoever stands in between can read the store's credentials. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.`,
    );
  }
  return open({ env });
}
