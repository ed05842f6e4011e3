/** Pre-filled orders (section 4.9): their carts, held against the catalog, and the orders that were made. */
import { randomBytes } from "node:crypto";

import type { Cents } from "../../contract/money.js";
import type { SentPrefilledOrder } from "../../contract/prefilled-order.js";
import type { Catalog, CatalogItem } from "../seed/catalog.js";

export interface CartOption {
  readonly group: string;
  readonly name: string;
  readonly quantity: number;
  /** The price of one. */
  readonly price: Cents;
}

/** What was chosen in one step of a combo; `item` is absent where that is left to the customer. */
interface CartStep {
  readonly name: string;
  readonly item?: { readonly name: string; readonly observation: string; readonly options: CartOption[] };
}

export interface CartLine {
  /** Absent where no item is named: that is left to the customer. */
  readonly name?: string;
  readonly quantity: number;
  /** The price of one, without options. */
  readonly price: Cents;
  readonly observation: string;
  readonly options: readonly CartOption[];
  readonly steps: readonly CartStep[];
  /** quantity x (price + options), those within a combo included. */
  readonly total: Cents;
}

type GivenItem = NonNullable<SentPrefilledOrder["cart"]>[number];
type GivenGroups = GivenItem["option_groups"];
type GivenSteps = GivenItem["combo_steps"];

interface ResolvedCart {
  readonly lines: readonly CartLine[];
  /** What the catalog doesn't have or allow, each with the field it is about. */
  readonly problems: readonly string[];
}

/** What names no id is left to the customer; an id that is named has to be in the catalog. */
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
  sent: GivenItem,
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

function resolveQuantity(given: number | undefined, field: string, problems: string[]): number {
  const quantity = given ?? 1;
  if (quantity < 0) problems.push(`${field}: must be at least 0`);
  return quantity;
}

function resolveOptions(
  item: CatalogItem,
  groups: GivenGroups,
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
    return options.flatMap((chosen, place) => {
      if (chosen.option_id === undefined) return [];
      const option = group.options.find((candidate) => candidate.id === chosen.option_id);
      const where = `${at}.options.${place}`;
      if (!option) {
        problems.push(`${where}.option_id: option group ${id} has no option ${chosen.option_id}`);
        return [];
      }
      const quantity = resolveQuantity(chosen.quantity, `${where}.quantity`, problems);
      return [{ group: group.name, name: option.name, quantity, price: option.price }];
    });
  });
}

function resolveSteps(item: CatalogItem, given: GivenSteps, field: string, problems: string[]): CartStep[] {
  const steps = item.steps ?? [];
  const taken = new Map<number, CartStep>();
  for (const [index, { combo_step_id: id, item: chosen }] of (given ?? []).entries()) {
    const at = `${field}.combo_steps.${index}`;
    if (id === undefined) continue;
    const step = steps.find((candidate) => candidate.id === id);
    if (!step) problems.push(`${at}.combo_step_id: item ${item.id} has no combo step ${id}`);
    else if (taken.has(id)) problems.push(`${at}.combo_step_id: combo step ${id} is there twice`);
    else if (chosen?.item_id === undefined) taken.set(id, { name: step.name });
    else {
      const part = step.items.find((candidate) => candidate.id === chosen.item_id);
      if (!part) {
        problems.push(`${at}.item.item_id: combo step ${id} has no item ${chosen.item_id}`);
        continue;
      }
      const options = resolveOptions(part, chosen.option_groups, `${at}.item`, problems);
      const observation = chosen.observation ?? "";
      taken.set(id, { name: step.name, item: { name: part.name, observation, options } });
    }
  }
  return steps.map((step) => taken.get(step.id) ?? { name: step.name });
}

export interface PrefilledOrderRecord {
  readonly id: string;
  readonly storeId: number;
  /** Milliseconds since the epoch, on the emulator's clock. */
  readonly createdAt: number;
  /** The body as it came in. */
  readonly body: SentPrefilledOrder;
  readonly lines: readonly CartLine[];
}

/** Enough for a long test; the oldest give way, so that memory stays bounded. */
const capacity = 10_000;

export class PrefilledOrders {
  readonly #records = new Map<string, PrefilledOrderRecord>();

  add(order: Omit<PrefilledOrderRecord, "id">): PrefilledOrderRecord {
    // Whoever has the link sees the customer's name and address: nobody may guess it.
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

  /** Oldest first. */
  all(): readonly PrefilledOrderRecord[] {
    return [...this.#records.values()];
  }

  restore(records: readonly PrefilledOrderRecord[]): void {
    this.#records.clear();
    for (const record of records) this.#records.set(record.id, record);
  }

  clear(): void {
    this.#records.clear();
  }
}
