/** One refresh of one session, under the lock of its store: RFC 6749, section 6, with rotation (RFC 9700, 4.14). */
import { TransportError, type Transport } from "../client/transport.js";
import type { Clock } from "../clock/index.js";
import { ComandaError } from "../errors/index.js";
import type { Session, SessionStore, Tokens } from "../state/session.js";
import { storedTokens } from "./keep-session.js";
import { refusalError, transportFault, unexplained, type Refusal } from "./refusals.js";
import { nothingToRefresh, refreshRefused } from "./session-errors.js";
import { refreshTokens, type TokenAnswer } from "./token-endpoint.js";

export interface RefreshTools {
  readonly sessions: SessionStore;
  readonly transport: Transport;
  readonly clock: Clock;
  /** This process, for the mark that a refresh is out. */
  readonly pid: number;
  /** Between 0 and 1, for the pauses between attempts; `Math.random` by default. */
  readonly jitter?: () => number;
  /** Milliseconds for one refresh request; 20,000 by default. */
  readonly requestTimeoutMs?: number;
  /** For `--debug`; holds no secret. */
  readonly debug?: (message: string) => void;
}

export interface RefreshOptions extends RefreshTools {
  /** As it was read under the lock. */
  readonly session: Session & { readonly tokens: Tokens };
  /** Writes under the lock that is held. */
  readonly write: (next: Session) => Promise<void>;
}

/**
 * Asks the session's own environment, never another. The session is marked while the request is out, and kept
 * whatever comes of it.
 *
 * @returns the session to write
 * @throws {ComandaError} `token_refused` (sign in again); `unreachable`, `server_error`, `unexpected_answer` and
 *   `rate_limited` leave the tokens as they were
 */
export async function refreshSession(options: RefreshOptions): Promise<Session> {
  const { session, write, clock, pid, sessions, debug } = options;
  const interrupted = session.refresh_in_flight !== undefined;
  const { tokens, environment, store } = session;
  const refreshToken = tokens.refresh_token;
  if (refreshToken === undefined) throw nothingToRefresh(session);
  // It was refused for good, and only a sign-in clears that: asking again would only be refused again.
  if (session.refused_at !== undefined) throw refreshRefused(session, interrupted);

  const requestedAt = clock.now();
  await write({ ...session, refresh_in_flight: { started_at: requestedAt, pid } });
  let answer: TokenAnswer;
  try {
    answer = await ask(options, refreshToken);
  } catch (error) {
    // The mark goes only where the token is surely unspent; an older mark keeps its meaning.
    if (!maySpend(error)) await write(session);
    throw transportFault(error, "the refresh of the access token");
  }
  if (answer.kind === "issued") {
    debug?.(`The access token of the store ${store} was refreshed.`);
    const next: Session = { ...session, tokens: storedTokens({ issued: answer, requestedAt }, tokens) };
    delete next.refresh_in_flight;
    return next;
  }
  if (!refusesToken(answer)) {
    // Refused before it was processed: the token is as good as before.
    await write(session);
    throw refusalError(answer, "the refresh of the access token", environment);
  }
  // The lock should make this impossible; a restored backup or a lock broken by hand does not.
  const stored = await sessions.read(store);
  if (stored?.tokens !== undefined && stored.tokens.generation > tokens.generation) return stored;
  // Without a word of the service's it may be something in between that refused: the next run asks again.
  await write(answer.error === unexplained ? session : { ...session, refused_at: clock.now() });
  throw refreshRefused(session, interrupted, answer);
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

/** May the service have taken the refresh token, in spite of this error? */
function maySpend(error: unknown): boolean {
  if (error instanceof TransportError) return error.sent;
  return !(error instanceof ComandaError && ["rate_limited", "configuration"].includes(error.code));
}

const attempts = 3;

/** Repeats the request only while it certainly was not sent. */
async function ask(options: RefreshOptions, refreshToken: string): Promise<TokenAnswer> {
  const { session, transport, clock, requestTimeoutMs, jitter = Math.random } = options;
  const call = {
    environment: session.environment,
    transport,
    ...(requestTimeoutMs === undefined ? {} : { timeoutMs: requestTimeoutMs }),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await refreshTokens(call, refreshToken);
    } catch (error) {
      const unsent = error instanceof TransportError && !error.sent && error.failure !== "tls";
      if (!unsent || attempt === attempts) throw error;
      // Full jitter (RELIABILITY, "Sending"): up to 250 ms, then up to 500 ms.
      await clock.sleep(jitter() * 125 * 2 ** attempt);
    }
  }
}
