/**
 * The kinds of schemas that the contract is made of, on zod's core. The classes of `zod/mini` bring every way to parse along, and
 * zod's texts and numbers have checks of their own: together they would be a sixth of what a client's program loads. Our own
 * functions check texts and numbers instead, and openapi.ts has the JSON Schema of each function.
 */
import {
  $ZodArray,
  $ZodCustom,
  $ZodNever,
  $ZodNullable,
  $ZodObject,
  $ZodOptional,
  _safeParse,
  type $strict,
  type $strip,
  type $ZodCheck,
  type $ZodError,
  type $ZodIssue,
  type $ZodLooseShape,
  type $ZodShape,
  type $ZodType,
  type CheckFn,
} from "zod/v4/core";

import { mustBeOneOf } from "../base/basics.js";

export type {
  $ZodArray as List,
  $ZodCheck as Check,
  $ZodType as Schema,
  $ZodIssue as Issue,
  $ZodRawIssue as RawIssue,
  output as Output,
} from "zod/v4/core";

/** zod's own error makes a message of its issues, which nothing shows. */
class Rejection extends Error implements $ZodError {
  declare readonly type: unknown;
  declare readonly _zod: $ZodError["_zod"];
  constructor(readonly issues: $ZodIssue[]) {
    super();
  }
}

export const safeParse = _safeParse(Rejection);

/** @param rule says after the field's name what its value must be. If there is none, the message says that instead. */
function definition(fits: (value: unknown) => boolean, ruleFor: (value: unknown) => string | undefined) {
  return {
    type: "custom",
    check: "custom",
    fn: fits,
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? undefined : ruleFor(input)),
  } as const;
}

/** Accepts what the function accepts, and only that is checked further. */
export function custom<Value>(
  fits: (value: unknown) => boolean,
  rule?: string,
  ...checks: $ZodCheck[]
): $ZodCustom<Value, Value>;
export function custom(fits: (value: unknown) => boolean, rule?: string, ...checks: $ZodCheck[]): $ZodCustom {
  return new $ZodCustom({ ...definition(fits, () => rule), abort: true, checks });
}

/** These values and no others. */
export function oneOf<Value extends string>(values: readonly Value[]): $ZodCustom<Value, Value>;
export function oneOf(values: readonly string[]): $ZodCustom {
  const allowed: ReadonlySet<unknown> = new Set(values);
  const fits = (value: unknown) => allowed.has(value);
  const custom = definition(fits, (value) => mustBeOneOf(values, value));
  return new $ZodCustom({ ...custom, abort: true, params: { values } });
}

/** Checks a value of the right type, beside other checks. */
export function refine(fits: (value: unknown) => boolean, rule?: string): $ZodCustom {
  return new $ZodCustom(definition(fits, () => rule));
}

/** Checks a value in any way. It may replace the value: zod's pipes and transforms are several times as long. */
export function check<Value>(run: CheckFn<Value>): $ZodCheck<Value> {
  return { _zod: { check: run, def: { check: "custom" }, onattach: [] } };
}

export const isString = (value: unknown) => typeof value === "string";
export const isNumber = (value: unknown) => Number.isFinite(value);

export const string = (...checks: $ZodCheck[]) => custom<string>(isString, "must be a string", ...checks);
export const number = (...checks: $ZodCheck[]) => custom<number>(isNumber, "must be a number", ...checks);

export function array<Element extends $ZodType>(element: Element): $ZodArray<Element>;
export function array(element: $ZodType): $ZodArray {
  return new $ZodArray({ type: "array", element });
}

export function optional<Value extends $ZodType>(innerType: Value): $ZodOptional<Value>;
export function optional(innerType: $ZodType): $ZodOptional {
  return new $ZodOptional({ type: "optional", innerType });
}

export function nullable<Value extends $ZodType>(innerType: Value): $ZodNullable<Value>;
export function nullable(innerType: $ZodType): $ZodNullable {
  return new $ZodNullable({ type: "nullable", innerType });
}

/** Other fields are left out. */
export function object<Shape extends $ZodLooseShape>(shape: Shape): $ZodObject<Shape, $strip>;
export function object(shape: $ZodShape): $ZodObject {
  return new $ZodObject({ type: "object", shape });
}

/** Other fields are errors. */
export function strictObject<Shape extends $ZodShape>(
  shape: Shape,
  ...checks: $ZodCheck[]
): $ZodObject<Shape, $strict>;
export function strictObject(shape: $ZodShape, ...checks: $ZodCheck[]): $ZodObject {
  return new $ZodObject({ type: "object", shape, catchall: new $ZodNever({ type: "never" }), checks });
}

/** Returns the fields of an object. */
export function shapeOf<Shape extends $ZodShape>(schema: $ZodObject<Shape>): Shape {
  return schema._zod.def.shape;
}

/** Returns the names of an object's fields; none for any other schema. */
export function fieldNames(schema: unknown): string[] {
  return schema instanceof $ZodObject ? Object.keys(shapeOf(schema)) : [];
}

/** Returns the same fields, each of which may be left out. */
export function mayBeAbsent<Shape extends $ZodShape>(
  shape: Shape,
): { [Name in keyof Shape]: $ZodOptional<Shape[Name]> };
export function mayBeAbsent(shape: $ZodShape) {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, optional(field)]));
}
