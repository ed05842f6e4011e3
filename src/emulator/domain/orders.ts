/**
 * The orders of the emulated service are lean records with all that status changes and figures need. The order in
 * full is made when somebody looks at it, so that 100,000 orders cost little.
 */
import type { OrderStatus, OrderTiming, OrderType } from "../../api/enums.js";
import type { Cents } from "../../api/money.js";
import type { Order } from "../../api/models.js";
import type { SettableClock } from "./clock.js";
import type { Store } from "./model.js";
import type { Readings } from "../readings.js";
import { isoInZone } from "./zone.js";

/** Times are in milliseconds since the epoch, amounts in cents but for the driver's fee. */
export interface OrderRecord {
  readonly id: number;
  readonly storeId: number;
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly customerOrigin: string | null;
  readonly deliveredBy: string | null;
  readonly createdAt: number;
  /** The `schedule` starts at this time; `null` without one. */
  readonly scheduledStart: number | null;
  readonly total: Cents;
  readonly deliveryFee: Cents;
  /** These are ids of section 4.8's `payment_method_id`; an order does not show them. */
  readonly paymentMethodIds: readonly number[];
  /** The cancellation of such an order goes through `canceling` (section 3). */
  readonly paidOnlineByCreditCard: boolean;
  /** The order belongs to a delivery route (section 4.1, rule 1); an order does not show it. */
  readonly inDeliveryRoute: boolean;
  status: OrderStatus;
  driverId: number | null;
  /** The fee stays as it came: no maximum is shown, and no figure is made of it. */
  driverFee: number | null;
  cancellationReason: string | null;
  updatedAt: number;
}

/** Cancellations that go through `canceling` end in this way; `afterSeconds: null` leaves them there. */
interface CancellationSettings {
  afterSeconds: number | null;
  result: "succeeds" | "fails";
}

/** These settings hold until the control surface changes them. */
const cancellations: Readonly<Record<Readings["card_cancellation"], CancellationSettings>> = {
  at_once: { afterSeconds: 0, result: "succeeds" },
  after_a_minute: { afterSeconds: 60, result: "succeeds" },
  fails: { afterSeconds: 0, result: "fails" },
};

/** Ids of a scene are below this. */
const firstForeignId = 1e12;

interface Canceling {
  readonly record: OrderRecord;
  readonly previous: OrderStatus;
  readonly since: number;
}

/** The state holds copies: the book shares none of it. */
export interface OrderBookState {
  readonly records: readonly OrderRecord[];
  readonly canceling: readonly (Omit<Canceling, "record"> & { readonly id: number })[];
  readonly cancellation: CancellationSettings;
  readonly nextId: number;
}

export class OrderBook {
  readonly cancellation: CancellationSettings;
  readonly #byId = new Map<number, OrderRecord>();
  readonly #byStore = new Map<number, OrderRecord[]>();
  /** Failed cancellations lead back to these states, by order. */
  readonly #canceling = new Map<number, Canceling>();
  #nextId = 1;

  /** @param fullOrder gives an order as it was when it came into the book */
  constructor(
    private readonly stores: ReadonlyMap<number, Store>,
    private readonly clock: SettableClock,
    private readonly fullOrder: (id: number) => Order,
    cardCancellation: Readings["card_cancellation"],
  ) {
    this.cancellation = { ...cancellations[cardCancellation] };
  }

  add(record: OrderRecord): void {
    this.#byId.set(record.id, record);
    let records = this.#byStore.get(record.storeId);
    if (!records) this.#byStore.set(record.storeId, (records = []));
    records.push(record);
    // A test may choose an id far off: the ids after it would soon be too large for a number.
    if (record.id < firstForeignId) this.#nextId = Math.max(this.#nextId, record.id + 1);
  }

  /** This id belongs to no order. */
  get nextId(): number {
    return this.#nextId;
  }

  state(): OrderBookState {
    return {
      records: Array.from(this.#byId.values(), (record) => ({ ...record })),
      canceling: Array.from(this.#canceling, ([id, { previous, since }]) => ({ id, previous, since })),
      cancellation: { ...this.cancellation },
      nextId: this.#nextId,
    };
  }

  restore({ records, canceling, cancellation, nextId }: OrderBookState): void {
    this.#byId.clear();
    this.#byStore.clear();
    this.#canceling.clear();
    for (const record of records) this.add({ ...record });
    for (const { id, previous, since } of canceling) {
      const record = this.#byId.get(id);
      if (record) this.#canceling.set(id, { record, previous, since });
    }
    Object.assign(this.cancellation, cancellation);
    this.#nextId = nextId;
  }

  get size(): number {
    return this.#byId.size;
  }

  find(id: number): OrderRecord | undefined {
    this.#settle();
    return this.#byId.get(id);
  }

  /** Gives a store's orders in the order of their ids. Cancellations that are due are settled first. */
  ofStore(storeId: number): readonly OrderRecord[] {
    this.#settle();
    return this.#byStore.get(storeId) ?? [];
  }

  all(): IterableIterator<OrderRecord> {
    this.#settle();
    return this.#byId.values();
  }

  /** Makes the order as section 2.1 has it. */
  full(record: OrderRecord): Order {
    const zone = this.stores.get(record.storeId)?.timeZone ?? "UTC";
    return {
      ...this.fullOrder(record.id),
      status: record.status,
      driver_id: record.driverId,
      driver_fee: record.driverFee,
      // Section 2.1 says "Filled only for canceled orders"; an order that is being canceled isn't one yet.
      cancellation_reason: record.status === "canceled" ? record.cancellationReason : null,
      updated_at: isoInZone(record.updatedAt, zone),
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
    if (record.status === "canceling") {
      this.#canceling.set(record.id, { record, previous, since: record.updatedAt });
      this.#settle();
    }
  }

  /** Applies the internal result of section 3: the order becomes `canceled`, or goes back to its former status. */
  endCancellation(record: OrderRecord, result: CancellationSettings["result"]): void {
    // A seeded order has no former status, so it goes back to being prepared.
    const previous = this.#canceling.get(record.id)?.previous ?? "confirmed";
    this.#canceling.delete(record.id);
    if (result === "fails") record.cancellationReason = null;
    this.setStatus(record, result === "succeeds" ? "canceled" : previous);
  }

  #settle(): void {
    const { afterSeconds, result } = this.cancellation;
    if (this.#canceling.size === 0 || afterSeconds === null) return;
    const due = this.clock.now() - afterSeconds * 1_000;
    for (const { record, since } of this.#canceling.values()) {
      if (since <= due) this.endCancellation(record, result);
    }
  }
}
