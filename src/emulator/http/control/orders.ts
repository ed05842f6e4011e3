/** Lets tests look at orders, make one and end a cancellation, and see what the stores sell. */
import * as z from "zod/mini";

import { orderStatuses, orderTypes } from "../../../contract/enums.js";
import { checked } from "../body.js";
import type { Order } from "../../../contract/models.js";
import { numberFromCents } from "../../../contract/money.js";
import { invalid, notFound, Refused } from "../../domain/choices.js";
import type { OrderRecord } from "../../domain/orders.js";
import type { World } from "../../domain/world.js";
import type { CatalogItem, OptionGroup } from "../../seed/catalog.js";
import type { Service } from "../../service.js";
import { type ControlEndpoint, type ControlRequest, taking } from "./endpoint.js";
import { createOrder, newOrderSchema } from "./new-order.js";

export interface OrderView extends Order {
  readonly _emulator: {
    /** An order of a delivery route gets no driver of its own (section 4.1). */
    readonly in_delivery_route: boolean;
    readonly payment_method_ids: readonly number[];
  };
}

const number = z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a number of at least 1"));
const filterSchema = z.strictObject({
  store: z.optional(number),
  status: z.optional(z.enum(orderStatuses)),
  order_type: z.optional(z.enum(orderTypes)),
  limit: z.optional(number),
  offset: z.optional(z.string().check(z.regex(/^\d{1,15}$/, "must be a number of at least 0"))),
});
const usualLimit = 50;
/** One page has at most this many orders. */
const largestLimit = 1_000;

const results = z.enum(["succeeds", "fails"]);
const cancellationSchema = z.strictObject({
  after_seconds: z.optional(z.nullable(z.number().check(z.minimum(0)))),
  result: z.optional(results),
});

export const orderEndpoints: readonly ControlEndpoint[] = [
  {
    method: "GET",
    path: "/orders",
    what: "Orders, newest first: ?store= &status= &order_type= &limit= &offset=; next leads on",
    query: Object.keys(filterSchema.shape),
    answer: ({ world }, { url }) => listOrders(world, url),
  },
  {
    method: "POST",
    path: "/orders",
    what: "Makes an order; what isn’t named is made up",
    status: 201,
    ...taking(newOrderSchema, ({ world }, order) => viewOf(world, createOrder(world, order))),
  },
  {
    method: "GET",
    path: "/orders/:id",
    what: "One order",
    answer: ({ world }, request) => viewOf(world, orderOf(world, request)),
  },
  {
    method: "POST",
    path: "/orders/:id/cancellation",
    what: "Ends a cancellation that is under way: {result}",
    ...taking(z.strictObject({ result: results }), ({ world }, { result }, request) => {
      const record = orderOf(world, request);
      if (record.status !== "canceling") throw invalid(`The order is ${record.status}`);
      world.orders.endCancellation(record, result);
      return viewOf(world, record);
    }),
  },
  {
    method: "GET",
    path: "/cancellation",
    what: "How cancellations of orders paid online by credit card end",
    answer: cancellationView,
  },
  {
    method: "PUT",
    path: "/cancellation",
    what: "The same, changed: {after_seconds, result}",
    ...taking(cancellationSchema, (service, { after_seconds, result }) => {
      const settings = service.world.orders.cancellation;
      if (after_seconds !== undefined) settings.afterSeconds = after_seconds;
      if (result !== undefined) settings.result = result;
      return cancellationView(service);
    }),
  },
  {
    method: "GET",
    path: "/catalog",
    what: "What a store sells: ?store=; items, option groups and combo steps with their ids",
    query: ["store"],
    answer: ({ world }, { url }) => {
      const store = url.searchParams.get("store") ?? String([...world.stores.keys()][0]);
      const catalog = world.catalogs.get(Number(store));
      if (!catalog) throw invalid(`store: there is no store ${store}`);
      return { items: catalog.items.map(itemView) };
    },
  },
  {
    method: "GET",
    path: "/prefilled-orders",
    what: "Pre-filled orders as they came in, newest first",
    answer: ({ world }) => ({
      prefilled_orders: world.prefilledOrders
        .all()
        .toReversed()
        .map(({ id, storeId, createdAt, body }) => ({
          id,
          store_id: storeId,
          created_at: new Date(createdAt).toISOString(),
          body,
        })),
    }),
  },
];

function listOrders(world: World, url: URL) {
  const query = checked(filterSchema, Object.fromEntries(url.searchParams), "The query");
  const { store, status, order_type, limit = usualLimit, offset = 0 } = query;
  const records = store === undefined ? [...world.orders.all()] : world.orders.ofStore(Number(store));
  const matching = records
    .filter(
      (record) =>
        (status === undefined || record.status === status) &&
        (order_type === undefined || record.orderType === order_type),
    )
    .reverse();
  const end = Number(offset) + Math.min(Number(limit), largestLimit);
  const next = new URLSearchParams(url.searchParams);
  next.set("offset", String(end));
  return {
    total: matching.length,
    orders: matching.slice(Number(offset), end).map((record) => viewOf(world, record)),
    /** The path of the next page. */
    next: end < matching.length ? `${url.pathname}?${next.toString()}` : null,
  };
}

function orderOf({ orders }: World, { id }: ControlRequest): OrderRecord {
  const record = z.safeParse(number, id).success ? orders.find(Number(id)) : undefined;
  if (record) return record;
  throw new Refused(notFound);
}

function viewOf({ orders }: World, record: OrderRecord): OrderView {
  return {
    ...orders.full(record),
    _emulator: {
      in_delivery_route: record.inDeliveryRoute,
      payment_method_ids: record.paymentMethodIds,
    },
  };
}

function cancellationView({ world }: Service) {
  const { afterSeconds, result } = world.orders.cancellation;
  return { after_seconds: afterSeconds, result };
}

function itemView({ id, externalCode, name, price, byWeight, groups, steps }: CatalogItem) {
  return {
    item_id: id,
    external_code: externalCode,
    name,
    kind: steps ? "combo" : "regular_item",
    price: numberFromCents(price),
    by_weight: byWeight ?? false,
    option_groups: groups.map(groupView),
    combo_steps: (steps ?? []).map((step) => ({
      combo_step_id: step.id,
      name: step.name,
      items: step.items.map((item) => ({
        item_id: item.id,
        name: item.name,
        option_groups: item.groups.map(groupView),
      })),
    })),
  };
}

function groupView({ id, name, options }: OptionGroup) {
  return {
    option_group_id: id,
    name,
    options: options.map((option) => ({
      option_id: option.id,
      name: option.name,
      price: numberFromCents(option.price),
    })),
  };
}
