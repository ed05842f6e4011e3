/** Finds the fields of a value that its schema doesn't name. */
import type * as z from "zod/mini";
// By name: `z.core` as a value would bring all of zod, every language included, into every command.
import { $ZodArray, $ZodNullable, $ZodObject, $ZodOptional } from "zod/v4/core";

export interface UnknownFieldOf {
  readonly path: readonly (string | number)[];
  /** The fields that could stand in its place. */
  readonly known: readonly string[];
}

export function unknownFields(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly (string | number)[] = [],
): UnknownFieldOf[] {
  const inner = bare(schema);
  if (inner instanceof $ZodArray && Array.isArray(value)) {
    const { element } = inner._zod.def;
    return value.flatMap((member, index) => unknownFields(element, member, [...path, index]));
  }
  if (!(inner instanceof $ZodObject) || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return [];
  const { shape } = inner._zod.def;
  const known = Object.keys(shape);
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const at = [...path, name];
    return field === undefined ? [{ path: at, known }] : unknownFields(field, member, at);
  });
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof $ZodOptional || schema instanceof $ZodNullable
    ? bare(schema._zod.def.innerType)
    : schema;
}
