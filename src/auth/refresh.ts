/** One refresh of one session, under the lock of its store: RFC 6749, section 6, with rotation (RFC 9700, 4.14). */
import { TransportError, type Transport } from "../client/http/transport.js";
import type { Clock } from "../client/clock.js";
import { t } from "../languages/language.js";
import { ComandaError } from "../client/errors.js";
import { webRandom } from "../client/runtime.js";
import type { Lease } from "../state/leases.js";
import type { Session, SessionStore, SessionWrite, Tokens } from "../state/sessions/session.js";
import { storedTokens } from "./code-exchange.js";
import { refusalError, transportFault, unexplained, type Refusal } from "./refusals.js";
import { nothingToRefresh, notRenewed, refreshRefused, renewedNotStored } from "./session-errors.js";
import { refreshTokens, type TokenAnswer } from "./token-endpoint.js";

export interface RefreshTools {
  readonly sessions: Pick<SessionStore, "read" | "reserve" | "update">;
  readonly transport: Transport;
  readonly clock: Clock;
  /** The mark that a refresh is out names this process. */
  readonly pid: number;
  /** Gives a number between 0 and 1 for the pauses between attempts; by default a random one. */
  readonly jitter?: () => number;
  /** Milliseconds for one refresh request; 60,000 by default. */
  readonly requestTimeoutMs?: number;
  /** For `--debug`; holds no secret. */
  readonly debug?: (message: string) => void;
}

export interface RefreshAnswer {
  readonly answer: TokenAnswer;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
}

export interface RefreshOptions extends RefreshTools {
  /** The session as it was read under the lock. */
  readonly session: SignedInSession;
  /** Writes the session while its lock is held. */
  readonly write: SessionWrite;
  readonly lease: Omit<Lease, "keep">;
  /** Answers by refresh token: work that starts again after it lost its lock takes its earlier answer from here. */
  readonly answers: Map<string, RefreshAnswer>;
}

export type SignedInSession = Session & { readonly tokens: Tokens };

/**
 * Sends the refresh token to the session's own environment, never to another. The session is marked while the request
 * is out, and kept whatever its outcome. The answer's changes are written into room that was reserved before: the
 * service has spent the old refresh token by then, so a full disk must show before the request.
 *
 * @returns the tokens that are stored now
 * @throws {ComandaError} `token_refused` (sign in again); `state_unusable`, and nothing was sent, or the message says
 *   that it was; `unreachable`, `server_error`, `unexpected_answer` and `rate_limited` leave the tokens as they were
 */
export async function refreshSession(options: RefreshOptions): Promise<Tokens> {
  const { session, write, sessions, answers } = options;
  const refreshToken = session.tokens.refresh_token;
  if (refreshToken === undefined) throw nothingToRefresh(session);
  const answer = answers.get(refreshToken);
  // The token was refused for good until the next sign-in: another request would only be refused, too.
  if (answer === undefined && session.refused_at !== undefined) {
    throw refreshRefused(session);
  }
  const room = await sessions.reserve(session.store).catch((error: unknown) => {
    throw answer?.answer.kind === "issued" ? renewedNotStored(session, error) : notRenewed(session, error);
  });
  try {
    const reserved = { ...options, keep: (next: Session) => write(next, room) };
    return await settle(reserved, answer ?? (await askOnce(reserved, refreshToken)));
  } finally {
    room.release();
  }
}

interface ReservedRefresh extends RefreshOptions {
  /** Writes the session into the reserved room, which holds it once. */
  readonly keep: (next: Session) => Promise<void>;
}

async function settle(
  { session, sessions, clock, debug, keep }: ReservedRefresh,
  { answer, requestedAt }: RefreshAnswer,
): Promise<Tokens> {
  const { tokens, environment, store } = session;
  if (answer.kind === "issued") {
    const tokensNow = storedTokens({ issued: answer, requestedAt }, tokens);
    const next: Session = { ...session, tokens: tokensNow };
    delete next.refresh_in_flight;
    delete next.refused_at;
    await keep(next).catch((error: unknown) => {
      throw renewedNotStored(session, error);
    });
    debug?.(t`The access token of the store ${store} was refreshed.`);
    return tokensNow;
  }
  if (!refusesToken(answer)) {
    // The request was refused before it was processed: the token is as good as before.
    await keep(session);
    throw refusalError(answer, t`the refresh of the access token`, environment);
  }
  // The lock should make this impossible; a restored backup or a lock broken by hand does not.
  const stored = await sessions.read(store);
  if (stored?.tokens !== undefined && stored.tokens.generation > tokens.generation) return stored.tokens;
  // An unexplained refusal may come from a proxy instead of the service: the next run tries again.
  await keep(answer.error === unexplained ? session : { ...session, refused_at: clock.now() });
  throw refreshRefused(session, answer);
}

/** After these errors another sign-in would be refused as well. */
const errorsOfAppOrService = [
  "invalid_client",
  "unauthorized_client",
  "temporarily_unavailable",
  "server_error",
];

/**
 * Does only a new sign-in help? RFC 6749, 5.2, has `invalid_grant` for that, but the specification names no identifier
 * for it. So every other refusal counts as that, `unsupported_grant_type` too: only a sign-in gets a new token then.
 */
function refusesToken({ error, httpStatus }: Refusal): boolean {
  if (error === "invalid_grant") return true;
  return (httpStatus === 400 || httpStatus === 401) && !errorsOfAppOrService.includes(error);
}

async function askOnce(options: ReservedRefresh, refreshToken: string): Promise<RefreshAnswer> {
  const { session, write, keep, clock, pid, answers } = options;
  const requestedAt = clock.now();
  await write({ ...session, refresh_in_flight: { started_at: requestedAt, pid } }).catch((error: unknown) => {
    throw notRenewed(session, error);
  });
  try {
    const response = { answer: await ask(options, refreshToken), requestedAt };
    answers.set(refreshToken, response);
    return response;
  } catch (error) {
    // The mark is removed only where the token is certainly unspent; an older mark keeps its meaning.
    if (!maySpend(error)) await keep(session);
    throw transportFault(error, t`the refresh of the access token`);
  }
}

/** May the service have taken the refresh token, in spite of this error? */
function maySpend(error: unknown): boolean {
  if (error instanceof TransportError) return error.sent;
  return !(
    error instanceof ComandaError && ["rate_limited", "configuration", "lock_timeout"].includes(error.code)
  );
}

const attempts = 3;

/**
 * The service may have spent the old token as soon as the request is out, and its answer has the only one that works then.
 * So it is awaited for as long as gateways await one: nginx and those of AWS give up after a minute.
 */
const answerTimeoutMs = 60_000;

/** Repeats the request only where it certainly was not sent. */
async function ask(options: RefreshOptions, refreshToken: string): Promise<TokenAnswer> {
  const { session, transport, lease, clock, jitter = webRandom.fraction } = options;
  const { requestTimeoutMs = answerTimeoutMs } = options;
  const call = { environment: session.environment, transport: fenced(transport, lease) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      // When the lease ends, another machine may send the refresh token.
      const timeoutMs = Math.min(requestTimeoutMs, lease.leftMs());
      return await refreshTokens({ ...call, timeoutMs }, refreshToken);
    } catch (error) {
      const unsent = error instanceof TransportError && !error.sent && error.failure !== "tls";
      if (!unsent || attempt === attempts) throw error;
      // Full jitter (RELIABILITY, "Sending"): up to 250 ms, then up to 500 ms.
      await clock.sleep(jitter() * 125 * 2 ** attempt);
    }
  }
}

/** A second use of a refresh token counts as theft, so a process that lost the lock while it was stopped sends nothing. */
function fenced(transport: Transport, lease: Pick<Lease, "assertHeld">): Transport {
  return {
    async send(request) {
      lease.assertHeld();
      return await transport.send(request);
    },
    close: () => transport.close(),
  };
}
