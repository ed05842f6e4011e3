/**
 * Pre-filled orders: sections 2.7 and 4.9. Which fields inside customer, cart items and address are required
 * is not shown, so none is; fields that the section does not name are passed on.
 */
import * as z from "zod/mini";

const digits = z.string().check(z.regex(/^\d+$/, "must be digits only"));
const optionalText = z.optional(z.nullable(z.string()));

/** Section 4.9: the two order types that can be pre-filled. */
export const prefilledOrderTypes = ["delivery", "takeout"] as const;

const optionGroupSchema = z.looseObject({
  option_group_id: z.int(),
  options: z.optional(z.array(z.looseObject({ option_id: z.int(), quantity: z.optional(z.int()) }))),
});

const comboItemSchema = z.looseObject({
  item_id: z.int(),
  observation: optionalText,
  option_groups: z.optional(z.array(optionGroupSchema)),
});

const cartItemSchema = z.looseObject({
  item_id: z.int(),
  quantity: z.optional(z.int()),
  observation: optionalText,
  option_groups: z.optional(z.array(optionGroupSchema)),
  combo_steps: z.optional(
    z.array(z.looseObject({ combo_step_id: z.int(), item: z.optional(comboItemSchema) })),
  ),
});

const addressSchema = z.looseObject({
  street: optionalText,
  number: optionalText,
  address_block: optionalText,
  address_lot: optionalText,
  neighborhood: optionalText,
  complement: optionalText,
  reference: optionalText,
  postal_code: z.optional(z.nullable(digits)),
  city: optionalText,
  state: optionalText,
  latitude: optionalText,
  longitude: optionalText,
});

export const prefilledOrderBodySchema = z
  .looseObject({
    order_type: z.enum(prefilledOrderTypes),
    customer: z.optional(z.looseObject({ name: z.optional(z.string()), phone: z.optional(digits) })),
    cart: z.optional(z.nullable(z.array(cartItemSchema))),
    delivery_address: z.optional(addressSchema),
  })
  .check(
    z.refine((order) => order.order_type === "delivery" || order.delivery_address === undefined, {
      message: "is only allowed where order_type is delivery",
      path: ["delivery_address"],
    }),
  );
export type PrefilledOrderBody = z.infer<typeof prefilledOrderBodySchema>;

/** Section 2.7. */
export const prefilledOrderSchema = z.looseObject({
  id: z.string(),
  order_url: z.url(),
  checkout_url: z.url(),
});
export type PrefilledOrder = z.infer<typeof prefilledOrderSchema>;
