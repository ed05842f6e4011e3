/** The Order and what it is made of: sections 2.1 to 2.5. */
import * as z from "zod/mini";

import { once } from "../shared/once.js";
import {
  deliverers,
  itemKinds,
  itemStatuses,
  openEnum,
  orderStatuses,
  orderTimings,
  orderTypes,
  salesChannels,
} from "./enums.js";

const amount = once(() => z.number().check(z.minimum(0)));
const dateTime = once(() => z.iso.datetime({ offset: true }));
/** No least length is shown. */
const digits = once(() => z.string().check(z.regex(/^\d*$/)));
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
    postal_code: z.nullable(digits()),
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
    kind: openEnum(itemKinds),
    status: openEnum(itemStatuses),
    observation: text(),
    options: z.array(itemOptionSchema()),
    get items() {
      return z.array(item);
    },
  });
  return item;
});

/** Section 2.4: which fields there are is shown, their types are not. */
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

/** Section 2.5: which fields there are is shown, their types are not. */
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

/**
 * Section 2.1, as documented: what the emulator answers with and what the OpenAPI document says. That every field is
 * always there is not shown; "or null" is read as the way to say that there is none.
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
    status: openEnum(orderStatuses),
    order_type: openEnum(orderTypes),
    order_timing: openEnum(orderTimings),
    sales_channel: openEnum(salesChannels),
    customer_origin: text(),
    delivered_by: z.nullable(openEnum(deliverers)),
    driver_id: z.nullable(z.int()),
    // "Multiple of 0.01" is not held against an answer: a fee that is off by a rounding is still the order's fee.
    driver_fee: z.nullable(amount()),
    table_number: text(),
    estimated_time: z.nullable(z.int()),
    cancellation_reason: text(),
    fiscal_document: z.nullable(digits()),
    observation: text(),
    delivery_fee: amount(),
    service_fee: amount(),
    additional_fee: amount(),
    total: amount(),
    created_at: dateTime(),
    updated_at: dateTime(),
    schedule: z.nullable(
      z.looseObject({ scheduled_date_time_start: dateTime(), scheduled_date_time_end: dateTime() }),
    ),
    user: z.nullable(z.looseObject({ id: z.number(), name: z.string() })),
    customer: z.nullable(z.looseObject({ id: z.int(), name: z.string(), phone: digits(), ddi: z.string() })),
    delivery_address: z.nullable(deliveryAddressSchema()),
    items: z.array(orderItemSchema()),
    discounts: z.array(discountSchema()),
    payments: z.array(paymentSchema()),
  }),
);
export type Order = z.infer<ReturnType<typeof orderSchema>>;

/** An order as it is read from an answer: every field that came as documented; the others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };

/**
 * Picks from an answer the fields that are as documented. A field of another shape is left out rather than
 * made a failure: by the time the answer is here, the order has been changed.
 *
 * @returns `undefined` where the answer is not a JSON object at all
 */
export function readOrder(answer: unknown): ReadOrder | undefined {
  const whole = z.safeParse(z.record(z.string(), z.unknown()), answer);
  if (!whole.success) return undefined;
  const documented = fieldSchemas();
  const fields = Object.entries(whole.data).filter(([name, value]) => {
    const field = documented.get(name);
    return field === undefined || z.safeParse(field, value).success;
  });
  return Object.fromEntries(fields);
}

const fieldSchemas = once(() => new Map<string, z.ZodMiniType>(Object.entries(orderSchema().shape)));
