import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { orderSchemas } from "../../src/api/schemas.js";
import type { NewOrder } from "../../src/emulator/inputs.js";
import { contradictions } from "../../src/emulator/domain/new-order.js";
import { answerOf, bearer, createTestEmulator, sending, someStore, start } from "./support.js";

const signedIn = z.object({
  status: z.number(),
  body: z.object({ store_id: z.number(), access_token: z.string() }),
});

const get = (emulator: ReturnType<typeof createTestEmulator>, path: string) =>
  answerOf(emulator.request(`/_emulator${path}`));

describe("the control surface", () => {
  test("lists its calls, each of which is there", async () => {
    const emulator = createTestEmulator();
    const listed = z.object({
      body: z.object({
        calls: z.array(z.object({ method: z.string(), path: z.string(), what: z.string() })),
      }),
    });
    const { calls } = z.parse(listed, await get(emulator, "")).body;
    expect(calls.length).toBeGreaterThan(20);
    for (const { method, path } of calls) {
      const { status } = await emulator.request(path.replace("{id}", "1"), { method });
      expect([path, status]).toEqual([path, expect.not.toSatisfy((code) => code === 405)]);
    }
  });

  test.each([
    ["PUT", "/clock", {}],
    ["PUT", "/clock", { now: "yesterday" }],
    ["PUT", "/clock", { now: 1, advance_seconds: 1 }],
    ["PUT", "/faults", { kind: "fire" }],
    ["PUT", "/faults", { status: 99 }],
    ["PUT", "/faults", { status: 500, content_type: "b\r\nc: d" }],
    ["PUT", "/faults", [{ reset: true, operation: "nothing" }]],
    ["PUT", "/faults", { delay: true }],
    ["PUT", "/faults", { status: 500, reset: true }],
    ["PUT", "/faults", { reset: true, body: "x" }],
    ["PUT", "/tokens", { access_token_seconds: 0 }],
    ["PUT", "/tokens", { forever: true }],
    ["POST", "/sign-in", { store_id: 9 }],
    ["POST", "/authorize", { url: "/portal" }],
    ["POST", "/authorize", { url: "http://127.0.0.1/elsewhere" }],
    ["POST", "/uninstall", {}],
    ["POST", "/uninstall", { store_id: 9 }],
    ["POST", "/revoke", { store_id: "all" }],
    ["PUT", "/app", { client_id: "a", scopes: ["everything"] }],
    ["PUT", "/limits", {}],
    ["POST", "/reset", { all: true }],
    ["POST", "/orders", { color: "red" }],
    ["POST", "/orders", { merchant_id: 9 }],
    ["POST", "/orders", { status: "eaten" }],
    ["POST", "/orders", { order_type: "takeout", status: "released" }],
    ["POST", "/orders", { order_type: "takeout", delivery_fee: 5 }],
    ["POST", "/orders", { total: 0.01 }],
    ["POST", "/orders", { driver_fee: 1.005 }],
    ["POST", "/orders", { payment_method_ids: [77] }],
    ["GET", "/orders?status=eaten", undefined],
    ["GET", "/orders?limit=0", undefined],
    ["POST", "/orders", { status: "canceling", cancellation_reason: "chuva" }],
    ["GET", "/orders?color=red", undefined],
  ])("%s %s refuses %j and says why", async (method, path, body) => {
    const emulator = createTestEmulator();
    const init = body === undefined ? { method } : sending(method, body);
    const answer = await answerOf(emulator.request(`/_emulator${path}`, init));
    expect(answer).toMatchObject({ status: 400, body: { code: 4000 } });
    expect(answer.body).toHaveProperty("details", expect.stringMatching(/\w{4}/));
    expect(emulator.service.world.orders.size).toBe(0);
    expect(emulator.service.faults.list()).toEqual([]);
  });

  test.each([
    ["a page of another origin", { origin: "https://attacker.example" }],
    ["a page of another port", { origin: "http://127.0.0.1:1" }],
    ["a page without an origin", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
  ])("refuses %s", async (_, headers: Record<string, string>) => {
    const emulator = createTestEmulator({ orders: 3 });
    const reset = await emulator.request("/_emulator/log", { method: "DELETE", headers });
    expect(reset.status).toBe(403);
  });
});

describe("an order to order", () => {
  const wishes: NewOrder[] = [
    {},
    { status: "released" },
    { status: "waiting_to_catch" },
    { status: "pending_payment" },
    { status: "scheduled_confirmed" },
    { status: "canceled", cancellation_reason: "chuva" },
    { order_type: "closed_table", service_fee: 4.2, table_number: "3" },
    { order_type: "onsite", sales_channel: "totem" },
    { merchant_id: 503, delivery_fee: 7.77, additional_fee: 0.01, payment_method_ids: [1, 3] },
    { id: 77, sales_channel: "portal", customer: null, driver_id: 11, driver_fee: 0 },
    { sales_channel: "a_channel_of_tomorrow", created_at: "2026-01-02T03:04:05-03:00" },
    { items: [], total: 0, payments: [] },
  ];

  test.each(wishes)("%j is as it was wished for, and consistent", async (wish) => {
    const emulator = createTestEmulator();
    const made = await emulator.order(wish);
    const { payment_method_ids, ...fields } = wish;
    expect(made).toMatchObject(fields);
    if (payment_method_ids) expect(made._emulator.payment_method_ids).toEqual(payment_method_ids);
    expect(z.safeParse(orderSchemas().order, made).success).toBe(true);
    expect(contradictions(made)).toEqual([]);
    expect(await emulator.look(made.id)).toEqual(made);
  });

  test("takes no id twice", async () => {
    const emulator = createTestEmulator();
    await emulator.order({ id: 5 });
    await expect(emulator.order({ id: 5 })).rejects.toThrow("there is an order 5 already");
    expect((await emulator.order()).id).toBe(6);
  });
});

describe("the list of orders", () => {
  const emulator = createTestEmulator({ orders: 400 });
  const list = async (query: string) => {
    const { body } = await get(emulator, `/orders${query}`);
    return z.parse(z.object({ total: z.int(), orders: z.array(orderSchemas().order) }), body);
  };

  test("is filtered, newest first, and says how many there are", async () => {
    const { total, orders } = await list("?store=502&order_type=delivery&status=closed&limit=5");
    expect(orders).toHaveLength(5);
    expect(total).toBeGreaterThan(5);
    for (const order of orders) {
      expect(order).toMatchObject({ merchant_id: 502, order_type: "delivery", status: "closed" });
    }
    const ids = orders.map((order) => order.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await list("")).orders).toHaveLength(50);
    expect((await list("?limit=1000")).orders).toHaveLength(400);
  });

  test.each(["/orders/1", "/orders/abc", "/orders/-1", "/orders/99999999999999999999"])(
    "has no %s",
    async (path) => {
      expect(await get(emulator, path)).toMatchObject({ status: 404, body: { code: 4041 } });
    },
  );
});

describe("the clock", () => {
  test("is set, goes on from there, and goes back with a reset", async () => {
    const emulator = createTestEmulator();
    const put = (body: unknown) => answerOf(emulator.request("/_emulator/clock", sending("PUT", body)));
    expect(await put({ now: "2030-01-01T00:00:00Z" })).toMatchObject({
      body: { now: "2030-01-01T00:00:00.000Z" },
    });
    emulator.advance(60);
    expect(await put({ advance_seconds: 30 })).toMatchObject({ body: { now: "2030-01-01T00:01:30.000Z" } });
    await emulator.request("/_emulator/reset", { method: "POST" });
    expect(await get(emulator, "/clock")).toMatchObject({ body: { milliseconds: start + 60_000 } });
  });
});

describe("a reset", () => {
  test("leads back to the seed and leaves installations and tokens, unless they are to go", async () => {
    const emulator = createTestEmulator({ orders: 200 });
    const before = await get(emulator, "/orders?limit=1000");
    const init = { method: "POST", headers: bearer(emulator.accessToken()) };
    const ids = [...emulator.service.world.orders.ofStore(someStore)].map((record) => record.id);
    for (const id of ids) await emulator.request(`/api/partner/v1/orders/${id}/cancel`, init);
    const { id } = await emulator.order();
    await emulator.request("/_emulator/faults", sending("PUT", { status: 503 }));
    await emulator.request("/_emulator/app", sending("PUT", { client_id: "comanda-local", approved: false }));
    expect(await get(emulator, "/orders?limit=1000")).not.toEqual(before);

    expect((await emulator.request("/_emulator/reset", { method: "POST" })).status).toBe(204);
    expect(await get(emulator, "/orders?limit=1000")).toEqual(before);
    expect((await get(emulator, `/orders/${id}`)).status).toBe(404);
    expect(emulator.service.faults.list()).toEqual([]);
    expect(emulator.service.server.findApp("comanda-local")?.approved).toBe(true);
    const dispatch = () => emulator.request("/api/partner/v1/orders/1/dispatch", init);
    expect((await dispatch()).status).toBe(404);

    await emulator.request("/_emulator/reset", sending("POST", { tokens: true }));
    expect((await dispatch()).status).toBe(401);
    expect(emulator.service.server.installations()).toEqual([]);
  });
});

describe("stores, apps and installations", () => {
  test("are there for a script to see and change", async () => {
    const emulator = createTestEmulator();
    const token = emulator.accessToken();
    const { body } = await get(emulator, "/stores");
    expect(body).toMatchObject({
      stores: [
        { id: 501, time_zone: "America/Sao_Paulo", api_key: emulator.apiKey(501) },
        {
          id: 502,
          drivers: expect.arrayContaining([{ id: 25, name: "Tainá Iracema", active: false }]) as unknown,
        },
        { id: 503, people: [{ id: "ines", profile: "owner" }] },
      ],
    });
    expect(await get(emulator, "/installations")).toMatchObject({
      body: { installations: [{ client_id: "comanda-local", store_id: 501, active: true }] },
    });
    const app = sending("PUT", {
      client_id: "novo",
      redirect_uris: ["http://localhost:1/cb"],
      scopes: ["orders"],
    });
    expect(await answerOf(emulator.request("/_emulator/app", app))).toMatchObject({
      body: { name: "novo", approved: true, scopes: ["orders"] },
    });
    expect(emulator.service.server.findApp("novo")).toHaveProperty("redirectUris", ["http://localhost:1/cb"]);
    await emulator.request("/_emulator/uninstall", sending("POST", { store_id: 501 }));
    expect(emulator.service.server.authenticate(token)).toBeUndefined();
  });

  test("are signed in at for a program of any language", async () => {
    const emulator = createTestEmulator();
    const answer = await answerOf(emulator.request("/_emulator/sign-in", sending("POST", { store_id: 502 })));
    const { status, body } = z.parse(signedIn, answer);
    expect([status, body.store_id]).toEqual([201, 502]);
    expect(emulator.service.server.authenticate(body.access_token)).toBeDefined();
  });

  test.each([
    [true, /^http:\/\/127\.0\.0\.1:8765\/callback\?code=.+&state=s$/],
    [false, /^http:\/\/127\.0\.0\.1:8765\/callback\?error=access_denied.*state=s/],
  ])("authorize an app's own address as their owner decides: %s", async (allow, redirect) => {
    const emulator = createTestEmulator();
    const url = new URL("https://portal.example/portal/authorize");
    const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: "comanda-local",
      redirect_uri: "http://127.0.0.1:8765/callback",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "s",
    }).toString();
    const decision = sending("POST", { url: url.href, store: 502, allow });
    const answer = await answerOf(emulator.request("/_emulator/authorize", decision));
    expect(answer).toMatchObject({
      status: 200,
      body: { redirected_to: expect.stringMatching(redirect) as string },
    });
  });

  test("lose their tokens where they are revoked, and stay installed", async () => {
    const emulator = createTestEmulator();
    const token = emulator.accessToken();
    await emulator.request("/_emulator/revoke", sending("POST", { store_id: 502 }));
    expect(emulator.service.server.authenticate(token)).toBeDefined();
    await emulator.request("/_emulator/revoke", sending("POST", {}));
    expect(emulator.service.server.authenticate(token)).toBeUndefined();
    expect(emulator.service.server.installations()[0]?.active).toBe(true);
  });
});

describe("the request log", () => {
  test("says what was asked and answered, and holds no secret", async () => {
    const emulator = createTestEmulator();
    const token = emulator.accessToken();
    const { id } = await emulator.order();
    await emulator.request("/_emulator/log", { method: "DELETE" });
    const secrets = [
      token,
      emulator.apiKey(),
      "s3cret-code",
      "s3cret-verifier",
      "s3cret-refresh",
      "s3cret-state",
    ];
    await emulator.request(`/api/partner/v1/orders/${id}/dispatch`, {
      method: "POST",
      headers: bearer(token),
    });
    await emulator.request(`/api/partner/v1/orders/${id}/finalize?key=${emulator.apiKey()}`, {
      method: "POST",
      headers: { "x-api-key": emulator.apiKey() },
    });
    const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
    const exchange = {
      grant_type: "authorization_code",
      code: "s3cret-code",
      code_verifier: "s3cret-verifier",
    };
    await emulator.request("/api/partner/oauth/token", form(exchange));
    await emulator.request("/api/partner/oauth/revoke", form({ token: "s3cret-refresh", client_id: "x" }));
    await emulator.request("/portal/authorize?state=s3cret-state&code=s3cret-code#s3cret-code");
    const { body } = await get(emulator, "/log");
    const at = new Date(start).toISOString();
    expect(body).toMatchObject({
      requests: [
        { method: "POST", path: `/api/partner/v1/orders/${id}/dispatch`, status: 204, store_id: 501, at },
        { path: `/api/partner/v1/orders/${id}/finalize`, status: 204, store_id: 501, fault: null },
        { path: "/api/partner/oauth/token", status: 400, store_id: null },
        { path: "/api/partner/oauth/revoke" },
        { path: "/portal/authorize" },
        { path: "/_emulator/log", status: null },
      ],
    });
    for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret);
  });

  test("keeps the last thousand", () => {
    const emulator = createTestEmulator();
    for (let count = 0; count < 2_500; count += 1)
      emulator.service.log.begin("GET", `/${count}`, "http://a/", 0);
    const entries = emulator.service.log.entries();
    expect(entries).toHaveLength(1_000);
    expect(entries.at(-1)).toMatchObject({ path: "/2499", request_id: "req-2500" });
  });
});
