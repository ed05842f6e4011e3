/** An order as the control surface shows it: the API's Order, and what the API does not show of it. */
import type { Order } from "../../../contract/order.js";
import type { OrderBook, OrderRecord } from "../../domain/orders.js";

export interface OrderView extends Order {
  readonly _emulator: {
    /** Section 4.1: an order of a delivery route gets no driver of its own. */
    readonly in_delivery_route: boolean;
    readonly payment_method_ids: readonly number[];
  };
}

export function viewOf(orders: OrderBook, record: OrderRecord): OrderView {
  return {
    ...orders.full(record),
    _emulator: {
      in_delivery_route: record.inDeliveryRoute,
      payment_method_ids: record.paymentMethodIds,
    },
  };
}
