/** From the options and what is stored to a client that can call: the only way that a command gets one. */
import { createAccessTokenSource } from "../auth/access-token.js";
import {
  createClient,
  createTransport,
  type Client,
  type RateLimiter,
  type Transport,
  type WaitNotice,
} from "../client/index.js";
import type { Credential } from "../contract/credentials.js";
import type { Session } from "../state/session.js";
import { openQuotaLedger } from "../state/quota.js";

import { chooseSession, oneStoreFlag } from "./choose-store.js";
import { statelessTarget } from "./stateless.js";
import type { Invocation } from "./leaf.js";
import { createLedgerLimiter } from "./ledger-limiter.js";
import { openState, type State } from "./state.js";
import type { Target } from "./target.js";

export interface Connection {
  readonly client: Client;
  /** How the store is called in sentences. */
  readonly label: string;
  /** The kinds of credentials that the store has. */
  readonly available: readonly Credential[];
  close(): Promise<void>;
}

/** @throws {ComandaError} as {@link chooseSession}, and `configuration` for environment variables that don't fit */
export async function openConnection(invocation: Invocation): Promise<Connection> {
  const { context, globals, output } = invocation;
  const state = openState(invocation);
  const transport = createTransport({ env: context.env });
  const target = await chooseTarget(invocation, state, transport);
  const limited = context.env["COMANDA_RATE_LIMITS"] !== "off";
  const client = createClient({
    baseUrl: target.baseUrl,
    credentials: target.credentials,
    transport,
    rateLimiter: limited && ledgerLimiter(invocation, state, target),
    clock: context.clock,
    maxWaitMs: globals.maxWaitMs,
    ...(globals.timeoutMs !== undefined && { timeoutMs: globals.timeoutMs }),
    userAgent: `comanda/${context.version}`,
    onWait: waitNotices(invocation),
    ...(globals.debug && {
      onAttempt: ({ method, url, attempt, ms, httpStatus, failure }) => {
        output.notice(
          `debug: ${method} ${url} (attempt ${attempt}): ${httpStatus ?? failure ?? "?"} in ${Math.round(ms)} ms`,
        );
      },
    }),
  });
  return {
    client,
    label: target.label,
    available: target.available,
    close: async () => {
      await transport.close();
    },
  };
}

/** Of many calls that wait together, one says so. */
function waitNotices({ context: { clock }, output }: Invocation): (notice: WaitNotice) => void {
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

async function chooseTarget(invocation: Invocation, state: State, transport: Transport): Promise<Target> {
  // The flag goes before the variables, and these before COMANDA_STORE: they name the credential itself.
  const stateless = oneStoreFlag(invocation) === undefined ? statelessTarget(invocation.context) : undefined;
  return stateless ?? sessionTarget(invocation, state, await chooseSession(invocation, state), transport);
}

export function sessionTarget(
  { context, globals }: Invocation,
  { sessions }: State,
  session: Session,
  transport: Transport,
): Target {
  const { store, environment, tokens, api_key: apiKey } = session;
  const source =
    tokens &&
    createAccessTokenSource({
      ...{ session, sessions, transport, clock: context.clock, pid: context.host.pid },
      ...(globals.timeoutMs !== undefined && { requestTimeoutMs: globals.timeoutMs }),
    });
  return {
    label: store,
    baseUrl: environment.base_url,
    quotaKey: `store ${store}`,
    available: [
      ...(source ? (["bearer"] as const) : []),
      ...(apiKey === undefined ? [] : (["api_key"] as const)),
    ],
    credentials: {
      ...(source && { bearer: () => source.fresh(), renew: (refused) => source.renew(refused) }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
    },
  };
}

function ledgerLimiter({ context: { clock } }: Invocation, { folder }: State, target: Target): RateLimiter {
  const ledger = openQuotaLedger(folder);
  return createLedgerLimiter({ ledger, clock, baseUrl: target.baseUrl, store: target.quotaKey });
}
