/** What a person starts an order's file from: an example, and its JSON Schema (2020-12) for editors and validators. */
import { prefilledOrderBodySchema } from "../../contract/prefilled-order.js";
import { digitsSchema } from "../../contract/texts.js";
import { inlineSchema, type JsonSchema } from "../../openapi/json-schemas.js";
import { isObject } from "../../shared/json.js";

import { digitsAsWritten } from "./check-order.js";

export function orderJsonSchema() {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Pre-filled order",
    description: "The file that comanda prefill takes (section 4.9 of the specification).",
    // People may write signs in phone and postal code, which go out as digits.
    ...closeSchema(inlineSchema(prefilledOrderBodySchema(), new Map([[digitsSchema(), digitsAsWritten]]))),
    // The conversion leaves out this rule over two fields.
    if: { properties: { order_type: { const: "takeout" } }, required: ["order_type"] },
    then: { properties: { delivery_address: false } },
  };
}

/** In every group, fields that the specification doesn't name go into `extra`. */
function closeSchema(schema: JsonSchema): JsonSchema {
  const closed: JsonSchema = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, closePart(part)] as const),
  );
  if (!isObject(closed["properties"])) return closed;
  return { ...closed, properties: { ...closed["properties"], extra }, additionalProperties: false };
}

function closePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closePart);
  return isObject(part) ? closeSchema(part) : part;
}

const extra = {
  type: "object",
  description: "Fields that the specification doesn't name, by their names.",
  additionalProperties: true,
};

/** The ids of this order are those of the emulator's catalog. */
export const exampleFile = `# A pre-filled order. Check it without sending it:  comanda prefill order.yaml --dry-run
# Only order_type is required; what is left out, the customer fills in.

order_type: delivery            # delivery or takeout

customer:
  name: Maria Aparecida
  phone: "11999990000"          # digits; (11) 99999-0000 is understood, too

cart:
  - item_id: 3002               # the item's id in the store's catalog
    quantity: 2
    observation: no onion, please
    option_groups:
      - option_group_id: 81
        options:
          - option_id: 901
            quantity: 1
          - option_id: 903
            quantity: 1

  - item_id: 3008               # a combo: what is chosen in each of its steps
    quantity: 1
    combo_steps:
      - combo_step_id: 71
        item:
          item_id: 3002
          observation: well done
          option_groups:
            - option_group_id: 81
              options:
                - option_id: 902
                  quantity: 1
      - combo_step_id: 72
        item:
          item_id: 3003
      - combo_step_id: 73
        item:
          item_id: 3009

delivery_address:               # with order_type: delivery alone
  street: Rua das Acácias
  number: "120"                 # text, hence the quotes
  address_block: null           # block and lot, where they replace a number
  address_lot: null
  neighborhood: Centro
  complement: Apto 51
  reference: next to the bakery # a landmark
  postal_code: "01310100"       # digits; 01310-100 is understood, too
  city: São Paulo
  state: SP
  latitude: "-23.561684"
  longitude: "-46.655981"
`;
