/**
 * Serves the control API below `/_emulator`. Faults don't apply to it, and it refuses pages of other origins. If other machines may
 * connect, it requires its token.
 */
import { timingSafeEqual } from "node:crypto";

import * as z from "zod/mini";

import { oneOf } from "../../api/schema.js";
import { orderStatuses } from "../../api/values.js";
import { createOrder, newOrderSchema } from "../domain/new-order.js";
import type { Store } from "../inputs.js";
import type { OrderRecord } from "../domain/orders.js";
import { checked, forbidden, invalid, notFound, refused } from "../domain/refused.js";
import { chosenReadings } from "../readings.js";
import { partnerKey } from "../seed/cast.js";
import { controlSchemas, type Service } from "../service.js";
import { faultSchema } from "./faults.js";
import { bodyOf, headerOf, isForeign, jsonAnswer, parseBody } from "./incoming.js";
import { type Incoming, type Route, searchOf } from "./incoming.js";
import { decideAsOwner } from "./oauth.js";
import { authorizePath } from "./pages.js";

export const controlPath = "/_emulator";

type Answer = (incoming: Incoming) => unknown;

function withBody<Body extends z.ZodMiniType>(body: Body, work: (body: z.output<Body>) => unknown): Answer {
  return async (incoming) => work(parseBody(incoming, await bodyOf(incoming), body));
}

/** Accepts the same fields as a function of a program, but in snake_case. */
function withFields<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  work: (fields: z.output<z.ZodMiniObject<Shape>>) => unknown,
): Answer {
  const body = z.strictObject(renamed(schema.shape, snakeCase));
  return withBody(body, (fields) => work(z.parse(schema, renamed(fields, camelCase))));
}

const orderFilters = z.strictObject({
  status: z.optional(oneOf(orderStatuses)),
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/, "must be a number from 1 to 999"))),
});
const clockSchema = z.union([
  z.strictObject({
    now: z.union([z.iso.datetime({ offset: true }), z.number().check(z.minimum(0), z.maximum(8.64e15))]),
  }),
  z.strictObject({ advance_seconds: z.number().check(z.minimum(-1e9), z.maximum(1e9)) }),
]);

/** Returns the handlers by method and path below `/_emulator`, followed by the query or the fields of the body. */
function endpointsOf(service: Service): Readonly<Record<string, Answer>> {
  const { world, server, limiter, log, faults } = service;
  const { clock } = world;

  /** Returns the order with the fields that the API doesn't show. */
  const orderView = (record: OrderRecord) => {
    const { inDeliveryRoute, paymentMethodIds } = record;
    const unshown = { in_delivery_route: inDeliveryRoute, payment_method_ids: paymentMethodIds };
    return { ...world.orders.full(record), _emulator: unshown };
  };
  const clockView = () => ({ now: new Date(clock.now()).toISOString(), milliseconds: clock.now() });
  const storeView = (store: Store) => ({
    ...snakeCased(store),
    drivers: world.driversOf(store.id).map(snakeCased),
    people: world.people.filter(({ storeIds }) => storeIds.includes(store.id)).map(snakeCased),
  });

  return {
    "GET /orders ?status= &limit=": (incoming) => {
      const query = checked(orderFilters, Object.fromEntries(searchOf(incoming)), "The query");
      const { status, limit = 50 } = query;
      const records = [...world.orders.all()].reverse();
      const matching = records.filter((record) => record.status === (status ?? record.status));
      return { total: matching.length, orders: matching.slice(0, Number(limit)).map(orderView) };
    },
    "POST /orders {any field of an order}": withBody(newOrderSchema, (order) =>
      orderView(createOrder(world, order)),
    ),
    "GET /orders/{id}": ({ params }) => {
      const record = world.orders.find(Number(params["id"]));
      if (record) return orderView(record);
      throw notFound();
    },
    "GET /stores": () => ({ stores: [...world.stores.values()].map(storeView), partner_key: partnerKey }),
    "PUT /drivers {id, store_id, name, active}": withFields(controlSchemas.driver, (change) =>
      snakeCased(world.putDriver(change)),
    ),
    "GET /installations": () => ({ installations: server.installations().map(snakeCased) }),
    "POST /sign-in {store_id}": withFields(controlSchemas.store, ({ storeId }) => {
      const { id: store_id } = world.storeOf(storeId);
      return { store_id, ...server.install(store_id) };
    }),
    "POST /authorize {url, person, store, allow}": withBody(
      z.extend(controlSchemas.decision, { url: z.url() }),
      ({ url, ...decision }) => {
        if (new URL(url).pathname !== authorizePath) throw invalid("url: isn’t a page of the portal");
        return { redirected_to: decideAsOwner(service, url, decision) };
      },
    ),
    "POST /uninstall {store_id}": withFields(controlSchemas.uninstall, ({ storeId }) => {
      server.uninstall(world.storeOf(storeId).id);
    }),
    "PUT /app {client_id, name, redirect_uris, approved, scopes}": withFields(controlSchemas.app, (change) =>
      snakeCased(server.setApp(change)),
    ),
    "GET /clock": clockView,
    "PUT /clock {now} or {advance_seconds}": withBody(clockSchema, (body) => {
      if ("now" in body) clock.set(new Date(body.now).getTime());
      else clock.advance(body.advance_seconds * 1_000);
      return clockView();
    }),
    "GET /readings": () => ({ readings: chosenReadings(service.readings) }),
    // Queries and bodies are left out, because any of their fields may contain a secret.
    "GET /log": () => ({
      requests: log.entries().map((entry) => ({ ...entry, query: undefined, body: undefined })),
    }),
    "GET /faults": () => ({ faults: faults.list() }),
    "PUT /faults [{status: 503, path, times}]": withBody(z.array(faultSchema), (body) => {
      faults.set(body);
      return { faults: faults.list() };
    }),
    "PUT /limits {enabled}": withBody(controlSchemas.rateLimits, (body) => {
      limiter.switch(body.enabled);
      return body;
    }),
    "POST /reset": service.reset,
  };
}

export function controlRoutes(service: Service): readonly Route[] {
  const endpoints = Object.entries(endpointsOf(service));
  const calls = endpoints.map(([call]) => call.replace(" ", ` ${controlPath}`));
  const list: Answer = () => ({ calls });
  return [["GET ", list] as const, ["GET /", list] as const, ...endpoints].map(([call, answer]) => {
    const [method = "", path = ""] = call.split(" ");
    const isCreation = call.startsWith("POST /orders") || call.startsWith("POST /sign-in");
    return {
      method,
      path: controlPath + path,
      answer: async (incoming) => {
        checkCaller(service, incoming);
        const json = await answer(incoming);
        return json === undefined
          ? new Response(null, { status: 204 })
          : jsonAnswer(json, isCreation ? 201 : 200);
      },
    };
  });
}

function checkCaller({ controlToken }: Service, incoming: Incoming): void {
  if (isForeign(incoming)) throw forbidden("Another site may not use the control API");
  if (controlToken === undefined) return;
  const expected = Buffer.from(`Bearer ${controlToken}`);
  const authorization = Buffer.from(headerOf(incoming, "authorization") ?? "");
  if (authorization.length !== expected.length || !timingSafeEqual(authorization, expected))
    throw refused(401, "Unauthorized", {
      details: "The control API requires its token: Authorization: Bearer …",
    });
}

function renamed<Members extends object>(value: Members, rename: (name: string) => string) {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, Members[keyof Members]]) => [rename(name), member]),
  );
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string) => name.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase());
/** Renames properties for JSON, such as `clientId` to `client_id`. */
const snakeCased = (value: object) => renamed(value, snakeCase);
