/** Carts of pre-filled orders (section 4.9) are compared with the catalog. */
import type * as z from "zod/mini";

import type { newPrefilledOrderSchema } from "../../api/input.js";
import { catalog, type CatalogItem } from "../seed/catalog.js";

/** Fields that the section names, and any others. */
export type SentPrefilledOrder = z.output<ReturnType<typeof newPrefilledOrderSchema>>;

export interface PrefilledOrder {
  readonly id: string;
  readonly storeId: number;
  /** The body stays as it came in. */
  readonly body: SentPrefilledOrder;
}

type SentItem = NonNullable<SentPrefilledOrder["cart"]>[number];

/** Each item has an id, and every id that is named has to be in the catalog. What is missing is left to the customer. */
export function cartProblems(cart: SentPrefilledOrder["cart"]): readonly string[] {
  const problems: string[] = [];
  const checkQuantity = (quantity: number | undefined, field: string): void => {
    if (quantity !== undefined && quantity < 0) problems.push(`${field}.quantity: must be at least 0`);
  };
  const checkOptions = (item: CatalogItem, groups: SentItem["option_groups"], field: string): void => {
    for (const [index, { option_group_id: id, options = [] }] of (groups ?? []).entries()) {
      if (id === undefined) continue;
      const at = `${field}.option_groups.${index}`;
      const group = item.option_groups.find((each) => each.option_group_id === id);
      if (!group) problems.push(`${at}.option_group_id: item ${item.item_id} has no option group ${id}`);
      for (const [place, { option_id, quantity }] of options.entries()) {
        const where = `${at}.options.${place}`;
        checkQuantity(quantity, where);
        if (group && option_id !== undefined && !group.options.some((each) => each.option_id === option_id))
          problems.push(`${where}.option_id: option group ${id} has no option ${option_id}`);
      }
    }
  };
  for (const [index, sent] of (cart ?? []).entries()) {
    const field = `cart.${index}`;
    checkQuantity(sent.quantity, field);
    const item = catalog.get(sent.item_id ?? 0);
    if (sent.item_id === undefined) problems.push(`${field}.item_id is required`);
    else if (!item) problems.push(`${field}.item_id: there is no item ${sent.item_id} in the catalog`);
    if (!item) continue;
    checkOptions(item, sent.option_groups, field);
    for (const [place, { combo_step_id: id, item: chosen }] of (sent.combo_steps ?? []).entries()) {
      const at = `${field}.combo_steps.${place}`;
      const step = item.combo_steps.find((each) => each.combo_step_id === id);
      const part = step?.items.find((each) => each.item_id === chosen?.item_id);
      if (id !== undefined && !step)
        problems.push(`${at}.combo_step_id: item ${item.item_id} has no combo step ${id}`);
      else if (step && chosen?.item_id !== undefined && !part)
        problems.push(`${at}.item.item_id: combo step ${step.combo_step_id} has no item ${chosen.item_id}`);
      else if (part) checkOptions(part, chosen?.option_groups, `${at}.item`);
    }
  }
  return problems;
}
