/**
 * The partner API as data: every operation of section 4, once; the two of OAuth stand in oauth-operations.ts. The client
 * calls from this table, the emulator routes and validates from it, the OpenAPI document is generated from it.
 */
import type * as z from "zod/mini";

import type { Credential, RequiredScopes } from "./credentials.js";
import { errorCodes, type ErrorCode } from "./errors.js";
import type { DescribedRule } from "./input.js";
import type { RateBucket } from "./limits.js";
import type { CallableOperation } from "./models.js";
import { orderSchema, readOrder } from "./order.js";
import {
  assignDriverBodySchema,
  assignDriverInputSchema,
  cancelOrderBodySchema,
  cancelOrderInputSchema,
  orderInputSchema,
  readStatusChange,
} from "./order-calls.js";
import {
  prefilledOrderBodySchema,
  prefilledOrderInputSchema,
  prefilledOrderRules,
  prefilledOrderSchema,
  readPrefilledOrder,
} from "./prefilled-order.js";
import {
  groupedSummaryQuerySchema,
  groupedSummaryRules,
  groupedSummarySchema,
  summaryQuerySchema,
  summaryRules,
  readGroupedSummary,
  readSummary,
  summarySchema,
} from "./summary.js";

export interface Operation {
  readonly id: string;
  /** The section of the specification. */
  readonly section: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Relative to the base URL; `{order_id}` stands for a path parameter. */
  readonly path: string;
  /** Accepted credentials in order of preference; none for the two OAuth endpoints. */
  readonly credentials: readonly Credential[];
  readonly scopes: RequiredScopes;
  /** `null`: not counted, since the limits of section 8 are counted for a store and this call has none. */
  readonly bucket: RateBucket | null;
  /** May it be sent again when it is not known whether it was received? (RFC 9110, section 9.2.2) */
  readonly repeatable: boolean;
  /**
   * What a program gives a client: parameters of the path, query and body as one object. Absent for the two OAuth
   * endpoints, which belong to the sign-in.
   */
  readonly input?: z.ZodMiniType;
  /** Between the fields of the input. */
  readonly rules?: readonly DescribedRule[];
  /** Its field `filters` stands for the parameters of section 4.8. */
  readonly query?: typeof summaryQuerySchema | typeof groupedSummaryQuerySchema;
  /** The value as it goes over the wire. */
  readonly body?: {
    readonly type: "application/json" | "application/x-www-form-urlencoded";
    readonly required: boolean;
    readonly schema: z.ZodMiniType;
    /** Fields that a program may give as text, which then go out digit by digit. */
    readonly typedAmounts?: readonly string[];
  };
  readonly response: {
    /** `2xx`: which of them is not shown. */
    readonly status: 200 | "2xx";
    /** `null`: the body is empty, or not shown. */
    readonly schema: z.ZodMiniType | null;
    /** How a client reads the body where a schema would refuse too much; `undefined` where it is not the API's. */
    readonly read?: (json: unknown, text: string) => unknown;
  };
  readonly errorCodes: readonly ErrorCode[];
}

const { invalidParameters, statusCannotChange, invalidToken, notFound } = errorCodes;

/** What the four status changes have in common: sections 4.2 to 4.5. */
const statusChange = {
  method: "POST",
  credentials: ["bearer", "api_key"],
  scopes: ["orders"],
  bucket: "general",
  repeatable: false,
  input: orderInputSchema,
  response: { status: "2xx", schema: null, read: readStatusChange },
  errorCodes: [statusCannotChange, invalidToken, notFound],
} as const;

/** What the two summary endpoints have in common: sections 4.6 and 4.7. */
const summaries = {
  method: "GET",
  credentials: ["bearer"],
  scopes: ["orders"],
  repeatable: true,
  errorCodes: [invalidParameters, invalidToken],
} as const;

export const operations = {
  assignDriver: {
    id: "assignDriver",
    section: "4.1",
    method: "PUT",
    path: "/api/partner/v1/orders/{order_id}/driver",
    credentials: ["bearer"],
    scopes: ["orders", "drivers"],
    bucket: "general",
    repeatable: true,
    input: assignDriverInputSchema,
    body: {
      type: "application/json",
      required: true,
      schema: assignDriverBodySchema,
      typedAmounts: ["driver_fee"],
    },
    // The order has been changed by then, so a field of another shape must not make that a failure.
    response: {
      status: 200,
      get schema() {
        return orderSchema();
      },
      read: readOrder,
    },
    errorCodes: [invalidParameters, invalidToken, notFound],
  },
  cancelOrder: {
    ...statusChange,
    id: "cancelOrder",
    section: "4.2",
    path: "/api/partner/v1/orders/{order_id}/cancel",
    input: cancelOrderInputSchema,
    body: { type: "application/json", required: false, schema: cancelOrderBodySchema },
  },
  dispatchOrder: {
    ...statusChange,
    id: "dispatchOrder",
    section: "4.3",
    path: "/api/partner/v1/orders/{order_id}/dispatch",
  },
  deliverOrder: {
    ...statusChange,
    id: "deliverOrder",
    section: "4.4",
    path: "/api/partner/v1/orders/{order_id}/delivered",
  },
  finalizeOrder: {
    ...statusChange,
    id: "finalizeOrder",
    section: "4.5",
    path: "/api/partner/v1/orders/{order_id}/finalize",
  },
  summary: {
    ...summaries,
    id: "summary",
    section: "4.6",
    path: "/api/partner/v1/orders/summary",
    bucket: "summary",
    input: summaryQuerySchema,
    rules: summaryRules,
    query: summaryQuerySchema,
    response: { status: 200, schema: summarySchema, read: readSummary },
  },
  groupedSummary: {
    ...summaries,
    id: "groupedSummary",
    section: "4.7",
    path: "/api/partner/v1/orders/summary/grouped",
    bucket: "summary_grouped",
    input: groupedSummaryQuerySchema,
    rules: groupedSummaryRules,
    query: groupedSummaryQuerySchema,
    response: { status: 200, schema: groupedSummarySchema, read: readGroupedSummary },
  },
  createPrefilledOrder: {
    id: "createPrefilledOrder",
    section: "4.9",
    method: "POST",
    path: "/api/partner/v1/orders/prefilled_order",
    credentials: ["api_key"],
    scopes: [],
    bucket: "general",
    repeatable: false,
    get input() {
      return prefilledOrderInputSchema();
    },
    rules: prefilledOrderRules,
    body: {
      type: "application/json",
      required: true,
      get schema() {
        return prefilledOrderBodySchema();
      },
    },
    response: {
      status: "2xx",
      get schema() {
        return prefilledOrderSchema();
      },
      read: readPrefilledOrder,
    },
    errorCodes: [invalidParameters, invalidToken],
  },
} as const satisfies Record<CallableOperation, Operation>;

/** The four status changes by the verb that people use for them. */
export const statusChanges = {
  dispatch: operations.dispatchOrder,
  deliver: operations.deliverOrder,
  finalize: operations.finalizeOrder,
  cancel: operations.cancelOrder,
} as const;

export type StatusChange = keyof typeof statusChanges;

/**
 * The path of an operation with its parameters filled in, each encoded as one segment.
 *
 * @param fields what else is in them is not for the path
 * @throws {RangeError} where a parameter is missing, empty, `.` or `..`, which no encoding keeps in its place
 */
export function operationPath(operation: Operation, fields: Readonly<Record<string, unknown>> = {}): string {
  return templateOf(operation.path)
    .map((part, index) => (index % 2 === 0 ? part : segment(part, fields[part])))
    .join("");
}

function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..")
    throw new RangeError(`${name} can't be "${String(value)}"`);
  return encodeURIComponent(value);
}

/** The names of the parameters in an operation's path. */
export function pathParameters(operation: Operation): readonly string[] {
  return templateOf(operation.path).filter((_, index) => index % 2 === 1);
}

const templates = new Map<string, readonly string[]>();

/** The text of the path and the names of its parameters, in turn. Split once, since every call asks. */
function templateOf(path: string): readonly string[] {
  const known = templates.get(path);
  if (known) return known;
  const parts = path.split(/[{}]/);
  templates.set(path, parts);
  return parts;
}
