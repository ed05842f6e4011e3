/** Implements the operations of the partner API. The contract defines their paths, access rules and schemas. */
import { randomBytes } from "node:crypto";

import * as z from "zod/mini";

import { finalStatuses, errorCodes } from "../../api/values.js";
import {
  type CallableOperation,
  type OperationOutputs,
  operations,
  type StatusChange,
  type statusChanges,
  statusChangeTexts,
} from "../../api/operations.js";
import { invalid, notFound, refused } from "../domain/refused.js";
import { capitalized } from "../../languages/language.js";
import type { Store } from "../inputs.js";
import type { OrderRecord } from "../domain/orders.js";
import { summarize, summarizeGrouped } from "../domain/summary.js";
import { createWallClock } from "../domain/time.js";
import { targetOf } from "../domain/transitions.js";
import { paymentMethods } from "../seed/orders.js";
import type { Service } from "../service.js";
import { admit } from "./access.js";
import { bodyOf, type Incoming, jsonAnswer, parseBody, type Route, searchOf } from "./incoming.js";
import { orderPath } from "./pages.js";

/** Returns the operation's answer or throws a `Refused`, without a promise if possible. */
type Handler<Output> = (incoming: Incoming, store: Store) => Output | Promise<Output>;

export function partnerRoutes(service: Service): readonly Route[] {
  const handlers = handlersOf(service);
  return Object.values(operations).map((operation) => {
    const { response } = operation;
    const handler: Handler<unknown> =
      "change" in operation && operation.change !== "cancel"
        ? handlers.changeTo(operation.change)
        : handlers[operation.id];
    const written = (answer: unknown) =>
      response.schema === null
        ? new Response(null, { status: 204 })
        : jsonAnswer(answer, response.status === 200 ? 200 : 201);
    return {
      ...operation,
      answer: (incoming) => {
        const answer = handler(incoming, admit(service, operation, incoming));
        return answer instanceof Promise ? answer.then(written) : written(answer);
      },
    };
  });
}

/** The status changes whose calls have no body. */
type PlainChange = Exclude<StatusChange, "cancel">;

function handlersOf({ world, readings }: Service): {
  readonly changeTo: (change: PlainChange) => Handler<null>;
} & {
  readonly [Id in Exclude<CallableOperation, (typeof statusChanges)[PlainChange]["id"]>]: Handler<
    OperationOutputs[Id]
  >;
} {
  /** Finds an order of the store. An order of another store isn't found (section 7, code 4041). */
  const orderOf = ({ params }: Incoming, store: Store): OrderRecord => {
    const { order_id: text = "" } = params;
    const isId = /^[1-9]\d{0,15}$/.test(text);
    if (!isId && readings.order_id_form === 400) throw invalid("order_id must be an integer of at least 1");
    const order = isId ? world.orders.find(Number(text)) : undefined;
    if (order?.storeId === store.id) return order;
    throw notFound();
  };

  /** Checks the order and the body, in the sequence of the reading `check_order`. */
  const orderAndBody = async <Schema extends z.core.$ZodType>(
    incoming: Incoming,
    store: Store,
    schema: Schema,
  ): Promise<{ readonly order: OrderRecord; readonly body: z.output<Schema> }> => {
    const text = await bodyOf(incoming);
    if (readings.check_order === "order_first") orderOf(incoming, store);
    return { body: parseBody(incoming, text, schema), order: orderOf(incoming, store) };
  };

  /** Changes an order's status (sections 3 and 4.2 to 4.5), or throws code 4002 if the status doesn't allow it. */
  const changeStatus = (order: OrderRecord, change: StatusChange, reason?: string): null => {
    const target = targetOf(change, order, readings);
    if (target === undefined)
      throw refused(409, "Order status cannot be changed", {
        code: errorCodes.statusCannotChange,
        details: `${capitalized(order.orderType)} orders that are ${order.status} can't be ${statusChangeTexts[change].done}`,
      });
    if (change === "cancel") world.orders.cancel(order, reason);
    else world.orders.setStatus(order, target);
    return null;
  };

  const contextOf = (store: Store) => ({
    now: world.clock.now(),
    clock: createWallClock(store.timeZone),
    readings,
  });

  return {
    changeTo: (change) => (incoming, store) => {
      if (readings.unasked_body === "ignored") return changeStatus(orderOf(incoming, store), change);
      return bodyOf(incoming).then((body) => {
        if (body !== "") throw invalid("This operation takes no body");
        return changeStatus(orderOf(incoming, store), change);
      });
    },

    async cancelOrder(incoming, store) {
      const schema = z.optional(operations.cancelOrder.body.schema());
      const { order, body } = await orderAndBody(incoming, store, schema);
      return changeStatus(order, "cancel", body?.cancellation_reason);
    },

    async assignDriver(incoming, store) {
      const { order, body } = await orderAndBody(incoming, store, operations.assignDriver.body.schema());
      const isFinished = finalStatuses.some((status) => status === order.status);
      if (isFinished && readings.driver_on_finished === "refused")
        throw invalid("The driver of a finished order can't be changed");
      if (order.orderType !== "delivery") throw invalid("This operation is only for delivery orders");
      if (order.deliveredBy !== "merchant") throw invalid("The order must be delivered by the store itself");
      if (order.inDeliveryRoute) throw invalid("The order must not belong to a delivery route");
      const driver = world.drivers.get(body.driver_id);
      if (driver?.storeId !== store.id || !driver.active)
        throw invalid("driver_id must be an active driver of the store");
      order.driverId = driver.id;
      if (body.driver_fee !== undefined) order.driverFee = body.driver_fee;
      order.updatedAt = world.clock.now();
      return world.orders.full(order);
    },

    summary(incoming, store) {
      return summarize(searchOf(incoming), world.orders.ofStore(store.id), contextOf(store));
    },

    groupedSummary(incoming, store) {
      return summarizeGrouped(searchOf(incoming), world.orders.ofStore(store.id), contextOf(store), {
        driver: (id) => world.drivers.get(id)?.name,
        paymentMethod: (id) => paymentMethods.find((method) => method.id === id)?.name,
      });
    },

    async createPrefilledOrder(incoming, store) {
      const schema = operations.createPrefilledOrder.body.schema();
      const body = parseBody(incoming, await bodyOf(incoming), schema);
      // The linked page shows the customer's name and address, so the id must not be guessable.
      const id = randomBytes(9).toString("hex");
      world.prefilledOrders.push({ id, storeId: store.id, body });
      const page = new URL(incoming.request.url).origin + orderPath(store.id, id);
      return { id, order_url: page, checkout_url: `${page}/checkout` };
    },
  };
}
