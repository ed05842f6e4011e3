/** From the options and what is stored to a client that can call: the only way that a command gets one. */
import { sessionAccess } from "../auth/session-access.js";
import {
  createClient,
  type Client,
  type CredentialKind,
  type Transport,
  type WaitNotice,
} from "../client/index.js";
import { ComandaError } from "../shared/errors.js";
import { openLedgerLimiter } from "../state/quota/ledger-limiter.js";
import type { Session } from "../state/sessions/session.js";
import { storeFileName } from "../state/sessions/store-alias.js";

import { chooseSession, oneStoreFlag, type LoginCommand } from "./choose-store.js";
import { signInWorks } from "./session-state.js";
import { statelessTarget } from "./stateless.js";
import type { Invocation } from "./leaf.js";
import { checkProxy, openTransport } from "./network.js";
import { openState, type State } from "./state.js";
import type { Target } from "./target.js";

export { countsRequests } from "../state/quota/ledger-limiter.js";

export interface Connection {
  readonly client: Client;
  /** How the store is called in sentences. */
  readonly label: string;
  /** As {@link Target.place}. */
  readonly place: string;
  /** The kinds of credentials that the store has, without a sign-in that is known to work no more. */
  readonly available: readonly CredentialKind[];
  close(): Promise<void>;
}

/**
 * @param auth the only credential that calls may be signed with
 * @throws {ComandaError} as {@link chooseSession}, `configuration` for environment variables that don't fit, and
 *   `not_signed_in` where the store has no such credential
 */
export async function openConnection(
  invocation: Invocation,
  login?: LoginCommand,
  auth?: PinnedCredential,
): Promise<Connection> {
  const state = openState(invocation);
  const transport = openTransport(invocation);
  const chosen = await chooseTarget(invocation, state, transport, login);
  const target = auth === undefined ? chosen : pinnedTo(chosen, auth);
  const { label, place, available } = target;
  return {
    client: clientOf(invocation, { state, transport, target }),
    label,
    place,
    available,
    close: async () => {
      await transport.close();
    },
  };
}

/** What a status change may be signed with. */
export type PinnedCredential = "bearer" | "api_key";

function pinnedTo(target: Target, auth: PinnedCredential): Target {
  const { credentials, place } = target;
  if (!credentials[auth === "bearer" ? "bearer" : "apiKey"]) {
    const hint = credentials.hint?.(auth);
    throw new ComandaError("not_signed_in", `There is no ${credentialNames[auth]} ${place}.`, {
      ...(hint !== undefined && { hint }),
    });
  }
  const none = () => Promise.resolve(undefined);
  const others = auth === "bearer" ? { apiKey: none } : { bearer: none };
  return { ...target, available: [auth], credentials: { ...credentials, ...others } };
}

const credentialNames = { bearer: "access token", api_key: "API key" } as const;

export interface ClientParts {
  readonly state: State;
  /** The caller's to close. */
  readonly transport: Transport;
  readonly target: Target;
  /** In place of the usual notices on stderr. */
  readonly onWait?: (notice: WaitNotice) => void;
}

export function clientOf(
  invocation: Invocation,
  { state, transport, target, onWait = waitNotices(invocation) }: ClientParts,
): Client {
  const { context, globals, output } = invocation;
  checkProxy(invocation, target.baseUrl);
  return createClient({
    baseUrl: target.baseUrl,
    credentials: target.credentials,
    transport,
    rateLimiter: openLedgerLimiter(target, { env: context.env, folder: state.folder }),
    clock: context.clock,
    maxWaitMs: globals.maxWaitMs,
    ...(globals.timeoutMs !== undefined && { timeoutMs: globals.timeoutMs }),
    userAgent: `comanda/${context.version}`,
    optionNames: { baseUrl: target.baseUrlFrom, timeoutMs: "--timeout", maxWaitMs: "--max-wait" },
    onWait,
    onFallback: () => {
      output.notice(
        [
          `The sign-in ${target.place} works no more, so its API key is used.`,
          target.credentials.hint?.("bearer"),
        ]
          .filter(Boolean)
          .join(" "),
      );
    },
    ...(globals.debug && {
      onAttempt: ({ method, url, attempt, ms, httpStatus, failure }) => {
        output.notice(
          `debug: ${method} ${url} (attempt ${attempt}): ${httpStatus ?? failure ?? "?"} in ${Math.round(ms)} ms`,
        );
      },
    }),
  });
}

/** Of many calls that wait together, one says so. */
export function waitNotices({ context: { clock }, output }: Invocation): (notice: WaitNotice) => void {
  let quietUntil = 0;
  return ({ reason, ms }) => {
    if (clock.now() < quietUntil) return;
    quietUntil = clock.now() + ms;
    const seconds = Math.max(1, Math.ceil(ms / 1000));
    output.notice(
      reason === "no_answer"
        ? `The service can't be reached or is failing. Trying again in ${seconds} s.`
        : `${limitReasons[reason]} Waiting ${seconds} s; --max-wait sets the longest wait.`,
    );
  };
}

const limitReasons = {
  rate_limit: "The service's rate limit is reached.",
  rate_limited: "The service asks to slow down.",
} as const;

export async function chooseTarget(
  invocation: Invocation,
  state: State,
  transport: Transport,
  login?: LoginCommand,
): Promise<Target> {
  // The flag goes before the variables, and these before COMANDA_STORE: they name the credential itself.
  const stateless =
    oneStoreFlag(invocation) === undefined ? statelessTarget(invocation.context, login) : undefined;
  return (
    stateless ?? sessionTarget(invocation, state, await chooseSession(invocation, state, login), transport)
  );
}

export function sessionTarget(
  { context, globals, output }: Invocation,
  { sessions }: State,
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
    ...(globals.timeoutMs !== undefined && { requestTimeoutMs: globals.timeoutMs }),
    ...(globals.debug && {
      debug: (message: string) => {
        output.notice(`debug: ${message}`);
      },
    }),
  });
  const works = signInWorks(session, context.clock.now());
  return {
    label: store,
    place: `of the store ${store}`,
    baseUrlFrom: "comanda env list",
    ...(signedInAt !== undefined && {
      figures: { folder: storeFileName(store), signIn: new Date(signedInAt).toISOString() },
    }),
    ...access,
    available: access.available.filter((kind) => kind !== "bearer" || works),
  };
}
