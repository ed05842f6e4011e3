/**
 * An input may have fields that the specification doesn't name. By themselves they are taken for slips, and a slip is
 * no order; a program that means them puts them into `extra`, beside the fields of the same object.
 */
import * as z from "zod/mini";
// A value import of `z.core` would bring all of zod along, so these are imported by name.
import { $ZodArray, $ZodNullable, $ZodObject, $ZodOptional } from "zod/v4/core";

import { isObject } from "./json.js";
import { unknownNames } from "./nearest.js";

/** These fields of one object have no name in the specification. */
export interface UnnamedFields {
  /** The path leads to the object. */
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
  /** The object may have these fields. */
  readonly allowed: readonly string[];
}

export interface Spread {
  /** The value goes over the wire in this form. */
  readonly wire: unknown;
  readonly unnamed: readonly UnnamedFields[];
}

/**
 * Merges `extra` into its object, at every depth.
 *
 * @param schema describes what goes over the wire
 * @param takesExtra without it, `extra` is a field like any other that has no name in the specification
 */
export function spreadExtra(
  schema: z.core.$ZodType,
  value: unknown,
  takesExtra = true,
  path: readonly PropertyKey[] = [],
): Spread {
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable)
    return spreadExtra(schema._zod.def.innerType, value, takesExtra, path);
  if (schema instanceof $ZodArray && Array.isArray(value)) {
    const { element } = schema._zod.def;
    const members = value.map((member, index) => spreadExtra(element, member, takesExtra, [...path, index]));
    return { wire: members.map(({ wire }) => wire), unnamed: members.flatMap(({ unnamed }) => unnamed) };
  }
  if (!(schema instanceof $ZodObject) || !isObject(value)) return { wire: value, unnamed: [] };
  return spreadObject(schema._zod.def.shape, value, takesExtra, path);
}

function spreadObject(
  shape: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
  takesExtra: boolean,
  path: readonly PropertyKey[],
): Spread {
  // An object of a class may have its fields as getters, so each is read only once.
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    name in value ? [[name, spreadExtra(field, value[name], takesExtra, [...path, name])] as const] : [],
  );
  const hasExtra = "extra" in value;
  const extra = takesExtra && hasExtra ? value["extra"] : undefined;
  const extraFields = isObject(extra) ? extra : {};
  const isUsable = takesExtra && (extra === undefined || isObject(extra));
  const names = Object.keys(value).filter((name) => !Object.hasOwn(shape, name) && name !== "extra");
  // `extra` can't hide a field that has a place of its own.
  const misplaced = Object.keys(extraFields).filter((name) => Object.hasOwn(shape, name));
  const problems: UnnamedFields[] = [
    isUsable
      ? { path, names, allowed: [...Object.keys(shape), "extra"] }
      : { path, names: hasExtra ? [...names, "extra"] : names, allowed: Object.keys(shape) },
    { path: [...path, "extra"], names: misplaced, allowed: [] },
  ];
  return {
    wire: { ...Object.fromEntries(fields.map(([name, { wire }]) => [name, wire])), ...extraFields },
    unnamed: [
      ...problems.filter(({ names }) => names.length > 0),
      ...fields.flatMap(([, { unnamed }]) => unnamed),
    ],
  };
}

/** Makes the schema of what a program gives for such a body. */
export function inputOf<Wire extends z.ZodMiniType>(schema: Wire) {
  return z.pipe(
    z.transform((value: unknown, { issues }) => {
      const { wire, unnamed } = spreadExtra(schema, value);
      for (const { path, names, allowed } of unnamed) {
        const message =
          allowed.length > 0
            ? unknownNames("field", names, allowed)
            : `can't have "${names.join('", "')}", which the order has itself`;
        issues.push({ code: "custom", input: value, path: [...path], message });
      }
      return wire;
    }),
    schema,
  );
}
