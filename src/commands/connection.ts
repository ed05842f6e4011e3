/** From the choice of a store to a client that can call: the only way that a command gets one. */
import { proxiesFor } from "../client/http/proxy.js";
import {
  createClient,
  createTransport,
  type CallObserver,
  type Client,
  type Transport,
  type WaitNotice,
} from "../client/index.js";
import { openJournal, type Journal } from "../state/journal/journal.js";
import { firstWriteObserver, journalObserver } from "../state/journal/journal-observer.js";
import { doubtFigures } from "../state/ledger/doubt.js";
import { openLedgerLimiter } from "../state/quota/ledger-limiter.js";

import { chooseStore, type StoreFlag } from "./choose-store.js";
import { variable, type Invocation } from "./context.js";
import type { State } from "./state.js";
import { pinnedTo, targetOf, type PinnedCredential, type Target } from "./target.js";
import { waitNotices } from "./wait-notices.js";
import { t } from "../shared/language.js";

export interface Connection extends Pick<Target, "label" | "place" | "available" | "store" | "environment"> {
  readonly client: Client;
  /** Orders are about to be changed: what is kept of the store's sales figures becomes doubtful, then and in the end. */
  doubtFigures(): void;
  /** What every write of the client is written down in; absent with `--no-journal`. */
  readonly journal?: Journal;
  close(): Promise<void>;
}

export interface ConnectionOptions extends StoreFlag {
  /** The only credential that calls may be signed with. */
  readonly auth?: PinnedCredential | undefined;
  /** Writes are sent without a line in the journal. */
  readonly noJournal?: boolean;
  /** What is sent can change nothing: it has no line in the journal, and none is missed. */
  readonly probes?: boolean;
}

/**
 * @throws {ComandaError} as `chooseStore`, and `not_signed_in` where the store hasn't the credential that is asked for
 */
export async function openConnection(
  invocation: Invocation,
  state: State,
  { auth, noJournal = false, probes = false, ...flag }: ConnectionOptions,
): Promise<Connection> {
  const transport = openTransport(invocation);
  const choice = await chooseStore(invocation.context, state, flag);
  const chosen = targetOf(invocation, state, choice, transport);
  const target = auth === undefined ? chosen : pinnedTo(chosen, auth);
  const { label, place, available, store, environment, figures } = target;
  let doubtful = false;
  const doubt = () => {
    if (figures) doubtFigures(state.data, figures.folder);
  };
  const journal = noJournal || probes ? undefined : journalOf(invocation, state, target);
  const observer = journal
    ? journalObserver(journal)
    : noJournal
      ? firstWriteObserver(() => tellNoJournal(invocation))
      : undefined;
  return {
    client: clientOf(invocation, { state, transport, target, observer }),
    label,
    place,
    available,
    ...(store !== undefined && { store }),
    environment,
    ...(journal && { journal }),
    doubtFigures() {
      doubt();
      doubtful = true;
    },
    close: async () => {
      if (doubtful) doubt();
      await journal?.close();
      await transport.close();
    },
  };
}

function tellNoJournal({ output }: Invocation): void {
  output.notice(
    t`This is not in the journal (--no-journal): should its answer be lost, nothing here tells that it was sent.`,
  );
}

function journalOf(
  { context }: Invocation,
  { folder }: State,
  { store, environment, keyDigest }: Target,
): Journal {
  return openJournal({
    state: folder,
    place: { store: store ?? null, environment, ...(keyDigest !== undefined && { key: keyDigest }) },
    actor: actorOf(context),
    folderMayLack: store === undefined,
  });
}

/** A name of blanks alone is none. */
function actorOf(context: Invocation["context"]): string | undefined {
  const name = variable(context, "COMANDA_ACTOR");
  return name?.trim() === "" ? undefined : name;
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
  readonly observer?: CallObserver | undefined;
  /** In place of the usual notices on stderr. */
  readonly onWait?: (notice: WaitNotice) => void;
  /** Work that nobody waits for: everybody else goes first where a rate limit makes them wait. */
  readonly background?: boolean;
  /** Is a call made at once and once, or not at all? Nothing is waited for, and nothing repeated. */
  readonly once?: boolean;
}

export function clientOf(
  invocation: Invocation,
  {
    state,
    transport,
    target,
    observer,
    onWait = waitNotices(invocation),
    background,
    once = false,
  }: ClientParts,
): Client {
  const { context, settings, output } = invocation;
  checkProxy(invocation, target.baseUrl);
  return createClient({
    baseUrl: target.baseUrl,
    credentials: target.credentials,
    transport,
    rateLimiter: openLedgerLimiter(target, { env: context.env, folder: state.folder, background }),
    clock: context.clock,
    random: () => context.system.random.fraction(),
    maxWaitMs: once ? 0 : settings.maxWaitMs,
    ...(once && { maxRetries: 0 }),
    ...(settings.timeoutMs !== undefined && { timeoutMs: settings.timeoutMs }),
    userAgent: `comanda/${context.version}`,
    optionNames: { baseUrl: target.baseUrlFrom, timeoutMs: "--timeout", maxWaitMs: "--max-wait" },
    onWait,
    ...(observer && { observer }),
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
    ...(settings.debug && {
      onAttempt: ({ method, url, attempt, ms, httpStatus, failure }) => {
        output.notice(
          t`debug: ${method} ${url} (attempt ${attempt}): ${httpStatus ?? failure ?? "?"} in ${Math.round(ms)} ms`,
        );
      },
    }),
  });
}
