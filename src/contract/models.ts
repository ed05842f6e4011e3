/**
 * What goes into a call and what comes out of it, as plain types: who uses the client needs no other package for them. Each
 * field says what it is in the words of descriptions.ts, and a test holds them to those; that a schema of the contract reads
 * the same, the compiler finds in operations.ts.
 */
import type {
  DateField,
  Deliverer,
  Dimension,
  ItemKind,
  ItemStatus,
  OrderStatus,
  OrderTiming,
  OrderType,
  SalesChannel,
} from "./enums.js";
import type { filterFields } from "./filter-fields.js";

/** One of these, which an editor completes, or any other: a service may lengthen the list. */
export type Open<Value extends string> = Value | (string & Record<never, never>);

/** Section 2.1. Fields that the specification doesn't name are in the `raw` of the answer alone. */
export interface Order {
  /** Identifies the order, in every call about it. Section 2.1. */
  id: number;
  /** The friendly number on the slip. Not unique, and no call takes it. Section 2.1. */
  display_id: number;
  /** The friendly number of a marketplace's order. Not unique. Section 2.1. */
  external_display_id: string | null;
  /** The order's unique id in the marketplace. Section 2.1. */
  external_order_id: string | null;
  /** The store's id in the marketplace. Section 2.1. */
  external_merchant_id: string | null;
  /** The store's name in the marketplace. Section 2.1. */
  external_merchant_name: string | null;
  /** The store that the order belongs to. Section 2.1. */
  merchant_id: number;
  /** Where the order is on its way; canceled and closed are final. Open: a service may add to them. Section 3. */
  status: Open<OrderStatus>;
  /** How the customer gets it. Open. Section 2.1. */
  order_type: Open<OrderType>;
  /** immediate: as soon as possible; scheduled: ready at the time in schedule. Open. Section 2.1. */
  order_timing: Open<OrderTiming>;
  /** Where it was ordered. Open: the filter of section 4.8 names more of them. Section 2.1. */
  sales_channel: Open<SalesChannel>;
  /** The origin tag that the menu's link carried, free text. Section 2.1. */
  customer_origin: string | null;
  /** Who delivers it; null where order_type is not delivery. Open. Section 2.1. */
  delivered_by: Open<Deliverer> | null;
  /** The driver that is assigned; null: none. Section 2.1. */
  driver_id: number | null;
  /** What the driver gets, in the store's currency, at least 0, at most two decimals; null: no fee was informed. Section 2.1. */
  driver_fee: number | null;
  /** The table; only where order_type is closed_table. Section 2.1. */
  table_number: string | null;
  /** The delivery forecast, in minutes from created_at. Section 2.1. */
  estimated_time: number | null;
  /** Only of a canceled order, and may stay null. Section 2.1. */
  cancellation_reason: string | null;
  /** The taxpayer's number for the fiscal receipt, digits only. Section 2.1. */
  fiscal_document: string | null;
  /** General notes. Section 2.1. */
  observation: string | null;
  /** In the store's currency, at least 0; only where order_type is delivery. Section 2.1. */
  delivery_fee: number;
  /** In the store's currency, at least 0; only where order_type is closed_table. Section 2.1. */
  service_fee: number;
  /** A free extra charge of the store, in its currency, at least 0. Section 2.1. */
  additional_fee: number;
  /** In the store's currency, at least 0: items, fees and payment fees less discounts. Section 2.1. */
  total: number;
  /** ISO 8601 with an offset. Section 2.1. */
  created_at: string;
  /** The last modification, ISO 8601 with an offset. Section 2.1. */
  updated_at: string;
  /** When it has to be ready; only where order_timing is scheduled. Section 2.1. */
  schedule: Schedule | null;
  /** Who is responsible for it; only orders of tables and tabs. Section 2.1. */
  user: OrderUser | null;
  /** Orders of the channels portal and messaging_extension may have none. Section 2.1. */
  customer: OrderCustomer | null;
  /** Only where order_type is delivery. Section 2.2. */
  delivery_address: DeliveryAddress | null;
  /** What was ordered. Section 2.3. */
  items: OrderItem[];
  /** What was taken off. Section 2.4. */
  discounts: Discount[];
  /** How it is paid. Section 2.5. */
  payments: Payment[];
}

/** An order as it is read from an answer: every field that came as documented; the others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };

/** Section 2.1. */
export interface Schedule {
  /** ISO 8601 with an offset. Section 2.1. */
  scheduled_date_time_start: string;
  /** ISO 8601 with an offset. Section 2.1. */
  scheduled_date_time_end: string;
}

/** Section 2.1. */
export interface OrderUser {
  /** The user's number. Section 2.1. */
  id: number;
  /** The user's name. Section 2.1. */
  name: string;
}

/** Section 2.1. */
export interface OrderCustomer {
  /** The customer's number. Section 2.1. */
  id: number;
  /** The customer's name. Section 2.1. */
  name: string;
  /** The phone, digits only. Section 2.1. */
  phone: string;
  /** The country's dialling code. Section 2.1. */
  ddi: string;
}

/** Section 2.2. */
export interface DeliveryAddress {
  /** The street's name. Section 2.2. */
  street: string;
  /** The house number, as text. Section 2.2. */
  number: string | null;
  /** The block, where block and lot replace a number. Section 2.2. */
  address_block: string | null;
  /** The lot, where block and lot replace a number. Section 2.2. */
  address_lot: string | null;
  /** The neighborhood. Section 2.2. */
  neighborhood: string;
  /** The flat, the floor or the like. Section 2.2. */
  complement: string | null;
  /** A landmark. Section 2.2. */
  reference: string | null;
  /** The postal code, digits only. Section 2.2. */
  postal_code: string | null;
  /** The city. Section 2.2. */
  city: string;
  /** The state's abbreviation. Section 2.2. */
  state: string;
  /** Degrees, as text. Section 2.2. */
  latitude: string | null;
  /** Degrees, as text. Section 2.2. */
  longitude: string | null;
}

/** Section 2.3. */
export interface OrderItem {
  /** The item's id in the store's catalog. Section 2.3. */
  item_id: number;
  /** The item's id within the order, where a catalog's item may come several times. Section 2.3. */
  order_item_id: number;
  /** The store's own code of the item. Section 2.3. */
  external_code: string | null;
  /** The item's name. Section 2.3. */
  name: string;
  /** How many of it, at least 0; not always whole. Section 2.3. */
  quantity: number;
  /** The price without options, in the store's currency, at least 0. Section 2.3. */
  unit_price: number;
  /** quantity x (unit_price + the options' quantity x unit_price), in the store's currency. Section 2.3. */
  total_price: number;
  /** A regular item has options, a combo has items. Open. Section 2.3. */
  kind: Open<ItemKind>;
  /** Where its production is; canceled ones are to be ignored. The store may not track it. Open. Section 2.3. */
  status: Open<ItemStatus>;
  /** A note to the kitchen. Section 2.3. */
  observation: string | null;
  /** What was chosen with it; always empty for a combo. Section 2.3. */
  options: ItemOption[];
  /** What a combo is made of; empty for a regular item. Section 2.3. */
  items: OrderItem[];
}

/** Section 2.3. */
export interface ItemOption {
  /** The option's id in the store's catalog. Section 2.3. */
  option_id: number;
  /** The store's own code of the option. Section 2.3. */
  external_code: string | null;
  /** The option's name. Section 2.3. */
  name: string;
  /** How many of it for one of the item, at least 0. Section 2.3. */
  quantity: number;
  /** In the store's currency, at least 0; some answers have total_price in its place. Section 2.3. */
  unit_price?: number | undefined;
  /** In the store's currency, at least 0; in the place of unit_price. Section 2.3. */
  total_price?: number | undefined;
  /** The group that it was chosen from. Section 2.3. */
  option_group_id: number;
  /** That group's name. Section 2.3. */
  option_group_name: string;
}

/** Section 2.4: which fields there are is shown, their types are not. */
export interface Discount {
  /** Its type is not shown. Section 2.4. */
  kind?: unknown;
  /** Its type is not shown. Section 2.4. */
  category?: unknown;
  /** What was taken off, in the store's currency; its type is not shown. Section 2.4. */
  total?: unknown;
  /** Its type is not shown. Section 2.4. */
  total_points?: unknown;
  /** Its type is not shown. Section 2.4. */
  coupon_id?: unknown;
  /** Its type is not shown. Section 2.4. */
  coupon_name?: unknown;
  /** Its type is not shown. Section 2.4. */
  item_id?: unknown;
  /** Its type is not shown. Section 2.4. */
  item_name?: unknown;
}

/** Section 2.5: which fields there are is shown, their types are not. */
export interface Payment {
  /** What is paid so, in the store's currency; its type is not shown. Section 2.5. */
  total?: unknown;
  /** In the store's currency; its type is not shown. Section 2.5. */
  payment_fee?: unknown;
  /** Its type is not shown. Section 2.5. */
  payment_type?: unknown;
  /** Its type is not shown. Section 2.5. */
  status?: unknown;
  /** Its type is not shown. Section 2.5. */
  payment_method?: unknown;
  /** Its type is not shown. Section 2.5. */
  card_number?: unknown;
  /** Its type is not shown. Section 2.5. */
  card_brand?: unknown;
  /** Its type is not shown. Section 2.5. */
  observation?: unknown;
  /** The change, as one example has it; its type is not shown. Section 2.5. */
  change_for?: unknown;
  /** The change, as another example has it; its type is not shown. Section 2.5. */
  change_of?: unknown;
}

/** Section 2.8. */
export interface Summary {
  /** How many orders count. Section 2.8. */
  total_order_count: number;
  /** The sum of their totals, in the store's currency. Section 2.8. */
  total_revenue: number;
  /** Revenue for an order, in the store's currency, at most two decimals. Section 2.8. */
  average_order_value: number;
}

/** Section 2.8. */
export interface Group {
  /** Identifies the group; null: the orders that have no value. Its form is not shown. Section 4.7. */
  key: string | number | boolean | null;
  /** The group as people call it. Section 4.7. */
  label: string | null;
  /** How many orders count. Section 2.8. */
  total_order_count: number;
  /** The sum of their totals, in the store's currency. Section 2.8. */
  total_revenue: number;
  /** Revenue for an order, in the store's currency, at most two decimals. Section 2.8. */
  average_order_value: number;
}

/** Section 4.7, rule 4. */
export interface GroupedSummary {
  /** The dimension that was asked for. Section 4.7. */
  group_by: Open<Dimension>;
  /** One for each value that orders have; their order is not shown. Section 4.7. */
  groups: Group[];
}

/** Section 2.7. */
export interface PrefilledOrder {
  /** Identifies the pre-filled order, which is no order yet. Section 2.7. */
  id: string;
  /** The menu page that opens the pre-filled order. Section 2.7. */
  order_url: string;
  /** The menu checkout page for that order. Section 2.7. */
  checkout_url: string;
}

/** Section 4.1. A fee as text goes out with the digits that were typed: `"7.50"`. */
export interface DriverInput {
  /** An active driver of the store, at least 1. Section 4.1. */
  readonly driver_id: number;
  /** In the store's currency, at least 0, at most two decimals. 0: a delivery at no cost; null: the fee is removed; absent: it is kept. Section 4.1. */
  readonly driver_fee?: number | string | null;
}

/** Section 4.2. */
export interface CancelInput {
  /** Stored with the order. Section 4.2. */
  readonly cancellation_reason?: string;
}

/** Section 4.9. What it takes follows from how the customer gets it. */
export type PrefilledOrderBody = PrefilledDelivery | PrefilledTakeout;

interface AnyPrefilledOrder {
  /** Who orders. Section 4.9. */
  readonly customer?: NewCustomer;
  /** The items that are ordered. Section 4.9. */
  readonly cart?: readonly CartItem[] | null;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

export interface PrefilledDelivery extends AnyPrefilledOrder {
  /** How the customer gets it. Section 4.9. */
  readonly order_type: "delivery";
  /** Where it goes; only where order_type is delivery. Section 4.9. */
  readonly delivery_address?: NewAddress;
}

export interface PrefilledTakeout extends AnyPrefilledOrder {
  /** How the customer gets it. Section 4.9. */
  readonly order_type: "takeout";
  /** Where it goes; only where order_type is delivery. Section 4.9. */
  readonly delivery_address?: never;
}

/** Fields that the specification doesn't name, by their names. They go out beside those that it names. */
export type Extra = Readonly<Record<string, unknown>>;

/** Section 4.9. Which fields are required is not shown. */
export interface NewCustomer {
  /** The customer's name. Section 4.9. */
  readonly name?: string;
  /** The customer's phone with its area code, digits only. Section 4.9. */
  readonly phone?: string;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Sections 4.9 and 2.2. Which fields are required is not shown. */
export interface NewAddress {
  /** The street's name. Section 2.2. */
  readonly street?: string;
  /** The house number, as text. Section 2.2. */
  readonly number?: string | null;
  /** The block, where block and lot replace a number. Section 2.2. */
  readonly address_block?: string | null;
  /** The lot, where block and lot replace a number. Section 2.2. */
  readonly address_lot?: string | null;
  /** The neighborhood. Section 2.2. */
  readonly neighborhood?: string;
  /** The flat, the floor or the like. Section 2.2. */
  readonly complement?: string | null;
  /** A landmark. Section 2.2. */
  readonly reference?: string | null;
  /** The postal code, digits only. Section 2.2. */
  readonly postal_code?: string | null;
  /** The city. Section 2.2. */
  readonly city?: string;
  /** The state's abbreviation. Section 2.2. */
  readonly state?: string;
  /** Degrees, as text. Section 2.2. */
  readonly latitude?: string | null;
  /** Degrees, as text. Section 2.2. */
  readonly longitude?: string | null;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Section 4.9. Which fields are required is not shown. */
export interface CartItem {
  /** The item's id in the store's catalog. Section 4.9. */
  readonly item_id?: number;
  /** How many of it, a whole number. Section 4.9. */
  readonly quantity?: number;
  /** A note to the kitchen. Section 4.9. */
  readonly observation?: string;
  /** Options of the item, by the group that they belong to. Section 4.9. */
  readonly option_groups?: readonly CartOptionGroup[];
  /** Of a combo: what is chosen in each of its steps. Section 4.9. */
  readonly combo_steps?: readonly ComboStep[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Section 4.9. */
export interface CartOptionGroup {
  /** The group's id in the store's catalog. Section 4.9. */
  readonly option_group_id?: number;
  /** What is chosen from the group. Section 4.9. */
  readonly options?: readonly CartOption[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Section 4.9. */
export interface CartOption {
  /** The option's id in the store's catalog. Section 4.9. */
  readonly option_id?: number;
  /** How many of it, a whole number. Section 4.9. */
  readonly quantity?: number;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Section 4.9. */
export interface ComboStep {
  /** The step's id in the store's catalog. Section 4.9. */
  readonly combo_step_id?: number;
  /** What is chosen in the step. Section 4.9. */
  readonly item?: ComboItem;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Section 4.9. */
export interface ComboItem {
  /** The item's id in the store's catalog. Section 4.9. */
  readonly item_id?: number;
  /** A note to the kitchen. Section 4.9. */
  readonly observation?: string;
  /** Options of the item, by the group that they belong to. Section 4.9. */
  readonly option_groups?: readonly CartOptionGroup[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}
/** Of a query for sales figures: section 4.6. The fields have the names of the API's parameters. */
export interface SummaryQuery {
  /** The beginning, included: ISO 8601 with an offset; with date_field scheduled_date a date, YYYY-MM-DD. At most 3 years back. Section 4.6. */
  readonly start_date: string;
  /** The end, in the form of start_date, at most 6 months after it. Section 4.6. */
  readonly end_date: string;
  /** Which date counts: when the order was made, which is the default, or when it is scheduled for. Section 4.6. */
  readonly date_field?: DateField;
  /** All of them must hold. Section 4.8. */
  readonly filters?: Filters;
}

/** Section 4.7. */
export type GroupedSummaryQuery = GroupedQuery | HourlyQuery;

export interface GroupedQuery extends SummaryQuery {
  /** The dimension; those of time go by the store's time zone. hour doesn't go with date_field scheduled_date. Section 4.7. */
  readonly group_by: Exclude<Dimension, "hour">;
}

export interface HourlyQuery extends SummaryQuery {
  /** The dimension; those of time go by the store's time zone. hour doesn't go with date_field scheduled_date. Section 4.7. */
  readonly group_by: "hour";
  /** Which date counts: when the order was made, which is the default, or when it is scheduled for. Section 4.6. */
  readonly date_field?: "created_at";
}

type OneOrMore<Value> = Value | readonly Value[];
type FilterableStatus = (typeof filterFields.status.values.values)[number];
type FilterableChannel = Open<(typeof filterFields.sales_channel.values.values)[number]>;

/**
 * Filters by their names, all of which must hold, for example
 * `{ status_in: ["closed", "delivered"], total_gteq: "49.90", customer_origin_null: true }`. Ids and amounts are numbers or
 * texts; a text goes out as it is. Section 4.8.
 */
export interface Filters {
  /** How the customer gets it is one of these. Section 4.8. */
  readonly order_type_in?: OneOrMore<OrderType>;
  /** How the customer gets it is none of these. Section 4.8. */
  readonly order_type_not_in?: OneOrMore<OrderType>;
  /** When it has to be ready is one of these. Section 4.8. */
  readonly order_timing_in?: OneOrMore<OrderTiming>;
  /** When it has to be ready is none of these. Section 4.8. */
  readonly order_timing_not_in?: OneOrMore<OrderTiming>;
  /** Where it was ordered is one of these. Open. Section 4.8. */
  readonly sales_channel_in?: OneOrMore<FilterableChannel>;
  /** Where it was ordered is none of these. Open. Section 4.8. */
  readonly sales_channel_not_in?: OneOrMore<FilterableChannel>;
  /** The status is one of these. Section 4.8. */
  readonly status_in?: OneOrMore<FilterableStatus>;
  /** The status is none of these. Section 4.8. */
  readonly status_not_in?: OneOrMore<FilterableStatus>;
  /** The payment method's id is one of these. Section 4.8. */
  readonly payment_method_id_in?: OneOrMore<number | string>;
  /** The payment method's id is none of these. Section 4.8. */
  readonly payment_method_id_not_in?: OneOrMore<number | string>;
  /** The driver's id, at least 1, is one of these. Section 4.8. */
  readonly driver_id_in?: OneOrMore<number | string>;
  /** The driver's id, at least 1, is none of these. Section 4.8. */
  readonly driver_id_not_in?: OneOrMore<number | string>;
  /** The origin tag, at most 255 characters, is one of these. Section 4.8. */
  readonly customer_origin_in?: OneOrMore<string>;
  /** The origin tag, at most 255 characters, is none of these. Section 4.8. */
  readonly customer_origin_not_in?: OneOrMore<string>;
  /** The origin tag, at most 255 characters, is not there. Section 4.8. */
  readonly customer_origin_null?: true;
  /** The origin tag, at most 255 characters, is there. Section 4.8. */
  readonly customer_origin_not_null?: true;
  /** The time of day of created_at, HH:MM, is this. Section 4.8. */
  readonly created_at_time_eq?: string;
  /** The time of day of created_at, HH:MM, is above this. Section 4.8. */
  readonly created_at_time_gt?: string;
  /** The time of day of created_at, HH:MM, is below this. Section 4.8. */
  readonly created_at_time_lt?: string;
  /** The time of day of created_at, HH:MM, is this or above. Section 4.8. */
  readonly created_at_time_gteq?: string;
  /** The time of day of created_at, HH:MM, is this or below. Section 4.8. */
  readonly created_at_time_lteq?: string;
  /** The order's total, in the store's currency, at most two decimals, is this. Section 4.8. */
  readonly total_eq?: number | string;
  /** The order's total, in the store's currency, at most two decimals, is not this. Section 4.8. */
  readonly total_not_eq?: number | string;
  /** The order's total, in the store's currency, at most two decimals, is above this. Section 4.8. */
  readonly total_gt?: number | string;
  /** The order's total, in the store's currency, at most two decimals, is below this. Section 4.8. */
  readonly total_lt?: number | string;
  /** The order's total, in the store's currency, at most two decimals, is this or above. Section 4.8. */
  readonly total_gteq?: number | string;
  /** The order's total, in the store's currency, at most two decimals, is this or below. Section 4.8. */
  readonly total_lteq?: number | string;
  /** The delivery fee, in the store's currency, at most two decimals, is this. Section 4.8. */
  readonly delivery_fee_eq?: number | string;
  /** The delivery fee, in the store's currency, at most two decimals, is not this. Section 4.8. */
  readonly delivery_fee_not_eq?: number | string;
  /** The delivery fee, in the store's currency, at most two decimals, is above this. Section 4.8. */
  readonly delivery_fee_gt?: number | string;
  /** The delivery fee, in the store's currency, at most two decimals, is below this. Section 4.8. */
  readonly delivery_fee_lt?: number | string;
  /** The delivery fee, in the store's currency, at most two decimals, is this or above. Section 4.8. */
  readonly delivery_fee_gteq?: number | string;
  /** The delivery fee, in the store's currency, at most two decimals, is this or below. Section 4.8. */
  readonly delivery_fee_lteq?: number | string;
}

/** Field and operator as the API spells them together, for example `status_in`. */
export type FilterName = keyof Filters;

/** Section 4.1: what an order is named by. Opaque, and encoded as one segment of a path. */
interface OrderId {
  /** The order's unique id, as one segment of the path. Section 4. */
  readonly order_id: string;
}

/** An input after its check: a field that is left out may be `undefined`. */
type MayBeUndefined<Input> = {
  readonly [Field in keyof Input]: undefined extends Input[Field] ? Input[Field] | undefined : Input[Field];
};

/** What each operation takes: parameters of the path, query and body as one object. */
export interface OperationInputs {
  readonly assignDriver: OrderId & MayBeUndefined<DriverInput>;
  readonly cancelOrder: OrderId & MayBeUndefined<CancelInput>;
  readonly dispatchOrder: OrderId;
  readonly deliverOrder: OrderId;
  readonly finalizeOrder: OrderId;
  readonly summary: SummaryQuery;
  readonly groupedSummary: GroupedSummaryQuery;
  readonly createPrefilledOrder: PrefilledOrderBody;
}

/** The operations that a client calls; the two of OAuth belong to the sign-in. */
export type CallableOperation = keyof OperationInputs;

/** Every operation of section 4, the two of OAuth included. */
export type OperationId = CallableOperation | "token" | "revoke";

/** What each operation answers; `null`: nothing, or nothing that is shown. */
export interface OperationOutputs {
  readonly assignDriver: ReadOrder;
  readonly cancelOrder: null;
  readonly dispatchOrder: null;
  readonly deliverOrder: null;
  readonly finalizeOrder: null;
  readonly summary: Summary;
  readonly groupedSummary: GroupedSummary;
  readonly createPrefilledOrder: PrefilledOrder;
}
