/** The JSON Schema (2020-12) of an order's file, for editors and validators. Loaded only where it is asked for. */
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
    // Phone and postal code as people write them: they go out as digits.
    ...closed(inlineSchema(prefilledOrderBodySchema(), new Map([[digitsSchema(), digitsAsWritten]]))),
    // A rule over two fields, which the conversion leaves out.
    if: { properties: { order_type: { const: "takeout" } }, required: ["order_type"] },
    then: { properties: { delivery_address: false } },
  };
}

/** What the specification doesn't name goes into `extra`, in whatever group of fields. */
function closed(schema: JsonSchema): JsonSchema {
  const whole: JsonSchema = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, closedPart(part)] as const),
  );
  if (!isObject(whole["properties"])) return whole;
  return { ...whole, properties: { ...whole["properties"], extra }, additionalProperties: false };
}

function closedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closedPart);
  return isObject(part) ? closed(part) : part;
}

const extra = {
  type: "object",
  description: "Fields that the specification doesn't name, by their names.",
  additionalProperties: true,
};
