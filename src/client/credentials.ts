/** The layer that signs each call with the one credential that its operation takes: section 5.1. */
import { credentialHeader, type Credential } from "../contract/credentials.js";
import type { Operation } from "../contract/operations.js";
import { ComandaError, type ServiceAnswer } from "../errors/index.js";
import type { Call, Outcome, Send } from "./outcome.js";

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
}

interface Secret {
  readonly kind: Credential;
  readonly value: string;
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
    const secret = await choose(call.operation, credentials);
    const outcome = await sendWith(secret, call, next);
    if (secret.kind !== "bearer" || !isRefusal(outcome)) return outcome;
    const renewed = await credentials.renew?.(secret.value);
    if (renewed === undefined || renewed === secret.value) return outcome;
    return sendWith(checked({ kind: "bearer", value: renewed }), call, next);
  };
}

function isRefusal(outcome: Outcome<unknown>): boolean {
  return outcome.kind === "refusal" && outcome.code === "token_refused";
}

async function choose(operation: Operation, credentials: Credentials): Promise<Secret> {
  for (const kind of operation.credentials) {
    const value = await (kind === "bearer" ? credentials.bearer?.() : credentials.apiKey?.());
    if (value !== undefined && value !== "") return checked({ kind, value });
  }
  throw notSignedIn(operation);
}

function checked(secret: Secret): Secret {
  if (headerSafe.test(secret.value)) return secret;
  const name = secret.kind === "bearer" ? "access token" : "API key";
  throw new ComandaError("not_signed_in", `The ${name} holds characters that can't be sent.`, {
    hint: signInHint(secret.kind),
  });
}

export function notSignedIn({ credentials, summary }: Operation): ComandaError {
  const [first, second] = credentials;
  const needed =
    first === "api_key" ? "an API key" : second === undefined ? "a sign-in" : "a sign-in or an API key";
  return new ComandaError("not_signed_in", `This needs ${needed} for the store: ${lowerFirst(summary)}.`, {
    hint: signInHint(first ?? "bearer"),
  });
}

/** What a person types to get a credential of this kind. */
export function signInHint(kind: Credential): string {
  return kind === "bearer"
    ? "Sign in with: comanda login --store <alias>"
    : "Store the key with: comanda login --api-key --store <alias>";
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

async function sendWith<Value>(secret: Secret, call: Call<Value>, next: Send): Promise<Outcome<Value>> {
  call.progress.credential = secret.kind;
  const headers = { ...call.request.headers, ...credentialHeader(secret.kind, secret.value) };
  const outcome = await next({ ...call, request: { ...call.request, headers } });
  if (outcome.kind === "refusal") return { ...outcome, service: masked(outcome.service, secret) };
  if (outcome.kind === "unknown" && outcome.last.kind === "refusal")
    return { ...outcome, last: { ...outcome.last, service: masked(outcome.last.service, secret) } };
  return outcome;
}

/** A refusal that quotes the credential back must not carry it into an error message. */
function masked(service: ServiceAnswer, { value }: Secret): ServiceAnswer {
  const { message, details } = service;
  return {
    ...service,
    ...(message === undefined ? {} : { message: message.replaceAll(value, "****") }),
    ...(details === undefined ? {} : { details: details.replaceAll(value, "****") }),
  };
}
