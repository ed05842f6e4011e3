/**
 * The operations of the partner API, and what each of them does once it is let through. Path, credentials, scopes, rate
 * limit and schemas come from the contract.
 */
import { randomBytes } from "node:crypto";

import * as z from "zod/mini";

import { finalStatuses } from "../../api/enums.js";
import { errorCodes } from "../../api/errors.js";
import type { CallableOperation, OperationOutputs } from "../../api/models.js";
import { operations } from "../../api/operations.js";
import type { StatusChange } from "../../api/operations.js";
import { invalid, notFound, refused } from "../domain/refused.js";
import type { Store } from "../domain/model.js";
import type { OrderRecord } from "../domain/orders.js";
import { cartProblems } from "../domain/prefilled-orders.js";
import { readGroupedQuery, readSummaryQuery, type QueryContext } from "../domain/summary-query.js";
import { summarize, summarizeGrouped } from "../domain/summary.js";
import { createWallClock } from "../domain/time.js";
import { targetOf } from "../domain/transitions.js";
import { paymentMethods } from "../seed/catalog.js";
import type { Service } from "../service.js";
import { admit } from "./access.js";
import { bodyOf, type Incoming, jsonAnswer, parseBody, type Route, searchOf } from "./incoming.js";
import { orderPath } from "./pages.js";

/** A call that was let through. */
interface Call {
  readonly service: Service;
  readonly incoming: Incoming;
  /** The store that the credential stands for. */
  readonly store: Store;
}

/** A handler gives the operation's answer, or throws a `Refused`; without a promise where it needs none. */
type Handler<Output> = (call: Call) => Output | Promise<Output>;

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

export function partnerRoutes(service: Service): readonly Route[] {
  return Object.values(operations).map((operation) => {
    const { id, method, path, response } = operation;
    const handler: Handler<unknown> = handlers[id];
    const written = (answer: unknown) =>
      response.schema === null
        ? new Response(null, { status: 204 })
        : jsonAnswer(answer, response.status === 200 ? 200 : 201);
    return {
      method,
      path,
      answer: (incoming) => {
        const answer = handler({ service, incoming, store: admit(service, operation, incoming) });
        return answer instanceof Promise ? answer.then(written) : written(answer);
      },
    };
  });
}

/** Section 7, code 4041: another store's order does not exist for this one. */
function orderOf({ service, store, incoming }: Call): OrderRecord {
  const { order_id: text = "" } = incoming.params;
  const isId = /^[1-9]\d{0,15}$/.test(text);
  if (!isId && service.readings.order_id_form === 400)
    throw invalid("order_id must be an integer of at least 1");
  const order = isId ? service.world.orders.find(Number(text)) : undefined;
  if (order?.storeId === store.id) return order;
  throw notFound();
}

/** An operation that reads no body answers without a promise. */
function onOrder(change: StatusChange): Handler<null> {
  return (call) => {
    if (call.service.readings.unasked_body === "ignored") return changeStatus(call, orderOf(call), change);
    return bodyOf(call.incoming).then((body) => {
      if (body !== "") throw invalid("This operation takes no body");
      return changeStatus(call, orderOf(call), change);
    });
  };
}

/** The reading `check_order` says which is judged first. */
async function orderAndBody<Schema extends z.ZodMiniType>(
  call: Call,
  schema: Schema,
): Promise<{ readonly order: OrderRecord; readonly body: z.output<Schema> }> {
  const text = await bodyOf(call.incoming);
  if (call.service.readings.check_order === "order_first") orderOf(call);
  return { body: parseBody(call.incoming, text, schema), order: orderOf(call) };
}

/** Sections 3 and 4.2 to 4.5. Where the order can't be changed, the answer is code 4002 and nothing has happened. */
function changeStatus({ service }: Call, order: OrderRecord, change: StatusChange, reason?: string): null {
  const target = targetOf(change, order, service.readings);
  if (target === undefined)
    throw refused(409, "Order status cannot be changed", {
      code: errorCodes.statusCannotChange,
      details: `A ${order.orderType} order can't go from ${order.status} by ${change}`,
    });
  if (change === "cancel") service.world.orders.cancel(order, reason);
  else service.world.orders.setStatus(order, target);
  return null;
}

/** Section 4.2. */
async function cancelOrder(call: Call): Promise<null> {
  const { order, body } = await orderAndBody(call, z.optional(operations.cancelOrder.body.schema()));
  return changeStatus(call, order, "cancel", body?.cancellation_reason);
}

/** Section 4.1. */
async function assignDriver(call: Call): Promise<OperationOutputs["assignDriver"]> {
  const { order, body } = await orderAndBody(call, operations.assignDriver.body.schema());
  const { world, readings } = call.service;
  const isFinished = finalStatuses.some((status) => status === order.status);
  if (isFinished && readings.driver_on_finished === "refused")
    throw invalid("The driver of a finished order can't be changed");
  if (order.orderType !== "delivery") throw invalid("This operation is only for delivery orders");
  if (order.deliveredBy !== "merchant") throw invalid("The order must be delivered by the store itself");
  if (order.inDeliveryRoute) throw invalid("The order must not belong to a delivery route");
  const driver = world.drivers.get(body.driver_id);
  if (driver?.storeId !== call.store.id || !driver.active)
    throw invalid("driver_id must be an active driver of the store");
  order.driverId = driver.id;
  // Omitted: the fee is kept.
  if (body.driver_fee !== undefined) order.driverFee = body.driver_fee;
  order.updatedAt = world.clock.now();
  return world.orders.full(order);
}

/** Section 4.6. */
function summary(call: Call): OperationOutputs["summary"] {
  const context = contextOf(call);
  const query = readSummaryQuery(searchOf(call.incoming), context);
  return summarize(call.service.world.orders.ofStore(call.store.id), query, context);
}

/** Section 4.7. */
function groupedSummary(call: Call): OperationOutputs["groupedSummary"] {
  const context = contextOf(call);
  const query = readGroupedQuery(searchOf(call.incoming), context);
  const { world } = call.service;
  return summarizeGrouped(world.orders.ofStore(call.store.id), query, context, {
    driver: (id) => world.drivers.get(id)?.name,
    paymentMethod: (id) => paymentMethods.find((method) => method.id === id)?.name,
  });
}

function contextOf({ service, store }: Call): QueryContext {
  const clock = createWallClock(store.timeZone);
  return { now: service.world.clock.now(), clock, readings: service.readings };
}

/** Section 4.9. */
async function createPrefilledOrder(call: Call): Promise<OperationOutputs["createPrefilledOrder"]> {
  const { service, incoming, store } = call;
  const { prefilledOrders } = service.world;
  const body = parseBody(incoming, await bodyOf(incoming), operations.createPrefilledOrder.body.schema());
  const problems = cartProblems(body.cart);
  if (problems.length > 0) throw invalid(problems.join("; "));
  // The link shows the customer's name and address, so nobody may guess it.
  const id = randomBytes(9).toString("hex");
  prefilledOrders.push({ id, storeId: store.id, body });
  // The menu is reached under the address that the API is.
  const page = new URL(incoming.request.url).origin + orderPath(store.id, id);
  return { id, order_url: page, checkout_url: `${page}/checkout` };
}
