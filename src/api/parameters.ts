import * as z from "zod/mini";

import { filterParameter, filtersByName, isNullCheck, takesSeveral } from "./filters.js";
import { describeFilter, descriptions } from "./descriptions.js";
import { filterFields, type FilterOperator, type FilterValues } from "./filter-fields.js";
import { customerOriginLength } from "./limits.js";
import { pathParameters, type Operation } from "./operations.js";
import { inlineSchema, type JsonSchema } from "./json-schemas.js";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly style?: "form";
  readonly explode?: true;
}

export function parametersOf(operation: Operation): readonly Parameter[] {
  return [...pathParametersOf(operation), ...queryParameters(operation)];
}

function pathParametersOf(operation: Operation): Parameter[] {
  return pathParameters(operation).map((name) => ({
    name,
    in: "path",
    required: true,
    description: descriptions.OrderId.order_id,
    schema: { type: "string" },
  }));
}

const queryDescriptions: Readonly<Record<string, string>> = descriptions.GroupedSummaryQuery;

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z._default(z.array(z.string()), []),
});

function queryParameters({ query }: Operation): Parameter[] {
  if (!query) return [];
  const { properties, required } = z.parse(objectSchema, inlineSchema(query()));
  return Object.entries(properties).flatMap(([name, schema]) =>
    name === "filters"
      ? filterParameters()
      : {
          name,
          in: "query" as const,
          required: required.includes(name),
          description: queryDescriptions[name] ?? name,
          schema,
        },
  );
}

/** Turns the query's one field `filters` into many parameters. */
function filterParameters(): Parameter[] {
  return [...filtersByName].map(([name, { field, operator }]) => {
    const description = describeFilter(field, operator);
    const schema = valueSchema(operator, filterFields[field].values);
    const parameter = { name: filterParameter(name), in: "query", required: false } as const;
    if (!takesSeveral(operator)) return { ...parameter, description, schema };
    return {
      ...parameter,
      style: "form",
      explode: true,
      description: `${description} Repeat it for several values.`,
      schema: { type: "array", items: schema, minItems: 1 },
    };
  });
}

function valueSchema(operator: FilterOperator, values: FilterValues): JsonSchema {
  if (isNullCheck(operator)) return { type: "string", enum: ["true"] };
  switch (values.kind) {
    case "closed":
      return { type: "string", enum: values.values };
    case "open":
      return { type: "string", examples: values.values };
    case "id":
      return { type: "integer", minimum: 1 };
    case "opaque":
      return { type: "string", minLength: 1 };
    case "text":
      return { type: "string", maxLength: customerOriginLength };
    case "time":
      return { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };
    case "amount":
      return { type: "number", minimum: 0 };
  }
}
