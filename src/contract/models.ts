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
  /** This number identifies the order in every call about it. Section 2.1. */
  id: number;
  /** This friendly number stands on the slip. It is not unique, and no call takes it. Section 2.1. */
  display_id: number;
  /** A marketplace's order has this friendly number. It is not unique. Section 2.1. */
  external_display_id: string | null;
  /** The order has this unique id in the marketplace. Section 2.1. */
  external_order_id: string | null;
  /** The store has this id in the marketplace. Section 2.1. */
  external_merchant_id: string | null;
  /** The store has this name in the marketplace. Section 2.1. */
  external_merchant_name: string | null;
  /** The order belongs to the store of this id. Section 2.1. */
  merchant_id: number;
  /** The order has come to this status; canceled and closed are final. A service may add values. Section 3. */
  status: Open<OrderStatus>;
  /** The customer gets the order in this way. A service may add values. Section 2.1. */
  order_type: Open<OrderType>;
  /**
   * An immediate order is made as soon as possible; a scheduled one is ready at the time in schedule. A service may add
   * values. Section 2.1.
   */
  order_timing: Open<OrderTiming>;
  /**
   * The order came by this channel. A service may add values: the filter of section 4.8 names more of them. Section
   * 2.1.
   */
  sales_channel: Open<SalesChannel>;
  /** The menu's link carried this origin tag, a free text. Section 2.1. */
  customer_origin: string | null;
  /**
   * This party delivers the order; it is null where order_type is not delivery. A service may add values. Section 2.1.
   */
  delivered_by: Open<Deliverer> | null;
  /** The driver of this id is assigned; null means none. Section 2.1. */
  driver_id: number | null;
  /**
   * The driver gets this fee in the store's currency, at least 0, with at most two decimals. It is null where no fee
   * was informed. Section 2.1.
   */
  driver_fee: number | null;
  /** The order belongs to this table. It is set only where order_type is closed_table. Section 2.1. */
  table_number: string | null;
  /** The delivery is forecast for this many minutes after created_at. Section 2.1. */
  estimated_time: number | null;
  /** A canceled order may have a reason. It may stay null. Section 2.1. */
  cancellation_reason: string | null;
  /** The fiscal receipt names this taxpayer's number, digits only. Section 2.1. */
  fiscal_document: string | null;
  /** The order carries these general notes. Section 2.1. */
  observation: string | null;
  /**
   * The delivery costs this amount in the store's currency, at least 0. It is set only where order_type is delivery.
   * Section 2.1.
   */
  delivery_fee: number;
  /**
   * The service costs this amount in the store's currency, at least 0. It is set only where order_type is closed_table.
   * Section 2.1.
   */
  service_fee: number;
  /** The store charges this free extra amount in its currency, at least 0. Section 2.1. */
  additional_fee: number;
  /** The total is items, fees and payment fees less discounts, in the store's currency, at least 0. Section 2.1. */
  total: number;
  /** The order was made at this time, ISO 8601 with an offset. Section 2.1. */
  created_at: string;
  /** The order was last modified at this time, ISO 8601 with an offset. Section 2.1. */
  updated_at: string;
  /** The order has to be ready in this period. It is set only where order_timing is scheduled. Section 2.1. */
  schedule: Schedule | null;
  /** This user is responsible for the order. Only orders of tables and tabs have one. Section 2.1. */
  user: OrderUser | null;
  /** This customer made the order. Orders of the channels portal and messaging_extension may have none. Section 2.1. */
  customer: OrderCustomer | null;
  /** The order goes to this address. It is set only where order_type is delivery. Section 2.2. */
  delivery_address: DeliveryAddress | null;
  /** These items were ordered. Section 2.3. */
  items: OrderItem[];
  /** These discounts were taken off the total. Section 2.4. */
  discounts: Discount[];
  /** The order is paid by these payments. Section 2.5. */
  payments: Payment[];
}

/** An order is read from an answer with every field that came as documented; the others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };

/** A scheduled order has to be ready within this period. Section 2.1. */
export interface Schedule {
  /** The period begins at this time, ISO 8601 with an offset. Section 2.1. */
  scheduled_date_time_start: string;
  /** The period ends at this time, ISO 8601 with an offset. Section 2.1. */
  scheduled_date_time_end: string;
}

/** This user is responsible for the order of a table or a tab. Section 2.1. */
export interface OrderUser {
  /** This number identifies the user. Section 2.1. */
  id: number;
  /** The user has this name. Section 2.1. */
  name: string;
}

/** This customer made the order. Section 2.1. */
export interface OrderCustomer {
  /** This number identifies the customer. Section 2.1. */
  id: number;
  /** The customer has this name. Section 2.1. */
  name: string;
  /** The customer has this phone number, digits only. Section 2.1. */
  phone: string;
  /** The phone has this dialling code of its country. Section 2.1. */
  ddi: string;
}

/** A delivery order goes to this address. Section 2.2. */
export interface DeliveryAddress {
  /** The street has this name. Section 2.2. */
  street: string;
  /** The house has this number, as text. Section 2.2. */
  number: string | null;
  /** Block and lot replace a number where houses have none; this is the block. Section 2.2. */
  address_block: string | null;
  /** Block and lot replace a number where houses have none; this is the lot. Section 2.2. */
  address_lot: string | null;
  /** The address lies in this neighborhood. Section 2.2. */
  neighborhood: string;
  /** The complement names the flat, the floor or the like. Section 2.2. */
  complement: string | null;
  /** The reference names a landmark. Section 2.2. */
  reference: string | null;
  /** The address has this postal code, digits only. Section 2.2. */
  postal_code: string | null;
  /** The address lies in this city. Section 2.2. */
  city: string;
  /** The state is abbreviated. Section 2.2. */
  state: string;
  /** The latitude is in degrees, as text. Section 2.2. */
  latitude: string | null;
  /** The longitude is in degrees, as text. Section 2.2. */
  longitude: string | null;
}

/** An order is made of such items. Section 2.3. */
export interface OrderItem {
  /** The item has this id in the store's catalog. Section 2.3. */
  item_id: number;
  /** The item has this id within the order, where a catalog's item may come several times. Section 2.3. */
  order_item_id: number;
  /** The store itself calls the item by this code. Section 2.3. */
  external_code: string | null;
  /** The item has this name. Section 2.3. */
  name: string;
  /** The item was ordered this many times, at least 0; the number need not be whole. Section 2.3. */
  quantity: number;
  /** One of the item costs this much without options, in the store's currency, at least 0. Section 2.3. */
  unit_price: number;
  /**
   * The price is quantity x (unit_price + the sum of the options' quantity x unit_price), in the store's currency, at
   * least 0. Section 2.3.
   */
  total_price: number;
  /** A regular item has options, a combo has items. A service may add values. Section 2.3. */
  kind: Open<ItemKind>;
  /**
   * The item's production has come to this status. Canceled items are to be ignored. The store may not track it. A
   * service may add values. Section 2.3.
   */
  status: Open<ItemStatus>;
  /** The item carries this note to the kitchen. Section 2.3. */
  observation: string | null;
  /** These options were chosen with the item. A combo has none. Section 2.3. */
  options: ItemOption[];
  /** A combo is made of these items. A regular item has none. Section 2.3. */
  items: OrderItem[];
}

/** An item comes with such options. Section 2.3. */
export interface ItemOption {
  /** The option has this id in the store's catalog. Section 2.3. */
  option_id: number;
  /** The store itself calls the option by this code. Section 2.3. */
  external_code: string | null;
  /** The option has this name. Section 2.3. */
  name: string;
  /** Each one of the item comes with this many of the option, at least 0. Section 2.3. */
  quantity: number;
  /**
   * One of the option costs this much in the store's currency, at least 0. Some answers have total_price in its place.
   * Section 2.3.
   */
  unit_price?: number | undefined;
  /** Some answers have this amount in the place of unit_price, in the store's currency, at least 0. Section 2.3. */
  total_price?: number | undefined;
  /** The option was chosen from the group of this id. Section 2.3. */
  option_group_id: number;
  /** The option's group has this name. Section 2.3. */
  option_group_name: string;
}

/** The specification shows which fields a discount has, but not their types. Section 2.4. */
export interface Discount {
  /** The type of this field is not shown. Section 2.4. */
  kind?: unknown;
  /** The type of this field is not shown. Section 2.4. */
  category?: unknown;
  /** This amount was taken off, in the store's currency; its type is not shown. Section 2.4. */
  total?: unknown;
  /** The type of this field is not shown. Section 2.4. */
  total_points?: unknown;
  /** The type of this field is not shown. Section 2.4. */
  coupon_id?: unknown;
  /** The type of this field is not shown. Section 2.4. */
  coupon_name?: unknown;
  /** The type of this field is not shown. Section 2.4. */
  item_id?: unknown;
  /** The type of this field is not shown. Section 2.4. */
  item_name?: unknown;
}

/** The specification shows which fields a payment has, but not their types. Section 2.5. */
export interface Payment {
  /** This amount is paid, in the store's currency; its type is not shown. Section 2.5. */
  total?: unknown;
  /** The payment costs this fee, in the store's currency; its type is not shown. Section 2.5. */
  payment_fee?: unknown;
  /** The type of this field is not shown. Section 2.5. */
  payment_type?: unknown;
  /** The type of this field is not shown. Section 2.5. */
  status?: unknown;
  /** The type of this field is not shown. Section 2.5. */
  payment_method?: unknown;
  /** The type of this field is not shown. Section 2.5. */
  card_number?: unknown;
  /** The type of this field is not shown. Section 2.5. */
  card_brand?: unknown;
  /** The type of this field is not shown. Section 2.5. */
  observation?: unknown;
  /** One example names the amount of the change so; its type is not shown. Section 2.5. */
  change_for?: unknown;
  /** Another example names the amount of the change so; its type is not shown. Section 2.5. */
  change_of?: unknown;
}

/** A summary sums up the orders of a period. Section 2.8. */
export interface Summary {
  /** This many orders count. Section 2.8. */
  total_order_count: number;
  /** The revenue is the sum of the orders' totals, in the store's currency. Section 2.8. */
  total_revenue: number;
  /** The average is the revenue for an order, in the store's currency, with at most two decimals. Section 2.8. */
  average_order_value: number;
}

/** A group sums up the orders that have the same value. Section 2.8. */
export interface Group {
  /**
   * The key identifies the group; null stands for the orders that have no value. Its form is not shown. Section 4.7.
   */
  key: string | number | boolean | null;
  /** People call the group by this label. Section 4.7. */
  label: string | null;
  /** This many orders count. Section 2.8. */
  total_order_count: number;
  /** The revenue is the sum of the orders' totals, in the store's currency. Section 2.8. */
  total_revenue: number;
  /** The average is the revenue for an order, in the store's currency, with at most two decimals. Section 2.8. */
  average_order_value: number;
}

/** The orders of a period are summed up by one dimension. Section 4.7, rule 4. */
export interface GroupedSummary {
  /** The orders are grouped by this dimension, which was asked for. Section 4.7. */
  group_by: Open<Dimension>;
  /** There is one group for each value that orders have. The order of the groups is not shown. Section 4.7. */
  groups: Group[];
}

/** The service answers a pre-filled order with its links. Section 2.7. */
export interface PrefilledOrder {
  /** This text identifies the pre-filled order, which is no order yet. Section 2.7. */
  id: string;
  /** This menu page opens the pre-filled order. Section 2.7. */
  order_url: string;
  /** This menu page is the checkout of the pre-filled order. Section 2.7. */
  checkout_url: string;
}

/** A driver is assigned with or without a fee. A fee as text goes out with the digits that were typed: `"7.50"`. Section 4.1. */
export interface DriverInput {
  /** The store has an active driver of this id, at least 1. Section 4.1. */
  readonly driver_id: number;
  /**
   * The fee is in the store's currency, at least 0, with at most two decimals. 0 stands for a delivery at no cost, null
   * removes the fee, and without this field the fee is kept. Section 4.1.
   */
  readonly driver_fee?: number | string | null;
}

/** A cancellation may have a reason. Section 4.2. */
export interface CancelInput {
  /** This reason is stored with the order. Section 4.2. */
  readonly cancellation_reason?: string;
}

/** A pre-filled order takes an address only where it is a delivery. Section 4.9. */
export type PrefilledOrderBody = PrefilledDelivery | PrefilledTakeout;

interface AnyPrefilledOrder {
  /** This customer orders. Section 4.9. */
  readonly customer?: NewCustomer;
  /** These items are ordered. Section 4.9. */
  readonly cart?: readonly CartItem[] | null;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

export interface PrefilledDelivery extends AnyPrefilledOrder {
  /** The customer gets the order in this way. Section 4.9. */
  readonly order_type: "delivery";
  /** The order goes to this address. It is allowed only where order_type is delivery. Section 4.9. */
  readonly delivery_address?: NewAddress;
}

export interface PrefilledTakeout extends AnyPrefilledOrder {
  /** The customer gets the order in this way. Section 4.9. */
  readonly order_type: "takeout";
  /** The order goes to this address. It is allowed only where order_type is delivery. Section 4.9. */
  readonly delivery_address?: never;
}

/** Fields that the specification doesn't name stand here under their names. They go out beside those that it names. */
export type Extra = Readonly<Record<string, unknown>>;

/** This customer orders. The specification doesn't show which fields are required. Section 4.9. */
export interface NewCustomer {
  /** The customer has this name. Section 4.9. */
  readonly name?: string;
  /** The customer has this phone number, digits only, with its area code. Section 4.9. */
  readonly phone?: string;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** The order goes to this address. The specification doesn't show which fields are required. Sections 4.9 and 2.2. */
export interface NewAddress {
  /** The street has this name. Section 2.2. */
  readonly street?: string;
  /** The house has this number, as text. Section 2.2. */
  readonly number?: string | null;
  /** Block and lot replace a number where houses have none; this is the block. Section 2.2. */
  readonly address_block?: string | null;
  /** Block and lot replace a number where houses have none; this is the lot. Section 2.2. */
  readonly address_lot?: string | null;
  /** The address lies in this neighborhood. Section 2.2. */
  readonly neighborhood?: string;
  /** The complement names the flat, the floor or the like. Section 2.2. */
  readonly complement?: string | null;
  /** The reference names a landmark. Section 2.2. */
  readonly reference?: string | null;
  /** The address has this postal code, digits only. Section 2.2. */
  readonly postal_code?: string | null;
  /** The address lies in this city. Section 2.2. */
  readonly city?: string;
  /** The state is abbreviated. Section 2.2. */
  readonly state?: string;
  /** The latitude is in degrees, as text. Section 2.2. */
  readonly latitude?: string | null;
  /** The longitude is in degrees, as text. Section 2.2. */
  readonly longitude?: string | null;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A cart is made of such items. The specification doesn't show which fields are required. Section 4.9. */
export interface CartItem {
  /** The item has this id in the store's catalog. Section 4.9. */
  readonly item_id?: number;
  /** The item is ordered this many times, a whole number. Section 4.9. */
  readonly quantity?: number;
  /** The item carries this note to the kitchen. Section 4.9. */
  readonly observation?: string;
  /** Options of the item stand under the group that they belong to. Section 4.9. */
  readonly option_groups?: readonly CartOptionGroup[];
  /** In each step of a combo something is chosen. Section 4.9. */
  readonly combo_steps?: readonly ComboStep[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** Options are chosen from such a group. Section 4.9. */
export interface CartOptionGroup {
  /** The group has this id in the store's catalog. Section 4.9. */
  readonly option_group_id?: number;
  /** These options are chosen from the group. Section 4.9. */
  readonly options?: readonly CartOption[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A customer chooses such options. Section 4.9. */
export interface CartOption {
  /** The option has this id in the store's catalog. Section 4.9. */
  readonly option_id?: number;
  /** The option is chosen this many times, a whole number. Section 4.9. */
  readonly quantity?: number;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A combo is put together in such steps. Section 4.9. */
export interface ComboStep {
  /** The step has this id in the store's catalog. Section 4.9. */
  readonly combo_step_id?: number;
  /** This item is chosen in the step. Section 4.9. */
  readonly item?: ComboItem;
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** An item is chosen in a step of a combo. Section 4.9. */
export interface ComboItem {
  /** The item has this id in the store's catalog. Section 4.9. */
  readonly item_id?: number;
  /** The item carries this note to the kitchen. Section 4.9. */
  readonly observation?: string;
  /** Options of the item stand under the group that they belong to. Section 4.9. */
  readonly option_groups?: readonly CartOptionGroup[];
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** A query asks for the sales figures of a period. Its fields have the names of the API's parameters. Section 4.6. */
export interface SummaryQuery {
  /**
   * The period begins here, this moment included: ISO 8601 with an offset, or with date_field scheduled_date a date,
   * YYYY-MM-DD. It lies at most 3 years back. Section 4.6.
   */
  readonly start_date: string;
  /** The period ends here, in the form of start_date, at most 6 months after it. Section 4.6. */
  readonly end_date: string;
  /** This date of an order counts: when it was made, which is the default, or when it is scheduled for. Section 4.6. */
  readonly date_field?: DateField;
  /** All of these filters must hold. Section 4.8. */
  readonly filters?: Filters;
}

/** A query asks for the sales figures of a period by one dimension. Section 4.7. */
export type GroupedSummaryQuery = GroupedQuery | HourlyQuery;

export interface GroupedQuery extends SummaryQuery {
  /**
   * Orders are grouped by this dimension. Dimensions of time go by the store's time zone. hour can't be asked for where
   * date_field is scheduled_date. Section 4.7.
   */
  readonly group_by: Exclude<Dimension, "hour">;
}

export interface HourlyQuery extends SummaryQuery {
  /**
   * Orders are grouped by this dimension. Dimensions of time go by the store's time zone. hour can't be asked for where
   * date_field is scheduled_date. Section 4.7.
   */
  readonly group_by: "hour";
  /** This date of an order counts: when it was made, which is the default, or when it is scheduled for. Section 4.6. */
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
  /** The order's unique id goes into one segment of the path. Section 4. */
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
