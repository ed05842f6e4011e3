/** From the service's answer over the browser to the stored session: section 5.2, steps 4 to 6. */
import type { Transport } from "../client/http/transport.js";
import type { Clock } from "../shared/clock.js";
import { t } from "../shared/language.js";
import type { Environment, Room, Session, SessionStore } from "../state/sessions/session.js";
import type { OneTimeValues } from "./authorization-url.js";
import type { Callback } from "./callback.js";
import { keepSession, type NewTokens } from "./keep-session.js";
import { createRefusal, refusalError, transportFault } from "./refusals.js";
import { issuedNotStored } from "./session-errors.js";
import { exchangeCode, revokeTokens } from "./token-endpoint.js";

export interface ExchangeOptions {
  readonly environment: Environment;
  /** The alias that the session is kept under. */
  readonly store: string;
  readonly sessions: Pick<SessionStore, "update">;
  /** Room on the disk, reserved before the Owner was asked. */
  readonly room: Room;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Milliseconds for the token request. */
  readonly requestTimeoutMs?: number;
  /** Nothing is written after it was aborted. */
  readonly signal?: AbortSignal;
  /** Keeps what the session needs beside it: it runs once there are tokens, and before they are stored. */
  readonly beforeKeep?: () => Promise<void>;
}

type ExchangedValues = Pick<OneTimeValues, "codeVerifier" | "state">;

/** Milliseconds for each revocation of tokens that could not be stored. */
const revocationMs = 5000;

/**
 * Tokens that nobody has stored must not go on working: they are revoked.
 *
 * @throws {ComandaError} `access_denied`, `token_refused` (the code), the service is unreachable or failing, or what the
 *   store of sessions throws
 * @throws the signal's reason
 */
export async function exchangeAndKeep(
  options: ExchangeOptions,
  values: ExchangedValues,
  callback: Callback,
): Promise<Session> {
  const tokens = await tokensFor(options, values, callback);
  try {
    await options.beforeKeep?.();
    return await keepSession(options, tokens);
  } catch (error) {
    const { environment, transport, store, signal } = options;
    const { accessToken: access_token, refreshToken: refresh_token } = tokens.issued;
    const failure = await revokeTokens(
      { environment, transport, timeoutMs: revocationMs },
      { access_token, refresh_token },
    );
    signal?.throwIfAborted();
    throw issuedNotStored(store, error, failure === undefined);
  }
}

async function tokensFor(
  { environment, transport, clock, requestTimeoutMs, signal }: ExchangeOptions,
  { codeVerifier, state }: ExchangedValues,
  callback: Callback,
): Promise<NewTokens> {
  if (callback.kind === "error") {
    const refusal = createRefusal(callback.error, callback.description, undefined, [state, codeVerifier]);
    throw refusalError(refusal, t`the sign-in`, environment);
  }
  const call = {
    environment,
    transport,
    ...(requestTimeoutMs === undefined ? {} : { timeoutMs: requestTimeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  const requestedAt = clock.now();
  try {
    const issued = await exchangeCode(call, { code: callback.code, state, codeVerifier });
    if (issued.kind === "issued") return { issued, requestedAt };
    throw refusalError(issued, t`the sign-in`, environment);
  } catch (error) {
    signal?.throwIfAborted();
    throw transportFault(error, t`the sign-in`);
  }
}
