/**
 * The partner API as data: each operation of section 4, except the two of OAuth in oauth.ts. The client's calls, the emulator's routes
 * and the OpenAPI document are made from it.
 */
import type * as z from "zod/mini";

import type { Word } from "../languages/language.js";
import {
  orderSchemas,
  prefilledOrderSchema,
  readAssignment,
  readGroupedSummary,
  readPrefilledOrder,
  readStatusChange,
  readSummary,
  salesSchemas,
  type Asked,
} from "./responses.js";
import { callSchemas, newPrefilledOrderSchema, type querySchemas } from "./input.js";
import type { OrderStatus, RateBucket, Scope } from "./values.js";

/** What each scope of a token allows (section 5.3). */
export const scopes = {
  store: "Store data and payment methods",
  orders: "Read, create and change orders; read summaries",
  drivers: "Assign or remove order drivers (used together with orders)",
  catalog: "Catalog read and management",
  customers: "Customers of the store",
  coupons: "Discount coupons",
  reviews: "Reviews",
} as const satisfies Readonly<Record<Scope, string>>;

/** The credentials of a store (section 5.1), by the names of a client's options. */
export const credentialKinds = {
  bearer: { name: "access token", header: "authorization", prefix: "Bearer " },
  apiKey: { name: "API key", header: "x-api-key", prefix: "" },
  partnerKey: { name: "partner key", header: "x-partner-key", prefix: "" },
} as const;
export type CredentialKind = keyof typeof credentialKinds;

/** How a call is signed (section 5.1): with the access token, the store's legacy key, or that key and the partner key. */
export const authSchemes = ["bearer", "api_key", "partner"] as const;
export type AuthScheme = (typeof authSchemes)[number];

/** The credentials that sign a call, and its name for people. */
export const schemeTable = {
  bearer: { kinds: ["bearer"], name: credentialKinds.bearer.name },
  api_key: { kinds: ["apiKey"], name: credentialKinds.apiKey.name },
  partner: { kinds: ["apiKey", "partnerKey"], name: credentialKinds.partnerKey.name },
} as const satisfies Record<AuthScheme, { kinds: readonly CredentialKind[]; name: string }>;

export interface Operation<Output = unknown, Bucket = RateBucket> {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Relative to the base URL. `{order_id}` is a path parameter. */
  readonly path: string;
  /** In order of preference; empty for the two OAuth endpoints. */
  readonly credentials: readonly AuthScheme[];
  /** The scopes that a Bearer token needs. The API key model has none (section 5.1). */
  readonly scopes: readonly Scope[];
  /** The rate limit of the call; `null` for the two OAuth endpoints, whose calls belong to no store. */
  readonly bucket: Bucket;
  /** Whether a call may be sent again if it may have been received (RFC 9110, section 9.2.2). */
  readonly repeatable: boolean;
  /** The query's schema. Its field `filters` stands for the parameters of section 4.8. */
  readonly query?: keyof ReturnType<typeof querySchemas>;
  readonly body?: {
    readonly type: "application/json" | "application/x-www-form-urlencoded";
    readonly required: boolean;
    readonly schema: () => z.core.$ZodType<Readonly<Record<string, unknown>>>;
    /** What a program passes to a client, if that differs from the body. */
    readonly input?: () => z.core.$ZodType<Readonly<Record<string, unknown>>>;
  };
  /** The name of a status change. */
  readonly change?: StatusChange;
  /** The statuses that a status change leads to (section 3). */
  readonly leadsTo?: readonly OrderStatus[];
  /** Whether a status change is refused with code 4002 if it was done before; `false` if the specification doesn't show that. */
  readonly isRefusedTwice?: boolean;
  readonly response: {
    /** `2xx`: the specification doesn't show which one. */
    readonly status: 200 | "2xx";
    /** `null`: the body is empty or not shown. */
    readonly schema: (() => z.core.$ZodType) | null;
    /** Reads the body for a client; `undefined` if it isn't the API's. */
    readonly read?: (json: unknown, text: string, asked: Asked) => Output | undefined;
  };
}

const orders = "/api/partner/v1/orders";

/** The common part of the status changes (sections 4.2 to 4.5). */
const statusChange = {
  method: "POST",
  credentials: ["bearer", "api_key"],
  scopes: ["orders"],
  bucket: "general",
  repeatable: false,
  response: { status: "2xx", schema: null, read: readStatusChange },
} as const;

const cancelOrder = {
  ...statusChange,
  id: "cancelOrder",
  change: "cancel",
  path: `${orders}/{order_id}/cancel`,
  leadsTo: ["canceled"],
  isRefusedTwice: true,
  body: { type: "application/json", required: false, schema: () => callSchemas().cancelOrder },
} as const;

const dispatchOrder = {
  ...statusChange,
  id: "dispatchOrder",
  change: "dispatch",
  path: `${orders}/{order_id}/dispatch`,
  leadsTo: ["released", "waiting_to_catch"],
  isRefusedTwice: false,
} as const;

const deliverOrder = {
  ...statusChange,
  id: "deliverOrder",
  change: "deliver",
  path: `${orders}/{order_id}/delivered`,
  leadsTo: ["delivered"],
  isRefusedTwice: true,
} as const;

const finalizeOrder = {
  ...statusChange,
  id: "finalizeOrder",
  change: "finalize",
  path: `${orders}/{order_id}/finalize`,
  leadsTo: ["closed"],
  isRefusedTwice: true,
} as const;

/** The common part of the two summary endpoints (sections 4.6 and 4.7). */
const summaries = {
  method: "GET",
  credentials: ["bearer"],
  scopes: ["orders"],
  repeatable: true,
} as const;

export const operations = {
  assignDriver: {
    id: "assignDriver",
    method: "PUT",
    path: `${orders}/{order_id}/driver`,
    credentials: ["bearer"],
    scopes: ["orders", "drivers"],
    bucket: "general",
    repeatable: true,
    body: {
      type: "application/json",
      required: true,
      schema: () => callSchemas().assignDriver,
      input: () => callSchemas().typedDriver,
    },
    response: { status: 200, schema: () => orderSchemas().order, read: readAssignment },
  },
  cancelOrder,
  dispatchOrder,
  deliverOrder,
  finalizeOrder,
  summary: {
    ...summaries,
    id: "summary",
    path: `${orders}/summary`,
    bucket: "summary",
    query: "summaryQuery",
    response: { status: 200, schema: () => salesSchemas().summary, read: readSummary },
  },
  groupedSummary: {
    ...summaries,
    id: "groupedSummary",
    path: `${orders}/summary/grouped`,
    bucket: "summary_grouped",
    query: "groupedQuery",
    response: { status: 200, schema: () => salesSchemas().groupedSummary, read: readGroupedSummary },
  },
  createPrefilledOrder: {
    id: "createPrefilledOrder",
    method: "POST",
    path: `${orders}/prefilled_order`,
    credentials: ["api_key"],
    scopes: [],
    bucket: "general",
    repeatable: false,
    body: { type: "application/json", required: true, schema: newPrefilledOrderSchema },
    response: { status: "2xx", schema: prefilledOrderSchema, read: readPrefilledOrder },
  },
} as const satisfies Record<string, Operation>;

/** The operations of a client; the two of OAuth belong to the sign-in. */
export type CallableOperation = keyof typeof operations;

/** What a client reads from each response; `null` for nothing, or nothing that is shown. */
export type OperationOutputs = {
  readonly [Id in CallableOperation]: Exclude<
    ReturnType<(typeof operations)[Id]["response"]["read"]>,
    undefined
  >;
};

export const statusChangeNames = ["dispatch", "deliver", "finalize", "cancel"] as const;
export type StatusChange = (typeof statusChangeNames)[number];

/** The status changes by the names of their commands. */
export const statusChanges = {
  dispatch: dispatchOrder,
  deliver: deliverOrder,
  finalize: finalizeOrder,
  cancel: cancelOrder,
} as const satisfies Record<StatusChange, Operation & { readonly isRefusedTwice: boolean }>;

export const noChangeAfter = "A finalized or canceled order can no longer be changed.";

/** What people read about a status change: a command's line and paragraphs, and what an order then is. */
export const statusChangeTexts = {
  dispatch: {
    summary: "dispatch orders for delivery or pickup",
    paragraphs: [
      "Delivery orders become released (out for delivery). Takeout and dine-in (onsite) orders become waiting_to_catch (waiting for pickup).",
    ],
    done: "dispatched",
  },
  deliver: {
    summary: "mark orders that are out for delivery as delivered",
    paragraphs: [],
    done: "delivered",
  },
  finalize: {
    summary: "finalize orders",
    paragraphs: [noChangeAfter],
    done: "finalized",
  },
  cancel: {
    summary: "cancel orders",
    paragraphs: [
      "The service first accepts a cancellation. If the order was paid online by card, its status becomes canceling, and then canceled or the previous status again. The API doesn't report which, so check the order in the store's portal.",
      noChangeAfter,
    ],
    done: "canceled",
  },
} as const satisfies Readonly<
  Record<StatusChange, { summary: Word; paragraphs: readonly Word[]; done: Word }>
>;
