/** Renders an order in full, as section 2.1 has it, out of its draft. */
import { numberFromCents, type Cents } from "../../api/money.js";
import type { Order, OrderItem } from "../../api/models.js";
import { createRandom, type Random } from "../domain/random.js";
import type { OrderRecord } from "../domain/orders.js";
import { isoInZone } from "../domain/time.js";
import type { Draft, Line, PaymentLine } from "./draft.js";
import * as texts from "./texts.js";

/** The order is the same for the same draft. Its random stream is the order's id: names need no more. */
export function renderOrder(draft: Draft): Order {
  const { store, record, lines, discount, payments } = draft;
  const { id, orderType, salesChannel, scheduledStart } = record;
  const random = createRandom(id);
  const time = (instant: number) => isoInZone(instant, store.timeZone);
  const external = salesChannel.startsWith("marketplace_") || salesChannel === "integration";
  const mayHaveNoCustomer = salesChannel === "portal" || salesChannel === "messaging_extension";
  const atTable = orderType === "closed_table";
  return {
    id,
    display_id: (id % 999) + 1,
    external_display_id: external ? String(random.int(1, 9_999)) : null,
    external_order_id: external ? `ext-${id.toString(36)}-${random.int(0, 0xffff).toString(16)}` : null,
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
    observation: random.chance(0.4) ? random.pick(texts.observations) : null,
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
    user: atTable ? { id: random.int(1, 40), name: random.pick(texts.attendants) } : null,
    customer: mayHaveNoCustomer && random.chance(0.5) ? null : customer(random),
    delivery_address: orderType === "delivery" ? address(random) : null,
    items: lines.map((line, index) => item(record, random, line, index)),
    discounts: discount > 0 ? [discountOf(random, discount)] : [],
    payments: payments.map((payment, index) => paymentOf(record, random, payment, index)),
  };
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(random.int(0, 9))).join("");
}

function customer(random: Random): NonNullable<Order["customer"]> {
  return {
    id: random.int(1, 90_000),
    name: random.pick(texts.customerNames),
    phone: digits(random, 11),
    ddi: random.chance(0.9) ? "55" : "351",
  };
}

function address(random: Random): NonNullable<Order["delivery_address"]> {
  const byBlock = random.chance(0.15);
  return {
    street: random.pick(texts.streets),
    number: byBlock ? null : String(random.int(1, 4_000)),
    address_block: byBlock ? "Q. 14" : null,
    address_lot: byBlock ? "Lt. 3" : null,
    neighborhood: random.pick(texts.neighborhoods),
    complement: random.chance(0.4) ? "Apto 51, bloco “B”" : null,
    reference: random.chance(0.3) ? "ao lado da padaria\n(portão azul)" : null,
    postal_code: random.chance(0.9) ? digits(random, 8) : null,
    city: random.pick(["São Paulo", "Manaus", "Lisboa"]),
    state: random.pick(["SP", "AM", "LX"]),
    latitude: random.chance(0.7) ? `-${random.int(1, 30)}.${digits(random, 6)}` : null,
    longitude: random.chance(0.7) ? `-${random.int(31, 60)}.${digits(random, 6)}` : null,
  };
}

function itemStatus({ status, orderType }: OrderRecord): string {
  if (status === "waiting_confirmation") return orderType === "closed_table" ? "pending" : "waiting";
  if (status === "confirmed") return "production";
  return status === "canceled" || status === "ready" ? status : "ok";
}

function item(order: OrderRecord, random: Random, line: Line, index: number): OrderItem {
  return {
    item_id: line.item.item_id,
    order_item_id: order.id * 100 + index * 10,
    external_code: line.item.external_code,
    name: line.item.name,
    quantity: numberFromCents(line.quantity),
    unit_price: line.item.price,
    total_price: numberFromCents(line.total),
    kind: line.item.kind,
    status: itemStatus(order),
    observation: random.chance(0.15) ? random.pick(texts.observations) : null,
    options: line.options.map(({ group, option: { option_id, name, price = 0 }, quantity }) => ({
      option_id,
      external_code: null,
      name,
      quantity,
      // Some answers carry total_price in the place of unit_price (section 2.3). For one piece they agree.
      [quantity === 1 && random.chance(0.1) ? "total_price" : "unit_price"]: price,
      option_group_id: group.option_group_id,
      option_group_name: group.name,
    })),
    // A part of a combo costs nothing of its own: the combo's total_price is quantity x unit_price.
    items: line.item.combo_steps.map(({ items: [part] }, place) => ({
      item_id: part.item_id,
      order_item_id: order.id * 100 + index * 10 + place + 1,
      external_code: part.external_code,
      name: part.name,
      quantity: 1,
      unit_price: 0,
      total_price: 0,
      kind: "regular_item",
      status: itemStatus(order),
      observation: null,
      options: [],
      items: [],
    })),
  };
}

function discountOf(random: Random, total: Cents): Order["discounts"][number] {
  const coupon = random.chance(0.5);
  return {
    kind: coupon ? "coupon" : "manual",
    category: "order",
    total: numberFromCents(total),
    total_points: null,
    coupon_id: coupon ? random.int(1, 99) : null,
    coupon_name: coupon ? random.pick(texts.coupons) : null,
    item_id: null,
    item_name: null,
  };
}

function paymentOf(
  order: OrderRecord,
  random: Random,
  payment: PaymentLine,
  index: number,
): Order["payments"][number] {
  const { method, total } = payment;
  const card = method.code.endsWith("_card");
  const waits = order.status === "pending_online_payment" || order.status === "pending_payment";
  // The change amount appears under either name (section 2.5).
  const change = {
    [index === 0 && random.chance(0.5) ? "change_for" : "change_of"]: changeFor(random, total),
  };
  return {
    total: numberFromCents(total),
    payment_fee: numberFromCents(method.fee),
    payment_type: method.online ? "online" : "offline",
    status: waits ? "pending" : "paid",
    payment_method: method.code,
    card_number: card && method.online ? `**** ${digits(random, 4)}` : null,
    card_brand: card ? random.pick(["visa", "elo", "mastercard"]) : null,
    observation: null,
    ...(method.code === "money" ? change : {}),
  };
}

/** Gives the note that the customer pays with, or none. */
function changeFor(random: Random, total: Cents): number | null {
  return random.chance(0.5) ? numberFromCents(Math.ceil((total + 1) / 5_000) * 5_000) : null;
}
