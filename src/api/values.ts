/**
 * The values that the specification names, its limits (section 8) and its error codes (section 7). The values of an answer are
 * open: a service may add some, so any text is read in their place. Those of a request are as closed as their section says.
 */

/** An editor completes the values that the specification names. Any other text fits too: a service may add values. */
export type Open<Value extends string> = Value | (string & Record<never, never>);

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
 * An order carries these channels (section 2.1). The filter of section 4.8 has a longer list, with `table_catalog`,
 * `integration`, `totem` and three more marketplaces, and an order may come with one of those as well. The
 * specification doesn't show which of the lists is whole, so both are open.
 */
export const salesChannels = [
  "catalog",
  "store_front_catalog",
  "portal",
  "messaging_extension",
  "marketplace_a",
] as const;

/** One of these delivers a delivery order (section 2.1). The marketplace names stand in for the wire values. */
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

/** Section 4.6 lets one of these dates of an order count. The ends of a period of scheduled dates are dates, else instants. */
export const dateFields = ["created_at", "scheduled_date"] as const;
export type DateField = (typeof dateFields)[number];

/** A sliding window allows at most `limit` requests in any `windowMs` milliseconds, counted for each store. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

const fivePerMinute: RateLimit = { limit: 5, windowMs: 60_000 };

/** Each endpoint of the first three has a window of its own; all the others share one. */
export const rateLimits = {
  summary: fivePerMinute,
  summary_grouped: fivePerMinute,
  history: fivePerMinute,
  general: { limit: 300, windowMs: 180_000 },
} as const satisfies Record<string, RateLimit>;

export type RateBucket = keyof typeof rateLimits;

/** An access token lives this many seconds (section 5.2). */
export const accessTokenSeconds = 7200;

/** Section 8: the end of a summary period lies at most this many months after its start. */
export const summaryPeriodMonths = 6;

/** Section 8: a summary period starts at most this many years in the past. */
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

/** Section 7 names these OAuth errors; a token endpoint also answers with those of RFC 6749, 5.2. */
export const oauthErrors = [
  "invalid_request",
  "access_denied",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
] as const;
export type OAuthErrorIdentifier = (typeof oauthErrors)[number];
