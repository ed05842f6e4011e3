/**
 * These values are named by the specification. Those of an answer are open: a service may add values, so any text is
 * read in their place. Those of a request are as closed as their section says.
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

/** Section 4.6 lets one of these dates of an order count. */
export const dateFields = ["created_at", "scheduled_date"] as const;
export type DateField = (typeof dateFields)[number];

/** Section 4.6. */
export const defaultDateField: DateField = "created_at";

/** Section 4.6: the ends of a period are dates for `scheduled_date`, and instants for `created_at`. */
export function hasDates(dateField: DateField = defaultDateField): boolean {
  return dateField === "scheduled_date";
}
