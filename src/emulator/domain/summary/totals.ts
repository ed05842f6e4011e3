/** Counting and adding up, in exact cents. */
import { averageCents, type Cents, numberFromCents } from "../../../contract/money.js";
import type { OrderRecord } from "../orders.js";

/** Counts orders and adds up their totals. */
export class Totals {
  count = 0;
  revenue: Cents = 0;

  add(order: OrderRecord): void {
    this.count += 1;
    this.revenue += order.total;
  }

  merge(other: Totals): void {
    this.count += other.count;
    this.revenue += other.revenue;
  }

  /** Section 2.8. The average is rounded half up to the cent; that of no order is 0. */
  metrics() {
    return {
      total_order_count: this.count,
      total_revenue: numberFromCents(this.revenue),
      average_order_value: numberFromCents(averageCents(this.revenue, this.count)),
    };
  }
}
