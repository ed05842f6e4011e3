/** Makes the request of an operation and its input, all but the credential. */
import type { Asked } from "../api/answers.js";
import { filterParameter } from "../api/filters.js";
import type { CallableOperation, OperationInputs, OperationOutputs } from "../api/models.js";
import { operations, statusChanges, type Operation } from "../api/operations.js";
import { checkInput } from "./checks.js";
import type { Signature } from "./credentials.js";
import { readerOf, type ReadSuccess } from "./judge.js";
import type { ObservedCall } from "./observer.js";
import type { HttpRequest } from "./transport.js";

/** An operation of the contract, or a call of any other path, as far as a call has to know it. */
export interface CalledOperation extends Pick<Operation, "id" | "scopes" | "bucket" | "repeatable"> {
  /** The credentials that an operation takes, in order of preference. */
  readonly credentials: readonly Signature[];
}

/** A call that is ready for its credential. */
export interface BuiltCall<Value = unknown> extends Pick<ObservedCall, "path" | "order"> {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  readonly read: ReadSuccess<Value>;
}

/** Tells whether the path of a contract's operation names an order (sections 4.1 to 4.5). */
export function isOfAnOrder(operation: string): boolean {
  return [operations.assignDriver, ...Object.values(statusChanges)].some(({ id }) => id === operation);
}

export function requestHeaders(body: HttpRequest["body"]): Readonly<Record<string, string>> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return { accept: "application/json", "user-agent": "comanda", ...type };
}

/** The contract says how the answer of each operation is read. */
const answers: {
  readonly [Id in CallableOperation]: {
    readonly response: {
      readonly read: (json: unknown, text: string, asked: Asked) => OperationOutputs[Id] | undefined;
    };
  };
} = operations;

/** @throws {ComandaError} `invalid_input` */
export function buildRequest<Id extends CallableOperation>(
  baseUrl: string,
  id: Id,
  input: OperationInputs[Id],
): BuiltCall<OperationOutputs[Id]> {
  const operation: Operation = operations[id];
  const { method, query } = operation;
  const { read } = answers[id].response;
  if (query) {
    const { path } = operation;
    const pairs: string[] = [];
    // Section 4.8 spells the names with plain brackets, so they go out as they are.
    const add = (name: string, value: string) =>
      pairs.push(`${name}=${encodeURIComponent(value.toWellFormed())}`);
    for (const [name, value] of Object.entries(checkInput(query(), input))) {
      if (typeof value === "string") add(name, value);
      else
        for (const { field, operator, values } of value ?? [])
          for (const each of values) add(filterParameter(`${field}_${operator}`), each);
    }
    const url = `${baseUrl}${path}?${pairs.join("&")}`;
    const request = { method, url, headers: requestHeaders(undefined) };
    return {
      operation,
      request,
      path,
      order: null,
      read: readerOf(read, { orderId: null, driverId: undefined }),
    };
  }
  const { order_id: order, ...fields }: Readonly<Record<string, unknown>> = checkInput(
    operations[id].input(),
    input,
  );
  const path = operation.path.replace("{order_id}", String(order));
  const url = baseUrl + path;
  const body = bodyOf(operation, fields);
  const headers = requestHeaders(body);
  const orderId = typeof order === "string" ? order : null;
  return {
    operation,
    request: { method, url, headers, ...(body !== undefined && { body }) },
    path,
    order: orderId,
    read: readerOf(read, { orderId, driverId: fields["driver_id"] }),
  };
}

/** Writes JSON with the digits of an amount as they were typed: `JSON.stringify` would turn 7.50 into 7.5. */
function bodyOf({ body }: Operation, fields: Readonly<Record<string, unknown>>): string | undefined {
  const members = Object.entries(fields).flatMap(([name, value]) => {
    const isTyped = typeof value === "string" && body?.typedAmounts?.includes(name);
    // A JSON number has no leading zeros (RFC 8259, section 6).
    const text = isTyped ? value.replace(/^0+(?=\d)/, "") : (JSON.stringify(value) as string | undefined);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  if (!body || (members.length === 0 && !body.required)) return undefined;
  return `{${members.join(",")}}`;
}
