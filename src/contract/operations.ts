/**
 * The partner API as data: every operation of section 4, once. The client calls from this table, the emulator
 * routes and validates from it, the OpenAPI document is generated from it.
 */
import * as z from "zod/mini";

import type { Credential, RequiredScopes } from "./credentials.js";
import { assignDriverBodySchema } from "./driver.js";
import { errorCodes, type ErrorCode } from "./errors.js";
import type { RateBucket } from "./limits.js";
import { revokeRequestSchema, tokenRequestSchema, tokenResponseSchema } from "./oauth.js";
import { orderSchema } from "./order.js";
import { prefilledOrderBodySchema, prefilledOrderSchema } from "./prefilled-order.js";
import {
  groupedSummaryQuerySchema,
  groupedSummarySchema,
  summaryQuerySchema,
  summarySchema,
} from "./summary.js";

export interface Operation {
  readonly id: string;
  /** The section of the specification. */
  readonly section: string;
  readonly summary: string;
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
  readonly query?: z.ZodMiniType;
  /** Section 4.8 applies to the query. */
  readonly filters?: true;
  readonly body?: {
    readonly type: "application/json" | "application/x-www-form-urlencoded";
    readonly required: boolean;
    readonly schema: z.ZodMiniType;
  };
  readonly response: {
    /** `2xx`: which of them is not shown. */
    readonly status: 200 | "2xx";
    /** `null`: the body is empty, or not shown. */
    readonly schema: z.ZodMiniType | null;
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
  response: { status: "2xx", schema: null },
  errorCodes: [statusCannotChange, invalidToken, notFound],
} as const;

/** What the two summary endpoints have in common: sections 4.6 and 4.7. */
const figures = {
  method: "GET",
  credentials: ["bearer"],
  scopes: ["orders"],
  repeatable: true,
  filters: true,
  errorCodes: [invalidParameters, invalidToken],
} as const;

/** What the two OAuth endpoints have in common: sections 4.10 and 4.11. */
const oauth = { method: "POST", credentials: [], scopes: [], bucket: null, errorCodes: [] } as const;

export const operations = {
  assignDriver: {
    id: "assignDriver",
    section: "4.1",
    summary: "Assign or replace the driver of a delivery order",
    method: "PUT",
    path: "/api/partner/v1/orders/{order_id}/driver",
    credentials: ["bearer"],
    scopes: ["orders", "drivers"],
    bucket: "general",
    repeatable: true,
    body: { type: "application/json", required: true, schema: assignDriverBodySchema },
    response: { status: 200, schema: orderSchema },
    errorCodes: [invalidParameters, invalidToken, notFound],
  },
  cancelOrder: {
    ...statusChange,
    id: "cancelOrder",
    section: "4.2",
    summary: "Cancel an order",
    path: "/api/partner/v1/orders/{order_id}/cancel",
    body: {
      type: "application/json",
      required: false,
      schema: z.looseObject({ cancellation_reason: z.optional(z.string()) }),
    },
  },
  dispatchOrder: {
    ...statusChange,
    id: "dispatchOrder",
    section: "4.3",
    summary: "Dispatch an order: out for delivery, or waiting for pickup",
    path: "/api/partner/v1/orders/{order_id}/dispatch",
  },
  deliverOrder: {
    ...statusChange,
    id: "deliverOrder",
    section: "4.4",
    summary: "Mark a delivery order as delivered",
    path: "/api/partner/v1/orders/{order_id}/delivered",
  },
  finalizeOrder: {
    ...statusChange,
    id: "finalizeOrder",
    section: "4.5",
    summary: "Finalize an order",
    path: "/api/partner/v1/orders/{order_id}/finalize",
  },
  summary: {
    ...figures,
    id: "summary",
    section: "4.6",
    summary: "Sales figures of a period",
    path: "/api/partner/v1/orders/summary",
    bucket: "summary",
    query: summaryQuerySchema,
    response: { status: 200, schema: summarySchema },
  },
  groupedSummary: {
    ...figures,
    id: "groupedSummary",
    section: "4.7",
    summary: "Sales figures of a period, split by one dimension",
    path: "/api/partner/v1/orders/summary/grouped",
    bucket: "summary_grouped",
    query: groupedSummaryQuerySchema,
    response: { status: 200, schema: groupedSummarySchema },
  },
  createPrefilledOrder: {
    id: "createPrefilledOrder",
    section: "4.9",
    summary: "Create a pre-filled order",
    method: "POST",
    path: "/api/partner/v1/orders/prefilled_order",
    credentials: ["api_key"],
    scopes: [],
    bucket: "general",
    repeatable: false,
    body: { type: "application/json", required: true, schema: prefilledOrderBodySchema },
    response: { status: "2xx", schema: prefilledOrderSchema },
    errorCodes: [invalidParameters, invalidToken],
  },
  token: {
    ...oauth,
    id: "token",
    section: "4.10",
    summary: "Exchange an authorisation code or a refresh token",
    path: "/api/partner/oauth/token",
    // A refresh token that is sent twice counts as stolen where the service rotates them (RFC 9700, 4.14.2).
    repeatable: false,
    body: { type: "application/x-www-form-urlencoded", required: true, schema: tokenRequestSchema },
    response: { status: 200, schema: tokenResponseSchema },
  },
  revoke: {
    ...oauth,
    id: "revoke",
    section: "4.11",
    summary: "Revoke a token",
    path: "/api/partner/oauth/revoke",
    // RFC 7009, section 2.2: revoking a token that is already invalid is a success too.
    repeatable: true,
    body: { type: "application/x-www-form-urlencoded", required: true, schema: revokeRequestSchema },
    response: { status: "2xx", schema: null },
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

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
 * @throws {RangeError} where a parameter is missing, empty, `.` or `..`, which no encoding keeps in its place
 */
export function operationPath(
  operation: Operation,
  parameters: Readonly<Record<string, string>> = {},
): string {
  return templateOf(operation.path)
    .map((part, index) => (index % 2 === 0 ? part : segment(part, parameters[part] ?? "")))
    .join("");
}

function segment(name: string, value: string): string {
  if (value === "" || value === "." || value === "..") throw new RangeError(`${name} can't be "${value}"`);
  return encodeURIComponent(value);
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
