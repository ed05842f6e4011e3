/**
 * Every field of the API stands here once: its form, and in words its unit, its rule and its section of the specification. The
 * types of models.ts are inferred from it, and the OpenAPI document is made of it. What is answered is loose: a field that the
 * specification doesn't name is kept. What is sent is strict: such a field is a slip. Each group is made when it is first needed,
 * since few programs need them all.
 */
import * as z from "zod/mini";

import {
  dateFields,
  deliverers,
  dimensions,
  itemKinds,
  itemStatuses,
  orderStatuses,
  orderTimings,
  orderTypes,
  salesChannels,
  type Open,
  oauthErrors,
} from "./values.js";
import { readFilters, type Filter } from "./filters.js";
import { isObject, once } from "./basics.js";
import { hasAtMostTwoDecimals, isAmount } from "./money.js";
import { checksOf, dimensionRule, isDateTime, periodFormatRules, prefilledOrderRule } from "./rules.js";

type Form = Readonly<Record<string, unknown>>;

export const described = <Schema extends z.ZodMiniType>(says: string, schema: Schema) =>
  schema.check(z.describe(says));
const orNull = <Schema extends z.ZodMiniType>(says: string, schema: Schema) =>
  described(says, z.nullable(schema));
const optional = <Schema extends z.ZodMiniType>(says: string, schema: Schema) =>
  described(says, z.optional(schema));

/** Our own expressions check texts: the checks that zod has would be a tenth of what a client's program loads. */
const formed = (isValid: (text: string) => boolean, form: Form, message?: string) =>
  z.string().check(z.refine(isValid, message), z.meta(form));
const anyDigits = () =>
  formed((value) => /^\d*$/.test(value), { pattern: String.raw`^\d*$` }, "must be digits only");
const anyTime = () => formed(isDateTime, { format: "date-time" });
const anyAmount = () => z.number().check(z.minimum(0));

const text = (says: string) => described(says, z.string());
const textOrNull = (says: string) => orNull(says, z.string());
const digits = (says: string) => described(says, anyDigits());
const integer = (says: string) => described(says, z.int());
const amount = (says: string) => described(says, anyAmount());
const time = (says: string) => described(says, anyTime());
const address = (says: string) =>
  described(
    says,
    formed((text) => URL.canParse(text), { format: "uri" }),
  );
const unknown = (says: string) => optional(says, z.unknown());

/** A service may add values to those that the specification names, so any text is read. */
const anyOf = <Value extends string>(values: readonly Value[]) => {
  const form = { anyOf: [{ type: "string", enum: [...values] }, { type: "string" }] };
  return z.custom<Open<Value>>((value) => typeof value === "string", "must be a string").check(z.meta(form));
};
const open = <Value extends string>(says: string, values: readonly Value[]) => described(says, anyOf(values));

/** Sections 2.1 to 2.5. */
export const orderSchemas = once(() => {
  // In the order of section 4.9, in which an address goes out.
  const deliveryAddress = z.looseObject({
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
  const itemOption = z.looseObject({
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
  const orderItem = z.looseObject({
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
  const discount = z.looseObject({
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
  const payment = z.looseObject({
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
  const schedule = z.looseObject({
    scheduled_date_time_start: time(
      "The beginning of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1.",
    ),
    scheduled_date_time_end: time(
      "The end of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1.",
    ),
  });
  const user = z.looseObject({
    id: described("The user's number. Section 2.1.", z.number()),
    name: text("The user's name. Section 2.1."),
  });
  const customer = z.looseObject({
    id: integer("The customer's number. Section 2.1."),
    name: text("The customer's name. Section 2.1."),
    phone: digits("The phone, digits only. Section 2.1."),
    ddi: text("The country's dialling code. Section 2.1."),
  });
  /**
   * The specification doesn't show that every field is always there; "or null" is read as the way to say that there is none. A
   * fee isn't held to "multiple of 0.01": one that is off by a rounding is still the order's fee.
   */
  const order = z.looseObject({
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
    driver_id: orNull("The driver that is assigned; null where there is none. Section 2.1.", z.int()),
    driver_fee: orNull(
      "The driver's fee, in the store's currency, at least 0, at most two decimals; null where none was informed. Section 2.1.",
      anyAmount(),
    ),
    table_number: textOrNull("The table; only where order_type is closed_table. Section 2.1."),
    estimated_time: orNull("The delivery forecast, in minutes from created_at. Section 2.1.", z.int()),
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

/** Section 4.1 has the rule of a fee in these words. */
const feeRule = "must be non-negative with at most two decimals";
const driverIdRule = "must be an integer of at least 1";

/** Section 2.1 has `id` as an integer, section 4 as a text in the path: so it is digits, and may come as either. */
function isOrderId(id: unknown): boolean {
  return typeof id === "string" ? /^\d+$/.test(id) : Number.isSafeInteger(id) && Number(id) >= 0;
}

/** Calls about one order: sections 4.1 to 4.5. What a program gives has the order's id beside what goes out. */
export const orderIdSchema = once(() =>
  z.strictObject({
    order_id: z.pipe(
      z.custom<number | string>(isOrderId, "must be an order's id: digits alone, as a text or a number"),
      z.transform(String),
    ),
  }),
);

/** Sections 4.1 and 4.2. */
export const callSchemas = once(() => {
  const { order_id } = orderIdSchema().shape;
  // "Multiple of 0.01" is judged by the decimal, since dividing floats would be inexact.
  const fee = z
    .number(feeRule)
    .check(z.minimum(0, feeRule), z.refine(hasAtMostTwoDecimals, feeRule))
    .check(z.meta({ multipleOf: 0.01, description: "At most two decimals." }));
  const typedFee = z.custom<number | string>(
    (value) => (typeof value === "string" ? isAmount(value) : z.safeParse(fee, value).success),
    `${feeRule}\nAs text it is written with a point, for example 7.50.`,
  );
  const driver = <Fee extends z.ZodMiniType>(driverFee: Fee) => ({
    driver_id: described(
      "An active driver of the store, at least 1. Section 4.1.",
      z.int(driverIdRule).check(z.minimum(1, driverIdRule)),
    ),
    driver_fee: optional(
      "The driver's fee, in the store's currency, at least 0, at most two decimals. 0 is a delivery at no cost; null removes the fee; without the field it is kept. Section 4.1.",
      z.nullable(driverFee),
    ),
  });
  const cancelOrder = z.strictObject({
    cancellation_reason: optional("The reason, which is stored with the order. Section 4.2.", z.string()),
  });
  return {
    assignDriver: z.strictObject(driver(fee)),
    driver: z.strictObject({ order_id, ...driver(typedFee) }),
    cancelOrder,
    cancel: z.strictObject({ order_id, ...cancelOrder.shape }),
  };
});

/** Sections 2.8 and 4.6 to 4.8. */
export const salesSchemas = once(() => {
  const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
  const metrics = {
    total_order_count: integer("The number of orders that count. Section 2.8."),
    total_revenue: described(
      "The sum of the orders' totals, in the store's currency. Section 2.8.",
      z.number(),
    ),
    // The average of no orders is not shown. Where it is null it is computed before it gets here.
    average_order_value: described(
      "The revenue for an order, in the store's currency, at most two decimals. Section 2.8.",
      z.custom<number>(isNumber).check(z.meta({ anyOf: [{ type: "number" }, { type: "null" }] })),
    ),
  };
  const summary = z.looseObject(metrics);
  const keyTypes = ["string", "number", "boolean"];
  const group = z.looseObject({
    key: orNull(
      "What identifies the group; null for the orders that have no value. Its form is not shown. Section 4.7.",
      z
        .custom<string | number | boolean>((key) => keyTypes.includes(typeof key))
        .check(z.meta({ type: keyTypes })),
    ),
    label: textOrNull("The group as people call it. Section 4.7."),
    ...metrics,
  });
  const groupedSummary = z.looseObject({
    group_by: text("The dimension that was asked for. Section 4.7."),
    groups: described(
      "One group for each value that orders have; the order of the groups is not shown. Section 4.7.",
      z.array(group),
    ),
  });
  const period = {
    start_date: text(
      "The beginning of the period, included: ISO 8601 with an offset; where date_field is scheduled_date a date, YYYY-MM-DD. At most 3 years back. Section 4.6.",
    ),
    end_date: text(
      "The end of the period, in the form of start_date, at most 6 months after it. Section 4.6.",
    ),
    date_field: optional(
      "The date of an order that counts: when the order was made, which is the default, or when it is scheduled for. Section 4.6.",
      z.enum(dateFields),
    ),
  };
  const filters = z.pipe(
    z.custom<Readonly<Record<string, unknown>>>(
      isObject,
      'must be an object, for example { status_in: ["closed"] }',
    ),
    z.transform((input: Readonly<Record<string, unknown>>, { issues }): readonly Filter[] =>
      readFilters(input, (message, path) => issues.push({ code: "custom", input, message, path })),
    ),
  );
  const rest = { filters: optional("Conditions, all of which must hold. Section 4.8.", filters) };
  return {
    summary,
    group,
    groupedSummary,
    filters,
    /** Parameters go out in this order. */
    summaryQuery: z.strictObject({ ...period, ...rest }).check(...checksOf(periodFormatRules())),
    groupedQuery: z
      .strictObject({
        ...period,
        group_by: described(
          "The dimension to group by; those of time go by the store's time zone. hour doesn't go with date_field scheduled_date. Section 4.7.",
          z.enum(dimensions),
        ),
        ...rest,
      })
      .check(...checksOf(periodFormatRules()), ...checksOf([dimensionRule])),
  };
});

/**
 * Pre-filled orders: sections 2.7 and 4.9. Where they are silent, nothing is refused: no field inside of customer, cart and
 * address is required; any integer will do, 0 too; "digits" have no least length. A text is never null but where 2.2 says so.
 */
export const prefilledSchemas = once(() => {
  const cartOption = z.strictObject({
    option_id: optional("The option's id in the store's catalog. Section 4.9.", z.int()),
    quantity: optional("How many are ordered, a whole number. Section 4.9.", z.int()),
  });
  const optionGroup = z.strictObject({
    option_group_id: optional("The group's id in the store's catalog. Section 4.9.", z.int()),
    options: optional("What is chosen from the group. Section 4.9.", z.array(cartOption)),
  });
  const item = { item_id: optional("The item's id in the store's catalog. Section 4.9.", z.int()) };
  const choice = {
    observation: optional("A note to the kitchen. Section 4.9.", z.string()),
    option_groups: optional(
      "The options of the item, by the group that they belong to. Section 4.9.",
      z.array(optionGroup),
    ),
  };
  const comboStep = z.strictObject({
    combo_step_id: optional("The step's id in the store's catalog. Section 4.9.", z.int()),
    item: optional("What is chosen in the step. Section 4.9.", z.strictObject({ ...item, ...choice })),
  });
  const cartItem = z.strictObject({
    ...item,
    quantity: optional("How many are ordered, a whole number. Section 4.9.", z.int()),
    ...choice,
    combo_steps: optional("What is chosen in each step of a combo. Section 4.9.", z.array(comboStep)),
  });
  const customer = z.strictObject({
    name: optional("The customer's name. Section 4.9.", z.string()),
    phone: optional("The customer's phone with its area code, digits only. Section 4.9.", anyDigits()),
  });
  const newPrefilledOrder = z
    .strictObject({
      order_type: described("How the customer gets the order. Section 4.9.", z.enum(["delivery", "takeout"])),
      customer: optional("Who orders. Section 4.9.", customer),
      cart: optional("The items that are ordered. Section 4.9.", z.nullable(z.array(cartItem))),
      delivery_address: optional(
        "Where the order goes; only where order_type is delivery. Section 4.9.",
        z.strictObject(z.partial(orderSchemas().deliveryAddress).shape),
      ),
    })
    .check(...checksOf([prefilledOrderRule]));
  const prefilledOrder = z.looseObject({
    id: text("What identifies the pre-filled order, which is no order yet. Section 2.7."),
    order_url: address("The menu page that opens the pre-filled order. Section 2.7."),
    checkout_url: address("The menu checkout page for that order. Section 2.7."),
  });
  return { newPrefilledOrder, prefilledOrder };
});

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
    anyError: z.partial(z.looseObject(fields)),
    /** RFC 6749, section 5.2. */
    oAuthError: z.looseObject({
      error: open("The name of what went wrong. A service may add values. Section 7.", oauthErrors),
      error_description: optional("What went wrong, in words (RFC 6749, 5.2). Section 7.", z.string()),
    }),
  };
});
