/**
 * The partner API as data: each operation of section 4 once, the two of OAuth in oauth.ts. The client calls from this table, the
 * emulator routes and validates by it, and the OpenAPI document is generated from it, with the texts of descriptions.json.
 */
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
import type { Schema } from "./schema.js";
import type { OrderStatus, RateBucket } from "./values.js";

/** A token may be good for these scopes: section 5.3. */
export const scopes = {
  store: "Store data and payment methods",
  orders: "Read, create and change orders, summaries",
  drivers: "Assign or remove order drivers (used together with orders)",
  catalog: "Catalog read and management",
  customers: "Customers of the store",
  coupons: "Discount coupons",
  reviews: "Reviews",
} as const;
export type Scope = keyof typeof scopes;

/** Section 5.1 says how a call is signed. */
export const credentialHeaders = {
  bearer: "authorization",
  api_key: "x-api-key",
  partner_key: "x-partner-key",
} as const;

/**
 * A call is signed by one of these (section 5.1): `bearer` is the OAuth access token, `api_key` the store's legacy key, and
 * `partner` that key together with the partner key.
 */
export type AuthScheme = "bearer" | "api_key" | "partner";

export interface Operation {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT";
  /** The path is relative to the base URL; `{order_id}` stands for a path parameter. */
  readonly path: string;
  /** The accepted credentials come in order of preference; the two OAuth endpoints have none. */
  readonly credentials: readonly AuthScheme[];
  /** A Bearer token must carry these scopes. The API key model applies none (section 5.1). */
  readonly scopes: readonly Scope[];
  /** Calls are counted here; `null`: they aren't, since limits are counted for a store, and this call has none. */
  readonly bucket: RateBucket | null;
  /** A repeatable call may be sent again when it is not known whether it was received (RFC 9110, section 9.2.2). */
  readonly repeatable: boolean;
  /** The query's schema. Its field `filters` stands for the parameters of section 4.8. */
  readonly query?: keyof ReturnType<typeof querySchemas>;
  /** The body goes over the wire in this form. */
  readonly body?: {
    readonly type: "application/json" | "application/x-www-form-urlencoded";
    readonly required: boolean;
    readonly schema: () => Schema<Readonly<Record<string, unknown>>>;
    /** What a program gives a client, if that isn't the body itself. */
    readonly input?: () => Schema<Readonly<Record<string, unknown>>>;
  };
  /** The statuses to which a status change leads: section 3. */
  readonly leadsTo?: readonly OrderStatus[];
  /**
   * Whether a status change is refused with code 4002 if it was done before; `false` if the specification doesn't show that. Undefined
   * for other operations.
   */
  readonly isRefusedTwice?: boolean;
  readonly response: {
    /** `2xx` means that the specification doesn't show which of them it is. */
    readonly status: 200 | "2xx";
    /** `null` means that the body is empty, or not shown. */
    readonly schema: (() => Schema) | null;
    /** Reads the body for a client; `undefined` where it isn't the API's. */
    readonly read?: (json: unknown, text: string, asked: Asked) => unknown;
  };
}

const orders = "/api/partner/v1/orders";

/** The four status changes have this in common: sections 4.2 to 4.5. */
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
  path: `${orders}/{order_id}/cancel`,
  leadsTo: ["canceled"],
  isRefusedTwice: true,
  body: { type: "application/json", required: false, schema: () => callSchemas().cancelOrder },
} as const;

const dispatchOrder = {
  ...statusChange,
  id: "dispatchOrder",
  path: `${orders}/{order_id}/dispatch`,
  leadsTo: ["released", "waiting_to_catch"],
  isRefusedTwice: false,
} as const;

const deliverOrder = {
  ...statusChange,
  id: "deliverOrder",
  path: `${orders}/{order_id}/delivered`,
  leadsTo: ["delivered"],
  isRefusedTwice: true,
} as const;

const finalizeOrder = {
  ...statusChange,
  id: "finalizeOrder",
  path: `${orders}/{order_id}/finalize`,
  leadsTo: ["closed"],
  isRefusedTwice: true,
} as const;

/** The two summary endpoints have this in common: sections 4.6 and 4.7. */
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

/** A client calls these operations; the two of OAuth belong to the sign-in. */
export type CallableOperation = keyof typeof operations;

/** A client reads this from the answer of each; `null` stands for nothing, or nothing that is shown. */
export type OperationOutputs = {
  readonly [Id in CallableOperation]: Exclude<
    ReturnType<(typeof operations)[Id]["response"]["read"]>,
    undefined
  >;
};

/** People call the four status changes by these verbs. */
export const statusChanges = {
  dispatch: dispatchOrder,
  deliver: deliverOrder,
  finalize: finalizeOrder,
  cancel: cancelOrder,
} as const satisfies Record<string, Operation & { readonly isRefusedTwice: boolean }>;

export type StatusChange = keyof typeof statusChanges;
