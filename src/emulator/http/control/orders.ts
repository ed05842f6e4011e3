/** Lets tests look at orders, make one and end a cancellation at `/_emulator/orders`. */
import { type Context, Hono } from "hono";
import * as z from "zod/mini";

import { orderStatuses, orderTypes } from "../../../contract/enums.js";
import { check, detailsOf } from "../../../contract/input.js";
import type { Order } from "../../../contract/models.js";
import { invalidParameters, notFound } from "../../domain/choices.js";
import type { OrderBook, OrderRecord } from "../../domain/orders.js";
import { jsonAnswer, refuse } from "../answers.js";
import { readJsonBody } from "../body.js";
import { createOrder, newOrderSchema } from "./new-order.js";
import type { ServiceEnv, Service } from "../../service.js";

export interface OrderView extends Order {
  readonly _emulator: {
    /** An order of a delivery route gets no driver of its own (section 4.1). */
    readonly in_delivery_route: boolean;
    readonly payment_method_ids: readonly number[];
  };
}

function viewOf(orders: OrderBook, record: OrderRecord): OrderView {
  return {
    ...orders.full(record),
    _emulator: {
      in_delivery_route: record.inDeliveryRoute,
      payment_method_ids: record.paymentMethodIds,
    },
  };
}

const number = z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a number of at least 1"));
export const filterSchema = z.strictObject({
  store: z.optional(number),
  status: z.optional(z.enum(orderStatuses)),
  order_type: z.optional(z.enum(orderTypes)),
  limit: z.optional(number),
  offset: z.optional(z.string().check(z.regex(/^\d{1,15}$/, "must be a number of at least 0"))),
});
const usualLimit = 50;
/** One page has at most this many orders. */
const largestLimit = 1_000;

export const cancellationSchema = z.strictObject({
  after_seconds: z.optional(z.nullable(z.number().check(z.minimum(0)))),
  result: z.optional(z.enum(["succeeds", "fails"])),
});
export const endSchema = z.strictObject({ result: z.enum(["succeeds", "fails"]) });

export function orderControl(service: Service): Hono<ServiceEnv> {
  const { world } = service;
  const app = new Hono<ServiceEnv>();

  /** Lists the newest first, a page at a time: `next` is the path of the next page, or null. */
  app.get("/orders", (c) => {
    const query = check(filterSchema, c.req.query(), { owner: "The query", kind: "field" });
    if (!query.ok) return refuse(invalidParameters(detailsOf(query)));
    const { store, status, order_type, limit = usualLimit, offset = 0 } = query.value;
    const records = store === undefined ? [...world.orders.all()] : world.orders.ofStore(Number(store));
    const matching = records
      .filter(
        (record) =>
          (status === undefined || record.status === status) &&
          (order_type === undefined || record.orderType === order_type),
      )
      .reverse();
    const end = Number(offset) + Math.min(Number(limit), largestLimit);
    const orders = matching.slice(Number(offset), end);
    return jsonAnswer({
      total: matching.length,
      orders: orders.map((record) => viewOf(world.orders, record)),
      next: end < matching.length ? pageFrom(c, end) : null,
    });
  });

  app.get("/orders/:id", (c) => {
    const record = find(c);
    return record ? jsonAnswer(viewOf(world.orders, record)) : refuse(notFound);
  });

  app.post("/orders", async (c) => {
    const body = await readJsonBody(c, newOrderSchema);
    if (!body.ok) return refuse(body.refusal);
    const order = createOrder(world, body.value);
    if ("problem" in order) return refuse(invalidParameters(order.problem));
    return jsonAnswer(viewOf(world.orders, order), 201);
  });

  /** Applies the internal result of section 3 to one order that is being cancelled. */
  app.post("/orders/:id/cancellation", async (c) => {
    const record = find(c);
    if (!record) return refuse(notFound);
    const body = await readJsonBody(c, endSchema);
    if (!body.ok) return refuse(body.refusal);
    if (record.status !== "canceling") return refuse(invalidParameters(`The order is ${record.status}`));
    world.orders.endCancellation(record, body.value.result);
    return jsonAnswer(viewOf(world.orders, record));
  });

  const cancellation = (): Response => {
    const { afterSeconds, result } = world.orders.cancellation;
    return jsonAnswer({ after_seconds: afterSeconds, result });
  };
  app.get("/cancellation", cancellation);
  app.put("/cancellation", async (c) => {
    const body = await readJsonBody(c, cancellationSchema);
    if (!body.ok) return refuse(body.refusal);
    const { after_seconds, result } = body.value;
    const settings = world.orders.cancellation;
    if (after_seconds !== undefined) settings.afterSeconds = after_seconds;
    if (result !== undefined) settings.result = result;
    return cancellation();
  });

  function find(c: Context<ServiceEnv>): OrderRecord | undefined {
    const text = c.req.param("id") ?? "";
    return z.safeParse(number, text).success ? world.orders.find(Number(text)) : undefined;
  }
  return app;
}

/** Makes the path of the same list from another place on. */
function pageFrom(c: Context<ServiceEnv>, offset: number): string {
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("offset", String(offset));
  return `${pathname}?${searchParams.toString()}`;
}
