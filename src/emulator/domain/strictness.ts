/** A strict emulator also refuses what its own world, which is closed, doesn't have. */
import type * as z from "zod/mini";
// A value import of `z.core` would bring all of zod along, so these are imported by name.
import { $ZodArray, $ZodNullable, $ZodObject, $ZodOptional } from "zod/v4/core";

import { filterFields } from "../../contract/filter-fields.js";
import type { Filter } from "../../contract/filters.js";
import type { SentPrefilledOrder } from "../../contract/prefilled-order.js";
import { isObject } from "../../shared/json.js";
import { englishSuggestion, unknownNames } from "../../shared/nearest.js";
import type { World } from "./world.js";

/**
 * Lists the fields of a body that the specification doesn't name, each with its place and the nearest name. Even
 * `extra` is one of them: the client and `prefill` take such fields in it, but no service knows it.
 */
export function unnamedFields(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly string[] = [],
): string[] {
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable)
    return unnamedFields(schema._zod.def.innerType, value, path);
  if (schema instanceof $ZodArray && Array.isArray(value)) {
    const { element } = schema._zod.def;
    return value.flatMap((member, index) => unnamedFields(element, member, [...path, String(index)]));
  }
  if (!(schema instanceof $ZodObject) || !isObject(value)) return [];
  const { shape } = schema._zod.def;
  const unnamed = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
  const [sentence = ""] = unknownNames("field", unnamed, Object.keys(shape)).split("\n");
  return [
    ...(unnamed.length === 0 ? [] : [`${path.length === 0 ? "The body" : path.join(".")} ${sentence}`]),
    ...Object.entries(shape).flatMap(([name, field]) => unnamedFields(field, value[name], [...path, name])),
  ];
}

/** Finds the items of a cart that have no id. */
export function itemsWithoutId(cart: SentPrefilledOrder["cart"]): string[] {
  return (cart ?? []).flatMap(({ item_id: id }, index) =>
    id === undefined ? [`cart.${index}.item_id is required`] : [],
  );
}

interface ClosedField {
  readonly name: string;
  readonly listedValues: readonly string[];
  readonly has: (value: string) => boolean;
}

/** Finds values of filters that exist at no store; a test may have made an order with a channel of its own. */
export function unknownValues(
  filters: readonly Filter[],
  { drivers, orders }: Pick<World, "drivers" | "orders">,
): string[] {
  const closed: Record<"sales_channel" | "driver_id", ClosedField> = {
    sales_channel: {
      name: "sales channel",
      listedValues: filterFields.sales_channel.values.values,
      has: (value: string) => [...orders.all()].some(({ salesChannel }) => salesChannel === value),
    },
    driver_id: {
      name: "driver",
      listedValues: [...drivers.keys()].map(String),
      has: (value: string) => [...orders.all()].some(({ driverId }) => String(driverId) === value),
    },
  };
  return filters.flatMap(({ field, operator, values }) => {
    if (field !== "sales_channel" && field !== "driver_id") return [];
    const { name, listedValues, has } = closed[field];
    return values
      .filter((value) => !listedValues.includes(value) && !has(value))
      .map(
        (value) =>
          `filters[${field}_${operator}]: there is no ${name} ${value}.${englishSuggestion(value, listedValues)}`,
      );
  });
}
