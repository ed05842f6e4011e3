/**
 * The control surface below `/_emulator`, in JSON, for people and tests. It is no part of the service, and no fault touches
 * it. Pages of other origins can't drive it, and where others than this machine may come in it asks for its token.
 */
import { timingSafeEqual } from "node:crypto";

import * as z from "zod/mini";

import { orderStatuses, orderTypes } from "../../api/enums.js";
import { controlOf } from "../control.js";
import { createOrder, newOrderSchema } from "../domain/new-order.js";
import type { OrderRecord } from "../domain/orders.js";
import { forbidden, invalid, notFound, refused } from "../domain/refused.js";
import { chosenReadings } from "../readings.js";
import { everyScope, localClientId, partnerKey } from "../seed/cast.js";
import type { Service } from "../service.js";
import { decideAsOwner, signInStore } from "../sign-in.js";
import { faultSchema } from "./faults.js";
import { bodyOf, checked, headerOf, type Incoming, isForeign, jsonAnswer, parseBody } from "./incoming.js";
import { type Route, searchOf } from "./incoming.js";
import { authorizePath } from "./pages.js";

export const controlPath = "/_emulator";

interface Endpoint {
  readonly method: string;
  /** The path is below `/_emulator`. */
  readonly path: string;
  readonly what: string;
  /** Gives what is answered as JSON, `undefined` for an empty answer; or throws a `Refused`. */
  readonly answer: (incoming: Incoming) => unknown;
}

/** An endpoint without a body. */
function plain(call: string, what: string, answer: Endpoint["answer"]): Endpoint {
  const [method = "", path = ""] = call.split(" ");
  return { method, path, what, answer };
}

function taking<Body extends z.ZodMiniType>(
  call: string,
  what: string,
  body: Body,
  work: (body: z.output<Body>, incoming: Incoming) => unknown,
): Endpoint {
  return plain(call, what, async (incoming) =>
    work(parseBody(incoming, await bodyOf(incoming), body), incoming),
  );
}

const id = z.int().check(z.minimum(1));
const name = z.optional(z.string().check(z.minLength(1)));
/** A lifetime is in seconds, and roughly as long as a Date reaches. */
const lifetime = z.optional(z.number().check(z.gt(0), z.maximum(1e9)));
const ofStore = z.strictObject({ store_id: z.optional(id) });
const number = z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a number of at least 1"));
const orderFilters = z.strictObject({
  store: z.optional(number),
  status: z.optional(z.enum(orderStatuses)),
  order_type: z.optional(z.enum(orderTypes)),
  limit: z.optional(number),
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

function endpointsOf(service: Service): readonly Endpoint[] {
  const { world, log, faults } = service;
  const { clock } = world;
  const control = controlOf(service);

  const orderOf = ({ params }: Incoming): OrderRecord => {
    const { id: text = "" } = params;
    const record = z.safeParse(number, text).success ? world.orders.find(Number(text)) : undefined;
    if (record) return record;
    throw notFound();
  };
  /** The order, and what the API doesn't show of it. */
  const orderView = (record: OrderRecord) => {
    const { inDeliveryRoute, paymentMethodIds } = record;
    const unshown = { in_delivery_route: inDeliveryRoute, payment_method_ids: paymentMethodIds };
    return { ...world.orders.full(record), _emulator: unshown };
  };
  const clockView = () => ({ now: new Date(clock.now()).toISOString(), milliseconds: clock.now() });
  const faultsView = () => ({ faults: faults.list() });

  return [
    plain("GET /orders", "Orders, newest first: ?store= &status= &order_type= &limit=", (incoming) => {
      const query = checked(orderFilters, Object.fromEntries(searchOf(incoming)), "The query");
      const { store, status, order_type: type, limit = 50 } = query;
      const records = store === undefined ? [...world.orders.all()] : world.orders.ofStore(Number(store));
      const matching = records.filter(
        (record) =>
          record.status === (status ?? record.status) && record.orderType === (type ?? record.orderType),
      );
      const newest = matching.reverse().slice(0, Math.min(Number(limit), 1_000));
      return { total: matching.length, orders: newest.map(orderView) };
    }),
    taking("POST /orders", "Makes an order; what isn’t named is made up", newOrderSchema, (order) =>
      orderView(createOrder(world, order)),
    ),
    plain("GET /orders/{id}", "One order", (incoming) => orderView(orderOf(incoming))),
    plain(
      "GET /catalog",
      "What a store sells: ?store=; items, option groups and combo steps with their ids",
      (incoming) => {
        const store = searchOf(incoming).get("store") ?? world.storeOf().id;
        const catalog = world.catalogs.get(Number(store));
        if (!catalog) throw invalid(`store: there is no store ${store}`);
        return { items: [...catalog.items.values()] };
      },
    ),
    plain("GET /stores", "Stores with their drivers, people and API keys; the partner key", () => ({
      stores: [...world.stores.values()].map((store) => ({
        ...snakeCased(store),
        drivers: control
          .drivers(store.id)
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
      ({ store_id: storeId, ...change }) => snakeCased(control.setDriver({ storeId, ...change })),
    ),
    plain("GET /installations", "Which app is installed where", () => ({
      installations: control.installations().map(snakeCased),
    })),
    taking(
      "POST /sign-in",
      "Installs comanda’s own app at a store, and gives its tokens: {store_id}",
      ofStore,
      ({ store_id: storeId }) => {
        const { store, tokens } = signInStore(service, storeId);
        return { store_id: store.id, ...tokens };
      },
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
      ({ url, ...decision }) => {
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
      (body) => {
        control.uninstall(body.store_id, body.client_id);
      },
    ),
    taking(
      "PUT /tokens",
      "Lifetimes of codes and tokens, in seconds: {access_token_seconds, refresh_token_seconds, code_seconds}",
      z.strictObject({
        access_token_seconds: lifetime,
        refresh_token_seconds: lifetime,
        code_seconds: lifetime,
      }),
      (body) => {
        control.setTokenLifetimes({
          accessTokenSeconds: body.access_token_seconds,
          refreshTokenSeconds: body.refresh_token_seconds,
          codeSeconds: body.code_seconds,
        });
      },
    ),
    taking("POST /revoke", "Revokes the tokens of a store, or all: {store_id}", ofStore, (body) => {
      control.revokeTokens(body.store_id);
    }),
    taking(
      "PUT /app",
      "How an app is registered: {client_id, name, redirect_uris, approved, scopes}",
      z.strictObject({
        client_id: name,
        name,
        redirect_uris: z.optional(z.array(z.url())),
        approved: z.optional(z.boolean()),
        scopes: z.optional(z.array(z.enum(everyScope))),
      }),
      ({ client_id: clientId = localClientId, redirect_uris: redirectUris, ...change }) =>
        snakeCased(control.setApp({ clientId, redirectUris, ...change })),
    ),
    plain("GET /clock", "The emulator’s time", clockView),
    taking(
      "PUT /clock",
      "Sets it: {now} or {advance_seconds}",
      clockSchema,
      ({ now, advance_seconds: seconds = 0 }) => {
        if (now !== undefined) clock.set(new Date(now).getTime());
        else clock.advance(seconds * 1_000);
        return clockView();
      },
    ),
    plain("GET /readings", "What the specification leaves open, and what it is here", () => ({
      readings: chosenReadings(service.readings),
    })),
    // What a query or a body of the portal's or the API's holds may be a secret under any name.
    plain("GET /log", "The last requests, without what could be secret", () => ({
      requests: log.entries().map((entry) => ({ ...entry, query: undefined, body: undefined })),
    })),
    plain("DELETE /log", "Empties the log", () => {
      log.clear();
    }),
    plain("GET /faults", "What is set to go wrong", faultsView),
    taking(
      "PUT /faults",
      "Sets what goes wrong: one fault or a list, for example {status: 503, path, times}",
      z.pipe(
        z.transform((body) => (Array.isArray(body) ? (body as unknown[]) : [body])),
        z.array(faultSchema),
      ),
      (body) => {
        faults.set(body);
        return faultsView();
      },
    ),
    plain("DELETE /faults", "Nothing goes wrong any more", () => {
      faults.set([]);
    }),
    taking(
      "PUT /limits",
      "Switches the rate limits: {enabled}",
      z.strictObject({ enabled: z.boolean() }),
      (body) => {
        control.setRateLimits(body.enabled);
        return body;
      },
    ),
    taking(
      "POST /reset",
      "Back to the start: {tokens: true} signs everybody out",
      z.optional(z.strictObject({ tokens: z.optional(z.boolean()) })),
      (body) => {
        service.reset(body);
      },
    ),
  ];
}

/** These make something, and answer 201. */
const making: readonly string[] = ["/orders", "/sign-in"];

export function controlRoutes(service: Service): readonly Route[] {
  const endpoints = endpointsOf(service);
  const list = plain("GET ", "These calls", () => ({
    calls: endpoints.map(({ method, path, what }) => ({ method, path: controlPath + path, what })),
  }));
  return [list, ...endpoints].map(({ method, path, answer }) => ({
    method,
    path: controlPath + path,
    operation: null,
    answer: async (incoming) => {
      checkCaller(service, incoming);
      const json = await answer(incoming);
      if (json === undefined) return new Response(null, { status: 204 });
      return jsonAnswer(json, method === "POST" && making.includes(path) ? 201 : 200);
    },
  }));
}

function checkCaller({ controlToken }: Service, incoming: Incoming): void {
  if (isForeign(incoming)) throw forbidden("Another site may not use the control surface");
  if (controlToken === undefined) return;
  const expected = Buffer.from(`Bearer ${controlToken}`);
  const authorization = Buffer.from(headerOf(incoming, "authorization") ?? "");
  if (authorization.length !== expected.length || !timingSafeEqual(authorization, expected))
    throw refused(401, "Unauthorized", {
      details: "The control surface needs its token: Authorization: Bearer …",
    });
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
