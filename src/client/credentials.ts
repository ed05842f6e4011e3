/** The layer that signs each call with the one credential that its operation takes: section 5.1. */
import { ComandaError } from "../errors/index.js";
import { maskedAnswer, maskedHeaders, maskedRefusal } from "./mask.js";
import type { Call, CalledOperation, Outcome, Send } from "./outcome.js";
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

/** The credentials of one store at one environment. What is absent the store hasn't got. */
export interface Credentials {
  /** The access token, refreshed by then where it had to be. */
  bearer?(): Promise<string | undefined>;
  /**
   * Asked once for a call, when the service has refused `refused`.
   *
   * @returns another token; `undefined` where there is none to be had
   */
  renew?(refused: string): Promise<string | undefined>;
  /** The store's legacy key. */
  apiKey?(): Promise<string | undefined>;
  /** Goes along with the API key where a call is signed as a partner. */
  partnerKey?(): Promise<string | undefined>;
}

/** Anything else can't travel in a header as one line (RFC 9110, section 5.5). */
const headerSafe = /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/;

/**
 * A refused access token is renewed once, and the call repeated once: a 401 comes before anything was done.
 *
 * @throws {ComandaError} `not_signed_in`; and whatever the credentials throw
 */
export function signed(credentials: Credentials, next: Send): Send {
  return async (call) => {
    const [signature, secrets] = await choose(call.operation, credentials);
    call.progress.credential = signature;
    const outcome = await sendWith(secrets, call, next);
    const { bearer } = secrets;
    if (bearer === undefined || !isRefusal(outcome) || isSpent(call)) return outcome;
    const renewed = await credentials.renew?.(bearer);
    if (renewed === undefined || renewed === bearer) return outcome;
    return sendWith(checked({ bearer: renewed }), call, next);
  };
}

function isRefusal(outcome: Outcome<unknown>): boolean {
  return outcome.kind === "refusal" && outcome.code === "token_refused";
}

async function choose(
  operation: CalledOperation,
  credentials: Credentials,
): Promise<readonly [Signature, Secrets]> {
  for (const signature of operation.credentials) {
    const secrets: Partial<Record<CredentialKind, string>> = {};
    for (const kind of neededFor[signature]) {
      const secret = await ask(credentials, kind);
      if (secret !== undefined && secret !== "") secrets[kind] = secret;
    }
    const complete = neededFor[signature].every((kind) => secrets[kind] !== undefined);
    if (complete) return [signature, checked(secrets)];
  }
  throw notSignedIn(operation);
}

function ask(credentials: Credentials, kind: CredentialKind): Promise<string | undefined> | undefined {
  switch (kind) {
    case "bearer":
      return credentials.bearer?.();
    case "api_key":
      return credentials.apiKey?.();
    case "partner_key":
      return credentials.partnerKey?.();
  }
}

function checked(secrets: Secrets): Secrets {
  for (const kind of credentialKinds) {
    const secret = secrets[kind];
    if (secret === undefined || headerSafe.test(secret)) continue;
    throw new ComandaError(
      "not_signed_in",
      `The ${credentialNames[kind]} holds characters that can't be sent.`,
      { hint: credentialHint(kind) },
    );
  }
  return secrets;
}

export function notSignedIn({ credentials, summary }: CalledOperation): ComandaError {
  const [first = "bearer", second] = credentials;
  return new ComandaError(
    "not_signed_in",
    `This needs ${second === undefined ? needs[first] : "a sign-in or an API key"} for the store: ${lowerFirst(summary)}.`,
    { hint: signInHint(first) },
  );
}

const needs: Readonly<Record<Signature, string>> = {
  bearer: "a sign-in",
  api_key: "an API key",
  partner: "an API key and a partner key",
};

/** What a person types to be able to sign like this. */
export function signInHint(signature: Signature): string {
  if (signature !== "partner") return credentialHint(signature);
  return `${credentialHint("api_key")}\n${credentialHint("partner_key")}`;
}

function credentialHint(kind: CredentialKind): string {
  switch (kind) {
    case "bearer":
      return "Sign in with: comanda login --store <alias>";
    case "api_key":
      return "Store the key with: comanda login --api-key --store <alias>";
    case "partner_key":
      return "Store the partner key with: comanda login --partner-key --store <alias>";
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

async function sendWith<Value>(secrets: Secrets, call: Call<Value>, next: Send): Promise<Outcome<Value>> {
  const { onAnswer } = call.request;
  const request = { ...call.request, headers: signedHeaders(call.request.headers, secrets) };
  if (onAnswer)
    request.onAnswer = (head) =>
      onAnswer({ ...head, headers: maskedHeaders(head.headers, valuesOf(secrets)) });
  const outcome = await next({ ...call, request });
  if (outcome.kind === "refusal") return { ...outcome, ...maskedRefusal(outcome, valuesOf(secrets)) };
  if (outcome.kind === "success" && call.showsHeaders)
    return { ...outcome, answer: maskedAnswer(outcome.answer, valuesOf(secrets)) };
  if (outcome.kind === "unknown" && outcome.last.kind === "refusal")
    return { ...outcome, last: { ...outcome.last, ...maskedRefusal(outcome.last, valuesOf(secrets)) } };
  return outcome;
}

function valuesOf(secrets: Secrets): string[] {
  return Object.values(secrets);
}
