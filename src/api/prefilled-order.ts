/**
 * Pre-filled orders: sections 2.7 and 4.9. Where they are silent, nothing is refused:
 *
 * - Which fields inside customer, cart items and address are required is not shown, so none is: a cart item without
 *   `item_id` is left to the service, as is an option without `option_id`.
 * - No least value of ids and quantities is shown, so any integer will do, 0 too.
 * - "Digits" has no least length: an empty text has nothing else in it.
 * - A text is a string and never null but where 2.2 says "string or null"; `cart` alone is "array or null".
 * - Fields that the section does not name are taken in `extra`; from others, the emulator takes them as they are.
 */
import * as z from "zod/mini";

import { once } from "./once.js";
import { inputOf } from "./extra.js";
import { checksOf, type DescribedRule, type FieldRule } from "./input.js";
import type { PrefilledOrder } from "./models.js";
import { digitsSchema, uriSchema } from "./texts.js";

const integer = () => z.optional(z.int());
const text = () => z.optional(z.string());
const textOrNull = () => z.optional(z.nullable(z.string()));

/** Section 4.9 names two order types that can be pre-filled. */
export const prefilledOrderTypes = ["delivery", "takeout"] as const;

export const cartOptionSchema = once(() => z.looseObject({ option_id: integer(), quantity: integer() }));

export const cartOptionGroupSchema = once(() =>
  z.looseObject({ option_group_id: integer(), options: z.optional(z.array(cartOptionSchema())) }),
);

const optionGroups = () => z.optional(z.array(cartOptionGroupSchema()));

export const comboItemSchema = once(() =>
  z.looseObject({ item_id: integer(), observation: text(), option_groups: optionGroups() }),
);

export const comboStepSchema = once(() =>
  z.looseObject({ combo_step_id: integer(), item: z.optional(comboItemSchema()) }),
);

export const cartItemSchema = once(() =>
  z.looseObject({
    item_id: integer(),
    quantity: integer(),
    observation: text(),
    option_groups: optionGroups(),
    combo_steps: z.optional(z.array(comboStepSchema())),
  }),
);

export const newCustomerSchema = once(() =>
  z.looseObject({ name: text(), phone: z.optional(digitsSchema()) }),
);

/**
 * In section 2.2 street, neighborhood, city and state are strings, and the others may be null. The fields are in the
 * order of section 4.9.
 */
export const newAddressSchema = once(() =>
  z.looseObject({
    street: text(),
    neighborhood: text(),
    city: text(),
    state: text(),
    number: textOrNull(),
    address_block: textOrNull(),
    address_lot: textOrNull(),
    complement: textOrNull(),
    reference: textOrNull(),
    postal_code: z.optional(z.nullable(digitsSchema())),
    latitude: textOrNull(),
    longitude: textOrNull(),
  }),
);

const prefilledOrderRule: FieldRule<{ order_type: string; delivery_address?: unknown }> = {
  section: "4.9",
  field: "delivery_address",
  message: "is only allowed where order_type is delivery",
  holds: ({ order_type, delivery_address }) => order_type === "delivery" || delivery_address === undefined,
};
export const prefilledOrderRules: readonly DescribedRule[] = [prefilledOrderRule];

export const prefilledOrderBodySchema = once(() =>
  z
    .looseObject({
      order_type: z.enum(prefilledOrderTypes),
      customer: z.optional(newCustomerSchema()),
      cart: z.optional(z.nullable(z.array(cartItemSchema()))),
      delivery_address: z.optional(newAddressSchema()),
    })
    .check(...checksOf([prefilledOrderRule])),
);

/** The emulator receives the fields that the section names, and any others. */
export type SentPrefilledOrder = z.infer<ReturnType<typeof prefilledOrderBodySchema>>;

export const prefilledOrderInputSchema = once(() => inputOf(prefilledOrderBodySchema()));

/** Section 2.7. */
export const prefilledOrderSchema = once(() =>
  z.looseObject({
    id: z.string(),
    order_url: uriSchema(),
    checkout_url: uriSchema(),
  }),
);

export function readPrefilledOrder(json: unknown): PrefilledOrder | undefined {
  const result = z.safeParse(prefilledOrderSchema(), json);
  return result.success ? result.data : undefined;
}
