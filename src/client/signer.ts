/** Chooses the signature of each request, and renews an access token that was refused (section 5). */
import { schemeTable, type AuthScheme, type CredentialKind } from "../api/operations.js";
import { t, translated } from "../languages/language.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import type { Attempt, Signature } from "./judge.js";
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

  /** Returns the first scheme for which the store has all secrets. */
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
      if (Object.keys(secrets).length === schemeTable[scheme].kinds.length)
        return { scheme, secrets, isRenewed: false };
    }
    return undefined;
  }

  /** Returns the token that another call has received, or else a renewed one. */
  async function replace(refused: readonly Signature[], call: CallFunction): Promise<Signature | undefined> {
    const { bearer } = refused.at(-1)?.secrets ?? {};
    if (bearer === undefined) return undefined;
    let newest = bearer;
    for (let next: string | undefined; (next = replacements.get(newest)) !== undefined;) newest = next;
    if (refused.length === 1 && newest !== bearer)
      return { scheme: "bearer", secrets: { bearer: newest }, isRenewed: false };
    // If a token that another process had renewed is refused, it is renewed itself, once.
    const renewed = refused.filter(({ isRenewed }) => isRenewed).length;
    if (renewed > 1 || (renewed === 1 && !credentials.isAdopted?.(bearer))) return undefined;
    const token = await call("credentials.renew", () => renew(bearer));
    return token === undefined
      ? undefined
      : { scheme: "bearer", secrets: { bearer: token }, isRenewed: true };
  }

  /**
   * Returns the signature of a call's next request: the same as before, unless the service has refused it. A refused access token is
   * replaced. If its replacement is refused, too, this call and all later ones are signed with the API key if they accept it: only the
   * store's owner could renew the sign-in, and orders must not wait. A refusal (HTTP 401) precedes any change, so signing again is safe.
   *
   * @param schemes in order of preference
   * @returns `undefined` if the store has no other credential
   * @throws {ComandaError} `not_signed_in` for a secret that can't be sent
   * @throws what `call` throws
   */
  return async function sign(
    schemes: readonly AuthScheme[],
    attempts: readonly Attempt[],
    call: CallFunction,
  ): Promise<Signature | undefined> {
    const last = attempts.at(-1);
    if (last && last.judged.code !== "token_refused") return last.signature;
    const refused = [...new Set(attempts.map(({ signature }) => signature))];
    if (last && last.signature.scheme !== "bearer") return undefined;
    const mayFallBack = schemes[0] === "bearer" && schemes.length > 1;
    let refusal: ComandaError | undefined;
    if (last || !isBearerRefused || !mayFallBack) {
      try {
        const next = await (last ? replace(refused, call) : choose(schemes, call));
        if (next || !last || !mayFallBack) return next;
      } catch (error) {
        // The sign-in has ended, and nothing was sent.
        if (!mayFallBack || !isComandaError(error, "token_refused")) throw error;
        refusal = error;
      }
    }
    const instead = await choose(schemes.slice(1), call);
    if (!instead && refusal) throw refusal;
    const isFirst = instead && !isBearerRefused;
    if (instead) isBearerRefused = true;
    if (isFirst) await call("onFallback", () => onFallback?.());
    return instead;
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
