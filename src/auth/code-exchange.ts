/**
 * From the service's answer over the browser to the stored session: section 5.2, steps 4 to 6. A session is kept beside the
 * store's API key, and never across environments.
 */
import type { Transport } from "../client/http/transport.js";
import type { Clock } from "../client/clock.js";
import { t } from "../languages/language.js";
import { ComandaError } from "../client/errors.js";
import type { Environment, Room, Session, SessionStore, Tokens } from "../state/sessions/session.js";
import type { OneTimeValues } from "./authorization-url.js";
import type { Callback } from "./callback.js";
import { createRefusal, refusalError, transportFault } from "./refusals.js";
import { issuedNotStored } from "./session-errors.js";
import { exchangeCode, revokeTokens, type IssuedTokens } from "./token-endpoint.js";

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
  readonly requestTimeoutMs?: number | undefined;
  /** Nothing is written after it was aborted. */
  readonly signal?: AbortSignal | undefined;
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
    const call = { environment, transport, timeoutMs: revocationMs };
    const failure = await revokeTokens(call, tokens.issued.tokens);
    signal?.throwIfAborted();
    throw issuedNotStored(store, error, failure === undefined);
  }
}

async function tokensFor(
  { environment, transport, clock, requestTimeoutMs: timeoutMs, signal }: ExchangeOptions,
  { codeVerifier, state }: ExchangedValues,
  callback: Callback,
): Promise<NewTokens> {
  if (callback.kind === "error") {
    const refusal = createRefusal(callback.error, callback.description, undefined, [state, codeVerifier]);
    throw refusalError(refusal, t`the sign-in`, environment);
  }
  const call = { environment, transport, timeoutMs, signal };
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

export interface NewTokens {
  readonly issued: IssuedTokens;
  /** When the request went out (milliseconds since the epoch): the lifetime is counted from before it. */
  readonly requestedAt: number;
}

/** Keeps of the old tokens what the service did not replace. */
export function storedTokens({ issued, requestedAt }: NewTokens, old: Tokens | undefined): Tokens {
  return {
    ...old,
    ...issued.tokens,
    issued_at: requestedAt,
    expires_at: requestedAt + issued.expiresIn * 1000,
    generation: (old?.generation ?? 0) + 1,
  };
}

/**
 * @throws {ComandaError} `invalid_input` where the alias belongs to another environment
 * @throws the signal's reason, and then nothing was written
 */
async function keepSession(
  { environment, store, sessions, room, signal }: ExchangeOptions,
  tokens: NewTokens,
): Promise<Session> {
  const written = await sessions.update(store, async (current, write) => {
    signal?.throwIfAborted();
    refuseForeign(current, store, environment);
    const next: Session = {
      version: 1,
      store,
      environment,
      ...(current?.api_key !== undefined && { api_key: current.api_key }),
      ...(current?.partner_key !== undefined && { partner_key: current.partner_key }),
      // Another process may still hold the older tokens: the number tells it that these are newer.
      tokens: { ...storedTokens(tokens, undefined), generation: (current?.tokens?.generation ?? 0) + 1 },
      signed_in_at: tokens.requestedAt,
    };
    await write(next, room);
    return undefined;
  });
  if (written === undefined) throw new TypeError("the session was not written");
  return written;
}

/**
 * A token or key of one environment must never meet the addresses of another (section 1).
 *
 * @throws {ComandaError} `invalid_input`
 */
export function refuseForeign(current: Session | undefined, store: string, environment: Environment): void {
  if (current === undefined) return;
  const { name, base_url } = current.environment;
  const hint = t`Take another alias, or forget this one first: comanda stores remove ${store}`;
  if (name !== environment.name) {
    throw new ComandaError(
      "invalid_input",
      t`The store ${store} belongs to the environment ${name}, not ${environment.name}.`,
      { hint },
    );
  }
  const hasKey = current.api_key !== undefined || current.partner_key !== undefined;
  if (hasKey && base_url !== environment.base_url) {
    throw new ComandaError(
      "invalid_input",
      t`The store ${store} has a key for ${base_url}, where the environment ${name} was before.`,
      { hint },
    );
  }
}
