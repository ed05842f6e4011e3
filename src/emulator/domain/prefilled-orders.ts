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
  readonly name: string;
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

interface ResolvedCart {
  readonly lines: readonly CartLine[];
  /** The catalog doesn't have or allow these; each problem names its field. */
  readonly problems: readonly string[];
}

/** Resolves a cart. Each item has an id, and every id that is named has to be in the catalog. */
export function resolveCart(cart: SentPrefilledOrder["cart"], catalog: Catalog | undefined): ResolvedCart {
  const resolver = new Resolver(catalog);
  const lines = (cart ?? []).flatMap((item, index) => resolver.line(item, `cart.${index}`) ?? []);
  return { lines, problems: resolver.problems };
}

export function cartTotal(lines: readonly CartLine[]): Cents {
  return lines.reduce((total, line) => total + line.total, 0);
}

class Resolver {
  readonly problems: string[] = [];

  constructor(private readonly catalog: Catalog | undefined) {}

  line(sent: SentItem, field: string): CartLine | undefined {
    const quantity = this.#quantity(sent.quantity, field);
    const observation = sent.observation ?? "";
    if (sent.item_id === undefined) {
      this.problems.push(`${field}.item_id is required`);
      return undefined;
    }
    const item = this.catalog?.find(sent.item_id);
    if (!item) {
      this.problems.push(`${field}.item_id: there is no item ${sent.item_id} in the catalog`);
      return undefined;
    }
    const { name, price } = item;
    const options = this.#options(item, sent.option_groups, field);
    const steps = this.#steps(item, sent.combo_steps, field);
    const extras = [...options, ...steps.flatMap((step) => step.item?.options ?? [])];
    const unit = extras.reduce((sum, option) => sum + option.quantity * option.price, price);
    return { name, quantity, price, observation, options, steps, total: quantity * unit };
  }

  #quantity(sent: number | undefined, field: string): number {
    const quantity = sent ?? 1;
    if (quantity < 0) this.problems.push(`${field}.quantity: must be at least 0`);
    return quantity;
  }

  #options(item: CatalogItem, groups: SentItem["option_groups"], field: string): CartOption[] {
    return (groups ?? []).flatMap(({ option_group_id: id, options = [] }, index) => {
      if (id === undefined) return [];
      const at = `${field}.option_groups.${index}`;
      const group = item.groups.find((candidate) => candidate.id === id);
      if (!group) {
        this.problems.push(`${at}.option_group_id: item ${item.id} has no option group ${id}`);
        return [];
      }
      return options.flatMap(({ option_id, quantity: sentQuantity }, place) => {
        if (option_id === undefined) return [];
        const where = `${at}.options.${place}`;
        const option = group.options.find((candidate) => candidate.id === option_id);
        if (!option) {
          this.problems.push(`${where}.option_id: option group ${id} has no option ${option_id}`);
          return [];
        }
        const quantity = this.#quantity(sentQuantity, where);
        return [{ group: group.name, name: option.name, quantity, price: option.price }];
      });
    });
  }

  #steps({ id: itemId, steps = [] }: CatalogItem, sent: SentItem["combo_steps"], field: string): CartStep[] {
    const resolved = new Map<number, CartStep>();
    for (const [index, { combo_step_id: id, item }] of (sent ?? []).entries()) {
      if (id === undefined) continue;
      const at = `${field}.combo_steps.${index}`;
      const step = steps.find((candidate) => candidate.id === id);
      if (!step) this.problems.push(`${at}.combo_step_id: item ${itemId} has no combo step ${id}`);
      else if (resolved.has(id)) this.problems.push(`${at}.combo_step_id: combo step ${id} is there twice`);
      else if (item?.item_id === undefined) resolved.set(id, { name: step.name });
      else {
        const part = step.items.find((candidate) => candidate.id === item.item_id);
        if (!part) {
          this.problems.push(`${at}.item.item_id: combo step ${id} has no item ${item.item_id}`);
          continue;
        }
        const options = this.#options(part, item.option_groups, `${at}.item`);
        const observation = item.observation ?? "";
        resolved.set(id, { name: step.name, item: { name: part.name, observation, options } });
      }
    }
    return steps.map((step) => resolved.get(step.id) ?? { name: step.name });
  }
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
