/**
 * The operations of the partner API, and what each of them does once it is let through. Path, credentials, scopes, rate
 * limit and schemas come from the contract.
 */
import { getPath, tryDecodeURIComponent } from "hono/utils/url";
import * as z from "zod/mini";

import { finalStatuses } from "../../../contract/enums.js";
import { allOperations, oauthOperations } from "../../../contract/oauth-operations.js";
import type { Filter } from "../../../contract/filters.js";
import type { Operation, StatusChange } from "../../../contract/operations.js";
import type { CallableOperation, OperationOutputs } from "../../../contract/models.js";
import { invalid, notFound, Refused, statusCannotChange } from "../../domain/choices.js";
import type { OrderRecord } from "../../domain/orders.js";
import { summarize, summarizeGrouped } from "../../domain/summary/aggregate.js";
import { readGroupedQuery, readSummaryQuery, type QueryContext } from "../../domain/summary/query.js";
import { unknownValues } from "../../domain/summary/select.js";
import { targetOf } from "../../domain/transitions.js";
import { createWallClock } from "../../domain/zone.js";
import { paymentMethods } from "../../seed/catalog.js";
import type { Service, ServiceContext } from "../../service.js";
import { emptyAnswer, jsonAnswer } from "../answers.js";
import { bodyOf, parseBody } from "../body.js";
import { resolveCart } from "../../domain/prefilled-orders.js";
import { checkoutPath, orderPath } from "../paths.js";
import { patternOf } from "../request-checks.js";
import { admission, type Call } from "./access.js";

/** A handler gives the operation's answer, or throws a `Refused`. */
type Handler<Output> = (call: Call, orderId: string) => Output | Promise<Output>;

const handlers: { readonly [Id in CallableOperation]: Handler<OperationOutputs[Id]> } = {
  dispatchOrder: onOrder("dispatch"),
  deliverOrder: onOrder("deliver"),
  finalizeOrder: onOrder("finalize"),
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

/** The answer is there without a promise where the handler needs none: that is the fast way out of the server. */
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
    const answer = handler(admit(c), orderId);
    return answer instanceof Promise
      ? answer.then((settled: unknown) => written(operation, settled))
      : written(operation, answer);
  };
}

function written({ response }: Operation, answer: unknown): Response {
  if (response.schema === null) return emptyAnswer(204);
  return jsonAnswer(answer, response.status === 200 ? 200 : 201);
}

/** Section 7, code 4041: another store's order does not exist for this one. */
function orderOf({ service, store }: Call, text: string): OrderRecord {
  const isId = /^[1-9]\d{0,15}$/.test(text);
  if (!isId && service.readings.order_id_form === 400)
    throw invalid("order_id must be an integer of at least 1");
  const order = isId ? service.world.orders.find(Number(text)) : undefined;
  if (order?.storeId === store.id) return order;
  throw new Refused(notFound);
}

/** An operation that reads no body answers without a promise. */
function onOrder(change: StatusChange): Handler<null> {
  return (call, orderId) => {
    if (call.service.readings.unasked_body === "ignored")
      return changeStatus(call, orderOf(call, orderId), change);
    return bodyOf(call.c).then((body) => {
      if (body !== "") throw invalid("This operation takes no body");
      return changeStatus(call, orderOf(call, orderId), change);
    });
  };
}

/** The reading `check_order` says which is judged first. */
async function orderAndBody<Schema extends z.ZodMiniType>(
  call: Call,
  orderId: string,
  schema: Schema,
): Promise<{ readonly order: OrderRecord; readonly body: z.output<Schema> }> {
  const text = await bodyOf(call.c);
  const order = () => orderOf(call, orderId);
  const body = () => parseBody(call.c, text, schema);
  if (call.service.readings.check_order === "order_first") return { order: order(), body: body() };
  return { body: body(), order: order() };
}

/** Sections 3 and 4.2 to 4.5. Where the order can't be changed, the answer is code 4002 and nothing has happened. */
function changeStatus({ service }: Call, order: OrderRecord, change: StatusChange, reason?: string): null {
  const target = targetOf(change, order, service.readings);
  if (target === undefined)
    throw new Refused(
      statusCannotChange(`A ${order.orderType} order can't go from ${order.status} by ${change}`),
    );
  if (change === "cancel") service.world.orders.cancel(order, reason);
  else service.world.orders.setStatus(order, target);
  return null;
}

/** Section 4.2. */
async function cancelOrder(call: Call, orderId: string): Promise<null> {
  const schema = z.optional(allOperations.cancelOrder.body.schema());
  const { order, body } = await orderAndBody(call, orderId, schema);
  return changeStatus(call, order, "cancel", body?.cancellation_reason);
}

/** Section 4.1. */
async function assignDriver(call: Call, orderId: string): Promise<OperationOutputs["assignDriver"]> {
  const { order, body } = await orderAndBody(call, orderId, allOperations.assignDriver.body.schema());
  const objection = objectionTo(call, order, body.driver_id);
  if (objection !== undefined) throw invalid(objection);
  order.driverId = body.driver_id;
  // Omitted: the fee is kept.
  if (body.driver_fee !== undefined) order.driverFee = body.driver_fee;
  order.updatedAt = call.service.world.clock.now();
  return call.service.world.orders.full(order);
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
function summary(call: Call): OperationOutputs["summary"] {
  const context = contextOf(call);
  const query = readSummaryQuery(searchOf(call), context);
  checkFilters(call, query.filters);
  return summarize(call.service.world.orders.ofStore(call.store.id), query, context);
}

/** Section 4.7. */
function groupedSummary(call: Call): OperationOutputs["groupedSummary"] {
  const context = contextOf(call);
  const query = readGroupedQuery(searchOf(call), context);
  checkFilters(call, query.filters);
  const { drivers, orders } = call.service.world;
  return summarizeGrouped(orders.ofStore(call.store.id), query, context, {
    driver: (id) => drivers.get(id)?.name,
    paymentMethod: (id) => paymentMethods.find((method) => method.id === id)?.name,
  });
}

function searchOf({ c }: Call): URLSearchParams {
  return new URL(c.req.raw.url).searchParams;
}

/** In all stores: who asks for many of them has one filter for all. */
function checkFilters({ service }: Call, filters: readonly Filter[]): void {
  const unknown = unknownValues(filters, service.world);
  if (unknown.length > 0) throw invalid(unknown.join("; "));
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
}: Call): Promise<OperationOutputs["createPrefilledOrder"]> {
  const { prefilledOrders, catalogs, clock } = service.world;
  const { schema } = allOperations.createPrefilledOrder.body;
  const body = parseBody(c, await bodyOf(c), schema());
  const { lines, problems } = resolveCart(body.cart, catalogs.get(store.id));
  if (problems.length > 0) throw invalid(problems.join("; "));
  const { id } = prefilledOrders.add({ storeId: store.id, createdAt: clock.now(), body, lines });
  // The menu is reached under the address that the API is.
  const { origin } = new URL(c.req.raw.url);
  return {
    id,
    order_url: origin + orderPath(store.id, id),
    checkout_url: origin + checkoutPath(store.id, id),
  };
}
