/**
 * Pre-filled orders: sections 2.7 and 4.9. Where they are silent, nothing is refused:
 *
 * - Which fields inside customer, cart items and address are required is not shown, so none is: a cart item without
 *   `item_id` is left to the service, as is an option without `option_id`.
 * - No least value of ids and quantities is shown, so any integer will do, 0 too.
 * - "Digits" has no least length: an empty text has nothing else in it.
 * - A text is a string and never null but where 2.2 says "string or null"; `cart` alone is "array or null".
 * - Fields that the section does not name are passed on.
 */
import * as z from "zod/mini";

import { once } from "../shared/once.js";
import { checksOf, type DescribedRule, type FieldRule } from "./input.js";

/** For editors and the OpenAPI document. */
function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** As it goes over the wire. */
export const digitsSchema = once(() => z.string().check(z.regex(/^\d*$/, "must be digits only")));

const integer = (description: string) => described(z.optional(z.int()), description);
const text = (description: string) => described(z.optional(z.string()), description);
const textOrNull = (description: string) => described(z.optional(z.nullable(z.string())), description);

/** Section 4.9: the two order types that can be pre-filled. */
export const prefilledOrderTypes = ["delivery", "takeout"] as const;

const itemId = () => integer("The item's id in the store's catalog.");
const observation = () => text("A note to the kitchen.");

const optionSchema = once(() =>
  z.looseObject({
    option_id: integer("The option's id in the store's catalog."),
    quantity: integer("How many of it."),
  }),
);

const optionGroupsSchema = once(() =>
  described(
    z.optional(
      z.array(
        z.looseObject({
          option_group_id: integer("The group's id in the store's catalog."),
          options: described(z.optional(z.array(optionSchema())), "What is chosen from the group."),
        }),
      ),
    ),
    "Options of the item, by the group that they belong to.",
  ),
);

const comboItemSchema = once(() =>
  z.looseObject({
    item_id: itemId(),
    observation: observation(),
    option_groups: optionGroupsSchema(),
  }),
);

const comboStepSchema = once(() =>
  z.looseObject({
    combo_step_id: integer("The step's id in the store's catalog."),
    item: described(z.optional(comboItemSchema()), "What is chosen in the step."),
  }),
);

const cartItemSchema = once(() =>
  z.looseObject({
    item_id: itemId(),
    quantity: integer("How many of it."),
    observation: observation(),
    option_groups: optionGroupsSchema(),
    combo_steps: described(
      z.optional(z.array(comboStepSchema())),
      "Of a combo: what is chosen in each of its steps.",
    ),
  }),
);

const customerSchema = once(() =>
  z.looseObject({
    name: described(z.optional(z.string()), "The customer's name."),
    phone: described(z.optional(digitsSchema()), "The customer's phone, with its area code."),
  }),
);

/** Section 2.2: street, neighborhood, city and state are strings, the others may be null. */
const addressSchema = once(() =>
  z.looseObject({
    street: text("The street's name."),
    number: textOrNull("The house number, as text."),
    address_block: textOrNull("The block, where block and lot replace a number."),
    address_lot: textOrNull("The lot, where block and lot replace a number."),
    neighborhood: text("The neighborhood."),
    complement: textOrNull("The flat, the floor or the like."),
    reference: textOrNull("A landmark."),
    postal_code: described(z.optional(z.nullable(digitsSchema())), "The postal code."),
    city: text("The city."),
    state: text("The state's abbreviation."),
    latitude: textOrNull("Degrees, as text."),
    longitude: textOrNull("Degrees, as text."),
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
      order_type: described(z.enum(prefilledOrderTypes), "Where the customer gets it."),
      customer: described(z.optional(customerSchema()), "Who orders."),
      cart: described(z.optional(z.nullable(z.array(cartItemSchema()))), "The items that are ordered."),
      delivery_address: described(
        z.optional(addressSchema()),
        "Where it goes; only where order_type is delivery.",
      ),
    })
    .check(...checksOf([prefilledOrderRule])),
);
export type PrefilledOrderBody = z.infer<ReturnType<typeof prefilledOrderBodySchema>>;

/** Section 2.7. */
export const prefilledOrderSchema = once(() =>
  z.looseObject({
    id: z.string(),
    order_url: described(z.url(), "The menu page that opens the pre-filled order."),
    checkout_url: described(z.url(), "The menu checkout page for that order."),
  }),
);
export type PrefilledOrder = z.infer<ReturnType<typeof prefilledOrderSchema>>;
