/**
 * Each field of the API has a text with its unit, its rule and its section of the specification. The OpenAPI document shows
 * it, and the types have it as their docstrings, which a test compares. A client that calls loads none of this.
 */
export const descriptions = {
  Order: {
    id: "This number identifies the order in every call about it. Section 2.1.",
    display_id:
      "This friendly number stands on the slip. It is not unique, and no call takes it. Section 2.1.",
    external_display_id: "A marketplace's order has this friendly number. It is not unique. Section 2.1.",
    external_order_id: "The order has this unique id in the marketplace. Section 2.1.",
    external_merchant_id: "The store has this id in the marketplace. Section 2.1.",
    external_merchant_name: "The store has this name in the marketplace. Section 2.1.",
    merchant_id: "The order belongs to the store of this id. Section 2.1.",
    status:
      "The order has come to this status; canceled and closed are final. A service may add values. Section 3.",
    order_type: "The customer gets the order in this way. A service may add values. Section 2.1.",
    order_timing:
      "An immediate order is made as soon as possible; a scheduled one is ready at the time in schedule. A service may add values. Section 2.1.",
    sales_channel:
      "The order came by this channel. A service may add values: the filter of section 4.8 names more of them. Section 2.1.",
    customer_origin: "The menu's link carried this origin tag, a free text. Section 2.1.",
    delivered_by:
      "This party delivers the order; it is null where order_type is not delivery. A service may add values. Section 2.1.",
    driver_id: "The driver of this id is assigned; null means none. Section 2.1.",
    driver_fee:
      "The driver gets this fee in the store's currency, at least 0, with at most two decimals. It is null where no fee was informed. Section 2.1.",
    table_number:
      "The order belongs to this table. It is set only where order_type is closed_table. Section 2.1.",
    estimated_time: "The delivery is forecast for this many minutes after created_at. Section 2.1.",
    cancellation_reason: "A canceled order may have a reason. It may stay null. Section 2.1.",
    fiscal_document: "The fiscal receipt names this taxpayer's number, digits only. Section 2.1.",
    observation: "The order carries these general notes. Section 2.1.",
    delivery_fee:
      "The delivery costs this amount in the store's currency, at least 0. It is set only where order_type is delivery. Section 2.1.",
    service_fee:
      "The service costs this amount in the store's currency, at least 0. It is set only where order_type is closed_table. Section 2.1.",
    additional_fee: "The store charges this free extra amount in its currency, at least 0. Section 2.1.",
    total:
      "The total is items, fees and payment fees less discounts, in the store's currency, at least 0. Section 2.1.",
    created_at: "The order was made at this time, ISO 8601 with an offset. Section 2.1.",
    updated_at: "The order was last modified at this time, ISO 8601 with an offset. Section 2.1.",
    schedule:
      "The order has to be ready in this period. It is set only where order_timing is scheduled. Section 2.1.",
    user: "This user is responsible for the order. Only orders of tables and tabs have one. Section 2.1.",
    customer:
      "This customer made the order. Orders of the channels portal and messaging_extension may have none. Section 2.1.",
    delivery_address:
      "The order goes to this address. It is set only where order_type is delivery. Section 2.2.",
    items: "These items were ordered. Section 2.3.",
    discounts: "These discounts were taken off the total. Section 2.4.",
    payments: "The order is paid by these payments. Section 2.5.",
  },
  Schedule: {
    scheduled_date_time_start: "The period begins at this time, ISO 8601 with an offset. Section 2.1.",
    scheduled_date_time_end: "The period ends at this time, ISO 8601 with an offset. Section 2.1.",
  },
  OrderUser: {
    id: "This number identifies the user. Section 2.1.",
    name: "The user has this name. Section 2.1.",
  },
  OrderCustomer: {
    id: "This number identifies the customer. Section 2.1.",
    name: "The customer has this name. Section 2.1.",
    phone: "The customer has this phone number, digits only. Section 2.1.",
    ddi: "The phone has this dialling code of its country. Section 2.1.",
  },
  DeliveryAddress: {
    street: "The street has this name. Section 2.2.",
    number: "The house has this number, as text. Section 2.2.",
    address_block: "Block and lot replace a number where houses have none; this is the block. Section 2.2.",
    address_lot: "Block and lot replace a number where houses have none; this is the lot. Section 2.2.",
    neighborhood: "The address lies in this neighborhood. Section 2.2.",
    complement: "The complement names the flat, the floor or the like. Section 2.2.",
    reference: "The reference names a landmark. Section 2.2.",
    postal_code: "The address has this postal code, digits only. Section 2.2.",
    city: "The address lies in this city. Section 2.2.",
    state: "The state is abbreviated. Section 2.2.",
    latitude: "The latitude is in degrees, as text. Section 2.2.",
    longitude: "The longitude is in degrees, as text. Section 2.2.",
  },
  OrderItem: {
    item_id: "The item has this id in the store's catalog. Section 2.3.",
    order_item_id:
      "The item has this id within the order, where a catalog's item may come several times. Section 2.3.",
    external_code: "The store itself calls the item by this code. Section 2.3.",
    name: "The item has this name. Section 2.3.",
    quantity: "The item was ordered this many times, at least 0; the number need not be whole. Section 2.3.",
    unit_price:
      "One of the item costs this much without options, in the store's currency, at least 0. Section 2.3.",
    total_price:
      "The price is quantity x (unit_price + the sum of the options' quantity x unit_price), in the store's currency, at least 0. Section 2.3.",
    kind: "A regular item has options, a combo has items. A service may add values. Section 2.3.",
    status:
      "The item's production has come to this status. Canceled items are to be ignored. The store may not track it. A service may add values. Section 2.3.",
    observation: "The item carries this note to the kitchen. Section 2.3.",
    options: "These options were chosen with the item. A combo has none. Section 2.3.",
    items: "A combo is made of these items. A regular item has none. Section 2.3.",
  },
  ItemOption: {
    option_id: "The option has this id in the store's catalog. Section 2.3.",
    external_code: "The store itself calls the option by this code. Section 2.3.",
    name: "The option has this name. Section 2.3.",
    quantity: "Each one of the item comes with this many of the option, at least 0. Section 2.3.",
    unit_price:
      "One of the option costs this much in the store's currency, at least 0. Some answers have total_price in its place. Section 2.3.",
    total_price:
      "Some answers have this amount in the place of unit_price, in the store's currency, at least 0. Section 2.3.",
    option_group_id: "The option was chosen from the group of this id. Section 2.3.",
    option_group_name: "The option's group has this name. Section 2.3.",
  },
  Discount: {
    kind: "The type of this field is not shown. Section 2.4.",
    category: "The type of this field is not shown. Section 2.4.",
    total: "This amount was taken off, in the store's currency; its type is not shown. Section 2.4.",
    total_points: "The type of this field is not shown. Section 2.4.",
    coupon_id: "The type of this field is not shown. Section 2.4.",
    coupon_name: "The type of this field is not shown. Section 2.4.",
    item_id: "The type of this field is not shown. Section 2.4.",
    item_name: "The type of this field is not shown. Section 2.4.",
  },
  Payment: {
    total: "This amount is paid, in the store's currency; its type is not shown. Section 2.5.",
    payment_fee: "The payment costs this fee, in the store's currency; its type is not shown. Section 2.5.",
    payment_type: "The type of this field is not shown. Section 2.5.",
    status: "The type of this field is not shown. Section 2.5.",
    payment_method: "The type of this field is not shown. Section 2.5.",
    card_number: "The type of this field is not shown. Section 2.5.",
    card_brand: "The type of this field is not shown. Section 2.5.",
    observation: "The type of this field is not shown. Section 2.5.",
    change_for: "One example names the amount of the change so; its type is not shown. Section 2.5.",
    change_of: "Another example names the amount of the change so; its type is not shown. Section 2.5.",
  },
  Summary: {
    total_order_count: "This many orders count. Section 2.8.",
    total_revenue: "The revenue is the sum of the orders' totals, in the store's currency. Section 2.8.",
    average_order_value:
      "The average is the revenue for an order, in the store's currency, with at most two decimals. Section 2.8.",
  },
  Group: {
    key: "The key identifies the group; null stands for the orders that have no value. Its form is not shown. Section 4.7.",
    label: "People call the group by this label. Section 4.7.",
    total_order_count: "This many orders count. Section 2.8.",
    total_revenue: "The revenue is the sum of the orders' totals, in the store's currency. Section 2.8.",
    average_order_value:
      "The average is the revenue for an order, in the store's currency, with at most two decimals. Section 2.8.",
  },
  GroupedSummary: {
    group_by: "The orders are grouped by this dimension, which was asked for. Section 4.7.",
    groups:
      "There is one group for each value that orders have. The order of the groups is not shown. Section 4.7.",
  },
  PrefilledOrder: {
    id: "This text identifies the pre-filled order, which is no order yet. Section 2.7.",
    order_url: "This menu page opens the pre-filled order. Section 2.7.",
    checkout_url: "This menu page is the checkout of the pre-filled order. Section 2.7.",
  },
  OrderId: {
    order_id: "The order's unique id goes into one segment of the path. Section 4.",
  },
  AssignDriver: {
    driver_id: "The store has an active driver of this id, at least 1. Section 4.1.",
    driver_fee:
      "The fee is in the store's currency, at least 0, with at most two decimals. 0 stands for a delivery at no cost, null removes the fee, and without this field the fee is kept. Section 4.1.",
  },
  CancelOrder: {
    cancellation_reason: "This reason is stored with the order. Section 4.2.",
  },
  NewPrefilledOrder: {
    order_type: "The customer gets the order in this way. Section 4.9.",
    customer: "This customer orders. Section 4.9.",
    cart: "These items are ordered. Section 4.9.",
    delivery_address:
      "The order goes to this address. It is allowed only where order_type is delivery. Section 4.9.",
  },
  NewCustomer: {
    name: "The customer has this name. Section 4.9.",
    phone: "The customer has this phone number, digits only, with its area code. Section 4.9.",
  },
  CartItem: {
    item_id: "The item has this id in the store's catalog. Section 4.9.",
    quantity: "The item is ordered this many times, a whole number. Section 4.9.",
    observation: "The item carries this note to the kitchen. Section 4.9.",
    option_groups: "Options of the item stand under the group that they belong to. Section 4.9.",
    combo_steps: "In each step of a combo something is chosen. Section 4.9.",
  },
  CartOptionGroup: {
    option_group_id: "The group has this id in the store's catalog. Section 4.9.",
    options: "These options are chosen from the group. Section 4.9.",
  },
  CartOption: {
    option_id: "The option has this id in the store's catalog. Section 4.9.",
    quantity: "The option is chosen this many times, a whole number. Section 4.9.",
  },
  ComboStep: {
    combo_step_id: "The step has this id in the store's catalog. Section 4.9.",
    item: "This item is chosen in the step. Section 4.9.",
  },
  ComboItem: {
    item_id: "The item has this id in the store's catalog. Section 4.9.",
    observation: "The item carries this note to the kitchen. Section 4.9.",
    option_groups: "Options of the item stand under the group that they belong to. Section 4.9.",
  },
  Filters: {
    order_type_in: "The order's type is one of these. Section 4.8.",
    order_type_not_in: "The order's type is none of these. Section 4.8.",
    order_timing_in: "The order's timing is one of these. Section 4.8.",
    order_timing_not_in: "The order's timing is none of these. Section 4.8.",
    sales_channel_in: "The order's channel is one of these. A service may add values. Section 4.8.",
    sales_channel_not_in: "The order's channel is none of these. A service may add values. Section 4.8.",
    status_in: "The status is one of these. Section 4.8.",
    status_not_in: "The status is none of these. Section 4.8.",
    payment_method_id_in: "The payment method's id is one of these. Section 4.8.",
    payment_method_id_not_in: "The payment method's id is none of these. Section 4.8.",
    driver_id_in: "The driver's id, at least 1, is one of these. Section 4.8.",
    driver_id_not_in: "The driver's id, at least 1, is none of these. Section 4.8.",
    customer_origin_in: "The origin tag, at most 255 characters, is one of these. Section 4.8.",
    customer_origin_not_in: "The origin tag, at most 255 characters, is none of these. Section 4.8.",
    customer_origin_null: "The order has no origin tag. Section 4.8.",
    customer_origin_not_null: "The order has an origin tag. Section 4.8.",
    created_at_time_eq: "The time of day of created_at, HH:MM, is this. Section 4.8.",
    created_at_time_gt: "The time of day of created_at, HH:MM, is above this. Section 4.8.",
    created_at_time_lt: "The time of day of created_at, HH:MM, is below this. Section 4.8.",
    created_at_time_gteq: "The time of day of created_at, HH:MM, is this or above. Section 4.8.",
    created_at_time_lteq: "The time of day of created_at, HH:MM, is this or below. Section 4.8.",
    total_eq: "The order's total, in the store's currency, at most two decimals, is this. Section 4.8.",
    total_not_eq:
      "The order's total, in the store's currency, at most two decimals, is not this. Section 4.8.",
    total_gt: "The order's total, in the store's currency, at most two decimals, is above this. Section 4.8.",
    total_lt: "The order's total, in the store's currency, at most two decimals, is below this. Section 4.8.",
    total_gteq:
      "The order's total, in the store's currency, at most two decimals, is this or above. Section 4.8.",
    total_lteq:
      "The order's total, in the store's currency, at most two decimals, is this or below. Section 4.8.",
    delivery_fee_eq: "The delivery fee, in the store's currency, at most two decimals, is this. Section 4.8.",
    delivery_fee_not_eq:
      "The delivery fee, in the store's currency, at most two decimals, is not this. Section 4.8.",
    delivery_fee_gt:
      "The delivery fee, in the store's currency, at most two decimals, is above this. Section 4.8.",
    delivery_fee_lt:
      "The delivery fee, in the store's currency, at most two decimals, is below this. Section 4.8.",
    delivery_fee_gteq:
      "The delivery fee, in the store's currency, at most two decimals, is this or above. Section 4.8.",
    delivery_fee_lteq:
      "The delivery fee, in the store's currency, at most two decimals, is this or below. Section 4.8.",
  },
  GroupedSummaryQuery: {
    start_date:
      "The period begins here, this moment included: ISO 8601 with an offset, or with date_field scheduled_date a date, YYYY-MM-DD. It lies at most 3 years back. Section 4.6.",
    end_date: "The period ends here, in the form of start_date, at most 6 months after it. Section 4.6.",
    date_field:
      "This date of an order counts: when it was made, which is the default, or when it is scheduled for. Section 4.6.",
    filters: "All of these filters must hold. Section 4.8.",
    group_by:
      "Orders are grouped by this dimension. Dimensions of time go by the store's time zone. hour can't be asked for where date_field is scheduled_date. Section 4.7.",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** No type of the library shows these bodies: errors, and what the sign-in sends and gets. */
export const bodyDescriptions = {
  Error: {
    code: "The code says what went wrong: 4000, 4002, 4010 or 4041. None is shown for 403 and 429. Section 7.",
    message: "The message says in words what went wrong. Section 7.",
    details: "The service may tell the cause. Section 7.",
  },
  AuthorizationCodeGrant: {
    grant_type: "The grant type is always authorization_code. Section 5.2.",
    code: "The redirect brought this code. It must not be logged. Section 5.2.",
    redirect_uri: "The address is the same as in the authorization URL. Section 5.2.",
    client_id: "This public id identifies the app. There is no client secret. Section 5.2.",
    code_verifier:
      "The verifier has 43 to 128 characters; the authorization URL carried its challenge. It must not be logged. Section 5.2.",
  },
  RefreshTokenGrant: {
    grant_type: "The grant type is always refresh_token. Section 5.2.",
    refresh_token: "This is the store's refresh token. It must not be logged. Section 5.2.",
    client_id: "This public id identifies the app. There is no client secret. Section 5.2.",
  },
  TokenResponse: {
    access_token: "The token goes with each call as Bearer. It must not be logged. Section 5.2.",
    token_type: "The type is Bearer. Section 5.2.",
    expires_in: "The access token lives this many seconds: 7200. Section 5.2.",
    refresh_token: "The token is exchanged for the next access token. It must not be logged. Section 5.2.",
    scope: "These scopes were granted, with spaces between them. Section 5.2.",
  },
  RevokeRequest: {
    token: "The token is an access token or a refresh token. Section 4.11.",
    client_id: "This public id identifies the app. Section 4.11.",
  },
  OAuthError: {
    error: "The name says what went wrong. A service may add values. Section 7.",
    error_description: "The description says in words what went wrong (RFC 6749, 5.2). Section 7.",
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
