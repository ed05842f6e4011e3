/** A strict emulator also refuses what its own world, which is closed, doesn't have. */
import type * as z from "zod/mini";

import { spreadExtra } from "../../contract/extra.js";
import { filterFields } from "../../contract/filter-fields.js";
import type { Filter } from "../../contract/filters.js";
import type { SentPrefilledOrder } from "../../contract/prefilled-order.js";
import { englishSuggestion, unknownNames } from "../../shared/nearest.js";
import type { World } from "./world.js";

/**
 * Lists the fields of a body that the specification doesn't name, each with its place and the nearest name. Even
 * `extra` is one of them: the client and `prefill` take such fields in it, but no service knows it.
 */
export function unnamedFields(schema: z.ZodMiniType, value: unknown): string[] {
  return spreadExtra(schema, value, false).unnamed.map(({ path, names, allowed }) => {
    const [sentence = ""] = unknownNames("field", names, allowed).split("\n");
    return `${path.length === 0 ? "The body" : path.join(".")} ${sentence}`;
  });
}

/** Finds the items of a cart that have no id. */
export function itemsWithoutId(cart: SentPrefilledOrder["cart"]): string[] {
  return (cart ?? []).flatMap(({ item_id: id }, index) =>
    id === undefined ? [`cart.${index}.item_id is required`] : [],
  );
}

/** Finds values of filters that exist at no store; a test may have made an order with a channel of its own. */
export function unknownValues(
  filters: readonly Filter[],
  { drivers, orders }: Pick<World, "drivers" | "orders">,
): string[] {
  const listed = {
    sales_channel: filterFields.sales_channel.values.values,
    driver_id: [...drivers.keys()].map(String),
  };
  return filters.flatMap(({ field, operator, values }) => {
    if (field !== "sales_channel" && field !== "driver_id") return [];
    const isDriver = field === "driver_id";
    const isOfAnOrder = (value: string) =>
      [...orders.all()].some((order) => value === String(isDriver ? order.driverId : order.salesChannel));
    const known: readonly string[] = listed[field];
    return values
      .filter((value) => !known.includes(value) && !isOfAnOrder(value))
      .map(
        (value) =>
          `filters[${field}_${operator}]: there is no ${isDriver ? "driver" : "sales channel"} ${value}.` +
          englishSuggestion(value, known),
      );
  });
}
