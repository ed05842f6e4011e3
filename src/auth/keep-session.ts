/** Keeps what a sign-in brought, beside the store's API key, and never across environments. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import type { Environment, Room, Session, SessionStore, Tokens } from "../state/sessions/session.js";
import type { IssuedTokens } from "./token-endpoint.js";

export interface NewTokens {
  readonly issued: IssuedTokens;
  /** When the request went out (milliseconds since the epoch): the lifetime is counted from before it. */
  readonly requestedAt: number;
}

/** Keeps of the old tokens what the service did not replace. */
export function storedTokens({ issued, requestedAt }: NewTokens, old: Tokens | undefined): Tokens {
  return {
    ...old,
    access_token: issued.accessToken,
    issued_at: requestedAt,
    expires_at: requestedAt + issued.expiresIn * 1000,
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    ...(issued.scopes === undefined ? {} : { scopes: [...issued.scopes] }),
    generation: (old?.generation ?? 0) + 1,
  };
}

/**
 * @throws {ComandaError} `invalid_input` where the alias belongs to another environment
 * @throws the signal's reason, and then nothing was written
 */
export async function keepSession(
  { environment, store, sessions, room, signal }: KeepOptions,
  tokens: NewTokens,
): Promise<Session> {
  const written = await sessions.update(store, async (current, write) => {
    signal?.throwIfAborted();
    refuseForeign(current, store, environment);
    const fresh = storedTokens(tokens, undefined);
    const generation = (current?.tokens?.generation ?? 0) + 1;
    const next: Session = {
      version: 1,
      store,
      environment,
      ...(current?.api_key === undefined ? {} : { api_key: current.api_key }),
      ...(current?.partner_key === undefined ? {} : { partner_key: current.partner_key }),
      // Another process may still hold the older tokens: the number tells it that these are newer.
      tokens: { ...fresh, generation },
      signed_in_at: tokens.requestedAt,
    };
    await write(next, room);
    return undefined;
  });
  if (written === undefined) throw new TypeError("the session was not written");
  return written;
}

interface KeepOptions {
  readonly environment: Environment;
  readonly store: string;
  readonly sessions: Pick<SessionStore, "update">;
  /** Room on the disk, reserved before the tokens were requested. */
  readonly room: Room;
  readonly signal?: AbortSignal;
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
