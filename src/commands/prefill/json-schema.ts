/** The order's JSON Schema (draft 2020-12), for editors and validators. Loaded only where it is asked for. */
import { toJSONSchema } from "zod/v4/core";

import { prefilledOrderBodySchema } from "../../contract/prefilled-order.js";

export function orderJsonSchema() {
  return {
    title: "Pre-filled order",
    description: "What comanda prefill takes (section 4.9).",
    ...toJSONSchema(prefilledOrderBodySchema, { io: "input" }),
    // A rule over two fields, which the conversion leaves out.
    if: { properties: { order_type: { const: "takeout" } } },
    then: { properties: { delivery_address: false } },
  };
}
