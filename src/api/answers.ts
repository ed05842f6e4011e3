/**
 * What the API answers: every field stands here once, its form, and in words its unit, its rule and its section of the
 * specification. The types of models.ts are inferred from it, and the OpenAPI document is made of it. A
 * field that the specification doesn't name is no fault; only an assigned order keeps it. Each group of schemas is made when it is first needed, since few programs need them
 * all. A client reads what can be read, where a schema would refuse too much.
 */
import * as z from "zod/mini";

import { isObject, mustBeOneOf, once } from "./basics.js";
import { averageCents, centsFromNumber, numberFromCents } from "./money.js";
import {
  deliverers,
  itemKinds,
  itemStatuses,
  oauthErrors,
  type Open,
  type OrderStatus,
  orderStatuses,
  orderTimings,
  orderTypes,
  salesChannels,
} from "./values.js";

type Form = Readonly<Record<string, unknown>>;

/** ISO 8601 with an offset; seconds may be left out. */
const dateTime =
  /^(.{10})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Is it a date, YYYY-MM-DD, or such a date-time, of a day that exists? */
export function isWritten(text: string, form: "date" | "date-time"): boolean {
  const date = form === "date" ? text : (dateTime.exec(text)?.[1] ?? "");
  // The 30th of February would be read as a day of March, and the 32nd as none.
  const day = new Date(/^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00:00Z` : NaN);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

export const described = <Schema extends z.ZodMiniType>(says: string, schema: Schema) =>
  schema.check(z.describe(says));
const orNull = <Schema extends z.ZodMiniType>(says: string, schema: Schema) =>
  described(says, z.nullable(schema));
export const optional = <Schema extends z.ZodMiniType>(says: string, schema: Schema) =>
  described(says, z.optional(schema));

/** Our own expressions check texts and numbers: zod's checks and kinds of them would be a tenth of what a client's program loads. */
const formed = (isValid: (text: string) => boolean, form: Form, message?: string) =>
  z.string().check(z.refine(isValid, message)).check(z.meta(form));
export const anyDigits = () =>
  formed((value) => /^\d*$/.test(value), { pattern: String.raw`^\d*$` }, "must be digits only");
const anyTime = () => formed((text) => isWritten(text, "date-time"), { format: "date-time" });
export const anyAmount = () =>
  z
    .number()
    .check(z.refine((value) => value >= 0, "must be at least 0"))
    .check(z.meta({ minimum: 0 }));
export const anyInteger = () =>
  z
    .number()
    .check(z.refine(Number.isSafeInteger, "must be an integer"))
    .check(z.meta({ type: "integer" }));

/** The same fields, each of which may be left out, as `z.partial` has them, which is several times as long. */
export function mayBeAbsent<Shape extends z.core.$ZodShape>(
  shape: Shape,
): { [Name in keyof Shape]: z.ZodMiniOptional<Shape[Name]> };
export function mayBeAbsent(shape: z.core.$ZodShape) {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, z.optional(field)]));
}

const text = (says: string) => described(says, z.string());
const textOrNull = (says: string) => orNull(says, z.string());
const integer = (says: string) => described(says, anyInteger());
const amount = (says: string) => described(says, anyAmount());
const time = (says: string) => described(says, anyTime());
const address = (says: string) =>
  described(
    says,
    formed((text) => URL.canParse(text), { format: "uri" }),
  );
const unknown = (says: string) => optional(says, z.custom());

/** A service may add values to those that the specification names, so any text is read. */
const anyOf = <Value extends string>(values: readonly Value[]) =>
  z
    .custom<Open<Value>>((value) => typeof value === "string", "must be a string")
    .check(z.meta({ anyOf: [{ type: "string", enum: values }, { type: "string" }] }));
/** These values and no others. */
export function oneOf<Value extends string>(values: readonly Value[]) {
  const allowed: ReadonlySet<unknown> = new Set(values);
  const error = ({ input }: { readonly input?: unknown }) =>
    input === undefined ? undefined : mustBeOneOf(values, input);
  return z
    .custom<Value>((value) => allowed.has(value), { error })
    .check(z.meta({ type: "string", enum: values }));
}
const open = <Value extends string>(says: string, values: readonly Value[]) => described(says, anyOf(values));

/** Sections 2.1 to 2.5. */
export const orderSchemas = once(() => {
  // In the order of section 4.9, in which an address goes out.
  const deliveryAddress = z.object({
    street: text("The street's name. Section 2.2."),
    neighborhood: text("The neighborhood. Section 2.2."),
    city: text("The city. Section 2.2."),
    state: text("The state's abbreviation. Section 2.2."),
    number: textOrNull("The house number, as text. Section 2.2."),
    address_block: textOrNull("The block, where block and lot replace a number. Section 2.2."),
    address_lot: textOrNull("The lot, where block and lot replace a number. Section 2.2."),
    complement: textOrNull("The flat, the floor or the like. Section 2.2."),
    reference: textOrNull("A landmark. Section 2.2."),
    postal_code: orNull("The postal code, digits only. Section 2.2.", anyDigits()),
    latitude: textOrNull("The latitude in degrees, as text. Section 2.2."),
    longitude: textOrNull("The longitude in degrees, as text. Section 2.2."),
  });
  const itemOption = z.object({
    option_id: integer("The option's id in the store's catalog. Section 2.3."),
    external_code: textOrNull("The store's own code of the option. Section 2.3."),
    name: text("The option's name. Section 2.3."),
    quantity: amount("How many come with each one of the item, at least 0. Section 2.3."),
    unit_price: optional(
      "The price of one, in the store's currency, at least 0; some answers have total_price in its place. Section 2.3.",
      anyAmount(),
    ),
    total_price: optional(
      "The price, in the store's currency, at least 0; some answers have it in the place of unit_price. Section 2.3.",
      anyAmount(),
    ),
    option_group_id: integer("The group that it was chosen from. Section 2.3."),
    option_group_name: text("The name of that group. Section 2.3."),
  });
  const orderItem = z.object({
    item_id: integer("The item's id in the store's catalog. Section 2.3."),
    order_item_id: integer(
      "The item's id within the order, where a catalog's item may come several times. Section 2.3.",
    ),
    external_code: textOrNull("The store's own code of the item. Section 2.3."),
    name: text("The item's name. Section 2.3."),
    quantity: amount("How many were ordered, at least 0; not always a whole number. Section 2.3."),
    unit_price: amount("The price without options, in the store's currency, at least 0. Section 2.3."),
    total_price: amount(
      "quantity x (unit_price + the options' quantity x unit_price), in the store's currency. Section 2.3.",
    ),
    kind: open(
      "A regular item has options, a combo has items. A service may add values. Section 2.3.",
      itemKinds,
    ),
    status: open(
      "How far its production has come; canceled items are to be ignored. The store may not track it. A service may add values. Section 2.3.",
      itemStatuses,
    ),
    observation: textOrNull("A note to the kitchen. Section 2.3."),
    options: described(
      "What was chosen with it; always empty for a combo. Section 2.3.",
      z.array(itemOption),
    ),
    get items(): z.ZodMiniArray<typeof orderItem> {
      return z
        .array(orderItem)
        .check(z.describe("What a combo is made of; empty for a regular item. Section 2.3."));
    },
  });
  const discount = z.object({
    kind: unknown("Its type is not shown. Section 2.4."),
    category: unknown("Its type is not shown. Section 2.4."),
    total: unknown(
      "The amount that was taken off, in the store's currency; its type is not shown. Section 2.4.",
    ),
    total_points: unknown("Its type is not shown. Section 2.4."),
    coupon_id: unknown("Its type is not shown. Section 2.4."),
    coupon_name: unknown("Its type is not shown. Section 2.4."),
    item_id: unknown("Its type is not shown. Section 2.4."),
    item_name: unknown("Its type is not shown. Section 2.4."),
  });
  const payment = z.object({
    total: unknown("The amount that is paid, in the store's currency; its type is not shown. Section 2.5."),
    payment_fee: unknown(
      "The fee of the payment, in the store's currency; its type is not shown. Section 2.5.",
    ),
    payment_type: unknown("Its type is not shown. Section 2.5."),
    status: unknown("Its type is not shown. Section 2.5."),
    payment_method: unknown("Its type is not shown. Section 2.5."),
    card_number: unknown("Its type is not shown. Section 2.5."),
    card_brand: unknown("Its type is not shown. Section 2.5."),
    observation: unknown("Its type is not shown. Section 2.5."),
    change_for: unknown("The change, as one example has it; its type is not shown. Section 2.5."),
    change_of: unknown("The change, as another example has it; its type is not shown. Section 2.5."),
  });
  const schedule = z.object({
    scheduled_date_time_start: time(
      "The beginning of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1.",
    ),
    scheduled_date_time_end: time(
      "The end of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1.",
    ),
  });
  const user = z.object({
    id: described("The user's number. Section 2.1.", z.number()),
    name: text("The user's name. Section 2.1."),
  });
  const customer = z.object({
    id: integer("The customer's number. Section 2.1."),
    name: text("The customer's name. Section 2.1."),
    phone: described("The phone, digits only. Section 2.1.", anyDigits()),
    ddi: text("The country's dialling code. Section 2.1."),
  });
  /**
   * The specification doesn't show that every field is always there; "or null" is read as the way to say that there is none. A
   * fee isn't held to "multiple of 0.01": one that is off by a rounding is still the order's fee.
   */
  const order = z.object({
    id: integer("What identifies the order, in every call about it. Section 2.1."),
    display_id: integer("The friendly number on the slip. Not unique, and no call takes it. Section 2.1."),
    external_display_id: textOrNull("The friendly number of a marketplace's order. Not unique. Section 2.1."),
    external_order_id: textOrNull("The order's unique id in the marketplace. Section 2.1."),
    external_merchant_id: textOrNull("The store's id in the marketplace. Section 2.1."),
    external_merchant_name: textOrNull("The store's name in the marketplace. Section 2.1."),
    merchant_id: integer("The store that the order belongs to. Section 2.1."),
    status: open(
      "How far the order has come; canceled and closed are final. A service may add values. Section 3.",
      orderStatuses,
    ),
    order_type: open("How the customer gets the order. A service may add values. Section 2.1.", orderTypes),
    order_timing: open(
      "immediate: as soon as possible; scheduled: ready at the time in schedule. A service may add values. Section 2.1.",
      orderTimings,
    ),
    sales_channel: open(
      "Where it was ordered. A service may add values: the filter of section 4.8 names more. Section 2.1.",
      salesChannels,
    ),
    customer_origin: textOrNull("The origin tag that the menu's link carried, free text. Section 2.1."),
    delivered_by: orNull(
      "Who delivers the order; null where order_type is not delivery. A service may add values. Section 2.1.",
      anyOf(deliverers),
    ),
    driver_id: orNull("The driver that is assigned; null where there is none. Section 2.1.", anyInteger()),
    driver_fee: orNull(
      "The driver's fee, in the store's currency, at least 0, at most two decimals; null where none was informed. Section 2.1.",
      anyAmount(),
    ),
    table_number: textOrNull("The table; only where order_type is closed_table. Section 2.1."),
    estimated_time: orNull("The delivery forecast, in minutes from created_at. Section 2.1.", anyInteger()),
    cancellation_reason: textOrNull("The reason of a canceled order; it may stay null. Section 2.1."),
    fiscal_document: orNull(
      "The taxpayer's number for the fiscal receipt, digits only. Section 2.1.",
      anyDigits(),
    ),
    observation: textOrNull("General notes. Section 2.1."),
    delivery_fee: amount(
      "The price of the delivery, in the store's currency, at least 0; only where order_type is delivery. Section 2.1.",
    ),
    service_fee: amount(
      "The price of the service, in the store's currency, at least 0; only where order_type is closed_table. Section 2.1.",
    ),
    additional_fee: amount("A free extra charge of the store, in its currency, at least 0. Section 2.1."),
    total: amount(
      "The order's total, in the store's currency, at least 0: items, fees and payment fees less discounts. Section 2.1.",
    ),
    created_at: time("When the order was made, ISO 8601 with an offset. Section 2.1."),
    updated_at: time("When the order was last modified, ISO 8601 with an offset. Section 2.1."),
    schedule: orNull(
      "When the order has to be ready; only where order_timing is scheduled. Section 2.1.",
      schedule,
    ),
    user: orNull(
      "The person responsible for the order; only orders of tables and tabs have one. Section 2.1.",
      user,
    ),
    customer: orNull(
      "Who ordered; orders of the channels portal and messaging_extension may have none. Section 2.1.",
      customer,
    ),
    delivery_address: orNull(
      "Where the order goes; only where order_type is delivery. Section 2.2.",
      deliveryAddress,
    ),
    items: described("What was ordered. Section 2.3.", z.array(orderItem)),
    discounts: described("What was taken off. Section 2.4.", z.array(discount)),
    payments: described("How the order is paid. Section 2.5.", z.array(payment)),
  });
  return { order, orderItem, itemOption, deliveryAddress, discount, payment };
});

/** Sections 2.8, 4.6 and 4.7. */
export const salesSchemas = once(() => {
  // What the sum and the average of no orders are is not shown: null is read as 0 before it gets here.
  const amountOrNull = z
    .custom<number>(Number.isFinite)
    .check(z.meta({ anyOf: [{ type: "number" }, { type: "null" }] }));
  const metrics = {
    total_order_count: described("The number of orders that count. Section 2.8.", anyInteger()),
    total_revenue: described(
      "The sum of the orders' totals, in the store's currency. Section 2.8.",
      amountOrNull,
    ),
    average_order_value: described(
      "The revenue for an order, in the store's currency, at most two decimals. Section 2.8.",
      amountOrNull,
    ),
  };
  const keyTypes = ["string", "number", "boolean"];
  const group = z.object({
    key: described(
      "What identifies the group; null for the orders that have no value. Its form is not shown. Section 4.7.",
      z.nullable(
        z
          .custom<string | number | boolean>((key) => keyTypes.includes(typeof key))
          .check(z.meta({ type: keyTypes })),
      ),
    ),
    label: described("The group as people call it. Section 4.7.", z.nullable(z.string())),
    ...metrics,
  });
  const groupedSummary = z.object({
    group_by: described("The dimension that was asked for. Section 4.7.", z.string()),
    groups: described(
      "One group for each value that orders have; the order of the groups is not shown. Section 4.7.",
      z.array(group),
    ),
  });
  return { summary: z.object(metrics), group, groupedSummary };
});

/** Section 2.7. */
export const prefilledOrderSchema = once(() =>
  z.object({
    id: text("What identifies the pre-filled order, which is no order yet. Section 2.7."),
    order_url: address("The menu page that opens the pre-filled order. Section 2.7."),
    checkout_url: address("The menu checkout page for that order. Section 2.7."),
  }),
);

/** Section 7. */
export const errorSchemas = once(() => {
  const fields = {
    code: integer("What went wrong: 4000, 4002, 4010 or 4041; none is shown for 403 and 429. Section 7."),
    message: text("What went wrong, in words. Section 7."),
    details: optional("The cause, where the service tells it. Section 7.", z.string()),
  };
  return {
    error: z.object(fields),
    /** The bodies of 403 and 429 are not shown: they may have these fields, and others, or be something else. */
    anyError: z.object(mayBeAbsent(fields)),
    /** RFC 6749, section 5.2. */
    oAuthError: z.object({
      error: open("The name of what went wrong. A service may add values. Section 7.", oauthErrors),
      error_description: optional("What went wrong, in words (RFC 6749, 5.2). Section 7.", z.string()),
    }),
  };
});

/** What a call about an order asked for, as it went out. */
export interface Asked {
  readonly orderId: string | null;
  /** `undefined` where the body is a stream, or names none. */
  readonly driverId: unknown;
  /** The statuses to which a status change leads; empty for any other call. */
  readonly leadsTo: readonly OrderStatus[];
}

/**
 * Reads the response to a status change. It was done if the body is empty (sections 4.2 to 4.5), `{}`, `null`, or the order with a
 * status to which the change leads (section 3). Any other body doesn't show that the API did it.
 */
export function readStatusChange(json: unknown, text: string, asked: Asked): null | undefined {
  if (text.trim() === "" || json === null) return null;
  const isEmpty = isObject(json) && Object.keys(json).length === 0;
  const statuses: readonly unknown[] = asked.leadsTo;
  return isEmpty || (isOrderOf(json, asked) && statuses.includes(json["status"])) ? null : undefined;
}

/**
 * Reads the response to an assignment: the order, with that driver (section 4.1). It leaves out a field that doesn't have the
 * documented form: the order has been changed by the time that the response is here, and such a field must not hide that.
 */
export function readAssignment(
  json: unknown,
  _text: string,
  asked: Asked,
): Partial<z.output<ReturnType<typeof orderSchemas>["order"]>> | undefined {
  if (!isOrderOf(json, asked)) return undefined;
  const { id, driver_id: driver, status, ...others } = json;
  const isAnothers =
    driver !== undefined && asked.driverId !== undefined && !isSameId(driver, asked.driverId);
  if (isAnothers) return undefined;
  const documented = new Map<string, z.ZodMiniType>(Object.entries(orderSchemas().order.shape));
  // An id alone, or beside fields that no order has, doesn't show an order.
  const known: readonly unknown[] = orderStatuses;
  const isOrder =
    driver !== undefined ||
    known.includes(status) ||
    Object.keys(others).some((name) => documented.has(name));
  if (!isOrder) return undefined;
  const fields = Object.entries(json).filter(([name, value]) => {
    const field = documented.get(name);
    return field === undefined || z.safeParse(field, value).success;
  });
  return Object.fromEntries(fields);
}

/** Returns whether the body is this order's and nothing in it denies the change: an error, section 7's or another, was seen beside the id. */
function isOrderOf(json: unknown, { orderId }: Asked): json is Readonly<Record<string, unknown>> {
  if (!isObject(json) || !isSameId(json["id"], orderId)) return false;
  const { error, errors, success = true, code, message } = json;
  const isError = (error ?? errors ?? null) !== null || success !== true;
  return !isError && (code === undefined || message === undefined);
}

/** An id may come as a text; leading zeros say nothing. */
function isSameId(one: unknown, other: unknown): boolean {
  const isId = typeof one === "number" || typeof one === "string";
  return isId && String(one).replace(/^0+(?=.)/, "") === String(other).replace(/^0+(?=.)/, "");
}

/** Reads a summary. A revenue of no orders that is null is 0; an average that is null or has more than two decimals is computed. */
export function readSummary(json: unknown) {
  return z.safeParse(salesSchemas().summary, withExactAverage(json)).data;
}

/** Reads groups, and computes averages as {@link readSummary} does. */
export function readGroupedSummary(json: unknown) {
  if (!isObject(json) || !Array.isArray(json["groups"])) return undefined;
  const groups = json["groups"].map(withExactAverage);
  return z.safeParse(salesSchemas().groupedSummary, { ...json, groups }).data;
}

/** A number with at most two decimals is the service's own and stays. An amount may come as a text, where that is a decimal number. */
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
