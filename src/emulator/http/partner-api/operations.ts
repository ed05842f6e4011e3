/**
 * The operations of the partner API, and what each of them does once it is let through. Path, credentials, scopes, rate
 * limit and schemas come from the contract.
 */
import { getPath, tryDecodeURIComponent } from "hono/utils/url";

import { finalStatuses } from "../../../contract/enums.js";
import { allOperations, oauthOperations } from "../../../contract/oauth-operations.js";
import type { Filter } from "../../../contract/filters.js";
import type { Operation, StatusChange } from "../../../contract/operations.js";
import type { CallableOperation, OperationOutputs } from "../../../contract/models.js";
import { invalidParameters, notFound, statusCannotChange } from "../../domain/choices.js";
import type { OrderRecord } from "../../domain/orders.js";
import { summarize, summarizeGrouped } from "../../domain/summary/aggregate.js";
import { readGroupedQuery, readSummaryQuery, type QueryContext } from "../../domain/summary/query.js";
import { itemsWithoutId, unknownValues } from "../../domain/strictness.js";
import { targetOf } from "../../domain/transitions.js";
import { createWallClock } from "../../domain/zone.js";
import { paymentMethods } from "../../seed/catalog.js";
import type { Service, ServiceContext } from "../../service.js";
import { emptyAnswer, jsonAnswer, refuse } from "../answers.js";
import { type Body, bodyOf, readJsonBody, readOptionalJsonBody } from "../body.js";
import { resolveCart } from "../../domain/prefilled-orders.js";
import { checkoutPath, orderPath } from "../menu/paths.js";
import { patternOf } from "../request-checks.js";
import { admission, type Call } from "./access.js";

/** Gives the operation's answer, or the refusal. */
type Answer<Output> = Output | Response;
type Handler<Output> = (call: Call, orderId: string) => Answer<Output> | Promise<Answer<Output>>;

const handlers: { readonly [Id in CallableOperation]: Handler<OperationOutputs[Id]> } = {
  dispatchOrder: (call, orderId) => onOrder(call, orderId, "dispatch"),
  deliverOrder: (call, orderId) => onOrder(call, orderId, "deliver"),
  finalizeOrder: (call, orderId) => onOrder(call, orderId, "finalize"),
  cancelOrder,
  assignDriver,
  summary,
  groupedSummary,
  createPrefilledOrder,
};

/** The emulator answers these operations of the contract, and the two OAuth endpoints. */
export const servedOperations: readonly Operation[] = Object.values(allOperations).filter(
  ({ id }) => id in handlers || id in oauthOperations,
);

/** Answers a call, without a promise where the handler needs none: that is the fast way out of the server. */
type Responder = (c: ServiceContext, orderId: string) => Response | Promise<Response>;

/**
 * The calls are routed by the contract. Hono's router would search its slow tree for every request, since its fast one
 * takes no name beside a parameter (`orders/prefilled_order`, `orders/{order_id}/dispatch`).
 *
 * @returns `undefined` for a request that isn't one of the API's calls
 */
export function partnerApi(
  service: Service,
): (c: ServiceContext, path: string) => Response | Promise<Response> | undefined {
  const routes = servedOperations.flatMap((operation) => {
    const handler = Object.entries<Handler<unknown>>(handlers).find(([id]) => id === operation.id)?.[1];
    const pattern = patternOf(operation.path);
    return handler
      ? [{ method: operation.method, pattern, respond: responder(service, operation, handler) }]
      : [];
  });
  return (c, path) => {
    const { method } = c.req.raw;
    const plainPath = path.includes("%") ? getPath(c.req.raw) : path;
    // A path that answers GET answers HEAD (RFC 9110, section 9.3.2).
    const plainMethod = method === "HEAD" ? "GET" : method;
    for (const route of routes) {
      const match = route.method === plainMethod ? route.pattern.exec(plainPath) : null;
      if (!match) continue;
      const [, orderId = ""] = match;
      const answer = route.respond(c, orderId.includes("%") ? tryDecodeURIComponent(orderId) : orderId);
      return method === "HEAD" ? Promise.resolve(answer).then((whole) => new Response(null, whole)) : answer;
    }
    return undefined;
  };
}

function responder(service: Service, operation: Operation, handler: Handler<unknown>): Responder {
  const admit = admission(service, operation);
  return (c, orderId) => {
    c.env.call.operation = operation.id;
    const call = admit(c);
    if (call instanceof Response) return call;
    const answer = handler(call, orderId);
    return answer instanceof Promise
      ? answer.then((settled: unknown) => written(operation, settled))
      : written(operation, answer);
  };
}

function written({ response }: Operation, answer: unknown): Response {
  if (answer instanceof Response) return answer;
  if (response.schema === null) return emptyAnswer(204);
  return jsonAnswer(answer, response.status === 200 ? 200 : 201);
}

const orderId = /^[1-9]\d{0,15}$/;

/** Section 7, code 4041: another store's order does not exist for this one. */
function orderOf({ service, store }: Call, text: string): OrderRecord | Response {
  const isId = orderId.test(text);
  if (!isId && service.readings.order_id_form === 400)
    return refuse(invalidParameters("order_id must be an integer of at least 1"));
  const order = isId ? service.world.orders.find(Number(text)) : undefined;
  return order?.storeId === store.id ? order : refuse(notFound);
}

/** An operation that reads no body answers without a promise. */
function onOrder(call: Call, orderId: string, change: StatusChange): Answer<null> | Promise<Answer<null>> {
  const work = () => {
    const order = orderOf(call, orderId);
    return order instanceof Response ? order : changeStatus(call, order, change);
  };
  if (call.service.readings.unasked_body === "ignored") return work();
  return bodyOf(call.c).then((body) =>
    body === "" ? work() : refuse(invalidParameters("This operation takes no body")),
  );
}

async function onOrderWithBody<Value, Result>(
  call: Call,
  orderId: string,
  body: Promise<Body<Value>>,
  work: (order: OrderRecord, body: Value) => Result,
): Promise<Result | Response> {
  const order = orderOf(call, orderId);
  const read = await body;
  const isOrderFirst = call.service.readings.check_order === "order_first";
  if (order instanceof Response && (isOrderFirst || read.ok)) return order;
  if (!read.ok) return refuse(read.refusal);
  return order instanceof Response ? order : work(order, read.value);
}

/** Sections 3 and 4.2 to 4.5. Where the order can't be changed, the answer is code 4002 and nothing has happened. */
function changeStatus(
  { service }: Call,
  order: OrderRecord,
  change: StatusChange,
  reason?: string,
): Answer<null> {
  const target = targetOf(change, order, service.readings);
  if (target === undefined)
    return refuse(
      statusCannotChange(`A ${order.orderType} order can't go from ${order.status} by ${change}`),
    );
  if (change === "cancel") service.world.orders.cancel(order, reason);
  else service.world.orders.setStatus(order, target);
  return null;
}

/** Section 4.2. */
function cancelOrder(call: Call, orderId: string): Promise<Answer<null>> {
  const body = readOptionalJsonBody(call.c, allOperations.cancelOrder.body.schema, call.service.strict);
  return onOrderWithBody(call, orderId, body, (order, value) =>
    changeStatus(call, order, "cancel", value?.cancellation_reason),
  );
}

/** Section 4.1. */
function assignDriver(call: Call, orderId: string): Promise<Answer<OperationOutputs["assignDriver"]>> {
  const body = readJsonBody(call.c, allOperations.assignDriver.body.schema);
  return onOrderWithBody(call, orderId, body, (order, { driver_id, driver_fee }) => {
    const objection = objectionTo(call, order, driver_id);
    if (objection !== undefined) return refuse(invalidParameters(objection));
    order.driverId = driver_id;
    // Omitted: the fee is kept.
    if (driver_fee !== undefined) order.driverFee = driver_fee;
    order.updatedAt = call.service.world.clock.now();
    return call.service.world.orders.full(order);
  });
}

/** Rule 1, and "must be an active driver of the authenticated store". */
function objectionTo({ service, store }: Call, order: OrderRecord, driverId: number): string | undefined {
  if (
    service.readings.driver_on_finished === "refused" &&
    finalStatuses.some((status) => status === order.status)
  )
    return "The driver of a finished order can't be changed";
  if (order.orderType !== "delivery") return "This operation is only for delivery orders";
  if (order.deliveredBy !== "merchant") return "The order must be delivered by the store itself";
  if (order.inDeliveryRoute) return "The order must not belong to a delivery route";
  const driver = service.world.drivers.get(driverId);
  if (driver?.storeId !== store.id || !driver.active)
    return "driver_id must be an active driver of the store";
  return undefined;
}

/** Section 4.6. */
function summary(call: Call): Answer<OperationOutputs["summary"]> {
  const context = contextOf(call);
  const query = readSummaryQuery(new URL(call.c.req.raw.url).searchParams, context);
  if (!query.ok) return refuse(invalidParameters(query.details));
  const unknown = unknownIn(call, query.value.filters);
  if (unknown) return unknown;
  return summarize(call.service.world.orders.ofStore(call.store.id), query.value, context);
}

/** Section 4.7. */
function groupedSummary(call: Call): Answer<OperationOutputs["groupedSummary"]> {
  const context = contextOf(call);
  const query = readGroupedQuery(new URL(call.c.req.raw.url).searchParams, context);
  if (!query.ok) return refuse(invalidParameters(query.details));
  const unknown = unknownIn(call, query.value.filters);
  if (unknown) return unknown;
  const { drivers, orders } = call.service.world;
  return summarizeGrouped(orders.ofStore(call.store.id), query.value, context, {
    driver: (id) => drivers.get(id)?.name,
    paymentMethod: (id) => paymentMethods.find((method) => method.id === id)?.name,
  });
}

/** In all stores: who asks for many of them has one filter for all. */
function unknownIn({ service }: Call, filters: readonly Filter[]): Response | undefined {
  if (!service.strict) return undefined;
  const unknown = unknownValues(filters, service.world);
  return unknown.length === 0 ? undefined : refuse(invalidParameters(unknown.join("; ")));
}

function contextOf({ service, store }: Call): QueryContext {
  const clock = createWallClock(store.timeZone);
  return { now: service.world.clock.now(), clock, readings: service.readings };
}

/** Section 4.9. */
async function createPrefilledOrder({
  c,
  service,
  store,
}: Call): Promise<Answer<OperationOutputs["createPrefilledOrder"]>> {
  const body = await readJsonBody(c, allOperations.createPrefilledOrder.body.schema, service.strict);
  if (!body.ok) return refuse(body.refusal);
  const { lines, problems: missing } = resolveCart(body.value.cart, service.world.catalogs.get(store.id));
  const problems = service.strict ? [...itemsWithoutId(body.value.cart), ...missing] : missing;
  if (problems.length > 0) return refuse(invalidParameters(problems.join("; ")));
  const { prefilledOrders, clock } = service.world;
  const { id } = prefilledOrders.add({ storeId: store.id, createdAt: clock.now(), body: body.value, lines });
  // The menu is reached under the address that the API is.
  const { origin } = new URL(c.req.raw.url);
  return {
    id,
    order_url: origin + orderPath(store.id, id),
    checkout_url: origin + checkoutPath(store.id, id),
  };
}
