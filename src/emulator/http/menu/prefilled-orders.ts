/** The pre-filled orders that were made. */
import { randomBytes } from "node:crypto";

import type { PrefilledOrderBody } from "../../../contract/prefilled-order.js";
import type { CartLine } from "./cart.js";

export interface PrefilledOrderRecord {
  readonly id: string;
  readonly storeId: number;
  /** Milliseconds since the epoch, on the emulator's clock. */
  readonly createdAt: number;
  /** As it came in. */
  readonly body: PrefilledOrderBody;
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

  clear(): void {
    this.#records.clear();
  }
}
