/** What a call would send, for `--dry-run`: made by the code that makes the real request. */
import { credentialHeader, type Credential } from "../contract/credentials.js";
import { operations } from "../contract/operations.js";
import { notSignedIn } from "./credentials.js";
import type { CallableOperation, OperationInputs } from "./input.js";
import { buildRequest, type Target } from "./request.js";

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
  target: Target,
  id: Id,
  input: OperationInputs[Id],
  available: readonly Credential[],
): DescribedRequest {
  const operation = operations[id];
  const { method, url, headers, body } = buildRequest(target, id, input);
  const kind = operation.credentials.find((credential) => available.includes(credential));
  if (kind === undefined) throw notSignedIn(operation);
  return {
    method,
    url,
    headers: { ...headers, ...credentialHeader(kind, "****") },
    ...(body === undefined ? {} : { body }),
  };
}
