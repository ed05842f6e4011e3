/**
 * The control surface below `/_emulator`, in JSON, for people and tests. It is no part of the service, and no fault touches
 * it. Pages of other origins can't drive it, and where others than this machine may come in it asks for its token.
 */
import { timingSafeEqual } from "node:crypto";

import * as z from "zod/mini";

import { orderStatuses, orderTypes } from "../../api/enums.js";
import type { Order } from "../../api/models.js";
import { numberFromCents } from "../../api/money.js";
import { forbidden, invalid, notFound, Refused } from "../domain/choices.js";
import type { OrderRecord } from "../domain/orders.js";
import type { World } from "../domain/world.js";
import { chosenReadings } from "../readings.js";
import type { CatalogItem, OptionGroup } from "../seed/catalog.js";
import { everyScope, partnerKey } from "../seed/cast.js";
import type { Service } from "../service.js";
import { decideAsOwner, signInStore } from "../sign-in.js";
import { faultSchema } from "./faults.js";
import {
  bodyOf,
  checked,
  headerOf,
  type Incoming,
  isForeign,
  jsonAnswer,
  parseBody,
  type Route,
  searchOf,
} from "./incoming.js";
import { createOrder, newOrderSchema } from "./new-order.js";
import { authorizePath } from "./pages.js";

export const controlPath = "/_emulator";

interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path is below `/_emulator`. */
  readonly path: string;
  readonly what: string;
  /** Success has this status. */
  readonly status: number;
  /** Gives what is answered as JSON; a `Refused` that it throws is the answer else. */
  readonly answer: (service: Service, incoming: Incoming) => unknown;
}

function get(path: string, what: string, answer: Endpoint["answer"]): Endpoint {
  return { method: "GET", path, what, status: 200, answer };
}

/** An endpoint that takes a body. */
function taking<Body extends z.ZodMiniType>(
  call: `${"POST" | "PUT"} ${string}`,
  what: string,
  body: Body,
  work: (service: Service, body: z.output<Body>, incoming: Incoming) => unknown,
  status = 200,
): Endpoint {
  const [, path = ""] = call.split(" ");
  const answer = async (service: Service, incoming: Incoming) =>
    work(service, parseBody(incoming, await bodyOf(incoming), body), incoming);
  return { method: call.startsWith("PUT") ? "PUT" : "POST", path, what, status, answer };
}

function emptying(path: string, what: string, work: (service: Service) => void): Endpoint {
  return { method: "DELETE", path, what, status: 204, answer: work };
}

const id = z.int().check(z.minimum(1));
const name = z.optional(z.string().check(z.minLength(1)));
const result = z.enum(["succeeds", "fails"]);
/** A lifetime is in seconds, and roughly as long as a Date reaches. */
const lifetime = z.optional(z.number().check(z.gt(0), z.maximum(1e9)));
const ofStore = z.strictObject({ store_id: z.optional(id) });
const number = z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a number of at least 1"));
const orderFilters = z.strictObject({
  store: z.optional(number),
  status: z.optional(z.enum(orderStatuses)),
  order_type: z.optional(z.enum(orderTypes)),
  limit: z.optional(number),
  offset: z.optional(z.string().check(z.regex(/^\d{1,15}$/, "must be a number of at least 0"))),
});
const clockSchema = z
  .strictObject({
    now: z.optional(
      z.union([z.iso.datetime({ offset: true }), z.number().check(z.minimum(0), z.maximum(8.64e15))]),
    ),
    advance_seconds: z.optional(z.number().check(z.minimum(-1e9), z.maximum(1e9))),
  })
  .check(
    z.refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
      message: "either now or advance_seconds is needed",
    }),
  );

const endpoints: readonly Endpoint[] = [
  get(
    "/orders",
    "Orders, newest first: ?store= &status= &order_type= &limit= &offset=; next leads on",
    listOrders,
  ),
  taking(
    "POST /orders",
    "Makes an order; what isn’t named is made up",
    newOrderSchema,
    ({ world }, order) => viewOf(world, createOrder(world, order)),
    201,
  ),
  get("/orders/{id}", "One order", ({ world }, incoming) => viewOf(world, orderOf(world, incoming))),
  taking(
    "POST /orders/{id}/cancellation",
    "Ends a cancellation that is under way: {result}",
    z.strictObject({ result }),
    ({ world }, body, incoming) => {
      const record = orderOf(world, incoming);
      if (record.status !== "canceling") throw invalid(`The order is ${record.status}`);
      world.orders.endCancellation(record, body.result);
      return viewOf(world, record);
    },
  ),
  get("/cancellation", "How cancellations of orders paid online by credit card end", cancellationView),
  taking(
    "PUT /cancellation",
    "The same, changed: {after_seconds, result}",
    z.strictObject({
      after_seconds: z.optional(z.nullable(z.number().check(z.minimum(0)))),
      result: z.optional(result),
    }),
    (service, body) => {
      const settings = service.world.orders.cancellation;
      if (body.after_seconds !== undefined) settings.afterSeconds = body.after_seconds;
      if (body.result !== undefined) settings.result = body.result;
      return cancellationView(service);
    },
  ),
  get(
    "/catalog",
    "What a store sells: ?store=; items, option groups and combo steps with their ids",
    ({ world }, incoming) => {
      const store = searchOf(incoming).get("store") ?? String([...world.stores.keys()][0]);
      const catalog = world.catalogs.get(Number(store));
      if (!catalog) throw invalid(`store: there is no store ${store}`);
      return { items: catalog.items.map(itemView) };
    },
  ),
  get("/prefilled-orders", "Pre-filled orders as they came in, newest first", ({ world }) => ({
    prefilled_orders: world.prefilledOrders
      .all()
      .toReversed()
      .map((order) => ({
        id: order.id,
        store_id: order.storeId,
        created_at: new Date(order.createdAt).toISOString(),
        body: order.body,
      })),
  })),
  get("/stores", "Stores with their drivers, people and API keys; the partner key", ({ world }) => ({
    stores: [...world.stores.values()].map((store) => ({
      ...snakeCased(store),
      drivers: [...world.drivers.values()]
        .filter(({ storeId }) => storeId === store.id)
        .map((driver) => ({ id: driver.id, name: driver.name, active: driver.active })),
      people: world.people
        .filter(({ storeIds }) => storeIds.includes(store.id))
        .map(({ id: person, name: called, email, profile }) => ({
          id: person,
          name: called,
          email,
          profile,
        })),
    })),
    partner_key: partnerKey,
  })),
  taking(
    "PUT /drivers",
    "Makes a driver, or changes one: {id, store_id, name, active}",
    z.strictObject({ id, store_id: z.optional(id), name, active: z.optional(z.boolean()) }),
    ({ world }, { store_id: storeId, ...change }) => snakeCased(world.putDriver({ storeId, ...change })),
  ),
  get("/installations", "Which app is installed where", ({ server }) => ({
    installations: server.installations().map(snakeCased),
  })),
  taking(
    "POST /sign-in",
    "Installs comanda’s own app at a store, and gives its tokens: {store_id}",
    ofStore,
    (service, { store_id: storeId }) => {
      const { store, tokens } = signInStore(service, storeId);
      return { store_id: store.id, ...tokens };
    },
    201,
  ),
  taking(
    "POST /authorize",
    "The owner’s part of an app’s sign-in; gives the redirect’s address: {url, person, store, allow}",
    z.strictObject({
      url: z.url(),
      person: z.optional(z.string()),
      store: z.optional(id),
      allow: z.optional(z.boolean()),
    }),
    (service, { url, ...decision }) => {
      if (new URL(url).pathname !== authorizePath) throw invalid("url: is no page of the portal’s");
      try {
        return { redirected_to: decideAsOwner(service, url, decision) };
      } catch (error) {
        throw invalid(`url: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  ),
  taking(
    "POST /uninstall",
    "A store removes an app: {store_id, client_id}",
    z.strictObject({ store_id: id, client_id: z.optional(z.string()) }),
    ({ world, server }, { store_id: storeId, client_id: clientId }) => {
      server.uninstall(world.storeOf(storeId).id, clientId);
    },
    204,
  ),
  taking(
    "PUT /tokens",
    "Lifetimes of codes and tokens, in seconds: {access_token_seconds, refresh_token_seconds, code_seconds}",
    z.strictObject({
      access_token_seconds: lifetime,
      refresh_token_seconds: lifetime,
      code_seconds: lifetime,
    }),
    ({ server }, body) => {
      server.setLifetimes({
        accessTokenSeconds: body.access_token_seconds,
        refreshTokenSeconds: body.refresh_token_seconds,
        codeSeconds: body.code_seconds,
      });
    },
    204,
  ),
  taking(
    "POST /revoke",
    "Revokes the tokens of a store, or all: {store_id}",
    ofStore,
    ({ server }, { store_id: storeId }) => {
      server.revokeAll(storeId);
    },
    204,
  ),
  taking(
    "PUT /app",
    "How an app is registered: {client_id, name, redirect_uris, approved, scopes}",
    z.strictObject({
      client_id: z.string().check(z.minLength(1)),
      name,
      redirect_uris: z.optional(z.array(z.url())),
      approved: z.optional(z.boolean()),
      scopes: z.optional(z.array(z.enum(everyScope))),
    }),
    ({ server }, { client_id: clientId, redirect_uris: redirectUris, ...change }) =>
      snakeCased(server.changeApp({ clientId, redirectUris, ...change })),
  ),
  get("/clock", "The emulator’s time", clockView),
  taking(
    "PUT /clock",
    "Sets it: {now} or {advance_seconds}",
    clockSchema,
    (service, { now, advance_seconds: seconds = 0 }) => {
      const { clock } = service.world;
      if (now !== undefined) clock.set(new Date(now).getTime());
      else clock.advance(seconds * 1_000);
      return clockView(service);
    },
  ),
  get("/readings", "What the specification leaves open, and what it is here", ({ readings }) => ({
    readings: chosenReadings(readings),
  })),
  get("/log", "The last requests, without what could be secret", ({ log }) => ({ requests: log.entries() })),
  emptying("/log", "Empties the log", ({ log }) => {
    log.clear();
  }),
  get("/faults", "What is set to go wrong", faultsView),
  taking(
    "PUT /faults",
    "Sets what goes wrong: one fault or a list, for example {status: 503, path, times}",
    z.pipe(
      z.transform((body) => (Array.isArray(body) ? (body as unknown[]) : [body])),
      z.array(faultSchema),
    ),
    (service, faults) => {
      service.faults.set(faults);
      return faultsView(service);
    },
  ),
  emptying("/faults", "Nothing goes wrong any more", ({ faults }) => {
    faults.set([]);
  }),
  get("/limits", "Are the rate limits on?", ({ limiter: { enabled } }) => ({ enabled })),
  taking(
    "PUT /limits",
    "Switches them: {enabled}",
    z.strictObject({ enabled: z.boolean() }),
    ({ limiter }, { enabled }) => {
      limiter.switch(enabled);
      return { enabled };
    },
  ),
  taking(
    "POST /reset",
    "Back to the start: {tokens: true} signs everybody out",
    z.optional(z.strictObject({ tokens: z.optional(z.boolean()) })),
    (service, body) => {
      service.reset(body);
    },
    204,
  ),
];

export function controlRoutes(service: Service): readonly Route[] {
  const list = get("", "These calls", () => ({
    calls: endpoints.map(({ method, path, what }) => ({ method, path: controlPath + path, what })),
  }));
  return [list, ...endpoints].map(({ method, path, status, answer }) => ({
    method,
    path: controlPath + path,
    operation: null,
    answer: async (incoming) => {
      checkCaller(service, incoming);
      const json = await answer(service, incoming);
      return status === 204 ? new Response(null, { status }) : jsonAnswer(json, status);
    },
  }));
}

function checkCaller({ controlToken }: Service, incoming: Incoming): void {
  if (isForeign(incoming)) throw new Refused(forbidden("Another site may not use the control surface"));
  if (controlToken === undefined) return;
  const expected = Buffer.from(`Bearer ${controlToken}`);
  const authorization = Buffer.from(headerOf(incoming, "authorization") ?? "");
  if (authorization.length === expected.length && timingSafeEqual(authorization, expected)) return;
  const details = "The control surface needs its token: Authorization: Bearer …";
  throw new Refused({ status: 401, body: { message: "Unauthorized", details } });
}

function listOrders({ world }: Service, incoming: Incoming) {
  const search = searchOf(incoming);
  const query = checked(orderFilters, Object.fromEntries(search), "The query");
  const { store, status, order_type: orderType, limit = 50, offset = 0 } = query;
  const records = store === undefined ? [...world.orders.all()] : world.orders.ofStore(Number(store));
  const matching = records.filter(
    (record) =>
      (status === undefined || record.status === status) &&
      (orderType === undefined || record.orderType === orderType),
  );
  // One page has at most a thousand.
  const end = Number(offset) + Math.min(Number(limit), 1_000);
  search.set("offset", String(end));
  return {
    total: matching.length,
    orders: matching
      .reverse()
      .slice(Number(offset), end)
      .map((record) => viewOf(world, record)),
    /** The path of the next page. */
    next: end < matching.length ? `${controlPath}/orders?${search.toString()}` : null,
  };
}

function orderOf({ orders }: World, { params }: Incoming): OrderRecord {
  const { id: text = "" } = params;
  const record = z.safeParse(number, text).success ? orders.find(Number(text)) : undefined;
  if (record) return record;
  throw new Refused(notFound);
}

export interface OrderView extends Order {
  readonly _emulator: {
    /** An order of a delivery route gets no driver of its own (section 4.1). */
    readonly in_delivery_route: boolean;
    readonly payment_method_ids: readonly number[];
  };
}

function viewOf({ orders }: World, record: OrderRecord): OrderView {
  const { inDeliveryRoute, paymentMethodIds } = record;
  const unshown = { in_delivery_route: inDeliveryRoute, payment_method_ids: paymentMethodIds };
  return { ...orders.full(record), _emulator: unshown };
}

function cancellationView({ world }: Service) {
  const { afterSeconds, result: end } = world.orders.cancellation;
  return { after_seconds: afterSeconds, result: end };
}

function clockView({ world: { clock } }: Service) {
  return { now: new Date(clock.now()).toISOString(), milliseconds: clock.now() };
}

function faultsView({ faults }: Service) {
  return { faults: faults.list() };
}

function itemView({ id: itemId, externalCode, name: called, price, byWeight, groups, steps }: CatalogItem) {
  return {
    item_id: itemId,
    external_code: externalCode,
    name: called,
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

function groupView({ id: groupId, name: called, options }: OptionGroup) {
  return {
    option_group_id: groupId,
    name: called,
    options: options.map((option) => ({
      option_id: option.id,
      name: option.name,
      price: numberFromCents(option.price),
    })),
  };
}

/** JSON has `client_id` where the code has `clientId`. */
function snakeCased(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      member as unknown,
    ]),
  );
}
