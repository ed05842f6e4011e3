/**
 * The partner API is described here as data, each operation of section 4 once; the two of OAuth stand in
 * oauth-operations.ts. The client calls from this table, the emulator routes and validates by it, and the OpenAPI
 * document is made of it. A schema is a function, since most programs need few of them.
 */
import type * as z from "zod/mini";

import type { Credential } from "./credentials.js";
import { errorCodes, type ErrorCode } from "./errors.js";
import type { DescribedRule } from "./input.js";
import type { RateBucket } from "./limits.js";
import type { CallableOperation } from "./models.js";
import { orderSchema } from "./order.js";
import {
  assignDriverBodySchema,
  assignDriverInputSchema,
  cancelOrderBodySchema,
  cancelOrderInputSchema,
  orderInputSchema,
  readAssignment,
  readStatusChange,
  type Asked,
} from "./order-calls.js";
import {
  prefilledOrderBodySchema,
  prefilledOrderInputSchema,
  prefilledOrderRules,
  prefilledOrderSchema,
  readPrefilledOrder,
} from "./prefilled-order.js";
import type { Scope } from "./scopes.js";
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
  readonly section: string;
  readonly method: "GET" | "POST" | "PUT";
  /** The path is relative to the base URL; `{order_id}` stands for a path parameter. */
  readonly path: string;
  /** The accepted credentials come in order of preference; the two OAuth endpoints have none. */
  readonly credentials: readonly Credential[];
  /** A Bearer token must carry these scopes. The API key model applies none (section 5.1). */
  readonly scopes: readonly Scope[];
  /**
   * Calls are counted in this bucket. `null` means that they aren't: the limits of section 8 are counted for a store,
   * and this call has none.
   */
  readonly bucket: RateBucket | null;
  /** A repeatable call may be sent again when it is not known whether it was received (RFC 9110, section 9.2.2). */
  readonly repeatable: boolean;
  /**
   * A program gives a client the parameters of path, query and body as one object. The two OAuth endpoints lack it,
   * since they belong to the sign-in.
   */
  readonly input?: () => z.ZodMiniType;
  /** These rules hold between the fields of the input. */
  readonly rules?: readonly DescribedRule[];
  /** The field `filters` of the query stands for the parameters of section 4.8. */
  readonly query?: typeof summaryQuerySchema | typeof groupedSummaryQuerySchema;
  /** The body goes over the wire in this form. */
  readonly body?: {
    readonly type: "application/json" | "application/x-www-form-urlencoded";
    readonly required: boolean;
    readonly schema: () => z.ZodMiniType;
    /** A program may give these fields as text, which then goes out digit by digit. */
    readonly typedAmounts?: readonly string[];
  };
  readonly response: {
    /** `2xx` means that the specification doesn't show which of them it is. */
    readonly status: 200 | "2xx";
    /** `null` means that the body is empty, or not shown. */
    readonly schema: (() => z.ZodMiniType) | null;
    /**
     * Reads the body for a client, where a schema would refuse too much; it gives `undefined` where the body is not
     * the API's.
     */
    readonly read?: (json: unknown, text: string, asked: Asked) => unknown;
  };
  readonly errorCodes: readonly ErrorCode[];
}

const { invalidParameters, statusCannotChange, invalidToken, notFound } = errorCodes;

/** The four status changes have this in common: sections 4.2 to 4.5. */
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

/** The two summary endpoints have this in common: sections 4.6 and 4.7. */
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
    // The order has been changed by the time of the answer, so a field of another shape must not make that a failure.
    response: {
      status: 200,
      schema: orderSchema,
      read: readAssignment,
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
    response: {
      status: 200,
      schema: summarySchema,
      read: readSummary,
    },
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
    response: {
      status: 200,
      schema: groupedSummarySchema,
      read: readGroupedSummary,
    },
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
    input: prefilledOrderInputSchema,
    rules: prefilledOrderRules,
    body: {
      type: "application/json",
      required: true,
      schema: prefilledOrderBodySchema,
    },
    response: {
      status: "2xx",
      schema: prefilledOrderSchema,
      read: readPrefilledOrder,
    },
    errorCodes: [invalidParameters, invalidToken],
  },
} as const satisfies Record<CallableOperation, Operation>;

/** People call the four status changes by these verbs. */
export const statusChanges = {
  dispatch: operations.dispatchOrder,
  deliver: operations.deliverOrder,
  finalize: operations.finalizeOrder,
  cancel: operations.cancelOrder,
} as const;

export type StatusChange = keyof typeof statusChanges;

/**
 * Fills in the parameters of an operation's path, each encoded as one segment.
 *
 * @param fields may have others that aren't in the path
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

/** Gives the names of the parameters in an operation's path. */
export function pathParameters(operation: Operation): readonly string[] {
  return templateOf(operation.path).filter((_, index) => index % 2 === 1);
}

const templates = new Map<string, readonly string[]>();

/**
 * Splits a path into its texts and the names of its parameters, in turn. The parts are kept, since every call asks
 * for them.
 */
function templateOf(path: string): readonly string[] {
  const kept = templates.get(path);
  if (kept) return kept;
  const parts = path.split(/[{}]/);
  templates.set(path, parts);
  return parts;
}
