/**
 * Plans what kind of order there is, and drafts it: its record, and its amounts in cents. It is cheap, since every order is
 * drafted at the start; only one that somebody looks at is rendered.
 */
import type { OrderStatus, OrderTiming, OrderType } from "../../api/enums.js";
import { groupBy } from "../../api/group-by.js";
import type { Order } from "../../api/models.js";
import { numberFromCents, type Cents } from "../../api/money.js";
import type { Driver, Store } from "../domain/model.js";
import type { OrderRecord } from "../domain/orders.js";
import { weightsFrom, type Random, type Weighted } from "../domain/random.js";
import type { Cast } from "./cast.js";
import { centsOf, houseCatalog, paymentMethods } from "./catalog.js";
import type { Catalog, CatalogItem, OptionGroup, PaymentMethod } from "./catalog.js";
import { cancellationReasons, customerOrigins } from "./texts.js";

export interface Scenario {
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly status: OrderStatus;
}

export interface Plan extends Scenario {
  readonly id: number;
  readonly store: Store;
  /** The time is in milliseconds since the epoch, a whole second. */
  readonly createdAt: number;
  /** The order has its own stream of chance: the same seed and place draw the same values. */
  readonly random: Random;
}

const channels: Readonly<Record<OrderType, Weighted<string>>> = {
  delivery: weights(
    "catalog 50, marketplace_a 22, portal 8, messaging_extension 8, integration 4, marketplace_c 3, marketplace_d 3, " +
      "marketplace_e 2",
  ),
  takeout: weights(
    "catalog 40, store_front_catalog 30, portal 10, messaging_extension 6, marketplace_a 6, integration 4, totem 4",
  ),
  onsite: weights("totem 50, portal 30, integration 20"),
  closed_table: weights("table_catalog 70, portal 30"),
};

const types: Weighted<OrderType> = [
  ["delivery", 60],
  ["takeout", 20],
  ["onsite", 8],
  ["closed_table", 12],
];

/** Reads names and their weights. */
function weights(text: string): Weighted<string> {
  return text.split(", ").map((pair) => {
    const [name = "", weight] = pair.split(" ");
    return [name, Number(weight)];
  });
}

/** Draws whatever of an order's kind the scenario leaves open. */
export function drawScenario(random: Random, fixed: Partial<Scenario> = {}): Scenario {
  const orderType = fixed.orderType ?? random.weighted(types);
  const canBeScheduled = orderType === "delivery" || orderType === "takeout";
  const timing = fixed.timing ?? (canBeScheduled && random.chance(0.1) ? "scheduled" : "immediate");
  const salesChannel = fixed.salesChannel ?? random.weighted(channels[orderType]);
  const outcome = random.next();
  // Some were finalized by nobody.
  const left =
    orderType === "delivery" ? "delivered" : orderType === "closed_table" ? "ready" : "waiting_to_catch";
  const past = outcome < 0.87 ? "closed" : outcome < 0.97 ? "canceled" : left;
  return { orderType, timing, salesChannel, status: fixed.status ?? past };
}

/** Customers order these things in these quantities, and come from these origins. Each value has its weight. */
export interface Tastes {
  /** An order has so many lines. */
  readonly lines: Weighted<number>;
  readonly items: Weighted<CatalogItem>;
  /** Items that aren't sold by weight have these quantities. */
  readonly quantities: Weighted<number>;
  readonly customerOrigins: Weighted<string>;
  /** An order is scheduled at least and at most so many quarters of an hour ahead. */
  readonly quartersAhead: readonly [number, number];
}

/** Everything is equally likely, large quantities and awkward texts too. */
export const anyTaste = (catalog: Catalog): Tastes => ({
  lines: weightsFrom(1, [1, 1, 1, 1]),
  items: catalog.forSale.map((item) => [item, 1]),
  quantities: [...weightsFrom(1, [70, 20, 6]), [12, 4]],
  customerOrigins: customerOrigins.map((origin) => [origin, 1]),
  quartersAhead: [2, 300],
});

/** Items of the house, from 3001 on. */
const itemWeights = new Map(weightsFrom(3001, [24, 26, 14, 8, 6, 2, 0, 11]));

/** A restaurant sells burgers and drinks for one or two, some pizzas, in five campaigns. */
export const restaurantTaste = (catalog: Catalog): Tastes => ({
  lines: weightsFrom(1, [18, 37, 30, 15]),
  items: catalog.forSale.map((item) => [
    item,
    catalog === houseCatalog ? (itemWeights.get(item.item_id) ?? 0) : 1,
  ]),
  quantities: weightsFrom(1, [82, 15, 3]),
  customerOrigins: [
    ["instagram", 40],
    ["google-ads", 25],
    ["whatsapp", 20],
    ["Panfleto, centro", 10],
    ["aniversario", 5],
  ],
  quartersAhead: [3, 16],
});

interface OptionLine {
  readonly group: OptionGroup;
  readonly option: OptionGroup["options"][number];
  readonly quantity: number;
}

export interface Line {
  readonly item: CatalogItem;
  /** The quantity is in hundredths, since an item sold by weight has a fraction. */
  readonly quantity: number;
  readonly options: readonly OptionLine[];
  readonly total: Cents;
}

export interface PaymentLine {
  readonly method: PaymentMethod;
  /** This is paid in this way, fee included. */
  readonly total: Cents;
}

export interface Draft {
  readonly store: Store;
  readonly record: OrderRecord;
  readonly lines: readonly Line[];
  readonly serviceFee: Cents;
  readonly additionalFee: Cents;
  readonly discount: Cents;
  readonly payments: readonly PaymentLine[];
}

/** A scene makes these orders. */
export interface SeededOrders {
  /** Lists all orders in the order of their ids, which is the order of their creation. */
  records(): Generator<OrderRecord>;
  /** @returns `undefined` for an order that was not seeded */
  full(id: number): Order | undefined;
}

const deliveryFees: readonly [Cents, ...Cents[]] = [0, 0, 500, 790, 899, 1250];

/** Drafts orders of a cast's stores, each by the taste that its catalog makes. */
export function drafting(
  { drivers, catalogs }: Cast,
  tasteOf: (catalog: Catalog) => Tastes,
): (plan: Plan) => Draft {
  const byStore = groupBy(drivers, ({ storeId }) => storeId);
  const tastes = new Map([...catalogs].map(([storeId, catalog]) => [storeId, tasteOf(catalog)]));
  const usual = tasteOf(houseCatalog);
  return (plan) => draftOrder(plan, byStore.get(plan.store.id) ?? [], tastes.get(plan.store.id) ?? usual);
}

export function draftOrder(plan: Plan, drivers: readonly Driver[], tastes: Tastes): Draft {
  const { random, store, orderType, status, timing, createdAt } = plan;
  const lines = Array.from({ length: random.weighted(tastes.lines) }, () => drawLine(plan, tastes));
  const deliveryFee = orderType === "delivery" ? random.pick(deliveryFees) : 0;
  const items = sum(lines.map((line) => line.total));
  // A table pays 10 percent of the items for service, rounded.
  const serviceFee = orderType === "closed_table" && random.chance(0.8) ? Math.round(items / 10) : 0;
  const additionalFee = random.chance(0.05) ? random.int(1, 999) : 0;
  const share = random.next();
  // Now and then everything is given away: a total of zero is allowed (section 2.1), and nobody pays.
  const free = share < 0.01;
  const methods = free ? [] : drawMethods(plan);
  const fees = sum(methods.map((method) => method.fee));
  const due = items + deliveryFee + serviceFee + additionalFee + fees;
  const discount = free ? due : share < 0.15 ? Math.round(items / 10) : 0;
  const total = due - discount;
  const customerOrigin = random.chance(0.4) ? random.weighted(tastes.customerOrigins) : null;
  const { deliveredBy, driverId, driverFee, inDeliveryRoute } = drawDelivery(plan, drivers);
  const record: OrderRecord = {
    id: plan.id,
    storeId: store.id,
    orderType,
    timing,
    salesChannel: plan.salesChannel,
    customerOrigin,
    deliveredBy,
    createdAt,
    total,
    deliveryFee,
    paymentMethodIds: methods.map(({ id }) => id),
    paidOnlineByCreditCard: methods.some(({ online, code }) => online && code === "credit_card"),
    inDeliveryRoute,
    status,
    driverId,
    driverFee,
    cancellationReason: status === "canceled" && random.chance(0.7) ? random.pick(cancellationReasons) : null,
    scheduledStart:
      timing === "scheduled"
        ? Math.ceil(createdAt / 900_000 + random.int(...tastes.quartersAhead)) * 900_000
        : null,
    updatedAt: createdAt + random.int(0, 90) * 1_000,
  };
  const payments = splitPayments(methods, total);
  return { store, record, lines, serviceFee, additionalFee, discount, payments };
}

function sum(amounts: readonly Cents[]): Cents {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}

function drawLine({ random }: Plan, tastes: Tastes): Line {
  const item = random.weighted(tastes.items);
  const quantity = item.by_weight ? random.int(15, 120) : 100 * random.weighted(tastes.quantities);
  const options =
    item.kind === "combo"
      ? []
      : item.option_groups.flatMap((group) =>
          random.chance(0.4)
            ? [{ group, option: random.pick(group.options), quantity: random.int(1, 2) }]
            : [],
        );
  const unit =
    centsOf(item.price) + sum(options.map((line) => line.quantity * centsOf(line.option.price ?? 0)));
  return { item, quantity, options, total: (quantity * unit) / 100 };
}

/**
 * The status decides about the first payment: an order that waits for an online payment, or for its reversal, is paid
 * so.
 */
function drawMethods({ random, status }: Plan): PaymentMethod[] {
  const required =
    status === "pending_online_payment"
      ? paymentMethods.filter((method) => method.code === "pix")
      : status === "canceling"
        ? paymentMethods.filter((method) => method.code === "credit_card" && method.online)
        : [];
  if (required.length > 0) return required;
  const drawn = Array.from(
    { length: random.chance(0.12) ? 2 : 1 },
    () => paymentMethods[random.int(0, paymentMethods.length - 1)],
  );
  return [...new Set(drawn)].filter((method) => method !== undefined);
}

/** Splits the total: the first payment is a half where there are two; together they are the total. */
export function splitPayments(methods: readonly PaymentMethod[], total: Cents): PaymentLine[] {
  let rest = total;
  return methods.map((method, index) => {
    const part = index === methods.length - 1 ? rest : Math.floor(total / 2);
    rest -= part;
    return { method, total: part };
  });
}

function drawDelivery(
  { random, orderType, salesChannel, status }: Plan,
  drivers: readonly Driver[],
): Pick<OrderRecord, "deliveredBy" | "driverId" | "driverFee" | "inDeliveryRoute"> {
  if (orderType !== "delivery")
    return { deliveredBy: null, driverId: null, driverFee: null, inDeliveryRoute: false };
  let deliveredBy = "merchant";
  if (salesChannel.startsWith("marketplace_") && !random.chance(0.4))
    deliveredBy =
      salesChannel === "marketplace_a"
        ? random.pick(["marketplace_a", "marketplace_a_shipping", "marketplace_b_delivery"])
        : salesChannel;
  const isMerchants = deliveredBy === "merchant";
  const underway = status === "released" || status === "delivered" || status === "closed";
  const driver =
    isMerchants && random.chance(underway ? 0.85 : 0.15)
      ? drivers[random.int(0, drivers.length - 1)]?.id
      : undefined;
  const fee = random.chance(0.2) ? 0 : random.int(300, 1_500);
  return {
    deliveredBy,
    driverId: driver ?? null,
    driverFee: driver === undefined || random.chance(0.3) ? null : numberFromCents(fee),
    inDeliveryRoute: isMerchants && salesChannel === "catalog" && status === "released" && random.chance(0.3),
  };
}
