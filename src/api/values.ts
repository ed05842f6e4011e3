/**
 * The values that the specification names, its limits (section 8) and its error codes (section 7). A service may add values to
 * responses, so any text is accepted there. A request accepts only the values of its section.
 */

/** An editor completes the values that the specification names. Any other text is accepted, because a service may add values. */
export type Open<Value extends string> = Value | (string & Record<never, never>);

/**
 * A token, code or key is sent in a header or a form, so it is visible ASCII (RFC 9110, section 5.5) without spaces. The length is
 * comanda's own limit.
 */
export const secretPattern = /^[\x21-\x7e]{1,4096}$/;

/** Section 3. */
export const orderStatuses = [
  "waiting_confirmation",
  "pending_payment",
  "pending_online_payment",
  "scheduled_confirmed",
  "confirmed",
  "ready",
  "released",
  "waiting_to_catch",
  "delivered",
  "canceling",
  "canceled",
  "closed",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Section 3, rule 1: no transition leads out of these. */
export const finalStatuses = ["canceled", "closed"] as const satisfies readonly OrderStatus[];

/** Section 2.1. */
export const orderTypes = ["delivery", "takeout", "onsite", "closed_table"] as const;
export type OrderType = (typeof orderTypes)[number];

/** Section 2.1. */
export const orderTimings = ["immediate", "scheduled"] as const;
export type OrderTiming = (typeof orderTimings)[number];

/**
 * The channels of an order (section 2.1). The filter of section 4.8 has a longer list. The specification doesn't say which one is
 * complete, so both are open.
 */
export const salesChannels = [
  "catalog",
  "store_front_catalog",
  "portal",
  "messaging_extension",
  "marketplace_a",
] as const;

/** The deliverers of an order (section 2.1). The names of marketplaces stand for the wire values. */
export const deliverers = [
  "merchant",
  "marketplace_a",
  "marketplace_a_shipping",
  "marketplace_b_delivery",
  "marketplace_c",
  "marketplace_d",
  "marketplace_e",
] as const;

/** Section 2.3. */
export const itemKinds = ["regular_item", "combo"] as const;

/** Section 2.3. */
export const itemStatuses = ["pending", "waiting", "production", "ready", "ok", "canceled"] as const;

/** Section 4.7. */
export const temporalDimensions = ["hour", "day", "day_of_week", "week", "month"] as const;
export const categoricalDimensions = [
  "order_type",
  "order_timing",
  "sales_channel",
  "customer_origin",
  "payment_method_id",
  "driver_id",
  "status",
] as const;
export const dimensions = [...temporalDimensions, ...categoricalDimensions] as const;
export type Dimension = (typeof dimensions)[number];
export type CategoricalDimension = (typeof categoricalDimensions)[number];

/** The scopes of a token (section 5.3). */
export const scopeNames = [
  "store",
  "orders",
  "drivers",
  "catalog",
  "customers",
  "coupons",
  "reviews",
] as const;
export type Scope = (typeof scopeNames)[number];

/** The date of an order that counts (section 4.6). A period of scheduled dates has dates as its ends, others have instants. */
export const dateFields = ["created_at", "scheduled_date"] as const;
export type DateField = (typeof dateFields)[number];

/** At most `limit` requests of a store in any `windowMs` milliseconds. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

const fivePerMinute: RateLimit = { limit: 5, windowMs: 60_000 };

/** Each of the first three endpoints has its own window; all others share one. */
export const rateLimits = {
  summary: fivePerMinute,
  summary_grouped: fivePerMinute,
  history: fivePerMinute,
  general: { limit: 300, windowMs: 180_000 },
} as const satisfies Record<string, RateLimit>;

export type RateBucket = keyof typeof rateLimits;

/** Lifetime of an access token in seconds (section 5.2). */
export const accessTokenSeconds = 7200;

/** The most months of a summary period (section 8). */
export const summaryPeriodMonths = 6;

/** The most years between the start of a summary period and now (section 8). */
export const summaryHistoryYears = 3;

/** Section 4.8. */
export const customerOriginLength = 255;

/** The error codes of section 7. */
export const errorCodes = {
  /** Invalid body or query; HTTP 400. */
  invalidParameters: 4000,
  /** The order's status can't be changed; its HTTP status is not shown. */
  statusCannotChange: 4002,
  /** Authentication failed; HTTP 401. */
  invalidToken: 4010,
  /** The order does not exist for the store; HTTP 404. */
  notFound: 4041,
} as const;

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** The OAuth errors of section 7. A token endpoint also responds with those of RFC 6749, section 5.2. */
export const oauthErrors = [
  "invalid_request",
  "access_denied",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
] as const;
export type OAuthErrorIdentifier = (typeof oauthErrors)[number];
