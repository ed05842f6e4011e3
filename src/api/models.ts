/**
 * Plain types describe what goes into a call and what comes out of it, so that a program which uses the client needs no
 * other package for them. What a field means stands in descriptions.ts, and the build puts it into the library's declarations
 * as the field's docstring. The compiler checks in operations.ts that the schemas of the contract read the same.
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
  id: number;
  display_id: number;
  external_display_id: string | null;
  external_order_id: string | null;
  external_merchant_id: string | null;
  external_merchant_name: string | null;
  merchant_id: number;
  status: Open<OrderStatus>;
  order_type: Open<OrderType>;
  order_timing: Open<OrderTiming>;
  sales_channel: Open<SalesChannel>;
  customer_origin: string | null;
  delivered_by: Open<Deliverer> | null;
  driver_id: number | null;
  driver_fee: number | null;
  table_number: string | null;
  estimated_time: number | null;
  cancellation_reason: string | null;
  fiscal_document: string | null;
  observation: string | null;
  delivery_fee: number;
  service_fee: number;
  additional_fee: number;
  total: number;
  created_at: string;
  updated_at: string;
  schedule: Schedule | null;
  user: OrderUser | null;
  customer: OrderCustomer | null;
  delivery_address: DeliveryAddress | null;
  items: OrderItem[];
  discounts: Discount[];
  payments: Payment[];
}

/** An order is read from an answer with every field that came as documented; the others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };

/** A scheduled order has to be ready within this period. Section 2.1. */
export interface Schedule {
  scheduled_date_time_start: string;
  scheduled_date_time_end: string;
}

/** This user is responsible for the order of a table or a tab. Section 2.1. */
export interface OrderUser {
  id: number;
  name: string;
}

/** This customer made the order. Section 2.1. */
export interface OrderCustomer {
  id: number;
  name: string;
  phone: string;
  ddi: string;
}

/** A delivery order goes to this address. Section 2.2. */
export interface DeliveryAddress {
  street: string;
  number: string | null;
  address_block: string | null;
  address_lot: string | null;
  neighborhood: string;
  complement: string | null;
  reference: string | null;
  postal_code: string | null;
  city: string;
  state: string;
  latitude: string | null;
  longitude: string | null;
}

/** An order is made of such items. Section 2.3. */
export interface OrderItem {
  item_id: number;
  order_item_id: number;
  external_code: string | null;
  name: string;
  quantity: number;
  unit_price: number;
  total_price: number;
  kind: Open<ItemKind>;
  status: Open<ItemStatus>;
  observation: string | null;
  options: ItemOption[];
  items: OrderItem[];
}

/** An item comes with such options. Section 2.3. */
export interface ItemOption {
  option_id: number;
  external_code: string | null;
  name: string;
  quantity: number;
  unit_price?: number | undefined;
  total_price?: number | undefined;
  option_group_id: number;
  option_group_name: string;
}

/** The specification shows which fields a discount has, but not their types. Section 2.4. */
export interface Discount {
  kind?: unknown;
  category?: unknown;
  total?: unknown;
  total_points?: unknown;
  coupon_id?: unknown;
  coupon_name?: unknown;
  item_id?: unknown;
  item_name?: unknown;
}

/** The specification shows which fields a payment has, but not their types. Section 2.5. */
export interface Payment {
  total?: unknown;
  payment_fee?: unknown;
  payment_type?: unknown;
  status?: unknown;
  payment_method?: unknown;
  card_number?: unknown;
  card_brand?: unknown;
  observation?: unknown;
  change_for?: unknown;
  change_of?: unknown;
}

/** A summary sums up the orders of a period. Section 2.8. */
export interface Summary {
  total_order_count: number;
  total_revenue: number;
  average_order_value: number;
}

/** A group sums up the orders that have the same value. Section 2.8. */
export interface Group extends Summary {
  key: string | number | boolean | null;
  label: string | null;
}

/** The orders of a period are summed up by one dimension. Section 4.7, rule 4. */
export interface GroupedSummary {
  group_by: Open<Dimension>;
  groups: Group[];
}

/** The service answers a pre-filled order with its links. Section 2.7. */
export interface PrefilledOrder {
  id: string;
  order_url: string;
  checkout_url: string;
}

/** A driver is assigned with or without a fee. A fee as text goes out with the digits that were typed: `"7.50"`. Section 4.1. */
export interface DriverInput {
  readonly driver_id: number;
  readonly driver_fee?: number | string | null;
}

/** A cancellation may have a reason. Section 4.2. */
export interface CancelInput {
  readonly cancellation_reason?: string;
}

/** A pre-filled order takes an address only where it is a delivery. Section 4.9. */
export type PrefilledOrderBody = PrefilledDelivery | PrefilledTakeout;

interface AnyPrefilledOrder extends WithExtra {
  readonly customer?: NewCustomer;
  readonly cart?: readonly CartItem[] | null;
}

export interface PrefilledDelivery extends AnyPrefilledOrder {
  readonly order_type: "delivery";
  readonly delivery_address?: NewAddress;
}

export interface PrefilledTakeout extends AnyPrefilledOrder {
  readonly order_type: "takeout";
  readonly delivery_address?: never;
}

/** Fields that the specification doesn't name stand here under their names. They go out beside those that it names. */
type Extra = Readonly<Record<string, unknown>>;

interface WithExtra {
  /** Fields that the specification doesn't name, by their names. They go out beside the others. */
  readonly extra?: Extra;
}

/** This customer orders. The specification doesn't show which fields are required. Section 4.9. */
export interface NewCustomer extends WithExtra {
  readonly name?: string;
  readonly phone?: string;
}

/** The order goes to this address. The specification doesn't show which fields are required. Sections 4.9 and 2.2. */
export interface NewAddress extends Partial<Readonly<DeliveryAddress>>, WithExtra {}

/** A cart is made of such items. The specification doesn't show which fields are required. Section 4.9. */
export interface CartItem extends WithExtra {
  readonly item_id?: number;
  readonly quantity?: number;
  readonly observation?: string;
  readonly option_groups?: readonly CartOptionGroup[];
  readonly combo_steps?: readonly ComboStep[];
}

/** Options are chosen from such a group. Section 4.9. */
export interface CartOptionGroup extends WithExtra {
  readonly option_group_id?: number;
  readonly options?: readonly CartOption[];
}

/** A customer chooses such options. Section 4.9. */
export interface CartOption extends WithExtra {
  readonly option_id?: number;
  readonly quantity?: number;
}

/** A combo is put together in such steps. Section 4.9. */
export interface ComboStep extends WithExtra {
  readonly combo_step_id?: number;
  readonly item?: ComboItem;
}

/** An item is chosen in a step of a combo. Section 4.9. */
export interface ComboItem extends WithExtra {
  readonly item_id?: number;
  readonly observation?: string;
  readonly option_groups?: readonly CartOptionGroup[];
}

/** A query asks for the sales figures of a period. Its fields have the names of the API's parameters. Section 4.6. */
export interface SummaryQuery {
  readonly start_date: string;
  readonly end_date: string;
  readonly date_field?: DateField;
  readonly filters?: Filters;
}

/** A query asks for the sales figures of a period by one dimension. Section 4.7. */
export type GroupedSummaryQuery = GroupedQuery | HourlyQuery;

export interface GroupedQuery extends SummaryQuery {
  readonly group_by: Exclude<Dimension, "hour">;
}

export interface HourlyQuery extends SummaryQuery {
  readonly group_by: "hour";
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
  readonly order_type_in?: OneOrMore<OrderType>;
  readonly order_type_not_in?: OneOrMore<OrderType>;
  readonly order_timing_in?: OneOrMore<OrderTiming>;
  readonly order_timing_not_in?: OneOrMore<OrderTiming>;
  readonly sales_channel_in?: OneOrMore<FilterableChannel>;
  readonly sales_channel_not_in?: OneOrMore<FilterableChannel>;
  readonly status_in?: OneOrMore<FilterableStatus>;
  readonly status_not_in?: OneOrMore<FilterableStatus>;
  readonly payment_method_id_in?: OneOrMore<number | string>;
  readonly payment_method_id_not_in?: OneOrMore<number | string>;
  readonly driver_id_in?: OneOrMore<number | string>;
  readonly driver_id_not_in?: OneOrMore<number | string>;
  readonly customer_origin_in?: OneOrMore<string>;
  readonly customer_origin_not_in?: OneOrMore<string>;
  readonly customer_origin_null?: true;
  readonly customer_origin_not_null?: true;
  readonly created_at_time_eq?: string;
  readonly created_at_time_gt?: string;
  readonly created_at_time_lt?: string;
  readonly created_at_time_gteq?: string;
  readonly created_at_time_lteq?: string;
  readonly total_eq?: number | string;
  readonly total_not_eq?: number | string;
  readonly total_gt?: number | string;
  readonly total_lt?: number | string;
  readonly total_gteq?: number | string;
  readonly total_lteq?: number | string;
  readonly delivery_fee_eq?: number | string;
  readonly delivery_fee_not_eq?: number | string;
  readonly delivery_fee_gt?: number | string;
  readonly delivery_fee_lt?: number | string;
  readonly delivery_fee_gteq?: number | string;
  readonly delivery_fee_lteq?: number | string;
}

/** The name joins field and operator as the API does, for example `status_in`. Section 4.8. */
export type FilterName = keyof Filters;

/** Section 4 names an order by its id, which is digits (section 2.1). */
interface OrderId {
  readonly order_id: number | string;
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
