/**
 * Schemas of responses, each group created at its first use. The types in models.ts and the OpenAPI document come from them, with the
 * texts in descriptions.json. A field that the specification doesn't name is accepted, and only an assigned order contains it. Clients
 * read more than the schemas accept.
 */
import * as z from "zod/mini";

import { isObject, once } from "../base/basics.js";
import { averageCents, centsFromNumber, numberFromCents } from "./money.js";
import { anyOf, custom } from "./schema.js";
import {
  deliverers,
  itemKinds,
  itemStatuses,
  oauthErrors,
  orderStatuses,
  orderTimings,
  orderTypes,
  salesChannels,
  type OrderStatus,
} from "./values.js";

/** ISO 8601 with an offset; seconds are optional. */
const dateTime =
  /^(.{10})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns whether the text is a date, YYYY-MM-DD, or such a date-time, of a day that exists. */
export function isWritten(text: string, form: "date" | "date-time"): boolean {
  const date = form === "date" ? text : (dateTime.exec(text)?.[1] ?? "");
  // 30 February would be parsed as a day of March, and the 32nd as no day.
  const day = new Date(/^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00:00Z` : NaN);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

export const isDigits = (text: unknown) => /^\d*$/.test(String(text));
export const isDateTime = (text: unknown) => isWritten(String(text), "date-time");
export const isUri = (text: unknown) => URL.canParse(String(text));
export const isNotNegative = (value: unknown) => Number(value) >= 0;
export const isText = (value: unknown) => typeof value === "string";
export const isNumber = (value: unknown) => Number.isFinite(value);
export const isGroupKey = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
export const isAnything = () => true;

// zod's own classes for strings and numbers would add a hundredth to a program's bundle.
export const anyText = () => custom<string>(isText, "must be text");
const anyNumber = () => custom<number>(isNumber, "must be a number");
export const anyDigits = () => anyText().check(custom(isDigits, "must be digits only"));
export const anyAmount = () => anyNumber().check(custom(isNotNegative, "must be at least 0"));
export const anyInteger = () => custom<number>(Number.isSafeInteger, "must be an integer");
const anyTime = () => anyText().check(custom(isDateTime));
const anyAddress = () => anyText().check(custom(isUri));
const textOrNull = () => z.nullable(anyText());
const unknown = () => z.optional(custom<unknown>(isAnything));

/** Sections 2.1 to 2.5. */
export const orderSchemas = once(() => {
  // In the order of section 4.9, in which an address is sent.
  const deliveryAddress = z.object({
    street: anyText(),
    neighborhood: anyText(),
    city: anyText(),
    state: anyText(),
    number: textOrNull(),
    address_block: textOrNull(),
    address_lot: textOrNull(),
    complement: textOrNull(),
    reference: textOrNull(),
    postal_code: z.nullable(anyDigits()),
    latitude: textOrNull(),
    longitude: textOrNull(),
  });
  const itemOption = z.object({
    option_id: anyInteger(),
    external_code: textOrNull(),
    name: anyText(),
    quantity: anyAmount(),
    unit_price: z.optional(anyAmount()),
    total_price: z.optional(anyAmount()),
    option_group_id: anyInteger(),
    option_group_name: anyText(),
  });
  const orderItem = z.object({
    item_id: anyInteger(),
    order_item_id: anyInteger(),
    external_code: textOrNull(),
    name: anyText(),
    quantity: anyAmount(),
    unit_price: anyAmount(),
    total_price: anyAmount(),
    kind: anyOf(itemKinds),
    status: anyOf(itemStatuses),
    observation: textOrNull(),
    options: z.array(itemOption),
    get items(): z.ZodMiniArray<typeof orderItem> {
      return items;
    },
  });
  const items = z.array(orderItem);
  const discount = z.object({
    kind: unknown(),
    category: unknown(),
    total: unknown(),
    total_points: unknown(),
    coupon_id: unknown(),
    coupon_name: unknown(),
    item_id: unknown(),
    item_name: unknown(),
  });
  const payment = z.object({
    total: unknown(),
    payment_fee: unknown(),
    payment_type: unknown(),
    status: unknown(),
    payment_method: unknown(),
    card_number: unknown(),
    card_brand: unknown(),
    observation: unknown(),
    change_for: unknown(),
    change_of: unknown(),
  });
  const schedule = z.object({ scheduled_date_time_start: anyTime(), scheduled_date_time_end: anyTime() });
  const user = z.object({ id: anyNumber(), name: anyText() });
  const customer = z.object({ id: anyInteger(), name: anyText(), phone: anyDigits(), ddi: anyText() });
  /**
   * The specification doesn't say that every field is always present; "or null" means that there may be no value. A fee needn't be a
   * multiple of 0.01, because a fee with a rounding error is still the order's fee.
   */
  const order = z.object({
    id: anyInteger(),
    display_id: anyInteger(),
    external_display_id: textOrNull(),
    external_order_id: textOrNull(),
    external_merchant_id: textOrNull(),
    external_merchant_name: textOrNull(),
    merchant_id: anyInteger(),
    status: anyOf(orderStatuses),
    order_type: anyOf(orderTypes),
    order_timing: anyOf(orderTimings),
    sales_channel: anyOf(salesChannels),
    customer_origin: textOrNull(),
    delivered_by: z.nullable(anyOf(deliverers)),
    driver_id: z.nullable(anyInteger()),
    driver_fee: z.nullable(anyAmount()),
    table_number: textOrNull(),
    estimated_time: z.nullable(anyInteger()),
    cancellation_reason: textOrNull(),
    fiscal_document: z.nullable(anyDigits()),
    observation: textOrNull(),
    delivery_fee: anyAmount(),
    service_fee: anyAmount(),
    additional_fee: anyAmount(),
    total: anyAmount(),
    created_at: anyTime(),
    updated_at: anyTime(),
    schedule: z.nullable(schedule),
    user: z.nullable(user),
    customer: z.nullable(customer),
    delivery_address: z.nullable(deliveryAddress),
    items: z.array(orderItem),
    discounts: z.array(discount),
    payments: z.array(payment),
  });
  return { order, orderItem, itemOption, deliveryAddress, discount, payment };
});

/** Sections 2.8, 4.6 and 4.7. */
export const salesSchemas = once(() => {
  // The revenue and average of no orders aren't shown: null is read as 0 first.
  const metrics = {
    total_order_count: anyInteger(),
    total_revenue: custom<number>(Number.isFinite),
    average_order_value: custom<number>(Number.isFinite),
  };
  const group = z.object({
    key: z.nullable(custom<string | number | boolean>(isGroupKey)),
    label: z.nullable(anyText()),
    ...metrics,
  });
  const groupedSummary = z.object({ group_by: anyText(), groups: z.array(group) });
  return { summary: z.object(metrics), group, groupedSummary };
});

/** Section 2.7. */
export const prefilledOrderSchema = once(() =>
  z.object({ id: anyText(), order_url: anyAddress(), checkout_url: anyAddress() }),
);

/** Section 7. */
export const errorSchemas = once(() => {
  const fields = { code: anyInteger(), message: anyText(), details: z.optional(anyText()) };
  return {
    error: z.object(fields),
    /** The bodies of 403 and 429 aren't shown: they may have these fields and others, or a different form. */
    anyError: z.partial(z.object(fields)),
    /** RFC 6749, section 5.2. */
    oAuthError: z.object({ error: anyOf(oauthErrors), error_description: z.optional(anyText()) }),
  };
});

/** The facts of a call about an order, as they were sent. */
export interface Asked {
  readonly orderId: string | null;
  /** `undefined` if the body is a stream or contains none. */
  readonly driverId: unknown;
  /** The statuses that a status change leads to; empty for other calls. */
  readonly leadsTo: readonly OrderStatus[];
}

/**
 * Reads the response to a status change. It is done if the body is empty (sections 4.2 to 4.5), `{}`, `null`, or the order with a status
 * that the change leads to (section 3). Any other body isn't evidence that the API did it.
 */
export function readStatusChange(json: unknown, text: string, asked: Asked): null | undefined {
  if (text.trim() === "" || json === null) return null;
  const isEmpty = isObject(json) && Object.keys(json).length === 0;
  const statuses: readonly unknown[] = asked.leadsTo;
  return isEmpty || (isOrderOf(json, asked) && statuses.includes(json["status"])) ? null : undefined;
}

/**
 * Reads the response to an assignment: the order with that driver (section 4.1). A field that isn't valid is omitted, because it must
 * not hide that the order has changed.
 */
export function readAssignment(
  json: unknown,
  _text: string,
  asked: Asked,
): Partial<z.output<ReturnType<typeof orderSchemas>["order"]>> | undefined {
  if (!isOrderOf(json, asked)) return undefined;
  const { driver_id: driver, status } = json;
  const isAnothers =
    driver !== undefined && asked.driverId !== undefined && !isSameId(driver, asked.driverId);
  if (isAnothers) return undefined;
  const documented = new Map<string, z.ZodMiniType>(Object.entries(orderSchemas().order.shape));
  // A bare id, or an id with fields that no order has, isn't an order.
  const statuses: readonly unknown[] = orderStatuses;
  const isOrders = (name: string) =>
    name === "status" ? statuses.includes(status) : name !== "id" && documented.has(name);
  if (!Object.keys(json).some(isOrders)) return undefined;
  const fields = Object.entries(json).filter(([name, value]) => {
    const field = documented.get(name);
    return field === undefined || z.safeParse(field, value).success;
  });
  return Object.fromEntries(fields);
}

/** Returns whether the body is this order, without an error next to its id. */
function isOrderOf(json: unknown, { orderId }: Asked): json is Readonly<Record<string, unknown>> {
  if (!isObject(json) || !isSameId(json["id"], orderId)) return false;
  const { error, errors, success = true, code, message } = json;
  const isError = (error ?? errors ?? null) !== null || success !== true;
  return !isError && (code === undefined || message === undefined);
}

/** An id may be a string with leading zeros. */
function isSameId(one: unknown, other: unknown): boolean {
  const isId = typeof one === "number" || typeof one === "string";
  return isId && String(one).replace(/^0+(?=.)/, "") === String(other).replace(/^0+(?=.)/, "");
}

/** Reads a summary. A null revenue of no orders is 0. An average that is null or has more than two decimals is computed. */
export function readSummary(json: unknown) {
  return z.safeParse(salesSchemas().summary, withExactAverage(json)).data;
}

/** Reads groups, and computes averages like {@link readSummary}. */
export function readGroupedSummary(json: unknown) {
  if (!isObject(json) || !Array.isArray(json["groups"])) return undefined;
  const groups = json["groups"].map(withExactAverage);
  return z.safeParse(salesSchemas().groupedSummary, { ...json, groups }).data;
}

/** Replaces amounts in strings with numbers, and an average unless it is a number with at most two decimals. */
function withExactAverage(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const json = { ...answer };
  for (const name of ["total_revenue", "average_order_value"]) {
    const amount = json[name];
    if (typeof amount === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(amount)) json[name] = Number(amount);
  }
  if (json["total_order_count"] === 0 && json["total_revenue"] === null) json["total_revenue"] = 0;
  const { total_order_count: orders, total_revenue: revenue, average_order_value: average } = json;
  if (average !== null && (typeof average !== "number" || centsFromNumber(average) !== undefined))
    return json;
  const cents = typeof revenue === "number" ? centsFromNumber(revenue) : undefined;
  if (cents === undefined || typeof orders !== "number" || !Number.isSafeInteger(orders)) return json;
  return { ...json, average_order_value: numberFromCents(averageCents(cents, orders)) };
}

export function readPrefilledOrder(json: unknown) {
  return z.safeParse(prefilledOrderSchema(), json).data;
}
