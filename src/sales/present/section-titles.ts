import type { Dimension } from "../../contract/enums.js";

/** A section has this heading, and the first column of its table has that one. */
export const sectionTitles: Readonly<
  Record<Dimension | "heatmap", { readonly title: string; readonly column: string }>
> = {
  hour: { title: "By hour", column: "Hour" },
  day: { title: "By day", column: "Day" },
  day_of_week: { title: "By weekday", column: "Weekday" },
  week: { title: "By week", column: "Week" },
  month: { title: "By month", column: "Month" },
  order_type: { title: "By order type", column: "Order type" },
  order_timing: { title: "By timing", column: "Timing" },
  sales_channel: { title: "By channel", column: "Channel" },
  customer_origin: { title: "By origin", column: "Origin" },
  payment_method_id: { title: "By payment method", column: "Payment method" },
  driver_id: { title: "By driver", column: "Driver" },
  status: { title: "By status", column: "Status" },
  heatmap: { title: "Weekdays by hours", column: "Hour" },
};
