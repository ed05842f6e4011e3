/**
 * Drafts an order: its record, and its amounts in cents. It is cheap, since every order is drafted at the start; only one
 * that somebody looks at is drafted again and rendered.
 */
import type { OrderStatus, OrderTiming, OrderType } from "../../api/values.js";
import { numberFromCents, type Cents } from "../../api/money.js";
import type { Driver, Store } from "../inputs.js";
import type { OrderRecord } from "../domain/orders.js";
import { weightsFrom, type Random, type Weighted } from "../domain/random.js";
import { centsOf, forSale, paymentMethods, type PaymentMethod } from "./catalog.js";

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

export type Draft = ReturnType<typeof draftOrder>;

const types: Weighted<OrderType> = [
  ["delivery", 60],
  ["takeout", 20],
  ["onsite", 8],
  ["closed_table", 12],
];

const channels: Readonly<Record<OrderType, Weighted<string>>> = {
  delivery: Object.entries({
    catalog: 50,
    marketplace_a: 22,
    portal: 8,
    messaging_extension: 8,
    integration: 4,
    marketplace_c: 3,
    marketplace_d: 3,
    marketplace_e: 2,
  }),
  takeout: Object.entries({
    catalog: 40,
    store_front_catalog: 30,
    portal: 10,
    messaging_extension: 6,
    marketplace_a: 6,
    integration: 4,
    totem: 4,
  }),
  onsite: Object.entries({ totem: 50, portal: 30, integration: 20 }),
  closed_table: Object.entries({ table_catalog: 70, portal: 30 }),
};

/** An order that was made and not finalized has this status. */
export function madeStatus(orderType: OrderType): OrderStatus {
  if (orderType === "delivery") return "released";
  return orderType === "closed_table" ? "ready" : "waiting_to_catch";
}

/** Draws whatever of an order's kind the scenario leaves open. */
export function drawScenario(random: Random, fixed: Partial<Scenario> = {}): Scenario {
  const orderType = fixed.orderType ?? random.weighted(types);
  const canBeScheduled = orderType === "delivery" || orderType === "takeout";
  const timing = fixed.timing ?? (canBeScheduled && random.chance(0.1) ? "scheduled" : "immediate");
  const salesChannel = fixed.salesChannel ?? random.weighted(channels[orderType]);
  const outcome = random.next();
  // Some were finalized by nobody.
  const left = orderType === "delivery" ? "delivered" : madeStatus(orderType);
  const past = outcome < 0.87 ? "closed" : outcome < 0.97 ? "canceled" : left;
  return { orderType, timing, salesChannel, status: fixed.status ?? past };
}

/** Where customers come from, with texts that are awkward on purpose. A filter allows 255 characters (section 4.8). */
export const awkwardOrigins: Weighted<string> = Object.entries({
  instagram: 1,
  "Panfleto, centro": 1,
  'Cartão "VIP"': 1,
  "=cmd()": 1,
  "🍕 promo": 1,
  [`${"origem ".repeat(36)}uma`]: 1,
});

/** A restaurant has five campaigns. */
export const campaigns: Weighted<string> = Object.entries({
  instagram: 40,
  "google-ads": 25,
  whatsapp: 20,
  "Panfleto, centro": 10,
  aniversario: 5,
});

/** It sells burgers and drinks for one or two, and some pizzas. */
const items = [24, 26, 14, 8, 6, 2, 0, 11].flatMap((weight, index) => {
  const item = forSale[index];
  return item ? [[item, weight] as const] : [];
});
const lineCounts = weightsFrom(1, [18, 37, 30, 15]);
const quantities = weightsFrom(1, [82, 15, 3]);

const cancellationReasons = [
  "Cliente desistiu",
  "Sem entregador disponível",
  'Produto em falta: "açaí 500 ml"',
  "Endereço fora da área\nde entrega",
];
const deliveryFees: readonly Cents[] = [0, 0, 500, 790, 899, 1250];

/** The order in which values are drawn is what makes the same seed the same orders. */
export function draftOrder(plan: Plan, drivers: readonly Driver[], origins: Weighted<string>) {
  const { random, store, orderType, status, timing, createdAt } = plan;
  const lines = Array.from({ length: random.weighted(lineCounts) }, () => drawLine(random));
  const deliveryFee = orderType === "delivery" ? random.pick(deliveryFees) : 0;
  const ordered = sum(lines.map((line) => line.total));
  // A table pays 10 percent of the items for service, rounded.
  const serviceFee = orderType === "closed_table" && random.chance(0.8) ? Math.round(ordered / 10) : 0;
  const additionalFee = random.chance(0.05) ? random.int(1, 999) : 0;
  const share = random.next();
  // Now and then everything is given away: a total of zero is allowed (section 2.1), and nobody pays.
  const free = share < 0.01;
  const methods = free ? [] : drawMethods(plan);
  const due = ordered + deliveryFee + serviceFee + additionalFee + sum(methods.map(({ fee }) => fee));
  const discount = free ? due : share < 0.15 ? Math.round(ordered / 10) : 0;
  const customerOrigin = random.chance(0.4) ? random.weighted(origins) : null;
  const record: OrderRecord = {
    id: plan.id,
    storeId: store.id,
    orderType,
    timing,
    salesChannel: plan.salesChannel,
    customerOrigin,
    ...drawDelivery(plan, drivers),
    createdAt,
    total: due - discount,
    deliveryFee,
    paymentMethodIds: methods.map(({ id }) => id),
    paidOnlineByCreditCard: methods.some(({ online, code }) => online && code === "credit_card"),
    status,
    cancellationReason: status === "canceled" && random.chance(0.7) ? random.pick(cancellationReasons) : null,
    scheduledStart:
      timing === "scheduled" ? Math.ceil(createdAt / 900_000 + random.int(3, 16)) * 900_000 : null,
    updatedAt: createdAt + random.int(0, 90) * 1_000,
  };
  return { store, record, lines, serviceFee, additionalFee, discount, methods };
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** The quantity is in hundredths, since an item sold by weight has a fraction. */
function drawLine(random: Random) {
  const item = random.weighted(items);
  const quantity = item.by_weight ? random.int(15, 120) : 100 * random.weighted(quantities);
  const options = item.option_groups.flatMap((group) =>
    random.chance(0.4) ? [{ group, option: random.pick(group.options), quantity: random.int(1, 2) }] : [],
  );
  const unit = centsOf(item.price) + sum(options.map((line) => line.quantity * centsOf(line.option.price)));
  return { item, quantity, options, total: (quantity * unit) / 100 };
}

/** An order that waits for an online payment, or for its reversal, is paid so. */
function drawMethods({ random, status }: Plan): readonly PaymentMethod[] {
  if (status === "pending_online_payment") return paymentMethods.filter(({ code }) => code === "pix");
  if (status === "canceling")
    return paymentMethods.filter(({ code, online }) => code === "credit_card" && online);
  const drawn = Array.from({ length: random.chance(0.12) ? 2 : 1 }, () => random.pick(paymentMethods));
  return [...new Set(drawn)];
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

/** Splits the total in halves, the last of which is what is left. */
export function splitPayments(methods: readonly unknown[], total: Cents): readonly Cents[] {
  let rest = total;
  return methods.map((_, index) => {
    const part = index === methods.length - 1 ? rest : Math.floor(total / 2);
    rest -= part;
    return part;
  });
}
