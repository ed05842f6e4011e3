/**
 * Each field of the API has a text with its unit, its rule and its section of the specification. The OpenAPI document shows
 * it, and so do editors: the build makes it the docstring of the field in models.ts. A client that calls loads none of this.
 */
import { filterFields, type FilterField, type FilterOperator } from "./filter-fields.js";
import { filtersByName } from "./filters.js";

const metrics = {
  total_order_count: "The number of orders that count. Section 2.8.",
  total_revenue: "The sum of the orders' totals, in the store's currency. Section 2.8.",
  average_order_value:
    "The revenue for an order, in the store's currency, at most two decimals. Section 2.8.",
} as const;

function untyped(section: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, `Its type is not shown. Section ${section}.`]));
}

export const descriptions = {
  Order: {
    id: "What identifies the order, in every call about it. Section 2.1.",
    display_id: "The friendly number on the slip. Not unique, and no call takes it. Section 2.1.",
    external_display_id: "The friendly number of a marketplace's order. Not unique. Section 2.1.",
    external_order_id: "The order's unique id in the marketplace. Section 2.1.",
    external_merchant_id: "The store's id in the marketplace. Section 2.1.",
    external_merchant_name: "The store's name in the marketplace. Section 2.1.",
    merchant_id: "The store that the order belongs to. Section 2.1.",
    status: "How far the order has come; canceled and closed are final. A service may add values. Section 3.",
    order_type: "How the customer gets the order. A service may add values. Section 2.1.",
    order_timing:
      "immediate: as soon as possible; scheduled: ready at the time in schedule. A service may add values. Section 2.1.",
    sales_channel:
      "Where it was ordered. A service may add values: the filter of section 4.8 names more. Section 2.1.",
    customer_origin: "The origin tag that the menu's link carried, free text. Section 2.1.",
    delivered_by:
      "Who delivers the order; null where order_type is not delivery. A service may add values. Section 2.1.",
    driver_id: "The driver that is assigned; null where there is none. Section 2.1.",
    driver_fee:
      "The driver's fee, in the store's currency, at least 0, at most two decimals; null where none was informed. Section 2.1.",
    table_number: "The table; only where order_type is closed_table. Section 2.1.",
    estimated_time: "The delivery forecast, in minutes from created_at. Section 2.1.",
    cancellation_reason: "The reason of a canceled order; it may stay null. Section 2.1.",
    fiscal_document: "The taxpayer's number for the fiscal receipt, digits only. Section 2.1.",
    observation: "General notes. Section 2.1.",
    delivery_fee:
      "The price of the delivery, in the store's currency, at least 0; only where order_type is delivery. Section 2.1.",
    service_fee:
      "The price of the service, in the store's currency, at least 0; only where order_type is closed_table. Section 2.1.",
    additional_fee: "A free extra charge of the store, in its currency, at least 0. Section 2.1.",
    total:
      "The order's total, in the store's currency, at least 0: items, fees and payment fees less discounts. Section 2.1.",
    created_at: "When the order was made, ISO 8601 with an offset. Section 2.1.",
    updated_at: "When the order was last modified, ISO 8601 with an offset. Section 2.1.",
    schedule: "When the order has to be ready; only where order_timing is scheduled. Section 2.1.",
    user: "The person responsible for the order; only orders of tables and tabs have one. Section 2.1.",
    customer:
      "Who ordered; orders of the channels portal and messaging_extension may have none. Section 2.1.",
    delivery_address: "Where the order goes; only where order_type is delivery. Section 2.2.",
    items: "What was ordered. Section 2.3.",
    discounts: "What was taken off. Section 2.4.",
    payments: "How the order is paid. Section 2.5.",
  },
  Schedule: {
    scheduled_date_time_start:
      "The beginning of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1.",
    scheduled_date_time_end:
      "The end of the period in which the order has to be ready, ISO 8601 with an offset. Section 2.1.",
  },
  OrderUser: {
    id: "The user's number. Section 2.1.",
    name: "The user's name. Section 2.1.",
  },
  OrderCustomer: {
    id: "The customer's number. Section 2.1.",
    name: "The customer's name. Section 2.1.",
    phone: "The phone, digits only. Section 2.1.",
    ddi: "The country's dialling code. Section 2.1.",
  },
  DeliveryAddress: {
    street: "The street's name. Section 2.2.",
    number: "The house number, as text. Section 2.2.",
    address_block: "The block, where block and lot replace a number. Section 2.2.",
    address_lot: "The lot, where block and lot replace a number. Section 2.2.",
    neighborhood: "The neighborhood. Section 2.2.",
    complement: "The flat, the floor or the like. Section 2.2.",
    reference: "A landmark. Section 2.2.",
    postal_code: "The postal code, digits only. Section 2.2.",
    city: "The city. Section 2.2.",
    state: "The state's abbreviation. Section 2.2.",
    latitude: "The latitude in degrees, as text. Section 2.2.",
    longitude: "The longitude in degrees, as text. Section 2.2.",
  },
  OrderItem: {
    item_id: "The item's id in the store's catalog. Section 2.3.",
    order_item_id:
      "The item's id within the order, where a catalog's item may come several times. Section 2.3.",
    external_code: "The store's own code of the item. Section 2.3.",
    name: "The item's name. Section 2.3.",
    quantity: "How many were ordered, at least 0; not always a whole number. Section 2.3.",
    unit_price: "The price without options, in the store's currency, at least 0. Section 2.3.",
    total_price:
      "quantity x (unit_price + the options' quantity x unit_price), in the store's currency. Section 2.3.",
    kind: "A regular item has options, a combo has items. A service may add values. Section 2.3.",
    status:
      "How far its production has come; canceled items are to be ignored. The store may not track it. A service may add values. Section 2.3.",
    observation: "A note to the kitchen. Section 2.3.",
    options: "What was chosen with it; always empty for a combo. Section 2.3.",
    items: "What a combo is made of; empty for a regular item. Section 2.3.",
  },
  ItemOption: {
    option_id: "The option's id in the store's catalog. Section 2.3.",
    external_code: "The store's own code of the option. Section 2.3.",
    name: "The option's name. Section 2.3.",
    quantity: "How many come with each one of the item, at least 0. Section 2.3.",
    unit_price:
      "The price of one, in the store's currency, at least 0; some answers have total_price in its place. Section 2.3.",
    total_price:
      "The price, in the store's currency, at least 0; some answers have it in the place of unit_price. Section 2.3.",
    option_group_id: "The group that it was chosen from. Section 2.3.",
    option_group_name: "The name of that group. Section 2.3.",
  },
  Discount: {
    ...untyped("2.4", [
      "kind",
      "category",
      "total_points",
      "coupon_id",
      "coupon_name",
      "item_id",
      "item_name",
    ]),
    total: "The amount that was taken off, in the store's currency; its type is not shown. Section 2.4.",
  },
  Payment: {
    ...untyped("2.5", [
      "payment_type",
      "status",
      "payment_method",
      "card_number",
      "card_brand",
      "observation",
    ]),
    total: "The amount that is paid, in the store's currency; its type is not shown. Section 2.5.",
    payment_fee: "The fee of the payment, in the store's currency; its type is not shown. Section 2.5.",
    change_for: "The change, as one example has it; its type is not shown. Section 2.5.",
    change_of: "The change, as another example has it; its type is not shown. Section 2.5.",
  },
  Summary: metrics,
  Group: {
    key: "What identifies the group; null for the orders that have no value. Its form is not shown. Section 4.7.",
    label: "The group as people call it. Section 4.7.",
    ...metrics,
  },
  GroupedSummary: {
    group_by: "The dimension that was asked for. Section 4.7.",
    groups: "One group for each value that orders have; the order of the groups is not shown. Section 4.7.",
  },
  PrefilledOrder: {
    id: "What identifies the pre-filled order, which is no order yet. Section 2.7.",
    order_url: "The menu page that opens the pre-filled order. Section 2.7.",
    checkout_url: "The menu checkout page for that order. Section 2.7.",
  },
  OrderId: {
    order_id: "The order's unique id, as one segment of the path. Section 4.",
  },
  AssignDriver: {
    driver_id: "An active driver of the store, at least 1. Section 4.1.",
    driver_fee:
      "The driver's fee, in the store's currency, at least 0, at most two decimals. 0 is a delivery at no cost; null removes the fee; without the field it is kept. Section 4.1.",
  },
  CancelOrder: {
    cancellation_reason: "The reason, which is stored with the order. Section 4.2.",
  },
  NewPrefilledOrder: {
    order_type: "How the customer gets the order. Section 4.9.",
    customer: "Who orders. Section 4.9.",
    cart: "The items that are ordered. Section 4.9.",
    delivery_address: "Where the order goes; only where order_type is delivery. Section 4.9.",
  },
  NewCustomer: {
    name: "The customer's name. Section 4.9.",
    phone: "The customer's phone with its area code, digits only. Section 4.9.",
  },
  CartItem: {
    item_id: "The item's id in the store's catalog. Section 4.9.",
    quantity: "How many are ordered, a whole number. Section 4.9.",
    observation: "A note to the kitchen. Section 4.9.",
    option_groups: "The options of the item, by the group that they belong to. Section 4.9.",
    combo_steps: "What is chosen in each step of a combo. Section 4.9.",
  },
  CartOptionGroup: {
    option_group_id: "The group's id in the store's catalog. Section 4.9.",
    options: "What is chosen from the group. Section 4.9.",
  },
  CartOption: {
    option_id: "The option's id in the store's catalog. Section 4.9.",
    quantity: "How many are ordered, a whole number. Section 4.9.",
  },
  ComboStep: {
    combo_step_id: "The step's id in the store's catalog. Section 4.9.",
    item: "What is chosen in the step. Section 4.9.",
  },
  ComboItem: {
    item_id: "The item's id in the store's catalog. Section 4.9.",
    observation: "A note to the kitchen. Section 4.9.",
    option_groups: "The options of the item, by the group that they belong to. Section 4.9.",
  },
  GroupedSummaryQuery: {
    start_date:
      "The beginning of the period, included: ISO 8601 with an offset; where date_field is scheduled_date a date, YYYY-MM-DD. At most 3 years back. Section 4.6.",
    end_date: "The end of the period, in the form of start_date, at most 6 months after it. Section 4.6.",
    date_field:
      "The date of an order that counts: when the order was made, which is the default, or when it is scheduled for. Section 4.6.",
    filters: "Conditions, all of which must hold. Section 4.8.",
    group_by:
      "The dimension to group by; those of time go by the store's time zone. hour doesn't go with date_field scheduled_date. Section 4.7.",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

const filterSubjects: Readonly<Record<FilterField, string>> = {
  order_type: "The order's type",
  order_timing: "The order's timing",
  sales_channel: "The order's channel",
  status: "The status",
  payment_method_id: "The payment method's id",
  driver_id: "The driver's id, at least 1,",
  customer_origin: "The origin tag, at most 255 characters,",
  created_at_time: "The time of day of created_at, HH:MM,",
  total: "The order's total, in the store's currency, at most two decimals,",
  delivery_fee: "The delivery fee, in the store's currency, at most two decimals,",
};

const filterPredicates: Readonly<Record<Exclude<FilterOperator, "null" | "not_null">, string>> = {
  in: "is one of these",
  not_in: "is none of these",
  eq: "is this",
  not_eq: "is not this",
  gt: "is above this",
  lt: "is below this",
  gteq: "is this or above",
  lteq: "is this or below",
};

/** Says what a filter of section 4.8 asks for. */
export function describeFilter(field: FilterField, operator: FilterOperator): string {
  if (operator === "null") return "The order has no origin tag. Section 4.8.";
  if (operator === "not_null") return "The order has an origin tag. Section 4.8.";
  const more = filterFields[field].values.kind === "open" ? " A service may add values." : "";
  return `${filterSubjects[field]} ${filterPredicates[operator]}.${more} Section 4.8.`;
}

/** These types of models.ts are described under another name. */
const describedAs: Readonly<Record<string, keyof typeof descriptions>> = {
  DriverInput: "AssignDriver",
  CancelInput: "CancelOrder",
  AnyPrefilledOrder: "NewPrefilledOrder",
  PrefilledDelivery: "NewPrefilledOrder",
  PrefilledTakeout: "NewPrefilledOrder",
  SummaryQuery: "GroupedSummaryQuery",
  GroupedQuery: "GroupedSummaryQuery",
  HourlyQuery: "GroupedSummaryQuery",
};

/**
 * Gives the docstring of a field of a type of models.ts; `undefined` where there is none.
 *
 * @internal the build alone calls it
 */
export function fieldText(type: string, field: string): string | undefined {
  const filter = type === "Filters" ? filtersByName.get(field) : undefined;
  if (filter) return describeFilter(filter.field, filter.operator);
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = descriptions;
  return texts[describedAs[type] ?? type]?.[field];
}

/** No type of the library shows these bodies: errors, and what the sign-in sends and gets. */
export const bodyDescriptions = {
  Error: {
    code: "What went wrong: 4000, 4002, 4010 or 4041; none is shown for 403 and 429. Section 7.",
    message: "What went wrong, in words. Section 7.",
    details: "The cause, where the service tells it. Section 7.",
  },
  AuthorizationCodeGrant: {
    grant_type: "Always authorization_code. Section 5.2.",
    code: "The code that the redirect brought; not to be logged. Section 5.2.",
    redirect_uri: "The same as in the authorization URL. Section 5.2.",
    client_id: "The app's public id; there is no client secret. Section 5.2.",
    code_verifier:
      "The code verifier, 43 to 128 characters, whose challenge went before; not to be logged. Section 5.2.",
  },
  RefreshTokenGrant: {
    grant_type: "Always refresh_token. Section 5.2.",
    refresh_token: "The store's refresh token; not to be logged. Section 5.2.",
    client_id: "The app's public id; there is no client secret. Section 5.2.",
  },
  TokenResponse: {
    access_token: "The token that goes with each call as Bearer; not to be logged. Section 5.2.",
    token_type: "Always Bearer. Section 5.2.",
    expires_in: "The access token lives this many seconds: 7200. Section 5.2.",
    refresh_token: "The token that the next access token is asked for with; not to be logged. Section 5.2.",
    scope: "The scopes that were granted, with spaces between them. Section 5.2.",
  },
  RevokeRequest: {
    token: "An access token or a refresh token. Section 4.11.",
    client_id: "The app's public id. Section 4.11.",
  },
  OAuthError: {
    error: "The name of what went wrong. A service may add values. Section 7.",
    error_description: "What went wrong, in words (RFC 6749, 5.2). Section 7.",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type DescribedModel = keyof typeof descriptions | keyof typeof bodyDescriptions;

/** The OpenAPI document sums up each operation of section 4 in these words. */
export const operationSummaries: Readonly<Record<string, string>> = {
  assignDriver: "Assign or replace the driver of a delivery order",
  cancelOrder: "Cancel an order",
  dispatchOrder: "Dispatch an order: out for delivery, or waiting for pickup",
  deliverOrder: "Mark a delivery order as delivered",
  finalizeOrder: "Finalize an order",
  summary: "Sales summary of a period",
  groupedSummary: "Sales summary of a period, split by one dimension",
  createPrefilledOrder: "Create a pre-filled order",
  token: "Exchange an authorisation code or a refresh token",
  revoke: "Revoke a token",
};
