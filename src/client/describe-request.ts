/** Describes what a call would send, for `--dry-run`, by the code that makes the real request. */
import type { CallableOperation, OperationInputs } from "../api/models.js";
import { buildAnyRequest, type AnyRequest } from "./any-request.js";
import { fromInput } from "./checks.js";
import { notSignedIn } from "./call/credentials.js";
import { clientSettings, type CommandLineOptions } from "./client-options.js";
import { buildRequest, type BuiltCall } from "./request.js";
import { decoded } from "./http/transport.js";
import { neededFor, signedHeaders, type CredentialKind } from "./call/signature.js";

export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names, secrets masked: `authorization: Bearer ****`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Describes the calls of a client with these options; nothing is sent, and no credential is asked for. */
export interface Describer {
  /**
   * @param id the name of the client's method
   * @param input what it takes, the order's id as `order_id`
   * @throws {ComandaError} `invalid_input`; `not_signed_in` where the call would fail for want of a credential
   */
  operation<Id extends CallableOperation>(id: Id, input: OperationInputs[Id]): DescribedRequest;
  /** Describes any call. A body that streams is left out. */
  any(input: AnyRequest): DescribedRequest;
}

/** @param available the kinds of credentials that the store has; their values are not needed */
export function createDescriber(
  options: CommandLineOptions,
  available: readonly CredentialKind[],
): Describer {
  const settings = clientSettings(options);
  const describe = ({ operation, request: { method, url, headers, body } }: BuiltCall): DescribedRequest => {
    const signature = operation.credentials.find((candidate) =>
      neededFor[candidate].every((kind) => available.includes(kind)),
    );
    if (signature === undefined) throw notSignedIn(operation, options.credentials);
    const masks = Object.fromEntries(neededFor[signature].map((kind) => [kind, "****"]));
    const text = body instanceof Uint8Array ? decoded(body) : body;
    const shownBody = typeof text === "string" ? { body: text } : {};
    return { method, url, headers: signedHeaders(headers, masks), ...shownBody };
  };
  return {
    operation: (id, input) => fromInput(() => describe(buildRequest(settings, id, input))),
    any: (input) => fromInput(() => describe(buildAnyRequest(settings, input))),
  };
}
