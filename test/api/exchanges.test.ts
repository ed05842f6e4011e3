/** Every request and answer of a run against the emulator, through a public OpenAPI validator. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createClient, type Client } from "../../src/client/client.js";
import { createTransport } from "../../src/client/http.js";
import type { Transport } from "../../src/client/transport.js";
import { systemClock } from "../../src/client/clock.js";
import { ComandaError } from "../../src/client/errors.js";
import { startEmulator, type Emulator, type SignedIn } from "../../src/library/emulator.js";
import { openApiDocument } from "../../src/api/openapi.js";
import { loadWireFixtures, type WireAnswer } from "../fixtures/wire/load.js";
import { createValidator, type Exchange, type Validate } from "../support/openapi-validator.js";

let emulator: Emulator;
let session: SignedIn;
let client: Client;
let validate: Validate;
const seen: Exchange[] = [];
const transport = createTransport();

/** Keeps what goes out and what comes back. */
const recording: Transport = {
  send: async (request) => {
    const answer = await transport.send(request);
    const { pathname, search } = new URL(request.url);
    const body = typeof request.body === "string" ? request.body : "";
    const { method, headers } = request;
    seen.push({ method, path: pathname + search, headers, body, status: answer.status, answer: answer.body });
    return answer;
  },
  close: () => transport.close(),
};

beforeAll(async () => {
  // Three years back is as far as figures reach.
  const now = Date.parse("2026-11-20T15:00:00Z");
  emulator = await startEmulator({ orders: 300, seed: 11, rateLimits: false, now });
  session = emulator.signIn();
  const { baseUrl } = emulator;
  client = createClient({
    baseUrl,
    credentials: session.credentials,
    transport: recording,
    rateLimiter: false,
    clock: { ...systemClock, now: () => emulator.clock.now() },
  });
  validate = createValidator(openApiDocument());
});
afterAll(async () => {
  await transport.close();
  await emulator.close();
});

const period = { start_date: "2024-06-01T00:00:00-03:00", end_date: "2024-11-30T23:59:59-03:00" };
const code = (error: unknown) => (error instanceof ComandaError ? error.code : "no error of ours");

describe("a public validator sees no mismatch", () => {
  test("in a journey through all operations, refusals included", async () => {
    const order = (fields = {}) =>
      String(
        emulator.createOrder({
          order_type: "delivery",
          delivered_by: "merchant",
          status: "confirmed",
          ...fields,
        }).id,
      );
    const id = order();
    await client.assignDriver(id, { driver_id: 11, driver_fee: "7.50" });
    await client.assignDriver(id, { driver_id: 12, driver_fee: null });
    await client.dispatchOrder(id);
    await client.deliverOrder(id);
    await client.finalizeOrder(id);
    await client.cancelOrder(order(), { cancellation_reason: "Ação: “sem farinha”" });
    await client.cancelOrder(order());
    await client.summary(period);
    await client.summary({
      ...period,
      filters: {
        status_in: ["closed", "delivered"],
        driver_id_not_in: 12,
        total_gteq: "10.50",
        delivery_fee_lt: 99.9,
        customer_origin_null: true,
        created_at_time_lt: "15:00",
      },
    });
    for (const group_by of ["day", "status", "driver_id", "customer_origin", "payment_method_id"] as const)
      await client.groupedSummary({ ...period, group_by });
    await client.createPrefilledOrder({ order_type: "takeout", cart: [{ item_id: 3001, quantity: 1 }] });
    const refusals = await Promise.all([
      client.finalizeOrder(id).catch(code),
      client.dispatchOrder("999999").catch(code),
      client.assignDriver(id, { driver_id: 999 }).catch(code),
      client.summary({ ...period, end_date: "2020-01-01T00:00:00Z" }).catch(code),
    ]);
    expect(refusals).toEqual(["status_conflict", "not_found", "invalid_request", "invalid_request"]);
    expect(seen.length).toBeGreaterThan(18);
    expect(seen.flatMap(validate)).toEqual([]);
  });

  test("in tokens that are exchanged, refreshed, refused and revoked", async () => {
    const form = async (path: string, fields: Record<string, string>) => {
      const body = new URLSearchParams(fields).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      await recording.send({ method: "POST", url: `${emulator.baseUrl}${path}`, headers, body });
    };
    seen.length = 0;
    const { refreshToken: refresh_token } = emulator.signIn();
    const refresh = { grant_type: "refresh_token", client_id: emulator.clientId, refresh_token };
    await form("/api/partner/oauth/token", refresh);
    await form("/api/partner/oauth/token", refresh);
    await form("/api/partner/oauth/revoke", { client_id: emulator.clientId, token: refresh_token });
    expect(seen.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(seen.flatMap(validate)).toEqual([]);
  });

  test("in every order of the seed, as the driver call would answer with it", () => {
    const orders = emulator.stores.length * 100;
    const driver = {
      method: "PUT",
      path: "/api/partner/v1/orders/1/driver",
      headers: {},
      body: '{"driver_id":1}',
    };
    for (let id = 100_001; id <= 100_000 + orders; id += 1) {
      const order = emulator.order(id);
      if (order) expect(validate({ ...driver, status: 200, answer: JSON.stringify(order) })).toEqual([]);
    }
  });

  /** What the specification shows; of an order, not the excerpt that shows one field of it. */
  const isWhole = ({ shown, status, body }: WireAnswer) =>
    shown && (status !== 200 || !body.includes('"items"') || body.includes('"updated_at"'));
  const fixtures = loadWireFixtures().flatMap(({ operation, requests, answers }) =>
    requests.flatMap((request) => answers.filter(isWhole).map((answer) => ({ operation, request, answer }))),
  );
  test.each(fixtures)("in the wire fixtures: $operation, $answer.status", ({ request, answer }) => {
    const exchange = { ...request, status: answer.status, answer: answer.body };
    expect(validate(exchange)).toEqual([]);
  });

  test("and would see one", () => {
    const [assigned] = seen.length > 0 ? seen : [];
    expect(assigned).toBeDefined();
    const driver = { method: "PUT", path: "/api/partner/v1/orders/1/driver", headers: {}, status: 200 };
    expect(validate({ ...driver, body: '{"driver_id":0}', answer: "{}" })).toHaveLength(2);
    const summary = {
      method: "GET",
      path: "/api/partner/v1/orders/summary",
      headers: {},
      body: "",
      status: 200,
    };
    expect(validate({ ...summary, answer: '{"total_order_count":"1"}' })).toHaveLength(2);
  });
});
