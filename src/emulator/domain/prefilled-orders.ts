/** Carts of pre-filled orders (section 4.9) are compared with the catalog, and the orders that were made are kept. */
import { randomBytes } from "node:crypto";

import type * as z from "zod/mini";

import type { Cents } from "../../api/money.js";
import type { prefilledSchemas } from "../../api/schemas.js";
import { centsOf, type Catalog, type CatalogItem } from "../seed/catalog.js";

/** Fields that the section names, and any others. */
export type SentPrefilledOrder = z.output<ReturnType<typeof prefilledSchemas>["newPrefilledOrder"]>;

export interface CartOption {
  readonly group: string;
  readonly name: string;
  readonly quantity: number;
  /** One of the option costs this. */
  readonly price: Cents;
}

/** A step of a combo has its item; `item` is absent where the customer still has to choose it. */
interface CartStep {
  readonly name: string;
  readonly item?: { readonly name: string; readonly observation: string; readonly options: CartOption[] };
}

export interface CartLine {
  readonly name: string;
  readonly quantity: number;
  readonly observation: string;
  readonly options: readonly CartOption[];
  readonly steps: readonly CartStep[];
  /** The total is quantity x (price + options), those within a combo included. */
  readonly total: Cents;
}

type SentItem = NonNullable<SentPrefilledOrder["cart"]>[number];

interface ResolvedCart {
  readonly lines: readonly CartLine[];
  /** The catalog doesn't have or allow these; each problem names its field. */
  readonly problems: readonly string[];
}

/** Resolves a cart. Each item has an id, and every id that is named has to be in the catalog. */
export function resolveCart(cart: SentPrefilledOrder["cart"], catalog: Catalog | undefined): ResolvedCart {
  const problems: string[] = [];
  const quantityOf = (sent: number | undefined, field: string): number => {
    const quantity = sent ?? 1;
    if (quantity < 0) problems.push(`${field}.quantity: must be at least 0`);
    return quantity;
  };

  const optionsOf = (item: CatalogItem, groups: SentItem["option_groups"], field: string): CartOption[] =>
    (groups ?? []).flatMap(({ option_group_id: id, options = [] }, index) => {
      if (id === undefined) return [];
      const at = `${field}.option_groups.${index}`;
      const group = item.option_groups.find((candidate) => candidate.option_group_id === id);
      if (!group) problems.push(`${at}.option_group_id: item ${item.item_id} has no option group ${id}`);
      if (!group) return [];
      return options.flatMap(({ option_id, quantity }, place) => {
        if (option_id === undefined) return [];
        const where = `${at}.options.${place}`;
        const option = group.options.find((candidate) => candidate.option_id === option_id);
        if (!option) problems.push(`${where}.option_id: option group ${id} has no option ${option_id}`);
        if (!option) return [];
        const { name, price = 0 } = option;
        return [{ group: group.name, name, quantity: quantityOf(quantity, where), price: centsOf(price) }];
      });
    });

  const stepsOf = (
    { item_id: itemId, combo_steps: steps }: CatalogItem,
    sent: SentItem["combo_steps"],
    field: string,
  ): CartStep[] => {
    const resolved = new Map<number, CartStep>();
    for (const [index, { combo_step_id: id, item }] of (sent ?? []).entries()) {
      if (id === undefined) continue;
      const at = `${field}.combo_steps.${index}`;
      const step = steps.find((candidate) => candidate.combo_step_id === id);
      const part = step?.items.find((candidate) => candidate.item_id === item?.item_id);
      if (!step) problems.push(`${at}.combo_step_id: item ${itemId} has no combo step ${id}`);
      else if (resolved.has(id)) problems.push(`${at}.combo_step_id: combo step ${id} is there twice`);
      else if (item?.item_id === undefined) resolved.set(id, { name: step.name });
      else if (!part) problems.push(`${at}.item.item_id: combo step ${id} has no item ${item.item_id}`);
      else {
        const options = optionsOf(part, item.option_groups, `${at}.item`);
        const chosen = { name: part.name, observation: item.observation ?? "", options };
        resolved.set(id, { name: step.name, item: chosen });
      }
    }
    return steps.map((step) => resolved.get(step.combo_step_id) ?? { name: step.name });
  };

  const lines = (cart ?? []).flatMap((sent, index): CartLine[] => {
    const field = `cart.${index}`;
    const quantity = quantityOf(sent.quantity, field);
    const item = sent.item_id === undefined ? undefined : catalog?.items.get(sent.item_id);
    if (sent.item_id === undefined) problems.push(`${field}.item_id is required`);
    else if (!item) problems.push(`${field}.item_id: there is no item ${sent.item_id} in the catalog`);
    if (!item) return [];
    const options = optionsOf(item, sent.option_groups, field);
    const steps = stepsOf(item, sent.combo_steps, field);
    const extras = [...options, ...steps.flatMap((step) => step.item?.options ?? [])];
    const unit = extras.reduce((sum, option) => sum + option.quantity * option.price, centsOf(item.price));
    const { observation = "" } = sent;
    return [{ name: item.name, quantity, observation, options, steps, total: quantity * unit }];
  });
  return { lines, problems };
}

export interface PrefilledOrderRecord {
  readonly id: string;
  readonly storeId: number;
  /** The time is in milliseconds since the epoch, on the emulator's clock. */
  readonly createdAt: number;
  /** The body stays as it came in. */
  readonly body: SentPrefilledOrder;
  readonly lines: readonly CartLine[];
}

/** This is enough for a long test; the oldest orders give way, so that memory stays bounded. */
const capacity = 10_000;

export class PrefilledOrders {
  readonly #records = new Map<string, PrefilledOrderRecord>();

  add(order: Omit<PrefilledOrderRecord, "id">): PrefilledOrderRecord {
    // The link shows the customer's name and address, so nobody may guess it.
    const record = { id: randomBytes(9).toString("hex"), ...order };
    this.#records.set(record.id, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > capacity && oldest !== undefined) this.#records.delete(oldest);
    return record;
  }

  find(storeId: number, id: string): PrefilledOrderRecord | undefined {
    const record = this.#records.get(id);
    return record?.storeId === storeId ? record : undefined;
  }

  /** Lists the oldest first. */
  all(): readonly PrefilledOrderRecord[] {
    return [...this.#records.values()];
  }

  clear(): void {
    this.#records.clear();
  }
}
