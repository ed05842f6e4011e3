/** What a call would send, for `--dry-run`: made by the code that makes the real request. */
import type { CallableOperation, OperationInputs } from "../contract/operations.js";
import { buildAnyRequest, type AnyRequest } from "./any-request.js";
import { fromInput } from "./check-input.js";
import { notSignedIn, type Credentials } from "./call/credentials.js";
import { buildRequest, type BuiltCall, type TimedDestination } from "./request.js";
import { neededFor, signedHeaders, type CredentialKind } from "./call/signature.js";

export interface SignedDestination extends TimedDestination {
  readonly credentials: Credentials;
}

export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names, secrets masked: `authorization: Bearer ****`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * @param available the kinds of credentials that the store has; their values are not needed
 * @throws {ComandaError} `invalid_input`; `not_signed_in` where the call would fail for want of a credential
 */
export function describeRequest<Id extends CallableOperation>(
  target: SignedDestination,
  id: Id,
  input: OperationInputs[Id],
  available: readonly CredentialKind[],
): DescribedRequest {
  return fromInput(() => described(target, buildRequest(target, id, input), available));
}

/** As {@link describeRequest}, of any call; a body that streams is left out. */
export function describeAnyRequest(
  target: SignedDestination,
  input: AnyRequest,
  available: readonly CredentialKind[],
): DescribedRequest {
  return fromInput(() => described(target, buildAnyRequest(target, input), available));
}

function described(
  { credentials }: SignedDestination,
  { operation, request: { method, url, headers, body } }: BuiltCall,
  available: readonly CredentialKind[],
): DescribedRequest {
  const signature = operation.credentials.find((candidate) =>
    neededFor[candidate].every((kind) => available.includes(kind)),
  );
  if (signature === undefined) throw notSignedIn(operation, credentials);
  const masks = Object.fromEntries(neededFor[signature].map((kind) => [kind, "****"]));
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : body;
  return {
    method,
    url,
    headers: signedHeaders(headers, masks),
    ...(typeof text === "string" ? { body: text } : {}),
  };
}
