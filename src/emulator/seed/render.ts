/**
 * Renders an order in full, as section 2.1 has it, out of its draft. Many texts are awkward on purpose, as people's texts are:
 * whatever shows them has to cope with right-to-left scripts, emoji, quotes, formulas, line breaks, control characters.
 */
import type { Order, OrderItem } from "../../api/models.js";
import { numberFromCents, type Cents } from "../../api/money.js";
import type { OrderRecord } from "../domain/orders.js";
import { createRandom, type Random } from "../domain/random.js";
import { isoInZone } from "../domain/time.js";
import type { PaymentMethod } from "./catalog.js";
import { splitPayments, type Draft } from "./draft.js";

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

const coupon = {
  kind: "coupon",
  category: "order",
  total_points: null,
  coupon_id: 7,
  coupon_name: "AÇAÍ-DE-GRAÇA ☀️",
  item_id: null,
  item_name: null,
};

/** The order is the same for the same draft. Its random stream is the order's id: names need no more. */
export function renderOrder(draft: Draft): Order {
  const { store, record, discount } = draft;
  const { id, orderType, salesChannel, scheduledStart } = record;
  const random = createRandom(id);
  const time = (instant: number) => isoInZone(instant, store.timeZone);
  const external = salesChannel.startsWith("marketplace_") || salesChannel === "integration";
  const mayHaveNoCustomer = salesChannel === "portal" || salesChannel === "messaging_extension";
  const atTable = orderType === "closed_table";
  const parts = splitPayments(draft.methods, record.total);
  return {
    id,
    display_id: (id % 999) + 1,
    external_display_id: external ? digits(random, 4) : null,
    external_order_id: external ? `ext-${id.toString(36)}` : null,
    external_merchant_id: external ? `m-${store.id}` : null,
    external_merchant_name: external ? `${store.name} (loja)` : null,
    merchant_id: store.id,
    status: record.status,
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
    fiscal_document: random.chance(0.2) ? digits(random, 11) : null,
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
    user: atTable ? { id: random.int(1, 40), name: random.pick(["Cauã Peçanha", "Lígia D'Ângelo"]) } : null,
    customer:
      mayHaveNoCustomer && random.chance(0.5)
        ? null
        : {
            id: random.int(1, 90_000),
            name: random.pick(customerNames),
            phone: digits(random, 11),
            ddi: "55",
          },
    delivery_address: orderType === "delivery" ? address(random) : null,
    items: draft.lines.map((line, index) => item(record, random, line, index)),
    discounts: discount === 0 ? [] : [{ ...coupon, total: numberFromCents(discount) }],
    payments: draft.methods.map((method, index) => payment(record, random, method, parts[index] ?? 0)),
  };
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(random.int(0, 9))).join("");
}

/** By street and number, or by block and lot. */
function address(random: Random): NonNullable<Order["delivery_address"]> {
  const byBlock = random.chance(0.15);
  return {
    street: "Travessa d’Água",
    number: byBlock ? null : digits(random, 3),
    address_block: byBlock ? "Q. 14" : null,
    address_lot: byBlock ? "Lt. 3" : null,
    neighborhood: "Vila Conceição",
    complement: byBlock ? null : "Apto 51, bloco “B”",
    reference: "ao lado da padaria\n(portão azul)",
    postal_code: byBlock ? null : digits(random, 8),
    city: "São Paulo",
    state: "SP",
    latitude: byBlock ? null : `-23.${digits(random, 6)}`,
    longitude: byBlock ? null : `-46.${digits(random, 6)}`,
  };
}

function item(
  order: OrderRecord,
  random: Random,
  line: Draft["lines"][number],
  index: number,
  place = 0,
): OrderItem {
  const { item_id, external_code, name, price, parts } = line.item;
  const statuses: Readonly<Record<string, string>> = {
    waiting_confirmation: order.orderType === "closed_table" ? "pending" : "waiting",
    confirmed: "production",
    ready: "ready",
    canceled: "canceled",
  };
  const status = statuses[order.status] ?? "ok";
  return {
    item_id,
    order_item_id: order.id * 100 + index * 10 + place,
    external_code,
    name,
    quantity: numberFromCents(line.quantity),
    unit_price: price,
    total_price: numberFromCents(line.total),
    kind: parts.length > 0 ? "combo" : "regular_item",
    status,
    observation: null,
    options: line.options.map(({ group, option, quantity }) => ({
      option_id: option.option_id,
      external_code: null,
      name: option.name,
      quantity,
      // Some answers carry total_price in the place of unit_price (section 2.3). For one piece they agree.
      [quantity === 1 && random.chance(0.1) ? "total_price" : "unit_price"]: option.price,
      option_group_id: group.option_group_id,
      option_group_name: group.name,
    })),
    // A part of a combo costs nothing of its own: the combo's total_price is quantity x unit_price.
    items: parts.map((part, place) => {
      const partLine = { item: { ...part, price: 0 }, quantity: 100, options: [], total: 0 };
      return item(order, random, partLine, index, place + 1);
    }),
  };
}

function payment(
  order: OrderRecord,
  random: Random,
  { code, online, fee }: PaymentMethod,
  total: Cents,
): Order["payments"][number] {
  const card = code.endsWith("_card");
  const waits = order.status === "pending_online_payment" || order.status === "pending_payment";
  const payment: Order["payments"][number] = {
    total: numberFromCents(total),
    payment_fee: numberFromCents(fee),
    payment_type: online ? "online" : "offline",
    status: waits ? "pending" : "paid",
    payment_method: code,
    card_number: card && online ? `**** ${digits(random, 4)}` : null,
    card_brand: card ? random.pick(["visa", "elo", "mastercard"]) : null,
    observation: null,
  };
  // The note that the customer pays with, or none, appears under either name (section 2.5).
  if (code === "money")
    payment[random.chance(0.5) ? "change_for" : "change_of"] = random.chance(0.5)
      ? numberFromCents(Math.ceil((total + 1) / 5_000) * 5_000)
      : null;
  return payment;
}
