/**
 * Plain types describe what goes into a call and what comes out of it, so that a program which uses the client needs no
 * other package for them. The docstring of a field is its text in descriptions.ts, and a test compares the two. The compiler
 * checks in operations.ts that the schemas of the contract read the same.
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

/** An editor completes the values that the specification names. Any other text fits too: a service may add values. */
export type Open<Value extends string> = Value | (string & Record<never, never>);

/** An order has these fields. Those that the specification doesn't name are only in the answer's `raw`. Section 2.1. */
export interface Order {
  /** What identifies the order, in every call about it. Section 2.1. */
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
  /** How far the order has come; canceled and closed are final. A service may add values. Section 3. */
  status: Open<OrderStatus>;
  /** How the customer gets the order. A service may add values. Section 2.1. */
  order_type: Open<OrderType>;
  /**
   * immediate: as soon as possible; scheduled: ready at the time in schedule. A service may add values. Section 2.1.
   */
  order_timing: Open<OrderTiming>;
  /** Where it was ordered. A service may add values: the filter of section 4.8 names more. Section 2.1. */
  sales_channel: Open<SalesChannel>;
  /** The origin tag that the menu's link carried, free text. Section 2.1. */
  customer_origin: string | null;
  /** Who delivers the order; null where order_type is not delivery. A service may add values. Section 2.1. */
  delivered_by: Open<Deliverer> | null;
  /** The driver that is assigned; null where there is none. Section 2.1. */
  driver_id: number | null;
  /**
   * The driver's fee, in the store's currency, at least 0, at most two decimals; null where none was informed. Section
   * 2.1.
   */
  driver_fee: number | null;
  /** The table; only where order_type is closed_table. Section 2.1. */
  table_number: string | null;
  /** The delivery forecast, in minutes from created_at. Section 2.1. */
  estimated_time: number | null;
  /** The reason of a canceled order; it may stay null. Section 2.1. */
  cancellation_reason: string | null;
  /** The taxpayer's number for the fiscal receipt, digits only. Section 2.1. */
  fiscal_document: string | null;
  /** General notes. Section 2.1. */
  observation: string | null;
  /** The price of the delivery, in the store's currency, at least 0; only where order_type is delivery. Section 2.1. */
  delivery_fee: number;
  /**
   * The price of the service, in the store's currency, at least 0; only where order_type is closed_table. Section 2.1.
   */
  service_fee: number;
  /** A free extra charge of the store, in its currency, at least 0. Section 2.1. */
  additional_fee: number;
  /**
   * The order's total, in the store's currency, at least 0: items, fees and payment fees less discounts. Section 2.1.
   */
  total: number;
  /** When the order was made, ISO 8601 with an offset. Section 2.1. */
  created_at: string;
  /** When the order was last modified, ISO 8601 with an offset. Section 2.1. */
  updated_at: string;
  /** When the order has to be ready; only where order_timing is scheduled. Section 2.1. */
  schedule: Schedule | null;
  /** The person responsible for the order; only orders of tables and tabs have one. Section 2.1. */
  user: OrderUser | null;
  /** Who ordered; orders of the channels portal and messaging_extension may have none. Section 2.1. */
  customer: OrderCustomer | null;
  /** Where the order goes; only where order_type is delivery. Section 2.2. */
  delivery_address: DeliveryAddress | null;
  /** What was ordered. Section 2.3. */
  items: OrderItem[];
  /** What was taken off. Section 2.4. */
  discounts: Discount[];
  /** How the order is paid. Section 2.5. */
  payments: Payment[];
}

/** An order is read from an answer with every field that came as documented; the others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };

/** A scheduled order has to be ready within this period. Section 2.1. */
export interface Schedule {
  /** The beginning of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1. */
  scheduled_date_time_start: string;
  /** The end of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1. */
  scheduled_date_time_end: string;
}

/** This user is responsible for the order of a table or a tab. Section 2.1. */
export interface OrderUser {
  /** The user's number. Section 2.1. */
  id: number;
  /** The user's name. Section 2.1. */
  name: string;
}

/** This customer made the order. Section 2.1. */
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

/** A delivery order goes to this address. Section 2.2. */
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
  /** The latitude in degrees, as text. Section 2.2. */
  latitude: string | null;
  /** The longitude in degrees, as text. Section 2.2. */
  longitude: string | null;
}

/** An order is made of such items. Section 2.3. */
export interface OrderItem {
  /** The item's id in the store's catalog. Section 2.3. */
  item_id: number;
  /** The item's id within the order, where a catalog's item may come several times. Section 2.3. */
  order_item_id: number;
  /** The store's own code of the item. Section 2.3. */
  external_code: string | null;
  /** The item's name. Section 2.3. */
  name: string;
  /** How many were ordered, at least 0; not always a whole number. Section 2.3. */
  quantity: number;
  /** The price without options, in the store's currency, at least 0. Section 2.3. */
  unit_price: number;
  /** quantity x (unit_price + the options' quantity x unit_price), in the store's currency. Section 2.3. */
  total_price: number;
  /** A regular item has options, a combo has items. A service may add values. Section 2.3. */
  kind: Open<ItemKind>;
  /**
   * How far its production has come; canceled items are to be ignored. The store may not track it. A service may add
   * values. Section 2.3.
   */
  status: Open<ItemStatus>;
  /** A note to the kitchen. Section 2.3. */
  observation: string | null;
  /** What was chosen with it; always empty for a combo. Section 2.3. */
  options: ItemOption[];
  /** What a combo is made of; empty for a regular item. Section 2.3. */
  items: OrderItem[];
}

/** An item comes with such options. Section 2.3. */
export interface ItemOption {
  /** The option's id in the store's catalog. Section 2.3. */
  option_id: number;
  /** The store's own code of the option. Section 2.3. */
  external_code: string | null;
  /** The option's name. Section 2.3. */
  name: string;
  /** How many come with each one of the item, at least 0. Section 2.3. */
  quantity: number;
  /** The price of one, in the store's currency, at least 0; some answers have total_price in its place. Section 2.3. */
  unit_price?: number | undefined;
  /** The price, in the store's currency, at least 0; some answers have it in the place of unit_price. Section 2.3. */
  total_price?: number | undefined;
  /** The group that it was chosen from. Section 2.3. */
  option_group_id: number;
  /** The name of that group. Section 2.3. */
  option_group_name: string;
}

/** The specification shows which fields a discount has, but not their types. Section 2.4. */
export interface Discount {
  /** Its type is not shown. Section 2.4. */
  kind?: unknown;
  /** Its type is not shown. Section 2.4. */
  category?: unknown;
  /** The amount that was taken off, in the store's currency; its type is not shown. Section 2.4. */
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

/** The specification shows which fields a payment has, but not their types. Section 2.5. */
export interface Payment {
  /** The amount that is paid, in the store's currency; its type is not shown. Section 2.5. */
  total?: unknown;
  /** The fee of the payment, in the store's currency; its type is not shown. Section 2.5. */
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

/** A summary sums up the orders of a period. Section 2.8. */
export interface Summary {
  /** The number of orders that count. Section 2.8. */
  total_order_count: number;
  /** The sum of the orders' totals, in the store's currency. Section 2.8. */
  total_revenue: number;
  /** The revenue for an order, in the store's currency, at most two decimals. Section 2.8. */
  average_order_value: number;
}

/** A group sums up the orders that have the same value. Section 2.8. */
export interface Group {
  /** What identifies the group; null for the orders that have no value. Its form is not shown. Section 4.7. */
  key: string | number | boolean | null;
  /** The group as people call it. Section 4.7. */
  label: string | null;
  /** The number of orders that count. Section 2.8. */
  total_order_count: number;
  /** The sum of the orders' totals, in the store's currency. Section 2.8. */
  total_revenue: number;
  /** The revenue for an order, in the store's currency, at most two decimals. Section 2.8. */
  average_order_value: number;
}

/** The orders of a period are summed up by one dimension. Section 4.7, rule 4. */
export interface GroupedSummary {
  /** The dimension that was asked for. Section 4.7. */
  group_by: Open<Dimension>;
  /** One group for each value that orders have; the order of the groups is not shown. Section 4.7. */
  groups: Group[];
}

/** The service answers a pre-filled order with its links. Section 2.7. */
export interface PrefilledOrder {
  /** What identifies the pre-filled order, which is no order yet. Section 2.7. */
  id: string;
  /** The menu page that opens the pre-filled order. Section 2.7. */
  order_url: string;
  /** The menu checkout page for that order. Section 2.7. */
  checkout_url: string;
}

/** A driver is assigned with or without a fee. A fee as text goes out with the digits that were typed: `"7.50"`. Section 4.1. */
export interface DriverInput {
  /** An active driver of the store, at least 1. Section 4.1. */
  readonly driver_id: number;
  /**
   * The driver's fee, in the store's currency, at least 0, at most two decimals. 0 is a delivery at no cost; null
   * removes the fee; without the field it is kept. Section 4.1.
   */
  readonly driver_fee?: number | string | null;
}

/** A cancellation may have a reason. Section 4.2. */
export interface CancelInput {
  /** The reason, which is stored with the order. Section 4.2. */
  readonly cancellation_reason?: string;
}

/** A pre-filled order takes an address only where it is a delivery. Section 4.9. */
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
  /** How the customer gets the order. Section 4.9. */
  readonly order_type: "delivery";
  /** Where the order goes; only where order_type is delivery. Section 4.9. */
  readonly delivery_address?: NewAddress;
}

export interface PrefilledTakeout extends AnyPrefilledOrder {
  /** How the customer gets the order. Section 4.9. */
  readonly order_type: "takeout";
  /** Where the order goes; only where order_type is delivery. Section 4.9. */
  readonly delivery_address?: never;
}

/** Fields that the specification doesn't name stand here under their names. They go out beside those that it names. */
export type Extra = Readonly<Record<string, unknown>>;

/** This customer orders. The specification doesn't show which fields are required. Section 4.9. */
export interface NewCustomer {
  /** The customer's name. Section 4.9. */
  readonly name?: string;
  /** The customer's phone with its area code, digits only. Section 4.9. */
  readonly phone?: string;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** The order goes to this address. The specification doesn't show which fields are required. Sections 4.9 and 2.2. */
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
  /** The latitude in degrees, as text. Section 2.2. */
  readonly latitude?: string | null;
  /** The longitude in degrees, as text. Section 2.2. */
  readonly longitude?: string | null;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A cart is made of such items. The specification doesn't show which fields are required. Section 4.9. */
export interface CartItem {
  /** The item's id in the store's catalog. Section 4.9. */
  readonly item_id?: number;
  /** How many are ordered, a whole number. Section 4.9. */
  readonly quantity?: number;
  /** A note to the kitchen. Section 4.9. */
  readonly observation?: string;
  /** The options of the item, by the group that they belong to. Section 4.9. */
  readonly option_groups?: readonly CartOptionGroup[];
  /** What is chosen in each step of a combo. Section 4.9. */
  readonly combo_steps?: readonly ComboStep[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Options are chosen from such a group. Section 4.9. */
export interface CartOptionGroup {
  /** The group's id in the store's catalog. Section 4.9. */
  readonly option_group_id?: number;
  /** What is chosen from the group. Section 4.9. */
  readonly options?: readonly CartOption[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A customer chooses such options. Section 4.9. */
export interface CartOption {
  /** The option's id in the store's catalog. Section 4.9. */
  readonly option_id?: number;
  /** How many are ordered, a whole number. Section 4.9. */
  readonly quantity?: number;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A combo is put together in such steps. Section 4.9. */
export interface ComboStep {
  /** The step's id in the store's catalog. Section 4.9. */
  readonly combo_step_id?: number;
  /** What is chosen in the step. Section 4.9. */
  readonly item?: ComboItem;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** An item is chosen in a step of a combo. Section 4.9. */
export interface ComboItem {
  /** The item's id in the store's catalog. Section 4.9. */
  readonly item_id?: number;
  /** A note to the kitchen. Section 4.9. */
  readonly observation?: string;
  /** The options of the item, by the group that they belong to. Section 4.9. */
  readonly option_groups?: readonly CartOptionGroup[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A query asks for the sales figures of a period. Its fields have the names of the API's parameters. Section 4.6. */
export interface SummaryQuery {
  /**
   * The beginning of the period, included: ISO 8601 with an offset; where date_field is scheduled_date a date,
   * YYYY-MM-DD. At most 3 years back. Section 4.6.
   */
  readonly start_date: string;
  /** The end of the period, in the form of start_date, at most 6 months after it. Section 4.6. */
  readonly end_date: string;
  /**
   * The date of an order that counts: when the order was made, which is the default, or when it is scheduled for.
   * Section 4.6.
   */
  readonly date_field?: DateField;
  /** Conditions, all of which must hold. Section 4.8. */
  readonly filters?: Filters;
}

/** A query asks for the sales figures of a period by one dimension. Section 4.7. */
export type GroupedSummaryQuery = GroupedQuery | HourlyQuery;

export interface GroupedQuery extends SummaryQuery {
  /**
   * The dimension to group by; those of time go by the store's time zone. hour doesn't go with date_field
   * scheduled_date. Section 4.7.
   */
  readonly group_by: Exclude<Dimension, "hour">;
}

export interface HourlyQuery extends SummaryQuery {
  /**
   * The dimension to group by; those of time go by the store's time zone. hour doesn't go with date_field
   * scheduled_date. Section 4.7.
   */
  readonly group_by: "hour";
  /**
   * The date of an order that counts: when the order was made, which is the default, or when it is scheduled for.
   * Section 4.6.
   */
  readonly date_field?: "created_at";
}

type OneOrMore<Value> = Value | readonly Value[];
type FilterableStatus = (typeof filterFields.status.values.values)[number];
type FilterableChannel = Open<(typeof filterFields.sales_channel.values.values)[number]>;

/**
 * Filters stand under their names, and all of them must hold, for example
 * `{ status_in: ["closed", "delivered"], total_gteq: "49.90", customer_origin_null: true }`. Ids and amounts are numbers or
 * texts; a text goes out as it is. Section 4.8.
 */
export interface Filters {
  /** The order's type is one of these. Section 4.8. */
  readonly order_type_in?: OneOrMore<OrderType>;
  /** The order's type is none of these. Section 4.8. */
  readonly order_type_not_in?: OneOrMore<OrderType>;
  /** The order's timing is one of these. Section 4.8. */
  readonly order_timing_in?: OneOrMore<OrderTiming>;
  /** The order's timing is none of these. Section 4.8. */
  readonly order_timing_not_in?: OneOrMore<OrderTiming>;
  /** The order's channel is one of these. A service may add values. Section 4.8. */
  readonly sales_channel_in?: OneOrMore<FilterableChannel>;
  /** The order's channel is none of these. A service may add values. Section 4.8. */
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
  /** The order has no origin tag. Section 4.8. */
  readonly customer_origin_null?: true;
  /** The order has an origin tag. Section 4.8. */
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

/** The name joins field and operator as the API does, for example `status_in`. Section 4.8. */
export type FilterName = keyof Filters;

/** Section 4 names an order by an opaque text, which is encoded as one segment of a path. */
interface OrderId {
  /** The order's unique id, as one segment of the path. Section 4. */
  readonly order_id: string;
}

/** After its check, an input may have `undefined` in the place of a field that was left out. */
type MayBeUndefined<Input> = {
  readonly [Field in keyof Input]: undefined extends Input[Field] ? Input[Field] | undefined : Input[Field];
};

/** An operation takes the parameters of its path, its query and its body as one object. */
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

/** A client calls these operations; the two of OAuth belong to the sign-in. */
export type CallableOperation = keyof OperationInputs;

/** Section 4 has these operations, the two of OAuth included. */
export type OperationId = CallableOperation | "token" | "revoke";

/** An operation answers with this; `null` stands for nothing, or nothing that is shown. */
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
