/** The credentials that a program gives its client: which of them signs a call, and what is said where none does. */
import { ComandaError } from "../errors.js";
import { t, translated } from "../../languages/language.js";
import { whenAborted } from "../when-aborted.js";
import { shown } from "../checks.js";
import type { Call, CalledOperation } from "./call.js";
import { callback, callbackFailed } from "./callback.js";
import {
  credentialKinds,
  neededFor,
  type CredentialKind,
  type Secrets,
  type Signature,
} from "./signature.js";

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

/** A program gives each credential by a function, and people read of it by its name. */
const kinds = {
  bearer: { functionName: "bearer", name: "access token" },
  api_key: { functionName: "apiKey", name: "API key" },
  partner_key: { functionName: "partnerKey", name: "partner key" },
} as const satisfies Record<CredentialKind, unknown>;
type FunctionName = "renew" | (typeof kinds)[CredentialKind]["functionName"];

/**
 * @param signatures in order of preference
 * @returns `undefined` where the store has none of them
 * @throws {ComandaError} `not_signed_in` for a secret that can't be sent, and as {@link askFor}
 * @throws the signal's reason
 */
export async function chooseCredentials(
  call: Call<unknown>,
  credentials: Credentials,
  signatures: readonly Signature[],
): Promise<readonly [Signature, Secrets] | undefined> {
  for (const signature of signatures) {
    const secrets: Partial<Record<CredentialKind, string>> = {};
    for (const kind of neededFor[signature]) {
      const { functionName } = kinds[kind];
      const secret = await askFor(functionName, call, () => credentials[functionName]?.());
      if (secret !== undefined) secrets[kind] = secret;
    }
    const complete = neededFor[signature].every((kind) => secrets[kind] !== undefined);
    if (complete) return [signature, sendable(secrets)];
  }
  return undefined;
}

/**
 * Asks a function of the program for a credential. A call that is aborted doesn't wait for what can't be ended: that goes
 * on, unheard.
 *
 * @returns `undefined` where there is none; what an environment variable or a database has for that counts as none
 * @throws {ComandaError} `callback_failed`, and whatever `ComandaError` the function throws
 * @throws the signal's reason
 */
export async function askFor(
  name: FunctionName,
  { request: { signal } }: Call<unknown>,
  run: () => Promise<string | undefined> | undefined,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  let credential: unknown;
  try {
    const running = run();
    credential = await (signal && running ? orAborted(running, signal) : running);
  } catch (error) {
    throw signal?.aborted ? signal.reason : callbackFailed(`credentials.${name}`, error);
  }
  return textOf(name, credential);
}

export function textOf(name: FunctionName, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new ComandaError("configuration", t`credentials.${name} must give a text, not ${shown(value)}.`);
}

async function orAborted<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let leave: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = whenAborted(signal, () => reject(new Error("aborted")));
  });
  try {
    return await Promise.race([running, aborted]);
  } finally {
    leave?.();
  }
}

/** Anything else can't travel in a header as one line (RFC 9110, section 5.5). */
const headerSafe = /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/;

/** @throws {ComandaError} `not_signed_in` */
export function sendable(secrets: Secrets): Secrets {
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

export function notSignedIn(
  { credentials: signatures }: CalledOperation,
  credentials: Credentials,
): ComandaError {
  const [first = "bearer"] = signatures;
  const alternatives = signatures.map((signature) => translated(needs[signature])).join(t` or `);
  const options = neededFor[first].map((kind) => `credentials.${kinds[kind].functionName}`).join(t` and `);
  return new ComandaError(
    "not_signed_in",
    t`This call needs ${alternatives} of the store, and there is none.`,
    {
      hint: programHint(first, credentials) ?? t`Give it to the client: ${options}.`,
    },
  );
}

/** What each signature takes, as it stands in a sentence. */
const needs: Readonly<Record<Signature, string>> = {
  bearer: "an access token",
  api_key: "an API key",
  partner: "an API key with a partner key",
};

/** Gives the program's own words, which know its commands. */
export function programHint(signature: Signature, credentials: Credentials): string | undefined {
  return callback("credentials.hint", () => credentials.hint?.(signature));
}

/** Says what to do about a credential that the service has refused. */
export function refusedHint(signature: Signature, credentials: Credentials): string {
  const hint = programHint(signature, credentials);
  if (hint !== undefined) return hint;
  return signature === "bearer"
    ? t`It has expired or was revoked: get a new one, or let credentials.renew get it.`
    : t`Check the key: the store's portal shows it under Integrations.`;
}
