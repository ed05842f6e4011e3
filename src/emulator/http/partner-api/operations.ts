/**
 * The operations of the partner API, and what each of them does once it is let through. Path, credentials, scopes, rate
 * limit and schemas come from the contract.
 */
import { Hono } from "hono";

import { allOperations, oauthOperations } from "../../../contract/oauth-operations.js";
import type { Operation, StatusChange } from "../../../contract/operations.js";
import type { CallableOperation, OperationOutputs } from "../../../contract/models.js";
import type { AssignDriverBody } from "../../../contract/order-calls.js";
import {
  invalidParameters,
  notFound,
  prefilledOrderSuccess,
  statusCannotChange,
  statusChangeSuccess,
} from "../../domain/choices.js";
import type { OrderRecord } from "../../domain/orders.js";
import { summarize, summarizeGrouped } from "../../domain/summary/aggregate.js";
import { readGroupedQuery, readSummaryQuery, type QueryContext } from "../../domain/summary/query.js";
import { targetOf } from "../../domain/transitions.js";
import { createWallClock } from "../../domain/zone.js";
import { paymentMethods } from "../../seed/catalog.js";
import type { ServiceEnv, Service } from "../../service.js";
import { emptyAnswer, jsonAnswer, refuse } from "../answers.js";
import { readJsonBody, readOptionalJsonBody } from "../body.js";
import { resolveCart } from "../../domain/prefilled-orders.js";
import { checkoutPath, orderPath } from "../menu/paths.js";
import { admission, type Call } from "./access.js";

/** What the operation answers, or the refusal. */
type Answer<Output> = Output | Response;
type Handler<Output> = (call: Call) => Answer<Output> | Promise<Answer<Output>>;

const handlers: { readonly [Id in CallableOperation]: Handler<OperationOutputs[Id]> } = {
  dispatchOrder: (call) => onOrder(call, (order) => changeStatus(call, order, "dispatch")),
  deliverOrder: (call) => onOrder(call, (order) => changeStatus(call, order, "deliver")),
  finalizeOrder: (call) => onOrder(call, (order) => changeStatus(call, order, "finalize")),
  cancelOrder: (call) => onOrder(call, (order) => cancelOrder(call, order)),
  assignDriver: (call) => onOrder(call, (order) => assignDriver(call, order)),
  summary,
  groupedSummary,
  createPrefilledOrder,
};

/** What the emulator answers of the contract: these, and the two OAuth endpoints. */
export const servedOperations: readonly Operation[] = Object.values(allOperations).filter(
  ({ id }) => id in handlers || id in oauthOperations,
);

export function partnerApiRoutes(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  for (const [id, handler] of Object.entries<Handler<unknown>>(handlers)) {
    const operation = servedOperations.find((candidate) => candidate.id === id);
    if (operation) mount(app, service, operation, handler);
  }
  return app;
}

/** Without a promise where the handler needs none: that is the fast way out of the server. */
function mount(
  app: Hono<ServiceEnv>,
  service: Service,
  operation: Operation,
  handler: Handler<unknown>,
): void {
  const admit = admission(service, operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
  app.on(operation.method, path, (c): Response | Promise<Response> => {
    const call = admit(c);
    if (call instanceof Response) return call;
    const answer = handler(call);
    return answer instanceof Promise
      ? answer.then((settled: unknown) => written(operation, settled))
      : written(operation, answer);
  });
}

function written({ response }: Operation, answer: unknown): Response {
  if (answer instanceof Response) return answer;
  if (response.schema === null) return emptyAnswer(statusChangeSuccess);
  return jsonAnswer(answer, response.status === 200 ? 200 : prefilledOrderSuccess);
}

const orderId = /^[1-9]\d{0,15}$/;

/** Section 7, code 4041: another store's order does not exist for this one. */
function onOrder<Result>(
  { c, service, store }: Call,
  work: (order: OrderRecord) => Result,
): Result | Response {
  const text = c.req.param("order_id") ?? "";
  const order = orderId.test(text) ? service.world.orders.find(Number(text)) : undefined;
  return order?.storeId === store.id ? work(order) : refuse(notFound);
}

/** Sections 3 and 4.2 to 4.5. Where the order can't be changed, the answer is code 4002 and nothing has happened. */
function changeStatus(
  { service }: Call,
  order: OrderRecord,
  change: StatusChange,
  reason?: string,
): Answer<null> {
  const target = targetOf(change, order);
  if (target === undefined)
    return refuse(
      statusCannotChange(`A ${order.orderType} order can't go from ${order.status} by ${change}`),
    );
  if (change === "cancel") service.world.orders.cancel(order, reason);
  else service.world.orders.setStatus(order, target);
  return null;
}

/** Section 4.2. */
async function cancelOrder(call: Call, order: OrderRecord): Promise<Answer<null>> {
  const body = await readOptionalJsonBody(call.c, allOperations.cancelOrder.body.schema);
  return body.ok
    ? changeStatus(call, order, "cancel", body.value?.cancellation_reason)
    : refuse(body.refusal);
}

/** Section 4.1. */
async function assignDriver(
  call: Call,
  order: OrderRecord,
): Promise<Answer<OperationOutputs["assignDriver"]>> {
  const body = await readJsonBody(call.c, allOperations.assignDriver.body.schema);
  if (!body.ok) return refuse(body.refusal);
  const objection = objectionTo(call, order, body.value);
  if (objection !== undefined) return refuse(invalidParameters(objection));
  const { driver_id, driver_fee } = body.value;
  order.driverId = driver_id;
  // Omitted: the fee is kept.
  if (driver_fee !== undefined) order.driverFee = driver_fee;
  order.updatedAt = call.service.world.clock.now();
  return call.service.world.orders.full(order);
}

/** Rule 1, and "must be an active driver of the authenticated store". */
function objectionTo(
  { service, store }: Call,
  order: OrderRecord,
  body: AssignDriverBody,
): string | undefined {
  if (order.orderType !== "delivery") return "This operation is only for delivery orders";
  if (order.deliveredBy !== "merchant") return "The order must be delivered by the store itself";
  if (order.inDeliveryRoute) return "The order must not belong to a delivery route";
  const driver = service.world.drivers.get(body.driver_id);
  if (driver?.storeId !== store.id || !driver.active)
    return "driver_id must be an active driver of the store";
  return undefined;
}

/** Section 4.6. */
function summary(call: Call): Answer<OperationOutputs["summary"]> {
  const context = contextOf(call);
  const query = readSummaryQuery(new URL(call.c.req.url).searchParams, context);
  if (!query.ok) return refuse(invalidParameters(query.details));
  return summarize(call.service.world.orders.ofStore(call.store.id), query.value, context.clock);
}

/** Section 4.7. */
function groupedSummary(call: Call): Answer<OperationOutputs["groupedSummary"]> {
  const context = contextOf(call);
  const query = readGroupedQuery(new URL(call.c.req.url).searchParams, context);
  if (!query.ok) return refuse(invalidParameters(query.details));
  const { drivers, orders } = call.service.world;
  return summarizeGrouped(orders.ofStore(call.store.id), query.value, context.clock, {
    driver: (id) => drivers.get(id)?.name,
    paymentMethod: (id) => paymentMethods.find((method) => method.id === id)?.name,
  });
}

function contextOf({ service, store }: Call): QueryContext {
  return { now: service.world.clock.now(), clock: createWallClock(store.timeZone) };
}

/** Section 4.9. */
async function createPrefilledOrder({
  c,
  service,
  store,
}: Call): Promise<Answer<OperationOutputs["createPrefilledOrder"]>> {
  const body = await readJsonBody(c, allOperations.createPrefilledOrder.body.schema);
  if (!body.ok) return refuse(body.refusal);
  const { lines, problems } = resolveCart(body.value.cart);
  if (problems.length > 0) return refuse(invalidParameters(problems.join("; ")));
  const { prefilledOrders, clock } = service.world;
  const { id } = prefilledOrders.add({ storeId: store.id, createdAt: clock.now(), body: body.value, lines });
  // The menu is reached under the address that the API is.
  const { origin } = new URL(c.req.url);
  return {
    id,
    order_url: origin + orderPath(store.id, id),
    checkout_url: origin + checkoutPath(store.id, id),
  };
}
