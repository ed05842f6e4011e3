/** Makes the request of an operation and its input, all but the credential. */
import type * as z from "zod/mini";

import { filterParameter } from "../api/filters.js";
import { brokenRule, periodLengthRules } from "../api/rules.js";
import {
  operationPath,
  operations,
  pathParameters,
  statusChanges,
  type Operation,
} from "../api/operations.js";
import type { CallableOperation, OperationInputs, OperationOutputs } from "../api/models.js";
import type { Asked } from "../api/answers.js";
import type { RateBucket } from "../api/limits.js";
import type { Scope } from "../api/operations.js";
import type { Clock } from "./clock.js";
import { t } from "../languages/language.js";
import { ComandaError } from "./errors.js";
import { checkInput, invalidInput } from "./checks.js";
import type { Signature } from "./credentials.js";
import { readerOf, type ReadSuccess } from "./judge.js";
import type { ObservedCall } from "./observer.js";
import type { HttpRequest } from "./transport.js";

const json = "application/json";
export const userAgent = "comanda";

export interface Destination {
  readonly baseUrl: string;
}

/** An operation of the contract, or a call of any other path, as far as a call has to know it. */
export interface CalledOperation {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly bucket: RateBucket | null;
  /** May it be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** The credentials that an operation takes, in order of preference. */
  readonly credentials: readonly Signature[];
}

/** A call that is ready for its credential. */
export interface BuiltCall<Value = unknown> extends Pick<ObservedCall, "path" | "order"> {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  readonly read: ReadSuccess<Value>;
}

export function isStatusChange(operation: string): boolean {
  return Object.values(statusChanges).some(({ id }) => id === operation);
}

/** Tells whether the path of a contract's operation names an order (sections 4.1 to 4.5). */
export function isOfAnOrder(operation: string): boolean {
  return operation === operations.assignDriver.id || isStatusChange(operation);
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
  { baseUrl, clock }: Destination & { readonly clock: Pick<Clock, "now"> },
  id: Id,
  input: OperationInputs[Id],
): BuiltCall<OperationOutputs[Id]> {
  const operation: Operation = operations[id];
  const { method, query } = operation;
  const { read } = answers[id].response;
  const headers = { accept: json, "user-agent": userAgent };
  if (query) {
    const search = queryString(checkQuery(query(), input, clock.now()));
    const path = operationPath(operation);
    const request = { method, url: baseUrl + path + search, headers };
    return {
      operation,
      request,
      path,
      order: null,
      read: readerOf(read, { orderId: null, driverId: undefined }),
    };
  }
  const fields = checkInput(operations[id].input(), input);
  const path = operationPath(operation, fields);
  const url = baseUrl + path;
  const body = bodyOf(operation, fields);
  const order = "order_id" in fields && typeof fields.order_id === "string" ? fields.order_id : null;
  const driverId = "driver_id" in fields ? fields["driver_id"] : undefined;
  return {
    operation,
    request:
      body === undefined
        ? { method, url, headers }
        : { method, url, headers: { ...headers, "content-type": json }, body },
    path,
    order,
    read: readerOf(read, { orderId: order, driverId }),
  };
}

type QuerySchema = ReturnType<NonNullable<Operation["query"]>>;
type Query = z.output<QuerySchema>;

/**
 * By which clock the service counts the months and years is not shown. March to August begins on 28 February in Universal
 * Time where clocks are ahead of it, and six months from there end three days before August does; the fourth day is for a
 * change of clocks, or a clock of this machine that is off. Within them the edge is left to the service.
 */
const graceMs = 4 * 86_400_000;

/** @throws {ComandaError} `invalid_input`, also for a period that the service is sure to refuse (section 8) */
function checkQuery(schema: QuerySchema, input: unknown, now: number): Query {
  const query: Query = checkInput(schema, input);
  const [start, end] = [Date.parse(query.start_date), Date.parse(query.end_date)];
  const broken = brokenRule(periodLengthRules, { start, end, now, grace: graceMs });
  if (broken) throw invalidInput(`${broken.field} ${broken.message}.`);
  return query;
}

/** Section 4.8 spells the names with plain brackets, so they go out as they are. */
function queryString(query: Query): string {
  const pairs: string[] = [];
  const add = (name: string, value: string) =>
    pairs.push(`${name}=${encodeURIComponent(value.toWellFormed())}`);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === "string") add(name, value);
    else
      for (const { field, operator, values } of value ?? [])
        for (const each of values) add(filterParameter(`${field}_${operator}`), each);
  }
  return `?${pairs.join("&")}`;
}

/** @throws {ComandaError} `invalid_input` where there is no JSON for it: a cycle, a BigInt, a `toJSON` that fails */
function bodyOf(operation: Operation, fields: object): string | undefined {
  const { body } = operation;
  if (!body) return undefined;
  const inPath = pathParameters(operation);
  const members = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !inPath.includes(name),
  );
  if (members.length === 0 && !body.required) return undefined;
  try {
    if (body.typedAmounts) return jsonOf(members, body.typedAmounts);
    return JSON.stringify(Object.fromEntries(members));
  } catch (error) {
    throw new ComandaError("invalid_input", t`The input can't be written as JSON.`, {
      hint: t`JSON knows no cycles and no BigInt.`,
      cause: error,
    });
  }
}

/** Writes JSON with the digits of an amount as they were typed: `JSON.stringify` would turn 7.50 into 7.5. */
function jsonOf(members: readonly (readonly [string, unknown])[], typedAmounts: readonly string[]): string {
  const texts = members.map(([name, value]) => {
    const isTyped = typeof value === "string" && typedAmounts.includes(name);
    // A JSON number has no leading zeros (RFC 8259, section 6).
    return `${JSON.stringify(name)}:${isTyped ? value.replace(/^0+(?=\d)/, "") : JSON.stringify(value)}`;
  });
  return `{${texts.join(",")}}`;
}
