/** The contract's schemas become JSON Schema 2020-12, each under the name that it has in the document. */
import { toJSONSchema } from "zod/v4/core";
import * as z from "zod/mini";

import { bodyDescriptions, descriptions, type DescribedModel } from "./descriptions.js";
import * as enums from "./enums.js";
import { oauthErrors } from "./errors.js";
import { errorBodySchema } from "./error-body.js";
import { tokenResponseSchema } from "./oauth.js";
import * as oauth from "./oauth-operations.js";
import * as order from "./order.js";
import * as calls from "./order-calls.js";
import * as prefilled from "./prefilled-order.js";
import { groupedSummarySchema, groupKeySchema, groupSchema, summarySchema } from "./summary.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** RFC 6749, section 5.2. */
const oauthErrorSchema = z.looseObject({
  error: z.union([z.enum(oauthErrors), z.string()]),
  error_description: z.optional(z.string()),
});

const namedSchemas: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  ["Order", order.orderSchema()],
  ["OrderItem", order.orderItemSchema()],
  ["ItemOption", order.itemOptionSchema()],
  ["DeliveryAddress", order.deliveryAddressSchema()],
  ["Discount", order.discountSchema()],
  ["Payment", order.paymentSchema()],
  ["AssignDriver", calls.assignDriverBodySchema()],
  ["CancelOrder", calls.cancelOrderBodySchema()],
  ["Summary", summarySchema()],
  ["Group", groupSchema()],
  ["GroupedSummary", groupedSummarySchema()],
  ["NewPrefilledOrder", prefilled.prefilledOrderBodySchema()],
  ["PrefilledOrder", prefilled.prefilledOrderSchema()],
  ["Error", errorBodySchema],
  ["TokenRequest", oauth.tokenRequestSchema()],
  ["TokenResponse", tokenResponseSchema()],
  ["RevokeRequest", oauth.revokeRequestSchema()],
  ["OAuthError", oauthErrorSchema],
]);

/** These schemas have no name in the document, and are described all the same. */
const unnamedModels: ReadonlyMap<z.core.$ZodType, DescribedModel> = new Map<z.core.$ZodType, DescribedModel>([
  [oauth.authorizationCodeGrantSchema(), "AuthorizationCodeGrant"],
  [oauth.refreshTokenGrantSchema(), "RefreshTokenGrant"],
  [prefilled.newCustomerSchema(), "NewCustomer"],
  [prefilled.newAddressSchema(), "DeliveryAddress"],
  [prefilled.cartItemSchema(), "CartItem"],
  [prefilled.cartOptionGroupSchema(), "CartOptionGroup"],
  [prefilled.cartOptionSchema(), "CartOption"],
  [prefilled.comboStepSchema(), "ComboStep"],
  [prefilled.comboItemSchema(), "ComboItem"],
  [order.scheduleSchema(), "Schedule"],
  [order.orderUserSchema(), "OrderUser"],
  [order.orderCustomerSchema(), "OrderCustomer"],
]);
const models: ReadonlyMap<z.core.$ZodType, string> = new Map([
  ...[...namedSchemas].map(([name, schema]) => [schema, name] as const),
  ...unnamedModels,
]);

const textsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...descriptions,
  ...bodyDescriptions,
};

type Properties = NonNullable<z.core.JSONSchema.BaseSchema["properties"]>;

/**
 * The service shows null where these have no value; the specification doesn't show whether it may leave such a field
 * out.
 */
const orderModels: ReadonlySet<string> = new Set<DescribedModel>([
  "Order",
  "OrderItem",
  "ItemOption",
  "DeliveryAddress",
  "Schedule",
  "OrderUser",
  "OrderCustomer",
]);

function mayBeNull(property: Properties[string] | undefined): boolean {
  return (
    typeof property === "object" &&
    (property.anyOf ?? []).some((choice) => typeof choice === "object" && choice.type === "null")
  );
}

/** Adds what the contract says of the fields of a schema, beside their types. */
function describe(schema: z.core.$ZodType, properties: Properties) {
  const model = models.get(schema) ?? "";
  for (const [field, values] of Object.entries(openValues[model] ?? {})) {
    const open = { anyOf: [{ type: "string" as const, enum: [...values] }, { type: "string" as const }] };
    const property = properties[field];
    if (typeof property !== "object") continue;
    properties[field] = property.anyOf ? { anyOf: [open, { type: "null" }] } : open;
  }
  for (const [field, description] of Object.entries(textsOf[model] ?? {})) {
    const property = properties[field];
    // A copy is needed, since fields of several models may have one schema.
    if (typeof property === "object") properties[field] = { ...property, description };
  }
}

/** The specification names these values of fields that a service may give others. */
const openValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Order: {
    status: enums.orderStatuses,
    order_type: enums.orderTypes,
    order_timing: enums.orderTimings,
    sales_channel: enums.salesChannels,
    delivered_by: enums.deliverers,
  },
  OrderItem: { kind: enums.itemKinds, status: enums.itemStatuses },
};

const pathOf = (name: string) => `#/components/schemas/${name}`;

/**
 * Makes a reference to a schema of the contract that has a name here.
 *
 * @throws {RangeError} for any other
 */
export function reference(schema: z.ZodMiniType): JsonSchema {
  for (const [name, candidate] of namedSchemas) if (candidate === schema) return { $ref: pathOf(name) };
  throw new RangeError("a schema of the contract has no name in src/api/json-schemas.ts");
}

export const oauthErrorReference: JsonSchema = { $ref: pathOf("OAuthError") };
export const errorReference: JsonSchema = { $ref: pathOf("Error") };

export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of namedSchemas) registry.add(schema, { id });
  const { schemas } = toJSONSchema(registry, { ...options, uri: pathOf });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, without(schema, ["$schema", "$id", "id"])]),
  );
}

/**
 * Makes the schema of one value, such as a parameter.
 *
 * @param patterns replace those that texts of the contract have
 */
export function inlineSchema(
  schema: z.ZodMiniType,
  patterns: ReadonlyMap<z.core.$ZodType, RegExp> = new Map(),
  io: "input" | "output" = "output",
): JsonSchema {
  const override: typeof options.override = (context) => {
    options.override(context);
    const pattern = patterns.get(context.zodSchema);
    if (pattern) context.jsonSchema.pattern = pattern.source;
  };
  return without(toJSONSchema(schema, { ...options, override, io }), ["$schema"]);
}

/** Drops what only a document of its own needs. */
function without(schema: object, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

const options = {
  target: "draft-2020-12",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    // Bounds that follow from the type say nothing more.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    // JSON Schema has no flag to ignore case.
    if (jsonSchema.pattern === "^bearer$") jsonSchema.pattern = "^[Bb][Ee][Aa][Rr][Ee][Rr]$";
    const { properties } = jsonSchema;
    if (properties) {
      describe(zodSchema, properties);
      if (jsonSchema.required && orderModels.has(models.get(zodSchema) ?? ""))
        jsonSchema.required = jsonSchema.required.filter((field) => !mayBeNull(properties[field]));
    }
    // Section 2.8 doesn't show the average of no orders.
    const average = properties?.["average_order_value"];
    if (typeof average === "object" && (zodSchema === summarySchema() || zodSchema === groupSchema())) {
      delete average.type;
      average.anyOf = [{ type: "number" }, { type: "null" }];
    }
    if (zodSchema === groupKeySchema())
      jsonSchema.anyOf = [{ type: "string" }, { type: "number" }, { type: "boolean" }];
    // Section 4.1 has this rule. It is said in words too, since a validator that counts in binary takes 8.29 for no
    // multiple of 0.01.
    if (zodSchema === calls.driverFeeSchema())
      Object.assign(jsonSchema, { multipleOf: 0.01, description: "At most two decimals." });
  },
} as const satisfies Parameters<typeof toJSONSchema>[1];
