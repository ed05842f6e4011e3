/** Computes keys and filters as simply as possible, with another calendar, for comparison with the service. */
import { Temporal } from "temporal-polyfill";

import type { Filter } from "../../../src/api/filters.js";
import type { Dimension } from "../../../src/api/values.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";

function local(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

/** Returns the key of an order's group. Reads the calendar only if the dimension needs it, because that is slow. */
export function keySlowly(order: OrderRecord, dimension: Dimension, zone: string): string | number | null {
  const at = () => local(order.createdAt, zone);
  const keys: Record<Dimension, () => string | number | null> = {
    hour: () => at().hour,
    day: () => at().toPlainDate().toString(),
    day_of_week: () => at().dayOfWeek % 7,
    week: () => {
      const { yearOfWeek = 0, weekOfYear = 0 } = at();
      return `${yearOfWeek}-W${String(weekOfYear).padStart(2, "0")}`;
    },
    month: () => at().toPlainDate().toString().slice(0, 7),
    order_type: () => order.orderType,
    order_timing: () => order.timing,
    sales_channel: () => order.salesChannel,
    customer_origin: () => order.customerOrigin,
    payment_method_id: () => order.paymentMethodIds.at(0) ?? null,
    driver_id: () => order.driverId,
    status: () => order.status,
  };
  return keys[dimension]();
}

export function passes(order: OrderRecord, { field, operator, values }: Filter, zone: string): boolean {
  const minuteOfDay = () => {
    const { hour, minute } = local(order.createdAt, zone);
    return hour * 60 + minute;
  };
  const minutes = (time: string) => Number(time.split(":")[0]) * 60 + Number(time.split(":")[1]);
  const has: Record<typeof field, readonly (string | number)[]> = {
    order_type: [order.orderType],
    order_timing: [order.timing],
    sales_channel: [order.salesChannel],
    status: [order.status],
    payment_method_id: order.paymentMethodIds.map(String),
    driver_id: order.driverId === null ? [] : [String(order.driverId)],
    customer_origin: order.customerOrigin === null ? [] : [order.customerOrigin],
    created_at_time: field === "created_at_time" ? [minuteOfDay()] : [],
    total: [order.total / 100],
    delivery_fee: [order.deliveryFee / 100],
  };
  const own = has[field];
  const number = Number(own[0]);
  const limit = field === "created_at_time" ? minutes(values[0] ?? "") : Number(values[0]);
  switch (operator) {
    case "in":
      return values.some((value) => own.includes(value));
    case "not_in":
      return values.every((value) => !own.includes(value));
    case "null":
      return own.length === 0;
    case "not_null":
      return own.length > 0;
    case "eq":
      return number === limit;
    case "not_eq":
      return number !== limit;
    case "gt":
      return number > limit;
    case "lt":
      return number < limit;
    case "gteq":
      return number >= limit;
    case "lteq":
      return number <= limit;
  }
}
