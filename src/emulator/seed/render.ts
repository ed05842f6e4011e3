/** Renders an order in full, as section 2.1 has it, out of its plan and its amounts. */
import { numberFromCents, type Cents } from "../../contract/money.js";
import type { Order } from "../../contract/models.js";
import { createRandom, type Random } from "../domain/random.js";
import { isoInZone } from "../domain/zone.js";
import type { CatalogItem } from "./catalog.js";
import type { Draft, Line, PaymentLine } from "./draft.js";
import type { Plan } from "./plan.js";
import * as texts from "./texts.js";

/** The order is the same for the same plan and draft. Its random stream is the order's id: names need no more. */
export function renderOrder(plan: Plan, draft: Draft): Order {
  const random = createRandom(plan.id);
  const zone = plan.store.timeZone;
  const external = plan.salesChannel.startsWith("marketplace_") || plan.salesChannel === "integration";
  const mayHaveNoCustomer = plan.salesChannel === "portal" || plan.salesChannel === "messaging_extension";
  const atTable = plan.orderType === "closed_table";
  return {
    id: plan.id,
    display_id: (plan.id % 999) + 1,
    external_display_id: external ? String(random.int(1, 9_999)) : null,
    external_order_id: external ? `ext-${plan.id.toString(36)}-${random.int(0, 0xffff).toString(16)}` : null,
    external_merchant_id: external ? `m-${plan.store.id}` : null,
    external_merchant_name: external ? `${plan.store.name} (loja)` : null,
    merchant_id: plan.store.id,
    status: plan.status,
    order_type: plan.orderType,
    order_timing: plan.timing,
    sales_channel: plan.salesChannel,
    customer_origin: draft.customerOrigin,
    delivered_by: draft.deliveredBy,
    driver_id: draft.driverId,
    driver_fee: draft.driverFee === null ? null : numberFromCents(draft.driverFee),
    table_number: atTable ? random.pick(["7", "12-B", "varanda"]) : null,
    estimated_time: plan.orderType === "delivery" ? random.int(20, 90) : null,
    cancellation_reason: draft.cancellationReason,
    fiscal_document: random.chance(0.2) ? digits(random, 11) : null,
    observation: random.chance(0.4) ? random.pick(texts.observations) : null,
    delivery_fee: numberFromCents(draft.deliveryFee),
    service_fee: numberFromCents(draft.serviceFee),
    additional_fee: numberFromCents(draft.additionalFee),
    total: numberFromCents(draft.total),
    created_at: isoInZone(plan.createdAt, zone),
    updated_at: isoInZone(draft.updatedAt, zone),
    schedule:
      draft.scheduledStart === null
        ? null
        : {
            scheduled_date_time_start: isoInZone(draft.scheduledStart, zone),
            scheduled_date_time_end: isoInZone(draft.scheduledStart + 1_800_000, zone),
          },
    user: atTable ? { id: random.int(1, 40), name: random.pick(texts.attendants) } : null,
    customer: mayHaveNoCustomer && random.chance(0.5) ? null : customer(random),
    delivery_address: plan.orderType === "delivery" ? address(random) : null,
    items: draft.lines.map((line, index) => item(plan, random, line, index)),
    discounts: draft.discount > 0 ? [discount(random, draft.discount)] : [],
    payments: draft.payments.map((payment, index) => paymentOf(plan, random, payment, index)),
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

function itemStatus(plan: Plan): string {
  if (plan.status === "canceled") return "canceled";
  if (plan.status === "waiting_confirmation")
    return plan.orderType === "closed_table" ? "pending" : "waiting";
  if (plan.status === "confirmed") return "production";
  return plan.status === "ready" ? "ready" : "ok";
}

type OrderItem = Order["items"][number];

function item(plan: Plan, random: Random, line: Line, index: number): OrderItem {
  return {
    item_id: line.item.id,
    order_item_id: plan.id * 100 + index * 10,
    external_code: line.item.externalCode,
    name: line.item.name,
    quantity: numberFromCents(line.quantity),
    unit_price: numberFromCents(line.item.price),
    total_price: numberFromCents(line.total),
    kind: line.item.steps ? "combo" : "regular_item",
    status: itemStatus(plan),
    observation: random.chance(0.15) ? random.pick(texts.observations) : null,
    options: line.options.map(({ group, option, quantity }) => ({
      option_id: option.id,
      external_code: null,
      name: option.name,
      quantity,
      // Some answers carry total_price in the place of unit_price (section 2.3). For one piece they agree.
      ...(quantity === 1 && random.chance(0.1)
        ? { total_price: numberFromCents(option.price) }
        : { unit_price: numberFromCents(option.price) }),
      option_group_id: group.id,
      option_group_name: group.name,
    })),
    items: (line.item.steps ?? []).map(({ items: [part] }, place) =>
      comboPart(plan, part, index * 10 + place + 1),
    ),
  };
}

/** A part of a combo costs nothing of its own: the combo's total_price is quantity x unit_price. */
function comboPart(plan: Plan, part: CatalogItem, place: number): OrderItem {
  return {
    item_id: part.id,
    order_item_id: plan.id * 100 + place,
    external_code: part.externalCode,
    name: part.name,
    quantity: 1,
    unit_price: 0,
    total_price: 0,
    kind: "regular_item",
    status: itemStatus(plan),
    observation: null,
    options: [],
    items: [],
  };
}

function discount(random: Random, total: Cents): Order["discounts"][number] {
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
  plan: Plan,
  random: Random,
  payment: PaymentLine,
  index: number,
): Order["payments"][number] {
  const { method, total } = payment;
  const card = method.code.endsWith("_card");
  const waits = plan.status === "pending_online_payment" || plan.status === "pending_payment";
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
