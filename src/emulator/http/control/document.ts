/** Describes the control surface as an OpenAPI 3.1 document, for clients that are generated. */
import * as z from "zod/mini";

import { inlineSchema } from "../../../openapi/json-schemas.js";
import { controlPath } from "../paths.js";
import type { ControlEndpoint } from "./endpoint.js";

export function controlDocument(
  endpoints: readonly ControlEndpoint[],
  origin: string,
): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = {};
  for (const endpoint of endpoints) {
    const path = controlPath + endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(endpoint, schemas) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "The control surface of the comanda emulator",
      version: "1.0",
      description:
        "For tests. No part of the service: what a fault does and what limits count don't touch it.",
      contact: { name: "comanda" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    tags: [{ name: "control", description: "Looks into the emulator and drives it." }],
    security: [],
    paths,
    components: { schemas },
  };
}

function describe(
  { method, path, what, query = [], body, status }: ControlEndpoint,
  schemas: Record<string, unknown>,
) {
  const name = operationId(method, path);
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "integer" },
  }));
  const inQuery = query.map((name) => ({ name, in: "query", required: false, schema: { type: "string" } }));
  const json = { "application/json": { schema: { type: "object" } } };
  return {
    operationId: name,
    tags: ["control"],
    summary: what,
    description: what,
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: bodySchema(body, name, schemas) } },
      },
    }),
    responses: {
      [status ?? 200]: { description: "Done.", ...(status !== 204 && { content: json }) },
      "400": { description: "What was asked can't be; details says why.", content: json },
    },
  };
}

/** @param schemas gets the parts that a schema refers to, such as the items of items of an order */
function bodySchema(body: z.ZodMiniType, operation: string, schemas: Record<string, unknown>): unknown {
  const text = JSON.stringify(inlineSchema(body, new Map(), "input"));
  const inDocument = text.replaceAll("#/$defs/__schema", `#/components/schemas/${operation}`);
  const { $defs = {}, ...schema } = definedSchema.parse(JSON.parse(inDocument));
  for (const [name, part] of Object.entries($defs)) schemas[name.replace("__schema", operation)] = part;
  return schema;
}

const definedSchema = z.looseObject({ $defs: z.optional(z.record(z.string(), z.unknown())) });

/** Makes an id such as `putClock` or `postOrdersIdCancellation`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
