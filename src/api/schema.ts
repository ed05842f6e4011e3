/**
 * The contract's kinds of schemas, on zod's core, which provides checks, messages and JSON Schema. zod's own classes also parse
 * asynchronously, backward and into other types, a seventh of what a client's program loads. Our own functions check texts and numbers,
 * and openapi.ts has the JSON Schema of each.
 */
import {
  $constructor,
  $ZodAsyncError,
  $ZodCustom,
  $ZodNever,
  $ZodType,
  _safeParse,
  type $strict,
  type $strip,
  type $ZodArray,
  type $ZodCheck,
  type $ZodError,
  type $ZodIssue,
  type $ZodLooseShape,
  type $ZodNullable,
  type $ZodObject,
  type $ZodOptional,
  type $ZodRawIssue,
  type $ZodShape,
  type CheckFn,
  type ParseContextInternal,
  type output,
} from "zod/v4/core";

import { isObject, mustBeOneOf } from "../base/basics.js";

export type {
  $ZodArray as List,
  $ZodCheck as Check,
  $ZodType as Schema,
  $ZodIssue as Issue,
  $ZodRawIssue as RawIssue,
  output as Output,
} from "zod/v4/core";

/** zod's own error builds an unused message. */
class Rejection extends Error implements $ZodError {
  declare readonly type: unknown;
  declare readonly _zod: $ZodError["_zod"];
  constructor(readonly issues: $ZodIssue[]) {
    super();
  }
}

export const safeParse = _safeParse(Rejection);

/** What a value must be, to follow its field's name. A missing value has another message. */
type Rule = string | ((input: unknown) => string);

interface CustomOptions<Value> {
  readonly checks?: readonly $ZodCheck[];
  /** Checks the value in any way, and may replace it: zod's pipes and transforms are several times as long. */
  readonly replace?: CheckFn<Value>;
  /** The values of a closed list, for the OpenAPI document. */
  readonly values?: readonly string[];
}

/** Accepts what the function accepts, and then runs further checks. */
export function custom<Value>(
  fits: (value: unknown) => boolean,
  rule?: Rule,
  options?: CustomOptions<Value>,
): $ZodCustom<Value, Value>;
export function custom(
  fits: (value: unknown) => boolean,
  rule: Rule = "is not valid",
  { checks: given = [], replace, values }: CustomOptions<unknown> = {},
): $ZodCustom {
  const error = ({ input }: { readonly input?: unknown }) => {
    if (input === undefined) return undefined;
    return typeof rule === "string" ? rule : rule(input);
  };
  const checks = [...given];
  if (replace) checks.push({ _zod: { check: replace, def: { check: "custom" }, onattach: [] } });
  const common = { type: "custom", check: "custom", abort: true } as const;
  return new $ZodCustom({ ...common, fn: fits, error, checks, ...(values && { params: { values } }) });
}

/** Accepts only these values. */
export function oneOf<Value extends string>(values: readonly Value[]): $ZodCustom<Value, Value>;
export function oneOf(values: readonly string[]): $ZodCustom {
  const allowed: ReadonlySet<unknown> = new Set(values);
  const rule = (input: unknown) => mustBeOneOf(values, input);
  return custom((value) => allowed.has(value), rule, { values });
}

export const isString = (value: unknown) => typeof value === "string";
export const isNumber = (value: unknown) => Number.isFinite(value);

export const string = (...checks: $ZodCheck[]) => custom<string>(isString, "must be a string", { checks });
export const number = (...checks: $ZodCheck[]) => custom<number>(isNumber, "must be a number", { checks });

/** A rule between the fields of an object, which the client and the emulator check, and the OpenAPI document lists. */
export interface FieldRule<Input> {
  /** The field that isn't valid if the rule is broken. */
  readonly field: string;
  /** Follows the field's name. */
  readonly message: string;
  holds(input: Input): boolean;
}

/** Checks a part of a value, and adds its issues to those of the whole. */
function part(
  schema: $ZodType,
  value: unknown,
  name: PropertyKey,
  issues: $ZodRawIssue[],
  context: ParseContextInternal,
): unknown {
  const result = schema._zod.run({ value, issues: [] }, context);
  // No check of the contract is asynchronous.
  if (result instanceof Promise) throw new $ZodAsyncError();
  for (const issue of result.issues) issues.push({ ...issue, path: [name, ...(issue.path ?? [])] });
  return result.value;
}

const List = $constructor<$ZodArray>("List", (inst, def) => {
  $ZodType.init(inst, def);
  inst._zod.parse = (payload, context) => {
    const { issues } = payload;
    const input: unknown = payload.value;
    if (!Array.isArray(input)) {
      issues.push({ code: "invalid_type", expected: "array", input, inst });
      return payload;
    }
    const output: unknown[] = [];
    for (const [index, member] of input.entries())
      output.push(part(def.element, member, index, issues, context));
    payload.value = output;
    return payload;
  };
});

type Rules = readonly FieldRule<object>[];

const Fields = $constructor<$ZodObject, $ZodObject["_zod"]["def"] & { readonly rules?: Rules }>(
  "Fields",
  (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, context) => {
      const { issues } = payload;
      const input: unknown = payload.value;
      if (!isObject(input)) {
        issues.push({ code: "invalid_type", expected: "object", input, inst });
        return payload;
      }
      const output: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(def.shape)) {
        const value = part(field, input[name], name, issues, context);
        if (value !== undefined || name in input) output[name] = value;
      }
      const keys: string[] = [];
      if (def.catchall) for (const name in input) if (!Object.hasOwn(def.shape, name)) keys.push(name);
      if (keys.length > 0) issues.push({ code: "unrecognized_keys", keys, input, inst, continue: true });
      if (issues.length === 0)
        for (const rule of def.rules ?? [])
          if (!rule.holds(output))
            issues.push({ code: "custom", input, message: rule.message, path: [rule.field] });
      payload.value = output;
      return payload;
    };
  },
);

/** A value, or `undefined` or `null` in its place. */
const OrNothing = $constructor<$ZodOptional | $ZodNullable>("OrNothing", (inst, def) => {
  $ZodType.init(inst, def);
  const nothing = def.type === "optional" ? undefined : null;
  if (nothing === undefined) inst._zod.optin = inst._zod.optout = "optional";
  inst._zod.parse = (payload, context) =>
    payload.value === nothing ? payload : def.innerType._zod.run(payload, context);
});

export function array<Element extends $ZodType>(element: Element): $ZodArray<Element>;
export function array(element: $ZodType): $ZodArray {
  return new List({ type: "array", element });
}

export function optional<Value extends $ZodType>(innerType: Value): $ZodOptional<Value>;
export function optional(innerType: $ZodType): $ZodType {
  return new OrNothing({ type: "optional", innerType });
}

export function nullable<Value extends $ZodType>(innerType: Value): $ZodNullable<Value>;
export function nullable(innerType: $ZodType): $ZodType {
  return new OrNothing({ type: "nullable", innerType });
}

/** Omits other fields. A field that contains the object itself is a getter. */
export function object<Shape extends $ZodLooseShape>(shape: Shape): $ZodObject<Shape, $strip>;
export function object(shape: $ZodShape): $ZodObject {
  return new Fields({ type: "object", shape });
}

/** Rejects other fields. */
export function strictObject<Shape extends $ZodShape>(
  shape: Shape,
  ...rules: readonly FieldRule<output<$ZodObject<Shape, $strict>>>[]
): $ZodObject<Shape, $strict>;
export function strictObject(shape: $ZodShape, ...rules: Rules): $ZodObject {
  return new Fields({ type: "object", shape, catchall: new $ZodNever({ type: "never" }), rules });
}

/** Returns the fields of an object. */
export function shapeOf<Shape extends $ZodShape>(schema: $ZodObject<Shape>): Shape {
  return schema._zod.def.shape;
}

/** Returns the names of an object's fields; none for any other schema. */
export function fieldNames(schema: $ZodType | $ZodCheck): string[] {
  const { def } = schema._zod;
  return "shape" in def && isObject(def.shape) ? Object.keys(def.shape) : [];
}

/** Returns the same fields as optional ones. */
export function mayBeAbsent<Shape extends $ZodShape>(
  shape: Shape,
): { [Name in keyof Shape]: $ZodOptional<Shape[Name]> };
export function mayBeAbsent(shape: $ZodShape) {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, optional(field)]));
}
