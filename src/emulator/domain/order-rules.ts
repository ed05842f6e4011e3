/** An order is consistent where the conditions and formulas of sections 2.1, 2.3 and 3 hold. */
import { centsFromNumber, hasAtMostTwoDecimals, type Cents } from "../../api/money.js";
import type { Order } from "../../api/models.js";

type Item = Order["items"][number];

/** Amounts whose types are not shown count as far as they are numbers. */
function cents(amount: unknown): Cents {
  return typeof amount === "number" ? (centsFromNumber(amount) ?? Number.NaN) : 0;
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Computes `total` as section 2.1 has it, in cents; `NaN` where an amount has more than two decimals. */
export function orderTotal(order: Order): Cents {
  return (
    sum(order.items.map((item) => cents(item.total_price))) +
    cents(order.delivery_fee) +
    cents(order.service_fee) +
    cents(order.additional_fee) +
    sum(order.payments.map((payment) => cents(payment.payment_fee))) -
    sum(order.discounts.map((discount) => cents(discount.total)))
  );
}

/** Is `total_price` as section 2.3 has it? */
function isItemTotalRight(item: Item): boolean {
  const options = item.options.map((option) =>
    option.unit_price === undefined ? cents(option.total_price) : option.quantity * cents(option.unit_price),
  );
  // The quantity is in hundredths, so that 0.35 kg at 79.00 is computed with integers.
  const total = (cents(item.quantity) * (cents(item.unit_price) + sum(options))) / 100;
  return total === cents(item.total_price);
}

/** Each rule comes with the message for an order that breaks it. */
const orderRules: readonly (readonly [message: string, holds: (order: Order) => boolean])[] = [
  ["status released and delivered are only for delivery", only("delivery", ["released", "delivered"])],
  ["status waiting_to_catch is only for takeout and onsite", only("takeout|onsite", ["waiting_to_catch"])],
  [
    "status pending_payment is only for sales_channel store_front_catalog",
    (order) => order.status !== "pending_payment" || order.sales_channel === "store_front_catalog",
  ],
  [
    "status scheduled_confirmed is only for order_timing scheduled",
    (order) => order.status !== "scheduled_confirmed" || order.order_timing === "scheduled",
  ],
  [
    "sales_channel store_front_catalog is only for takeout",
    (order) => order.sales_channel !== "store_front_catalog" || order.order_type === "takeout",
  ],
  [
    "delivered_by is null exactly where order_type is not delivery",
    (order) => (order.delivered_by === null) === (order.order_type !== "delivery"),
  ],
  [
    "driver_id, driver_fee, delivery_fee and delivery_address are only for delivery",
    (order) =>
      order.order_type === "delivery" ||
      (order.driver_id === null &&
        order.driver_fee === null &&
        order.delivery_fee === 0 &&
        order.delivery_address === null),
  ],
  [
    "table_number, service_fee and user are only for closed_table",
    (order) =>
      order.order_type === "closed_table" ||
      (order.table_number === null && order.service_fee === 0 && order.user === null),
  ],
  [
    "schedule is there exactly where order_timing is scheduled",
    (order) => (order.schedule !== null) === (order.order_timing === "scheduled"),
  ],
  [
    "cancellation_reason is only for canceled orders",
    (order) => order.cancellation_reason === null || order.status === "canceled",
  ],
  [
    "customer may only be null for sales_channel portal and messaging_extension",
    (order) => order.customer !== null || /^(?:portal|messaging_extension)$/.test(order.sales_channel),
  ],
  [
    "driver_fee has at most two decimals",
    (order) => order.driver_fee === null || hasAtMostTwoDecimals(order.driver_fee),
  ],
  ["total_price is quantity x (unit_price + options)", (order) => order.items.every(isItemTotalRight)],
  [
    "a combo has no options of its own, a regular item no items",
    (order) =>
      order.items.every(({ kind, options, items }) => (kind === "combo" ? options : items).length === 0),
  ],
  [
    "total is the sum of items and fees less the discounts, and at least 0",
    (order) => orderTotal(order) === cents(order.total) && order.total >= 0,
  ],
];

function only(types: string, statuses: readonly string[]) {
  return (order: Order): boolean =>
    !statuses.includes(order.status) || types.split("|").includes(order.order_type);
}

/** Lists the rules that an order breaks, in words. */
export function contradictions(order: Order): string[] {
  return orderRules.filter(([, holds]) => !holds(order)).map(([message]) => message);
}
