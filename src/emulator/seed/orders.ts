/**
 * The orders of a seed. At the start, only each order's record and amounts are drafted, which is fast. An order that is read is
 * drafted again and rendered as in section 2.1. Many texts are difficult on purpose, with right-to-left scripts, emoji, quotes,
 * formulas, line breaks and control characters, because users' texts contain them as well.
 */
import type { Order, OrderItem } from "../../api/models.js";
import { numberFromCents, type Cents } from "../../api/money.js";
import type { OrderStatus, OrderTiming, OrderType } from "../../api/values.js";
import type { OrderRecord } from "../domain/orders.js";
import { createRandom, weightsFrom, type Random, type Weighted } from "../domain/random.js";
import { isoInZone } from "../domain/time.js";
import type { Driver, Store } from "../inputs.js";

/** An item, which every store sells at prices in its own currency. */
interface Item {
  readonly item_id: number;
  readonly external_code: string | null;
  readonly name: string;
  readonly price: number;
  /** Whether the item is sold in hundredths. Its price then has no decimals, so that the total is whole cents. */
  readonly by_weight?: true;
  readonly option_groups: readonly (typeof extras)[];
  /** The items of a combo, whose prices are included in the combo's; empty for other items. */
  readonly parts: readonly Item[];
}

const plain = { external_code: null, option_groups: [], parts: [] };
/** An option in two groups, which section 2.3 allows. */
const bacon = { option_id: 901, name: "Bacon", price: 4.5 };
const extras = {
  option_group_id: 81,
  name: "Adicionais",
  options: [
    bacon,
    { option_id: 902, name: "Queijo coalho", price: 3.99 },
    { option_id: 903, name: "Sem sal", price: 0 },
  ],
};
const edge = {
  option_group_id: 82,
  name: "Borda / “recheio”",
  options: [{ option_id: 911, name: "Catupiry®", price: 7.99 }, bacon],
};
const soda = { ...plain, item_id: 3001, external_code: "REF-350", name: "Guaraná 350 ml", price: 6.5 };
const burger = { ...plain, item_id: 3002, name: 'X-Salada "da casa"', price: 24.9, option_groups: [extras] };
const fries = { ...plain, item_id: 3003, external_code: "BAT;01", name: "Batata média", price: 12.9 };
const pizza = { ...plain, item_id: 3004, external_code: "PZ-GG", name: "Pizza ½ calabresa", price: 69.9 };
const sweet = { ...plain, item_id: 3005, name: "Açaí 500 ml 🍇", price: 18.99, option_groups: [extras] };
const buffet = { ...plain, item_id: 3006, external_code: "=KG", name: "Buffet (kg)", price: 79 };
const combo = { ...plain, item_id: 3008, external_code: "CMB1", name: "Combo da Vó", price: 39.9 };

const items: Weighted<Item> = [
  [soda, 24],
  [burger, 26],
  [fries, 14],
  [{ ...pizza, option_groups: [edge] }, 8],
  [sweet, 6],
  [{ ...buffet, by_weight: true }, 2],
  [{ ...combo, parts: [burger, fries, soda] }, 11],
];

/** Figures are grouped by `id` (section 4.7), and orders contain `code` in `payment_method`; the fee is added to an order. */
export const paymentMethods = [
  { id: 1, name: "Dinheiro", code: "money", online: false, fee: 0 },
  { id: 2, name: "Pix", code: "pix", online: true, fee: 0 },
  { id: 3, name: "Crédito (online)", code: "credit_card", online: true, fee: 99 },
  { id: 4, name: "Crédito (maquininha)", code: "credit_card", online: false, fee: 0 },
  { id: 5, name: "Débito", code: "debit_card", online: false, fee: 0 },
  { id: 6, name: "Vale-refeição", code: "meal_voucher", online: false, fee: 150 },
];
type PaymentMethod = (typeof paymentMethods)[number];

export function centsOf(amount: number): Cents {
  return Math.round(amount * 100);
}

export interface Scenario {
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly status: OrderStatus;
}

export interface Plan extends Scenario {
  readonly id: number;
  readonly store: Store;
  /** A whole second, in milliseconds since the epoch. */
  readonly createdAt: number;
  /** The order's own random stream, so that the same seed and index draw the same values. */
  readonly random: Random;
}

type Draft = ReturnType<typeof draftOrder>;

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

/** Returns the status of an order that was prepared but not finalized. */
export function madeStatus(orderType: OrderType): OrderStatus {
  if (orderType === "delivery") return "released";
  return orderType === "closed_table" ? "ready" : "waiting_to_catch";
}

export function drawScenario(random: Random, fixed: Partial<Scenario> = {}): Scenario {
  const orderType = fixed.orderType ?? random.weighted(types);
  const canBeScheduled = orderType === "delivery" || orderType === "takeout";
  const timing = fixed.timing ?? (canBeScheduled && random.chance(0.1) ? "scheduled" : "immediate");
  const salesChannel = fixed.salesChannel ?? random.weighted(channels[orderType]);
  const outcome = random.next();
  const left = orderType === "delivery" ? "delivered" : madeStatus(orderType);
  const past = outcome < 0.87 ? "closed" : outcome < 0.97 ? "canceled" : left;
  return { orderType, timing, salesChannel, status: fixed.status ?? past };
}

/** Customers' origins, some difficult on purpose. A filter allows 255 characters (section 4.8). */
export const awkwardOrigins: Weighted<string> = Object.entries({
  instagram: 1,
  "Panfleto, centro": 1,
  'Cartão "VIP"': 1,
  "=cmd()": 1,
  "🍕 promo": 1,
  [`${"origem ".repeat(36)}uma`]: 1,
});

export const campaigns: Weighted<string> = Object.entries({
  instagram: 40,
  "google-ads": 25,
  whatsapp: 20,
  "Panfleto, centro": 10,
  aniversario: 5,
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

/** Drafts an order. The sequence of random draws must not change, because it makes a seed reproducible. */
export function draftOrder(plan: Plan, drivers: readonly Driver[], origins: Weighted<string>) {
  const { random, store, orderType, status, timing, createdAt } = plan;
  const lines = Array.from({ length: random.weighted(lineCounts) }, () => drawLine(random));
  const deliveryFee = orderType === "delivery" ? random.pick(deliveryFees) : 0;
  const ordered = sum(lines.map((line) => line.total));
  // A table pays a rounded service fee of 10 percent of the items.
  const serviceFee = orderType === "closed_table" && random.chance(0.8) ? Math.round(ordered / 10) : 0;
  const additionalFee = random.chance(0.05) ? random.int(1, 999) : 0;
  const share = random.next();
  // Some orders are free: section 2.1 allows a total of zero, which needs no payment.
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

/** Draws the payment methods. An order that waits for an online payment, or for its reversal, is paid online. */
function drawMethods({ random, status }: Plan): readonly PaymentMethod[] {
  const paidOnline: Partial<Record<OrderStatus, string>> = {
    pending_online_payment: "pix",
    canceling: "credit_card",
  };
  const needed = paidOnline[status];
  if (needed !== undefined) return paymentMethods.filter(({ code, online }) => online && code === needed);
  const drawn = Array.from({ length: random.chance(0.12) ? 2 : 1 }, () => random.pick(paymentMethods));
  return [...new Set(drawn)];
}

function drawDelivery(
  { random, orderType, salesChannel, status }: Plan,
  drivers: readonly Driver[],
): Pick<OrderRecord, "deliveredBy" | "driverId" | "driverFee" | "inDeliveryRoute"> {
  if (orderType !== "delivery")
    return { deliveredBy: null, driverId: null, driverFee: null, inDeliveryRoute: false };
  const isMerchants = !salesChannel.startsWith("marketplace_") || random.chance(0.4);
  const others = ["marketplace_a", "marketplace_a_shipping", "marketplace_b_delivery"];
  const marketplace = !isMerchants && salesChannel === "marketplace_a" ? random.pick(others) : salesChannel;
  const underway = status === "released" || status === "delivered" || status === "closed";
  const isDriven = isMerchants && random.chance(underway ? 0.85 : 0.15);
  const driver = isDriven ? drivers[random.int(0, drivers.length - 1)] : undefined;
  const fee = random.chance(0.2) ? 0 : random.int(300, 1_500);
  return {
    deliveredBy: isMerchants ? "merchant" : marketplace,
    driverId: driver?.id ?? null,
    driverFee: driver === undefined || random.chance(0.3) ? null : numberFromCents(fee),
    inDeliveryRoute: isMerchants && salesChannel === "catalog" && status === "released" && random.chance(0.3),
  };
}

const customerNames = [
  "José “Zezinho” d'Ávila",
  "محمد الأحمد",
  "👩‍🍳 Chef Lu 🇧🇷",
  '=HYPERLINK("http://example.com","clique")',
  "<script>alert(1)</script>",
  "a\u0301e\u0301i\u0301 Decomposta",
  "Nome Muito Comprido ".repeat(12).trim(),
  "\u202Eodavired",
];
const observations = [
  "linha 1\r\nlinha 2\r\n\r\nlinha 4",
  'Levar troco e "sachês"; obrigada!',
  "=cmd|' /C calc'!A0",
  "\u001b[31mvermelho\u001b[0m",
  "C1: \u009b31m e BEL\u0007",
  "| coluna | de | tabela |",
];

const address = {
  street: "Travessa d’Água",
  address_block: null,
  address_lot: null,
  neighborhood: "Vila Conceição",
  complement: "Apto 51, bloco “B”",
  reference: "ao lado da padaria\n(portão azul)",
  postal_code: "01000000",
  city: "São Paulo",
  state: "SP",
  latitude: "-23.550520",
  longitude: "-46.633308",
};
const coupon = {
  kind: "coupon",
  category: "order",
  total_points: null,
  coupon_id: 7,
  coupon_name: "AÇAÍ-DE-GRAÇA ☀️",
  item_id: null,
  item_name: null,
};

/** Renders an order, which is the same for the same draft. Its random stream depends only on the order's id. */
export function renderOrder(draft: Draft): Order {
  const { store, record, discount } = draft;
  const { id, orderType, salesChannel, scheduledStart, status } = record;
  const random = createRandom(id);
  const time = (instant: number) => isoInZone(instant, store.timeZone);
  const digits = (length: number) => Array.from({ length }, () => String(random.int(0, 9))).join("");
  const external = salesChannel.startsWith("marketplace_") || salesChannel === "integration";
  const mayHaveNoCustomer = salesChannel === "portal" || salesChannel === "messaging_extension";
  const atTable = orderType === "closed_table";
  const itemStatuses: Readonly<Record<string, string>> = {
    waiting_confirmation: atTable ? "pending" : "waiting",
    confirmed: "production",
    ready: "ready",
    canceled: "canceled",
  };
  const item = (line: Draft["lines"][number], order_item_id: number): OrderItem => ({
    item_id: line.item.item_id,
    order_item_id,
    external_code: line.item.external_code,
    name: line.item.name,
    quantity: numberFromCents(line.quantity),
    unit_price: line.item.price,
    total_price: numberFromCents(line.total),
    kind: line.item.parts.length > 0 ? "combo" : "regular_item",
    status: itemStatuses[status] ?? "ok",
    observation: null,
    options: line.options.map(({ group, option, quantity }) => ({
      option_id: option.option_id,
      external_code: null,
      name: option.name,
      quantity,
      // Some responses contain total_price instead of unit_price (section 2.3). For a quantity of one, they are equal.
      [quantity === 1 && random.chance(0.1) ? "total_price" : "unit_price"]: option.price,
      option_group_id: group.option_group_id,
      option_group_name: group.name,
    })),
    // A part of a combo has no price, because the combo's total_price is quantity x unit_price.
    items: line.item.parts.map((part, place) =>
      item({ item: { ...part, price: 0 }, quantity: 100, options: [], total: 0 }, order_item_id + place + 1),
    ),
  });
  const payment = ({ code, online, fee }: PaymentMethod, index: number): Order["payments"][number] => {
    const isCard = code.endsWith("_card");
    const half = Math.floor(record.total / 2);
    const total = index === draft.methods.length - 1 ? record.total - index * half : half;
    const change = random.chance(0.5) ? numberFromCents(Math.ceil((total + 1) / 5_000) * 5_000) : null;
    return {
      total: numberFromCents(total),
      payment_fee: numberFromCents(fee),
      payment_type: online ? "online" : "offline",
      status: status === "pending_online_payment" || status === "pending_payment" ? "pending" : "paid",
      payment_method: code,
      card_number: isCard && online ? `**** ${digits(4)}` : null,
      card_brand: isCard ? random.pick(["visa", "elo", "mastercard"]) : null,
      observation: null,
      // The banknote that the customer pays with may have either name (section 2.5).
      ...(code === "money" && { [random.chance(0.5) ? "change_for" : "change_of"]: change }),
    };
  };
  return {
    id,
    display_id: (id % 999) + 1,
    external_display_id: external ? digits(4) : null,
    external_order_id: external ? `ext-${id.toString(36)}` : null,
    external_merchant_id: external ? `m-${store.id}` : null,
    external_merchant_name: external ? `${store.name} (loja)` : null,
    merchant_id: store.id,
    status,
    order_type: orderType,
    order_timing: record.timing,
    sales_channel: salesChannel,
    customer_origin: record.customerOrigin,
    delivered_by: record.deliveredBy,
    driver_id: record.driverId,
    driver_fee: record.driverFee,
    table_number: atTable ? random.pick(["7", "12-B", "varanda"]) : null,
    estimated_time: orderType === "delivery" ? random.int(20, 90) : null,
    cancellation_reason: record.cancellationReason,
    fiscal_document: random.chance(0.2) ? digits(11) : null,
    observation: random.chance(0.4) ? random.pick(observations) : null,
    delivery_fee: numberFromCents(record.deliveryFee),
    service_fee: numberFromCents(draft.serviceFee),
    additional_fee: numberFromCents(draft.additionalFee),
    total: numberFromCents(record.total),
    created_at: time(record.createdAt),
    updated_at: time(record.updatedAt),
    schedule:
      scheduledStart === null
        ? null
        : {
            scheduled_date_time_start: time(scheduledStart),
            scheduled_date_time_end: time(scheduledStart + 1_800_000),
          },
    user: atTable ? { id: 7, name: "Cauã Peçanha" } : null,
    customer:
      mayHaveNoCustomer && random.chance(0.5)
        ? null
        : { id: random.int(1, 90_000), name: random.pick(customerNames), phone: digits(11), ddi: "55" },
    delivery_address: orderType === "delivery" ? { ...address, number: digits(3) } : null,
    items: draft.lines.map((line, index) => item(line, id * 100 + index * 10)),
    discounts: discount === 0 ? [] : [{ ...coupon, total: numberFromCents(discount) }],
    payments: draft.methods.map(payment),
  };
}
