/** The credentials that a program gives its client: which of them signs a call, and what takes the place of one that is refused. */
import { credentialHeaders, type Credential } from "../api/operations.js";
import { t } from "../languages/language.js";
import { unlessAborted } from "./clock.js";
import { ComandaError, isComandaError } from "./errors.js";

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

/** The kinds of credentials that a store can have. */
export type CredentialKind = keyof typeof credentialHeaders;

/** A program gives each credential by a function of this name. */
export const functionNames = { bearer: "bearer", api_key: "apiKey", partner_key: "partnerKey" } as const;

export const neededFor: Readonly<Record<Signature, readonly CredentialKind[]>> = {
  bearer: ["bearer"],
  api_key: ["api_key"],
  partner: ["api_key", "partner_key"],
};

/** What signs a request. */
export interface Signed {
  readonly signature: Signature;
  readonly secrets: Readonly<Partial<Record<CredentialKind, string>>>;
}

/** The headers of a request with those of its credentials, by their lower-case names. */
export function signedHeaders(
  headers: Readonly<Record<string, string>>,
  { signature, secrets }: Signed,
): Record<string, string> {
  const signed: Record<string, string> = {};
  for (const kind of neededFor[signature])
    signed[credentialHeaders[kind]] = (kind === "bearer" ? "Bearer " : "") + (secrets[kind] ?? "");
  // Last, since to add to a copy is slow in Node 20; no header of a request has one of these names.
  return Object.assign(signed, headers);
}

export function createSigner(credentials: Credentials, onFallback: (() => void) | undefined) {
  const running = new Map<string, Promise<string | undefined>>();
  const replacements = new Map<string, string>();
  let bearerIsRefused = false;

  /**
   * Joins the renewal of this token that is running, or begins one. A service that rotates refresh tokens takes a second use
   * of one for theft, and ends the sign-in (RFC 9700, section 4.14.2). A renewal that fails, fails for all who wait for it;
   * the next call begins another.
   */
  function renew(refused: string): Promise<string | undefined> {
    const begin = async () => {
      try {
        const token = sendable(await credentials.renew?.(refused));
        if (token === undefined || token === refused) return undefined;
        // It is good again, whatever took its place before: so no chain of replacements is a circle.
        replacements.delete(token);
        replacements.set(refused, token);
        return token;
      } finally {
        running.delete(refused);
      }
    };
    const renewal = running.get(refused) ?? Promise.resolve().then(begin);
    running.set(refused, renewal);
    return renewal;
  }

  /** @returns the first of them that the store has all secrets of */
  async function choose(order: readonly Signature[], signal: AbortSignal | undefined) {
    for (const signature of order) {
      const secrets: Partial<Record<CredentialKind, string>> = {};
      for (const kind of neededFor[signature]) {
        const give = async () => credentials[functionNames[kind]]?.();
        const secret = sendable(await unlessAborted(signal, give));
        if (secret !== undefined) secrets[kind] = secret;
      }
      if (Object.keys(secrets).length === neededFor[signature].length) return { signature, secrets };
    }
    return undefined;
  }

  /**
   * Gives what a call is signed with, and, as long as that is refused, what it is sent again with: the token that another call
   * has got meanwhile, then a new one. Where that is refused too, a call that may be signed with something else is sent with
   * that, and so are all such calls from then on: only the Owner could renew the sign-in, and the store's orders keep moving.
   * A refusal (HTTP 401) comes before anything was done, so that this repeats nothing.
   *
   * @param order of preference
   * @throws {ComandaError} `not_signed_in` for a secret that can't be sent
   * @throws what the credentials throw, and the signal's reason
   */
  return async function* signaturesFor(
    order: readonly Signature[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Signed> {
    const keys = order.filter((signature) => signature !== "bearer");
    const takesEither = keys.length > 0 && keys.length < order.length;
    let refusal: ComandaError | undefined;
    if (!bearerIsRefused || !takesEither) {
      try {
        const first: Signed | undefined = await choose(order, signal);
        if (!first) return;
        yield first;
        let { bearer } = first.secrets;
        if (bearer === undefined) return;
        for (let next = replacements.get(bearer); next !== undefined; next = replacements.get(bearer))
          bearer = next;
        if (bearer !== first.secrets.bearer) yield { signature: "bearer", secrets: { bearer } };
        // Another process may have renewed it before: what is refused all the same is renewed in its turn, once.
        for (let renewals = 0; renewals === 0 || (renewals === 1 && credentials.isAdopted?.(bearer));) {
          const refused: string = bearer;
          const token = await unlessAborted(signal, () => renew(refused));
          if (token === undefined) break;
          renewals += 1;
          bearer = token;
          yield { signature: "bearer", secrets: { bearer } };
        }
      } catch (error) {
        // There is none to be had any more; nothing was sent.
        if (!takesEither || !isComandaError(error, "token_refused")) throw error;
        refusal = error;
      }
      if (!takesEither) return;
    }
    const instead = await choose(keys, signal);
    if (instead) {
      if (!bearerIsRefused) onFallback?.();
      bearerIsRefused = true;
      yield instead;
    } else if (refusal !== undefined) throw refusal;
  };
}

/** Anything else can't travel in a header as one line (RFC 9110, section 5.5). */
const headerSafe = /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/;

/**
 * @returns `undefined` where there is none; what an environment variable or a database has for that counts as none
 * @throws {ComandaError} `not_signed_in`
 */
function sendable(secret: unknown): string | undefined {
  if (secret === undefined || secret === null || secret === "") return undefined;
  if (typeof secret === "string" && headerSafe.test(secret)) return secret;
  throw new ComandaError("not_signed_in", t`The credential holds characters that can't be sent.`, {
    hint: t`It must be one line of ASCII, as the service gave it.`,
  });
}
