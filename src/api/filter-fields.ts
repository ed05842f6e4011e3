/** Sales figures can be filtered by these fields, with their operators and values: section 4.8. */
import { orderTimings, orderTypes } from "./enums.js";

const membership = ["in", "not_in"] as const;
const comparison = ["gt", "lt", "gteq", "lteq"] as const;

/** A filter's values have one of these forms. Only `closed` values may be refused before the service is asked. */
export type FilterValues =
  | { readonly kind: "closed"; readonly values: readonly string[] }
  | { readonly kind: "open"; readonly values: readonly string[] }
  /** An integer of at least 1. */
  | { readonly kind: "id" }
  /** The form of the identifier is not shown, so anything but an empty text fits. */
  | { readonly kind: "opaque" }
  /** Free text has at most 255 characters (Unicode code points); it may be empty and may hold commas. */
  | { readonly kind: "text" }
  /** A time of day, HH:MM, from 00:00 to 23:59. */
  | { readonly kind: "time" }
  /** A decimal with at most two places, at least 0 as the amounts of section 2.1 are. */
  | { readonly kind: "amount" };

export const filterFields = {
  order_type: { operators: membership, values: { kind: "closed", values: orderTypes } },
  order_timing: { operators: membership, values: { kind: "closed", values: orderTimings } },
  // This list is longer than that of section 2.1 (see `salesChannels`), and its marketplaces are stand-ins, so it is
  // open.
  sales_channel: {
    operators: membership,
    values: {
      kind: "open",
      values: [
        "catalog",
        "store_front_catalog",
        "table_catalog",
        "portal",
        "integration",
        "marketplace_a",
        "messaging_extension",
        "marketplace_c",
        "marketplace_e",
        "marketplace_d",
        "totem",
      ],
    },
  },
  // Section 3 has two more statuses, `pending_online_payment` and `canceling`: an order may have them, but no filter.
  // The list is closed, since section 3 shows no status that is a stand-in.
  status: {
    operators: membership,
    values: {
      kind: "closed",
      values: [
        "waiting_confirmation",
        "confirmed",
        "scheduled_confirmed",
        "ready",
        "waiting_to_catch",
        "released",
        "delivered",
        "pending_payment",
        "closed",
        "canceled",
      ],
    },
  },
  // Section 4.8 says "payment method id", and not whether it is a number.
  payment_method_id: { operators: membership, values: { kind: "opaque" } },
  // Section 4.8 says "positive public driver id".
  driver_id: { operators: membership, values: { kind: "id" } },
  customer_origin: { operators: [...membership, "null", "not_null"], values: { kind: "text" } },
  created_at_time: { operators: ["eq", ...comparison], values: { kind: "time" } },
  total: { operators: ["eq", "not_eq", ...comparison], values: { kind: "amount" } },
  delivery_fee: { operators: ["eq", "not_eq", ...comparison], values: { kind: "amount" } },
} as const satisfies Record<string, { operators: readonly string[]; values: FilterValues }>;

export type FilterField = keyof typeof filterFields;
export type FilterOperator = (typeof filterFields)[FilterField]["operators"][number];
