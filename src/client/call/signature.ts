/** The ways to sign a call (section 5.1): the headers that carry its secrets, and the mask over answers that quote them. */
import { type Credential, credentialHeaders, credentialValue } from "../../api/operations.js";
import type { ServiceAnswer } from "../errors.js";
import type { AnswerHead } from "../http/transport.js";

/** `partner` is the store's API key together with the partner key, as order creation needs them. */
export const signatures = ["bearer", "api_key", "partner"] as const satisfies readonly (
  Credential | "partner"
)[];
export type Signature = (typeof signatures)[number];

/** The kinds of credentials that a store can have. */
export const credentialKinds = ["bearer", "api_key", "partner_key"] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export const neededFor: Readonly<Record<Signature, readonly CredentialKind[]>> = {
  bearer: ["bearer"],
  api_key: ["api_key"],
  partner: ["api_key", "partner_key"],
};

/** The secrets that sign one call. */
export type Secrets = Readonly<Partial<Record<CredentialKind, string>>>;

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
export function maskedService(service: ServiceAnswer, secrets: Secrets): ServiceAnswer {
  const { message, details } = service;
  return {
    ...service,
    ...(message === undefined ? {} : { message: masked(message, secrets) }),
    ...(details === undefined ? {} : { details: masked(details, secrets) }),
  };
}

/** Masks the headers alone: the body is the caller's, as it came. */
export function maskedHead<Head extends AnswerHead>(head: Head, secrets: Secrets): Head {
  const { headers, setCookies } = head;
  return {
    ...head,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, masked(value, secrets)]),
    ),
    ...(setCookies && { setCookies: setCookies.map((value) => masked(value, secrets)) }),
  };
}

function masked(text: string, secrets: Secrets): string {
  return Object.values(secrets).reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
}
