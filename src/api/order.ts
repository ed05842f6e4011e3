/** Sections 2.1 to 2.5 describe the order and its parts. */
import * as z from "zod/mini";

import { isObject } from "./json.js";
import { once } from "./once.js";
import type { ReadOrder } from "./models.js";
import { dateTimeSchema, digitsSchema } from "./texts.js";

const amount = once(() => z.number().check(z.minimum(0)));
const text = once(() => z.nullable(z.string()));

/** Section 2.2. */
export const deliveryAddressSchema = once(() =>
  z.looseObject({
    street: z.string(),
    number: text(),
    address_block: text(),
    address_lot: text(),
    neighborhood: z.string(),
    complement: text(),
    reference: text(),
    postal_code: z.nullable(digitsSchema()),
    city: z.string(),
    state: z.string(),
    latitude: text(),
    longitude: text(),
  }),
);

/** Section 2.3. Some of the service's examples carry `total_price` in place of `unit_price`. */
export const itemOptionSchema = once(() =>
  z.looseObject({
    option_id: z.int(),
    external_code: text(),
    name: z.string(),
    quantity: amount(),
    unit_price: z.optional(amount()),
    total_price: z.optional(amount()),
    option_group_id: z.int(),
    option_group_name: z.string(),
  }),
);

/** Section 2.3. */
export const orderItemSchema = once(() => {
  const item = z.looseObject({
    item_id: z.int(),
    order_item_id: z.int(),
    external_code: text(),
    name: z.string(),
    quantity: amount(),
    unit_price: amount(),
    total_price: amount(),
    kind: z.string(),
    status: z.string(),
    observation: text(),
    options: z.array(itemOptionSchema()),
    get items() {
      return z.array(item);
    },
  });
  return item;
});

/** Section 2.4 shows which fields there are, but not their types. */
export const discountSchema = once(() =>
  z.looseObject({
    kind: z.optional(z.unknown()),
    category: z.optional(z.unknown()),
    total: z.optional(z.unknown()),
    total_points: z.optional(z.unknown()),
    coupon_id: z.optional(z.unknown()),
    coupon_name: z.optional(z.unknown()),
    item_id: z.optional(z.unknown()),
    item_name: z.optional(z.unknown()),
  }),
);

/** Section 2.5 shows which fields there are, but not their types. */
export const paymentSchema = once(() =>
  z.looseObject({
    total: z.optional(z.unknown()),
    payment_fee: z.optional(z.unknown()),
    payment_type: z.optional(z.unknown()),
    status: z.optional(z.unknown()),
    payment_method: z.optional(z.unknown()),
    card_number: z.optional(z.unknown()),
    card_brand: z.optional(z.unknown()),
    observation: z.optional(z.unknown()),
    change_for: z.optional(z.unknown()),
    change_of: z.optional(z.unknown()),
  }),
);

export const scheduleSchema = once(() =>
  z.looseObject({ scheduled_date_time_start: dateTimeSchema(), scheduled_date_time_end: dateTimeSchema() }),
);
export const orderUserSchema = once(() => z.looseObject({ id: z.number(), name: z.string() }));
export const orderCustomerSchema = once(() =>
  z.looseObject({ id: z.int(), name: z.string(), phone: digitsSchema(), ddi: z.string() }),
);

/**
 * Reads section 2.1 strictly: the emulator answers so, and the OpenAPI document says so. The specification doesn't
 * show that every field is always there; "or null" is read as the way to say that there is none.
 */
export const orderSchema = once(() =>
  z.looseObject({
    id: z.int(),
    display_id: z.int(),
    external_display_id: text(),
    external_order_id: text(),
    external_merchant_id: text(),
    external_merchant_name: text(),
    merchant_id: z.int(),
    status: z.string(),
    order_type: z.string(),
    order_timing: z.string(),
    sales_channel: z.string(),
    customer_origin: text(),
    delivered_by: z.nullable(z.string()),
    driver_id: z.nullable(z.int()),
    // An answer isn't refused for breaking "multiple of 0.01": a fee that is off by a rounding is still the order's
    // fee.
    driver_fee: z.nullable(amount()),
    table_number: text(),
    estimated_time: z.nullable(z.int()),
    cancellation_reason: text(),
    fiscal_document: z.nullable(digitsSchema()),
    observation: text(),
    delivery_fee: amount(),
    service_fee: amount(),
    additional_fee: amount(),
    total: amount(),
    created_at: dateTimeSchema(),
    updated_at: dateTimeSchema(),
    schedule: z.nullable(scheduleSchema()),
    user: z.nullable(orderUserSchema()),
    customer: z.nullable(orderCustomerSchema()),
    delivery_address: z.nullable(deliveryAddressSchema()),
    items: z.array(orderItemSchema()),
    discounts: z.array(discountSchema()),
    payments: z.array(paymentSchema()),
  }),
);

/**
 * Picks from an answer the fields that are as documented. A field of another shape is left out, since the order has
 * been changed by the time the answer is here, and no failure may hide that.
 *
 * @returns `undefined` where the answer is not a JSON object at all
 */
export function readOrder(answer: unknown): ReadOrder | undefined {
  if (!isObject(answer)) return undefined;
  const documented = fieldSchemas();
  const fields = Object.entries(answer).filter(([name, value]) => {
    const field = documented.get(name);
    return field === undefined || z.safeParse(field, value).success;
  });
  return Object.fromEntries(fields);
}

const fieldSchemas = once(() => new Map<string, z.ZodMiniType>(Object.entries(orderSchema().shape)));
