/** Carts of pre-filled orders (section 4.9) are compared with the catalog, and the orders that were made are kept. */
import { randomBytes } from "node:crypto";

import type { Cents } from "../../contract/money.js";
import type { SentPrefilledOrder } from "../../contract/prefilled-order.js";
import type { Catalog, CatalogItem } from "../seed/catalog.js";

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
  /** The name is absent where no item is named: the customer still has to choose it. */
  readonly name?: string;
  readonly quantity: number;
  /** One of the item costs this, without options. */
  readonly price: Cents;
  readonly observation: string;
  readonly options: readonly CartOption[];
  readonly steps: readonly CartStep[];
  /** The total is quantity x (price + options), those within a combo included. */
  readonly total: Cents;
}

type SentItem = NonNullable<SentPrefilledOrder["cart"]>[number];
type SentGroups = SentItem["option_groups"];
type SentSteps = SentItem["combo_steps"];

interface ResolvedCart {
  readonly lines: readonly CartLine[];
  /** The catalog doesn't have or allow these; each problem names its field. */
  readonly problems: readonly string[];
}

/** Resolves a cart. An item without an id is left to the customer; an id has to be in the catalog. */
export function resolveCart(cart: SentPrefilledOrder["cart"], catalog: Catalog | undefined): ResolvedCart {
  const problems: string[] = [];
  const lines = (cart ?? []).flatMap(
    (item, index) => resolveItem(item, catalog, `cart.${index}`, problems) ?? [],
  );
  return { lines, problems };
}

export function cartTotal(lines: readonly CartLine[]): Cents {
  return lines.reduce((total, line) => total + line.total, 0);
}

function resolveItem(
  sent: SentItem,
  catalog: Catalog | undefined,
  field: string,
  problems: string[],
): CartLine | undefined {
  const quantity = resolveQuantity(sent.quantity, `${field}.quantity`, problems);
  const observation = sent.observation ?? "";
  if (sent.item_id === undefined)
    return { quantity, price: 0, observation, options: [], steps: [], total: 0 };
  const item = catalog?.find(sent.item_id);
  if (!item) {
    problems.push(`${field}.item_id: there is no item ${sent.item_id} in the catalog`);
    return undefined;
  }
  const options = resolveOptions(item, sent.option_groups, field, problems);
  const steps = resolveSteps(item, sent.combo_steps, field, problems);
  const extras = [...options, ...steps.flatMap((step) => step.item?.options ?? [])];
  const unit = extras.reduce((sum, option) => sum + option.quantity * option.price, item.price);
  return {
    name: item.name,
    quantity,
    price: item.price,
    observation,
    options,
    steps,
    total: quantity * unit,
  };
}

function resolveQuantity(sentQuantity: number | undefined, field: string, problems: string[]): number {
  const quantity = sentQuantity ?? 1;
  if (quantity < 0) problems.push(`${field}: must be at least 0`);
  return quantity;
}

function resolveOptions(
  item: CatalogItem,
  groups: SentGroups,
  field: string,
  problems: string[],
): CartOption[] {
  return (groups ?? []).flatMap(({ option_group_id: id, options = [] }, index) => {
    const at = `${field}.option_groups.${index}`;
    if (id === undefined) return [];
    const group = item.groups.find((candidate) => candidate.id === id);
    if (!group) {
      problems.push(`${at}.option_group_id: item ${item.id} has no option group ${id}`);
      return [];
    }
    return options.flatMap((sentOption, place) => {
      if (sentOption.option_id === undefined) return [];
      const option = group.options.find((candidate) => candidate.id === sentOption.option_id);
      const where = `${at}.options.${place}`;
      if (!option) {
        problems.push(`${where}.option_id: option group ${id} has no option ${sentOption.option_id}`);
        return [];
      }
      const quantity = resolveQuantity(sentOption.quantity, `${where}.quantity`, problems);
      return [{ group: group.name, name: option.name, quantity, price: option.price }];
    });
  });
}

function resolveSteps(
  item: CatalogItem,
  sentSteps: SentSteps,
  field: string,
  problems: string[],
): CartStep[] {
  const steps = item.steps ?? [];
  const stepsById = new Map<number, CartStep>();
  for (const [index, { combo_step_id: id, item: sentItem }] of (sentSteps ?? []).entries()) {
    const at = `${field}.combo_steps.${index}`;
    if (id === undefined) continue;
    const step = steps.find((candidate) => candidate.id === id);
    if (!step) problems.push(`${at}.combo_step_id: item ${item.id} has no combo step ${id}`);
    else if (stepsById.has(id)) problems.push(`${at}.combo_step_id: combo step ${id} is there twice`);
    else if (sentItem?.item_id === undefined) stepsById.set(id, { name: step.name });
    else {
      const part = step.items.find((candidate) => candidate.id === sentItem.item_id);
      if (!part) {
        problems.push(`${at}.item.item_id: combo step ${id} has no item ${sentItem.item_id}`);
        continue;
      }
      const options = resolveOptions(part, sentItem.option_groups, `${at}.item`, problems);
      const observation = sentItem.observation ?? "";
      stepsById.set(id, { name: step.name, item: { name: part.name, observation, options } });
    }
  }
  return steps.map((step) => stepsById.get(step.id) ?? { name: step.name });
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

  restore(records: readonly PrefilledOrderRecord[]): void {
    this.#records.clear();
    for (const record of records) this.#records.set(record.id, record);
  }
}
