/** The credentials that a program gives its client: which of them signs a call, and what takes the place of one that is refused. */
import { credentialHeaders, credentialValue, type Credential } from "../api/operations.js";
import { t, translated } from "../languages/language.js";
import { callback, callbackFailed } from "./callback.js";
import { shown } from "./checks.js";
import { whenAborted } from "./clock.js";
import { ComandaError } from "./errors.js";

/**
 * The credentials of one store at one environment (section 5.1). A function that is absent, or that gives `undefined`,
 * is a credential that the store hasn't got. Each is asked once for a call that takes it: keep what is dear to get.
 *
 * An error that one throws ends the call: a `ComandaError` as it is, any other as `callback_failed` with the error as its
 * `cause`. A call that is aborted doesn't wait for one that is running.
 */
export interface Credentials {
  /** The OAuth access token, without `Bearer`; refreshed by then where it had to be. */
  bearer?(): Promise<string | undefined>;
  /**
   * Asked when the service has refused `refused` (HTTP 401, or code 4010): once for each token, however many calls of
   * the client it was refused to; where it fails, those that wait for it fail, and the next call asks again. Each call
   * is then repeated once with the new token, whatever its method: a refusal comes before anything was done. A call
   * that is aborted doesn't end a renewal, since others may wait for it.
   *
   * @returns another token; `undefined` where there is none to be had
   */
  renew?(refused: string): Promise<string | undefined>;
  /**
   * Was a token that `renew` gave not renewed for it, but by another process before? Where that is refused, too, it is renewed
   * in its turn.
   *
   * @internal
   */
  isAdopted?(token: string): boolean;
  /** The store's legacy key, `X-API-KEY`. */
  apiKey?(): Promise<string | undefined>;
  /** `X-PARTNER-KEY`; goes along with the API key where a call is signed as a partner. */
  partnerKey?(): Promise<string | undefined>;
  /**
   * It says what a person does to get the credential for such a call: the `hint` of `not_signed_in` and `token_refused`.
   * Default: words for the programmer.
   */
  hint?(signature: Signature): string | undefined;
}

/** `partner` is the store's API key together with the partner key, as order creation needs them. */
export const signatures = ["bearer", "api_key", "partner"] as const satisfies readonly (
  Credential | "partner"
)[];
export type Signature = (typeof signatures)[number];

/** A program gives each credential by a function, and people read of it by its name. */
export const kinds = {
  bearer: { functionName: "bearer", name: "access token" },
  api_key: { functionName: "apiKey", name: "API key" },
  partner_key: { functionName: "partnerKey", name: "partner key" },
} as const;
/** The kinds of credentials that a store can have. */
export type CredentialKind = keyof typeof kinds;
export const credentialKinds = ["bearer", "api_key", "partner_key"] as const;
type FunctionName = "renew" | (typeof kinds)[CredentialKind]["functionName"];

export const neededFor: Readonly<Record<Signature, readonly CredentialKind[]>> = {
  bearer: ["bearer"],
  api_key: ["api_key"],
  partner: ["api_key", "partner_key"],
};

/** The secrets that sign one call. */
export type Secrets = Readonly<Partial<Record<CredentialKind, string>>>;

/** What signs a request. */
export interface Signed {
  readonly signature: Signature;
  readonly secrets: Secrets;
}

/** The headers of a request with those of its credentials, by their lower-case names. */
export function signedHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: Secrets,
): Record<string, string> {
  const signed: Record<string, string> = {};
  for (const kind of credentialKinds) {
    const secret = secrets[kind];
    if (secret !== undefined) signed[credentialHeaders[kind]] = credentialValue(kind, secret);
  }
  // Last, since to add to a copy is slow in Node 20; no header of a request has one of these names.
  return Object.assign(signed, headers);
}

/** The headers that carry credentials; nobody else may set them. */
export const signatureHeaders: ReadonlySet<string> = new Set(Object.values(credentialHeaders));

/** An answer that quotes a credential back must not carry it into an error or onto a terminal. */
export function masked(text: string, secrets: Secrets): string {
  return Object.values(secrets).reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
}

export function createSigner(credentials: Credentials, onFallback: (() => void) | undefined) {
  const running = new Map<string, Promise<string | undefined>>();
  const replacements = new Map<string, string>();
  let bearerIsRefused = false;

  async function renewed(refused: string): Promise<string | undefined> {
    try {
      const token = textOf("renew", await credentials.renew?.(refused));
      if (token !== undefined) sendable({ bearer: token });
      if (token === undefined || token === refused) return undefined;
      // It is good again, whatever took its place before: so no chain of replacements is a circle.
      replacements.delete(token);
      replacements.set(refused, token);
      return token;
    } finally {
      running.delete(refused);
    }
  }

  /**
   * Joins the renewal of this token that is running, or begins one. A service that rotates refresh tokens takes a second use
   * of one for theft, and ends the sign-in (RFC 9700, section 4.14.2). A renewal that fails, fails for all who wait for it;
   * the next call begins another.
   */
  function renew(refused: string): Promise<string | undefined> {
    const renewal = running.get(refused) ?? renewed(refused);
    running.set(refused, renewal);
    return renewal;
  }

  /** Gives the newest token that has replaced this one; `undefined` where there is none yet. */
  function replacementOf(token: string): string | undefined {
    let newest = replacements.get(token);
    for (let next = newest; next !== undefined; next = replacements.get(next)) newest = next;
    return newest;
  }

  /** @returns the first of them that the store has all secrets of */
  async function choose(
    order: readonly Signature[],
    signal: AbortSignal | undefined,
  ): Promise<Signed | undefined> {
    for (const signature of order) {
      const secrets: Partial<Record<CredentialKind, string>> = {};
      for (const kind of neededFor[signature]) {
        const { functionName } = kinds[kind];
        const secret = await askFor(functionName, signal, () => credentials[functionName]?.());
        if (secret !== undefined) secrets[kind] = secret;
      }
      if (neededFor[signature].every((kind) => secrets[kind] !== undefined))
        return { signature, secrets: sendable(secrets) };
    }
    return undefined;
  }

  /** The next one is for a request that is sent again since the service has refused the last one. */
  async function* inTurn(
    order: readonly Signature[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Signed> {
    const first = await choose(order, signal);
    if (!first) return;
    yield first;
    let { bearer } = first.secrets;
    if (bearer === undefined) return;
    for (const replace of [
      replacementOf,
      (refused: string) => askFor("renew", signal, () => renew(refused)),
      (refused: string) =>
        credentials.isAdopted?.(refused) ? askFor("renew", signal, () => renew(refused)) : undefined,
    ]) {
      const token: string | undefined = await replace(bearer);
      if (token === undefined) continue;
      bearer = token;
      yield { signature: "bearer", secrets: { bearer } };
    }
  }

  return {
    /**
     * Gives what a call is signed with, and, as long as that is refused, what it is sent again with: the token that another call
     * has got meanwhile, then a new one. Where that is refused too, a call that may be signed with something else is sent with
     * that, and so are all such calls from then on: only the Owner could renew the sign-in, and the store's orders keep moving.
     * A refusal (HTTP 401) comes before anything was done, so that this repeats nothing.
     *
     * @param order of preference
     * @throws {ComandaError} `not_signed_in` for a secret that can't be sent, `callback_failed`, and whatever `ComandaError` the
     *   credentials throw
     * @throws the signal's reason
     */
    async *signatures(order: readonly Signature[], signal: AbortSignal | undefined): AsyncGenerator<Signed> {
      const others = order.filter((signature) => signature !== "bearer");
      const takesEither = others.length > 0 && others.length < order.length;
      let last: Signed | undefined;
      let refusal: ComandaError | undefined;
      if (!bearerIsRefused || !takesEither) {
        try {
          for await (last of inTurn(order, signal)) yield last;
        } catch (error) {
          // There is none to be had any more; nothing was sent.
          if (!takesEither || !(error instanceof ComandaError && error.code === "token_refused")) throw error;
          refusal = error;
        }
        if (!takesEither || (refusal === undefined && last?.signature !== "bearer")) return;
      }
      const instead = await choose(others, signal);
      if (instead) {
        if (!bearerIsRefused) callback("onFallback", () => onFallback?.());
        bearerIsRefused = true;
        yield instead;
      } else if (refusal !== undefined) throw refusal;
      else if (bearerIsRefused) yield* inTurn(order, signal);
    },
  };
}

/**
 * Asks a function of the program for a credential. A call that is aborted doesn't wait for what can't be ended: that goes
 * on, unheard.
 *
 * @returns `undefined` where there is none; what an environment variable or a database has for that counts as none
 * @throws {ComandaError} `callback_failed`, and whatever `ComandaError` the function throws
 * @throws the signal's reason
 */
async function askFor(
  name: FunctionName,
  signal: AbortSignal | undefined,
  run: () => Promise<string | undefined> | undefined,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  let leave: (() => void) | undefined;
  try {
    const running = run();
    if (!signal || !running) return textOf(name, await running);
    const aborted = new Promise<never>((_, reject) => {
      leave = whenAborted(signal, () => reject(new Error("aborted")));
    });
    return textOf(name, await Promise.race([running, aborted]));
  } catch (error) {
    throw signal?.aborted ? signal.reason : callbackFailed(`credentials.${name}`, error);
  } finally {
    leave?.();
  }
}

function textOf(name: FunctionName, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new ComandaError("configuration", t`credentials.${name} must give a text, not ${shown(value)}.`);
}

/** Anything else can't travel in a header as one line (RFC 9110, section 5.5). */
const headerSafe = /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/;

/** @throws {ComandaError} `not_signed_in` */
function sendable(secrets: Secrets): Secrets {
  for (const kind of credentialKinds) {
    const secret = secrets[kind];
    if (secret === undefined || headerSafe.test(secret)) continue;
    throw new ComandaError(
      "not_signed_in",
      t`The ${translated(kinds[kind].name)} holds characters that can't be sent.`,
      { hint: t`It must be one line of ASCII, as the service gave it.` },
    );
  }
  return secrets;
}
