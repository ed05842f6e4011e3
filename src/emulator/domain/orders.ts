/**
 * The orders, as small records with the fields that status changes and figures need. A complete order is rendered only when it is
 * read, so that 100,000 orders need little memory.
 */
import type { OrderStatus, OrderTiming, OrderType } from "../../api/values.js";
import type { Cents } from "../../api/money.js";
import type { Order } from "../../api/models.js";
import type { Readings } from "../readings.js";
import type { Store } from "../inputs.js";
import { isoInZone, type SettableClock } from "./time.js";

/** Times are in milliseconds since the epoch, amounts in cents, except for the driver's fee. */
export interface OrderRecord {
  readonly id: number;
  readonly storeId: number;
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly customerOrigin: string | null;
  readonly deliveredBy: string | null;
  readonly createdAt: number;
  /** The start of the `schedule`; `null` without one. */
  readonly scheduledStart: number | null;
  readonly total: Cents;
  readonly deliveryFee: Cents;
  /** The ids that section 4.8's `payment_method_id` filters; an order doesn't show them. */
  readonly paymentMethodIds: readonly number[];
  /** Whether a cancellation goes through `canceling` (section 3). */
  readonly paidOnlineByCreditCard: boolean;
  /** Whether the order belongs to a delivery route (section 4.1, rule 1); an order doesn't show it. */
  readonly inDeliveryRoute: boolean;
  status: OrderStatus;
  driverId: number | null;
  /** The fee as sent: no maximum is shown, and no figure includes it. */
  driverFee: number | null;
  cancellationReason: string | null;
  updatedAt: number;
}

/** The orders of a scene by ascending id: each record, and a function that renders the complete order. */
export type SeededOrders = Iterable<readonly [OrderRecord, () => Order]>;

/** The ids of a scene are below this. */
const firstForeignId = 1e12;

export class Orders {
  readonly #byId = new Map<number, OrderRecord>();
  readonly #byStore = new Map<number, OrderRecord[]>();
  /** Renders each order as it was when it was added. */
  readonly #inFull = new Map<number, () => Order>();
  /** Orders that are being canceled. A failed cancellation restores the previous status. */
  readonly #canceling = new Map<OrderRecord, { previous: OrderStatus; since: number }>();
  /** The lowest unused id. */
  nextId = 1;

  constructor(
    seeded: SeededOrders,
    private readonly stores: ReadonlyMap<number, Store>,
    private readonly clock: SettableClock,
    private readonly cardCancellation: Readings["card_cancellation"],
  ) {
    for (const [record, inFull] of seeded) this.add(record, inFull);
  }

  add(record: OrderRecord, inFull: () => Order): void {
    this.#byId.set(record.id, record);
    this.#inFull.set(record.id, inFull);
    const records = this.#byStore.get(record.storeId);
    if (records) records.push(record);
    else this.#byStore.set(record.storeId, [record]);
    // A test may choose a very large id, after which ids would soon exceed the integers of a number.
    if (record.id < firstForeignId) this.nextId = Math.max(this.nextId, record.id + 1);
  }

  get size(): number {
    return this.#byId.size;
  }

  find(id: number): OrderRecord | undefined {
    this.#settle();
    return this.#byId.get(id);
  }

  /** Returns a store's orders by id. Due cancellations are settled first. */
  ofStore(storeId: number): readonly OrderRecord[] {
    this.#settle();
    return this.#byStore.get(storeId) ?? [];
  }

  all(): IterableIterator<OrderRecord> {
    this.#settle();
    return this.#byId.values();
  }

  full(record: OrderRecord): Order {
    const order = this.#inFull.get(record.id)?.();
    if (!order) throw new RangeError(`Unknown order ${record.id}.`);
    return {
      ...order,
      status: record.status,
      driver_id: record.driverId,
      driver_fee: record.driverFee,
      // Section 2.1 says "Filled only for canceled orders", and an order that is being canceled isn't canceled yet.
      cancellation_reason: record.status === "canceled" ? record.cancellationReason : null,
      updated_at: isoInZone(record.updatedAt, this.stores.get(record.storeId)?.timeZone ?? "UTC"),
    };
  }

  setStatus(record: OrderRecord, status: OrderStatus): void {
    record.status = status;
    record.updatedAt = this.clock.now();
  }

  cancel(record: OrderRecord, reason: string | undefined): void {
    const previous = record.status;
    record.cancellationReason = reason ?? null;
    this.setStatus(record, record.paidOnlineByCreditCard ? "canceling" : "canceled");
    if (record.status === "canceling") this.#canceling.set(record, { previous, since: record.updatedAt });
  }

  /** Applies section 3's internal result of due cancellations: `canceled`, or the previous status. */
  #settle(): void {
    const due = this.clock.now() - (this.cardCancellation === "after_a_minute" ? 60_000 : 0);
    for (const [record, { previous, since }] of this.#canceling) {
      if (since > due) continue;
      this.#canceling.delete(record);
      const fails = this.cardCancellation === "fails";
      if (fails) record.cancellationReason = null;
      this.setStatus(record, fails ? previous : "canceled");
    }
  }
}
