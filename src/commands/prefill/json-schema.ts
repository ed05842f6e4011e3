/** Makes the JSON Schema (2020-12) of an order's file, for editors and validators. */
import { prefilledOrderBodySchema } from "../../contract/prefilled-order.js";
import { digitsSchema } from "../../contract/texts.js";
import { isObject } from "../../shared/json.js";
import { inlineSchema, type JsonSchema } from "../../openapi/json-schemas.js";
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
