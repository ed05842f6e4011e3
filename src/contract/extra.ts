/**
 * Fields of an input that the specification doesn't name. By themselves they are slips, and a slip is no order; who means
 * them puts them into `extra`, beside the fields of the same object.
 */
import * as z from "zod/mini";
// By name: `z.core` as a value would bring all of zod along.
import { $ZodArray, $ZodNullable, $ZodObject, $ZodOptional } from "zod/v4/core";

import { isObject } from "../shared/json.js";
import { unknownNames } from "../shared/nearest.js";

/** The fields of one object that nobody knows. */
export interface UnnamedFields {
  /** The path of the object. */
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
  /** Those that it may have. */
  readonly known: readonly string[];
}

export interface Spread {
  /** The value as it goes over the wire. */
  readonly wire: unknown;
  readonly unnamed: readonly UnnamedFields[];
}

/** @param schema of what goes over the wire */
export function spreadExtra(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): Spread {
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable)
    return spreadExtra(schema._zod.def.innerType, value, path);
  if (schema instanceof $ZodArray && Array.isArray(value)) {
    const { element } = schema._zod.def;
    const members = value.map((member, index) => spreadExtra(element, member, [...path, index]));
    return { wire: members.map(({ wire }) => wire), unnamed: members.flatMap(({ unnamed }) => unnamed) };
  }
  if (!(schema instanceof $ZodObject) || !isObject(value)) return { wire: value, unnamed: [] };
  return spreadObject(schema._zod.def.shape, value, path);
}

function spreadObject(
  shape: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): Spread {
  // An object of a class may have its fields as getters, each of which is read once.
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    name in value ? [[name, spreadExtra(field, value[name], [...path, name])] as const] : [],
  );
  const extra = "extra" in value ? value["extra"] : undefined;
  const added = isObject(extra) ? extra : {};
  const isUsable = extra === undefined || isObject(extra);
  const known = [...Object.keys(shape), ...(isUsable ? ["extra"] : [])];
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name) && name !== "extra");
  // A field that has a place of its own isn't hidden behind it.
  const misplaced = Object.keys(added).filter((name) => Object.hasOwn(shape, name));
  const here: UnnamedFields[] = [
    { path, names: isUsable ? unknown : [...unknown, "extra"], known },
    { path: [...path, "extra"], names: misplaced, known: [] },
  ];
  return {
    wire: { ...Object.fromEntries(fields.map(([name, { wire }]) => [name, wire])), ...added },
    unnamed: [
      ...here.filter(({ names }) => names.length > 0),
      ...fields.flatMap(([, { unnamed }]) => unnamed),
    ],
  };
}

/** What a program gives for a body of this schema. */
export function inputOf<Wire extends z.ZodMiniType>(schema: Wire) {
  return z.pipe(
    z.transform((value: unknown, { issues }) => {
      const { wire, unnamed } = spreadExtra(schema, value);
      for (const { path, names, known: allowed } of unnamed) {
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
