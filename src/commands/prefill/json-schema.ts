/** The JSON Schema (2020-12) of an order's file, for editors and validators. Loaded only where it is asked for. */
import { prefilledOrderBodySchema } from "../../contract/prefilled-order.js";
import { digitsSchema } from "../../contract/texts.js";
import { inlineSchema } from "../../openapi/json-schemas.js";
import { digitsAsWritten } from "./check-order.js";

export function orderJsonSchema() {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Pre-filled order",
    description: "The file that comanda prefill takes (section 4.9 of the specification).",
    // Phone and postal code as people write them: they go out as digits.
    ...inlineSchema(prefilledOrderBodySchema(), new Map([[digitsSchema(), digitsAsWritten]])),
    // A rule over two fields, which the conversion leaves out.
    if: { properties: { order_type: { const: "takeout" } }, required: ["order_type"] },
    then: { properties: { delivery_address: false } },
  };
}
