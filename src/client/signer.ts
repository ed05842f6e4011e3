/** Chooses the signature of each request, and renews an access token that was refused (section 5). */
import { schemeTable, type AuthScheme, type CredentialKind } from "../api/operations.js";
import { t, translated } from "../languages/language.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import type { Signature } from "./judge.js";
import type { Credentials, InternalOptions } from "./options.js";
import { isSendable } from "./transport.js";

/** Calls a function of the program, by its name, within the limits of the call. */
type CallFunction = <Value>(name: string, run: () => Value | Promise<Value>) => Promise<Value>;

export function createSigner(credentials: Credentials, onFallback: InternalOptions["onFallback"]) {
  /** The replacements of refused tokens. */
  const replacements = new Map<string, string>();
  const renewals = new Map<string, Promise<string | undefined>>();
  let isBearerRefused = false;

  /**
   * Joins the running renewal of this token, or begins one. If refresh tokens rotate, using one twice ends the sign-in (RFC 9700, section
   * 4.14.2). If a renewal fails, all calls that wait for it fail, and the next call begins another.
   */
  function renew(refused: string): Promise<string | undefined> {
    const request = async () => {
      const token = sendable(await credentials.renew?.(refused));
      if (token === undefined || token === refused) return undefined;
      // A token that is issued again is valid again, so replacements never form a cycle.
      replacements.delete(token);
      replacements.set(refused, token);
      return token;
    };
    const renewal = renewals.get(refused) ?? request().finally(() => renewals.delete(refused));
    renewals.set(refused, renewal);
    return renewal;
  }

  async function choose(schemes: readonly AuthScheme[], call: CallFunction): Promise<Signature | undefined> {
    for (const scheme of schemes) {
      const secrets: Partial<Record<CredentialKind, string>> = {};
      for (const name of schemeTable[scheme].kinds) {
        const { [name]: given } = credentials;
        // A method may use the object that contains it.
        const read = () => (typeof given === "function" ? given.call(credentials) : given);
        const secret = sendable(await call(`credentials.${name}`, read));
        if (secret !== undefined) secrets[name] = secret;
      }
      if (Object.keys(secrets).length === schemeTable[scheme].kinds.length) return { scheme, secrets };
    }
    return undefined;
  }

  /**
   * Yields the signature of a call's first request, and another one whenever the service has refused the last. A refused access token is
   * replaced. If its replacement is refused, too, this call and all later ones are signed with the API key if they accept it: only the
   * store's owner could renew the sign-in, and orders must not wait. A refusal (HTTP 401) precedes any change, so signing again is safe.
   *
   * @param schemes in order of preference
   * @throws {ComandaError} `not_signed_in` for a secret that can't be sent
   * @throws what `call` throws
   */
  return async function* signaturesOf(
    schemes: readonly AuthScheme[],
    call: CallFunction,
  ): AsyncGenerator<Signature, void> {
    const others = schemes.slice(1);
    let refusal: ComandaError | undefined;
    if (!isBearerRefused || others.length === 0) {
      try {
        const first = await choose(schemes, call);
        if (first) yield first;
        const { bearer } = first?.secrets ?? {};
        if (bearer === undefined) return;
        let newest = bearer;
        for (let next: string | undefined; (next = replacements.get(newest)) !== undefined;) newest = next;
        // Another call has received it.
        if (newest !== bearer) yield { scheme: "bearer", secrets: { bearer: newest } };
        let renewed = 0;
        do {
          const token = await call("credentials.renew", () => renew(newest));
          if (token === undefined) break;
          newest = token;
          renewed += 1;
          yield { scheme: "bearer", secrets: { bearer: newest } };
          // If a token that another process had renewed is refused, it is renewed itself, once.
        } while (renewed === 1 && credentials.isAdopted?.(newest));
      } catch (error) {
        // The sign-in has ended, and nothing was sent.
        if (!isComandaError(error, "token_refused")) throw error;
        refusal = error;
      }
    }
    const instead = await choose(others, call);
    if (!instead && refusal) throw refusal;
    if (!instead) return;
    const isFirst = !isBearerRefused;
    isBearerRefused = true;
    if (isFirst) await call("onFallback", () => onFallback?.());
    yield instead;
  };
}

/**
 * Returns the secret, or `undefined` for an empty environment variable or a database's null.
 *
 * @throws {ComandaError} `not_signed_in`
 */
function sendable(secret: unknown): string | undefined {
  if (secret === undefined || secret === null || secret === "") return undefined;
  if (isSendable(secret)) return secret;
  const message = t`The ${translated("credential")} must be one line of at most 4,096 visible ASCII characters without spaces.`;
  throw new ComandaError("not_signed_in", message);
}
