/** The layer that signs each call with the one credential that its operation takes: section 5.1. */
import { ComandaError } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";
import { whenAborted } from "../../shared/when-aborted.js";
import { callback, callbackFailed } from "./callback.js";
import { shown } from "../checks.js";
import { maskedHead, maskedRefusal } from "./mask.js";
import type { Attempted, Call, CalledOperation, Send } from "./outcome.js";
import { shareRenewals } from "./renewals.js";
import { isSpent } from "./retrying.js";
import {
  credentialKinds,
  credentialNames,
  neededFor,
  signedHeaders,
  type CredentialKind,
  type Secrets,
  type Signature,
} from "./signature.js";

/**
 * The credentials of one store at one environment (section 5.1). A function that is absent, or that gives `undefined`,
 * is a credential that the store hasn't got. Each is asked once for a call that takes it: keep what is dear to get.
 *
 * What one throws ends the call: a `ComandaError` as it is, anything else as `callback_failed` with the error as its
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
  /** The store's legacy key, `X-API-KEY`. */
  apiKey?(): Promise<string | undefined>;
  /** `X-PARTNER-KEY`; goes along with the API key where a call is signed as a partner. */
  partnerKey?(): Promise<string | undefined>;
  /**
   * What a person does to get the credential for such a call: the `hint` of `not_signed_in` and `token_refused`.
   * Default: words for the programmer.
   */
  hint?(signature: Signature): string | undefined;
}

/** Anything else can't travel in a header as one line (RFC 9110, section 5.5). */
const headerSafe = /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/;

/**
 * After a refusal the call is repeated with the token that another call has got meanwhile, then with a new one of its
 * own: a 401 comes before anything was done.
 *
 * @throws {ComandaError} `not_signed_in`, `callback_failed`, and whatever `ComandaError` the credentials throw
 * @throws the signal's reason
 */
export function signed(credentials: Credentials, next: Send): Send {
  const renewals = shareRenewals(async (refused) => {
    const token = textOf("renew", await credentials.renew?.(refused));
    if (token !== undefined) checked({ bearer: token });
    return token;
  });
  return async (call) => {
    const chosen = await choose(call, credentials);
    if (chosen === undefined) throw notSignedIn(call.operation, credentials);
    const [signature, secrets] = chosen;
    call.progress.credential = signature;
    const outcome = await sendWith(secrets, call, next);
    const { bearer } = secrets;
    if (bearer === undefined || !isRefused(outcome, call)) return outcome;
    const replaced = renewals.replacementOf(bearer);
    if (replaced === undefined) return withNewToken(bearer, outcome, call);
    const second = await sendWith({ bearer: replaced }, call, next);
    return isRefused(second, call) ? withNewToken(replaced, second, call) : second;
  };

  async function withNewToken<Value>(
    refused: string,
    outcome: Attempted<Value>,
    call: Call<Value>,
  ): Promise<Attempted<Value>> {
    let renewed: string | undefined;
    try {
      renewed = await ask(call, () => renewals.renew(refused));
    } catch (error) {
      throw failed("renew", call, error);
    }
    return renewed === undefined ? outcome : sendWith({ bearer: renewed }, call, next);
  }
}

/** The token was refused, and the call can be sent again. */
function isRefused(outcome: Attempted<unknown>, call: Call<unknown>): boolean {
  return outcome.kind === "refusal" && outcome.code === "token_refused" && !isSpent(call);
}

/**
 * @param signatures in order of preference
 * @returns `undefined` where the store has none of them
 */
export async function choose(
  call: Call<unknown>,
  credentials: Credentials,
  signatures: readonly Signature[] = call.operation.credentials,
): Promise<readonly [Signature, Secrets] | undefined> {
  for (const signature of signatures) {
    const secrets: Partial<Record<CredentialKind, string>> = {};
    for (const kind of neededFor[signature]) {
      const name = functionNames[kind];
      // In this function rather than one of its own, which would cost each call a promise.
      let credential: unknown;
      try {
        credential = await ask(call, () => credentials[name]?.());
      } catch (error) {
        throw failed(name, call, error);
      }
      const secret = textOf(name, credential);
      if (secret !== undefined) secrets[kind] = secret;
    }
    const complete = neededFor[signature].every((kind) => secrets[kind] !== undefined);
    if (complete) return [signature, checked(secrets)];
  }
  return undefined;
}

const functionNames = { bearer: "bearer", api_key: "apiKey", partner_key: "partnerKey" } as const;

function ask(
  { request: { signal } }: Call<unknown>,
  run: () => Promise<string | undefined> | undefined,
): Promise<string | undefined> | undefined {
  signal?.throwIfAborted();
  const answer = run();
  return signal && answer ? orAborted(answer, signal) : answer;
}

type FunctionName = "renew" | (typeof functionNames)[CredentialKind];

function failed(name: FunctionName, { request: { signal } }: Call<unknown>, error: unknown): unknown {
  return signal?.aborted ? signal.reason : callbackFailed(`credentials.${name}`, error);
}

/** @returns `undefined` where there is none; what an environment variable or a database has for that counts as none */
function textOf(name: FunctionName, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new ComandaError("configuration", t`credentials.${name} must give a text, not ${shown(value)}.`);
}

/** Doesn't wait for what can't be ended: that goes on, unheard. */
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

function checked(secrets: Secrets): Secrets {
  for (const kind of credentialKinds) {
    const secret = secrets[kind];
    if (secret === undefined || headerSafe.test(secret)) continue;
    throw new ComandaError(
      "not_signed_in",
      t`The ${translated(credentialNames[kind])} holds characters that can't be sent.`,
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
  return new ComandaError(
    "not_signed_in",
    t`This call needs ${alternatives} of the store, and there is none.`,
    {
      hint: ownHint(first, credentials) ?? t`Give it to the client: ${translated(optionNames[first])}.`,
    },
  );
}

const needs: Readonly<Record<Signature, string>> = {
  bearer: "an access token",
  api_key: "an API key",
  partner: "an API key with a partner key",
};

const optionNames: Readonly<Record<Signature, string>> = {
  bearer: "credentials.bearer",
  api_key: "credentials.apiKey",
  partner: "credentials.apiKey and credentials.partnerKey",
};

/** What the program itself says. */
export function ownHint(signature: Signature, credentials: Credentials): string | undefined {
  return callback("credentials.hint", () => credentials.hint?.(signature));
}

/** What to do about a credential that the service has refused. */
export function refusedHint(signature: Signature, credentials: Credentials): string {
  const hint = ownHint(signature, credentials);
  if (hint !== undefined) return hint;
  return signature === "bearer"
    ? t`It has expired or was revoked: get a new one, or let credentials.renew get it.`
    : t`Check the key: the store's portal shows it under Integrations.`;
}

/** Sends the call with these secrets; what quotes them back is masked. */
export async function sendWith<Value>(
  secrets: Secrets,
  call: Call<Value>,
  next: Send,
): Promise<Attempted<Value>> {
  const { progress } = call;
  const { onAnswer } = call.request;
  const request = { ...call.request, headers: signedHeaders(call.request.headers, secrets) };
  if (onAnswer) request.onAnswer = (head) => onAnswer(maskedHead(head, valuesOf(secrets)));
  let outcome: Attempted<Value>;
  try {
    outcome = await next({ ...call, request });
  } finally {
    const { doubt } = progress;
    if (doubt?.kind === "refusal") progress.doubt = { ...doubt, ...maskedRefusal(doubt, valuesOf(secrets)) };
  }
  if (outcome.kind === "refusal") return { ...outcome, ...maskedRefusal(outcome, valuesOf(secrets)) };
  if (outcome.kind === "success") {
    const { already, answer } = outcome;
    if (!already) return { ...outcome, answer: maskedHead(answer, valuesOf(secrets)) };
    const { service, ...masked } = maskedRefusal({ service: already, answer }, valuesOf(secrets));
    return { ...outcome, ...masked, already: service };
  }
  return outcome;
}

function valuesOf(secrets: Secrets): string[] {
  return Object.values(secrets);
}
