/** One refresh of one session, under the lock of its store: RFC 6749, section 6, with rotation (RFC 9700, 4.14). */
import { TransportError, type Transport } from "../client/http/transport.js";
import type { Clock } from "../shared/clock.js";
import { t } from "../shared/language.js";
import { ComandaError } from "../shared/errors.js";
import { webRandom } from "../shared/runtime.js";
import type { Lease } from "../state/locks/locks.js";
import type { Session, SessionStore, SessionWrite, Tokens } from "../state/sessions/session.js";
import { storedTokens } from "./keep-session.js";
import { defaultTimeoutMs } from "./protocol.js";
import { refusalError, transportFault, unexplained, type Refusal } from "./refusals.js";
import { nothingToRefresh, notRenewed, refreshRefused, renewedNotStored } from "./session-errors.js";
import { refreshTokens, type TokenAnswer } from "./token-endpoint.js";

export interface RefreshTools {
  readonly sessions: Pick<SessionStore, "read" | "reserve" | "update">;
  readonly transport: Transport;
  readonly clock: Clock;
  /** This process, for the mark that a refresh is out. */
  readonly pid: number;
  /** Between 0 and 1, for the pauses between attempts; real chance by default. */
  readonly jitter?: () => number;
  /** Milliseconds for one refresh request; 20,000 by default. */
  readonly requestTimeoutMs?: number;
  /** For `--debug`; holds no secret. */
  readonly debug?: (message: string) => void;
}

/** What the service said to a refresh token. */
export interface Answered {
  readonly answer: TokenAnswer;
  /** When it was asked (milliseconds since the epoch). */
  readonly requestedAt: number;
}

export interface RefreshOptions extends RefreshTools {
  /** The session as it was read under the lock. */
  readonly session: SignedInSession;
  /** Writes under the lock that is held. */
  readonly write: SessionWrite;
  readonly lease: Lease;
  /** Answers by refresh token. Work that begins anew, since its lock was lost, finds here what it was told already. */
  readonly answers: Map<string, Answered>;
}

export type SignedInSession = Session & { readonly tokens: Tokens };

/**
 * Asks the session's own environment, never another. The session is marked while the request is out, and kept
 * whatever comes of it. What the answer changes is written into room that was taken before: the service has spent the
 * old refresh token by then, so a disk that is full must show before it is asked.
 *
 * @returns the tokens that lie on disk then
 * @throws {ComandaError} `token_refused` (sign in again); `state_unusable`, and nothing was asked, or the message says
 *   that it was; `unreachable`, `server_error`, `unexpected_answer` and `rate_limited` leave the tokens as they were
 */
export async function refreshSession(options: RefreshOptions): Promise<Tokens> {
  const { session, write, sessions, answers } = options;
  const refreshToken = session.tokens.refresh_token;
  if (refreshToken === undefined) throw nothingToRefresh(session);
  const answer = answers.get(refreshToken);
  // It was refused for good, and only a sign-in clears that: asking again would only be refused again.
  if (answer === undefined && session.refused_at !== undefined) {
    throw refreshRefused(session, wasInterrupted(session));
  }
  const room = await sessions.reserve(session.store).catch((error: unknown) => {
    throw answer?.answer.kind === "issued" ? renewedNotStored(session, error) : notRenewed(session, error);
  });
  try {
    const keeping = { ...options, keep: (next: Session) => write(next, room) };
    return await settle(keeping, answer ?? (await askOnce(keeping, refreshToken)));
  } finally {
    room.release();
  }
}

interface Keeping extends RefreshOptions {
  /** Writes into the room that was taken; once. */
  readonly keep: (next: Session) => Promise<void>;
}

/** An earlier run was ended in the middle of a refresh, and its mark is still there. */
function wasInterrupted({ refresh_in_flight: mark }: Session): boolean {
  return mark !== undefined;
}

async function settle(
  { session, sessions, clock, debug, keep }: Keeping,
  { answer, requestedAt }: Answered,
): Promise<Tokens> {
  const { tokens, environment, store } = session;
  if (answer.kind === "issued") {
    const renewed = storedTokens({ issued: answer, requestedAt }, tokens);
    const next: Session = { ...session, tokens: renewed };
    delete next.refresh_in_flight;
    delete next.refused_at;
    await keep(next).catch((error: unknown) => {
      throw renewedNotStored(session, error);
    });
    debug?.(t`The access token of the store ${store} was refreshed.`);
    return renewed;
  }
  if (!refusesToken(answer)) {
    // Refused before it was processed: the token is as good as before.
    await keep(session);
    throw refusalError(answer, t`the refresh of the access token`, environment);
  }
  // The lock should make this impossible; a restored backup or a lock broken by hand does not.
  const stored = await sessions.read(store);
  if (stored?.tokens !== undefined && stored.tokens.generation > tokens.generation) return stored.tokens;
  // Without a word of the service's it may be something in between that refused: the next run asks again.
  await keep(answer.error === unexplained ? session : { ...session, refused_at: clock.now() });
  throw refreshRefused(session, wasInterrupted(session), answer);
}

/** They speak of the app or of the service: another sign-in would be refused as well. */
const notOfTheToken = ["invalid_client", "unauthorized_client", "temporarily_unavailable", "server_error"];

/**
 * Is a new sign-in what helps? RFC 6749, 5.2, has `invalid_grant` for that, but the specification names no identifier
 * for it. So every other refusal counts as that, `unsupported_grant_type` too: only a sign-in gets a new token then.
 */
function refusesToken({ error, httpStatus }: Refusal): boolean {
  if (error === "invalid_grant") return true;
  return (httpStatus === 400 || httpStatus === 401) && !notOfTheToken.includes(error);
}

/** The session is marked while the request is out. */
async function askOnce(options: Keeping, refreshToken: string): Promise<Answered> {
  const { session, write, keep, clock, pid, answers } = options;
  const requestedAt = clock.now();
  await write({ ...session, refresh_in_flight: { started_at: requestedAt, pid } }).catch((error: unknown) => {
    throw notRenewed(session, error);
  });
  try {
    const answered = { answer: await ask(options, refreshToken), requestedAt };
    answers.set(refreshToken, answered);
    return answered;
  } catch (error) {
    // The mark goes only where the token is surely unspent; an older mark keeps its meaning.
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

/** Repeats the request only while it certainly was not sent. */
async function ask(options: RefreshOptions, refreshToken: string): Promise<TokenAnswer> {
  const { session, transport, lease, clock, jitter = webRandom.fraction } = options;
  const { requestTimeoutMs = defaultTimeoutMs } = options;
  const call = { environment: session.environment, transport: fenced(transport, lease) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      // By the end of the lease another machine may ask.
      const timeoutMs = Math.min(requestTimeoutMs, lease.leftMs?.() ?? Infinity);
      return await refreshTokens({ ...call, timeoutMs }, refreshToken);
    } catch (error) {
      const unsent = error instanceof TransportError && !error.sent && error.failure !== "tls";
      if (!unsent || attempt === attempts) throw error;
      // Full jitter (RELIABILITY, "Sending"): up to 250 ms, then up to 500 ms.
      await clock.sleep(jitter() * 125 * 2 ** attempt);
    }
  }
}

/** A second use of a refresh token counts as theft: who lost the lock while it was stopped asks for nothing. */
function fenced(transport: Transport, lease: Lease): Transport {
  return {
    async send(request) {
      lease.assertHeld();
      return await transport.send(request);
    },
    close: () => transport.close(),
  };
}
