import { describe, expect, test } from "vitest";

import { answerOf, bearer, createTestEmulator, otherStore, sending, someStore } from "./support.js";

const emulator = createTestEmulator({ rateLimits: false });
const invalidToken = { status: 401, body: { code: 4010, message: "Invalid token" } };
const changes = ["dispatch", "delivered", "finalize", "cancel"] as const;

const post = (path: string, headers: Record<string, string>) =>
  answerOf(emulator.request(`/api/partner/v1/orders/${path}`, { method: "POST", headers }));
const assign = (id: number, headers: Record<string, string>) =>
  answerOf(
    emulator.request(`/api/partner/v1/orders/${id}/driver`, sending("PUT", { driver_id: 11 }, headers)),
  );

describe("a credential", () => {
  test.each(changes)("of either kind is good for %s", async (change) => {
    for (const headers of [bearer(emulator.accessToken()), { "x-api-key": emulator.apiKey() }]) {
      const { id } = await emulator.order({ status: change === "delivered" ? "released" : "confirmed" });
      expect(await post(`${id}/${change}`, headers)).toEqual({ status: 204, body: null });
    }
  });

  test.each([
    ["none", {}],
    ["an unknown token", bearer("nobody's")],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["a token without its scheme", { authorization: "token" }],
    ["an unknown key", { "x-api-key": "key_501_00000000000000000000000000000000" }],
    ["a key that is too short", { "x-api-key": "key" }],
    ["an empty key", { "x-api-key": "" }],
    ["a key in the place of a token", bearer(emulator.apiKey())],
    ["a bad token beside a good key", { ...bearer("bad"), "x-api-key": emulator.apiKey() }],
  ])("is refused with 4010 and no details: %s", async (_, headers: Record<string, string>) => {
    const { id } = await emulator.order();
    expect(await post(`${id}/dispatch`, headers)).toEqual(invalidToken);
    expect(await emulator.look(id)).toHaveProperty("status", "confirmed");
  });

  test("of the legacy kind is not accepted for drivers", async () => {
    const { id } = await emulator.order();
    expect(await assign(id, { "x-api-key": emulator.apiKey() })).toEqual(invalidToken);
  });

  test("opens its own store and no other", async () => {
    const { id } = await emulator.order({ merchant_id: otherStore });
    const notFound = { status: 404, body: { code: 4041, message: "Resource not found" } };
    expect(await post(`${id}/dispatch`, { "x-api-key": emulator.apiKey(someStore) })).toEqual(notFound);
    expect(await post(`${id}/dispatch`, bearer(emulator.accessToken(someStore)))).toEqual(notFound);
    expect(await post(`${id}/dispatch`, bearer(emulator.accessToken(otherStore)))).toHaveProperty(
      "status",
      204,
    );
  });
});

describe("a scope", () => {
  test("that the app doesn't have is refused with 403, whether the order exists or not", async () => {
    const token = emulator.accessToken(someStore, "painel-de-vendas");
    const { id } = await emulator.order();
    for (const order of [id, 999_999]) {
      const { status, body } = await assign(order, bearer(token));
      expect(status).toBe(403);
      expect(body).toMatchObject({ details: expect.stringContaining("drivers") as string });
    }
    expect(await post(`${id}/dispatch`, bearer(token))).toHaveProperty("status", 204);
  });

  test("must be in the installation too, not in the token alone", async () => {
    const own = createTestEmulator();
    const token = own.accessToken();
    const { server } = own.service;
    server.setApp({ scopes: ["drivers"] });
    own.accessToken();
    const { id } = await own.order();
    const init = { method: "POST", headers: bearer(token) };
    const answer = await own.request(`/api/partner/v1/orders/${id}/dispatch`, init);
    expect(answer.status).toBe(403);
  });
});

describe("a token that is no longer good", () => {
  test.each([
    ["expired", (own: typeof emulator) => own.advance(7200)],
    ["revoked", (own: typeof emulator) => own.service.server.revokeAll(someStore)],
    ["of an app that was uninstalled", (own: typeof emulator) => own.service.server.uninstall(someStore)],
  ])("is refused with 401: %s", async (_, spoil) => {
    const own = createTestEmulator();
    const headers = bearer(own.accessToken());
    const { id } = await own.order();
    spoil(own);
    const init = { method: "POST", headers };
    expect(await answerOf(own.request(`/api/partner/v1/orders/${id}/dispatch`, init))).toEqual(invalidToken);
    expect(await own.look(id)).toHaveProperty("status", "confirmed");
  });
});

describe("a request that no operation takes", () => {
  test.each([
    ["GET", "/api/partner/v1/orders/1/dispatch", 405, "POST"],
    ["POST", "/api/partner/v1/orders/1/driver", 405, "PUT"],
    ["DELETE", "/_emulator/orders", 405, "GET, HEAD, POST"],
    ["GET", "/api/partner/oauth/token", 405, "POST"],
    ["POST", "/api/partner/v1/orders/1/dispatch/", 404, null],
    ["POST", "/api/partner/v2/orders/1/dispatch", 404, null],
    ["GET", "/nowhere", 404, null],
    ["GET", "/_emulator/nowhere", 404, null],
  ])("%s %s: %i", async (method, path, status, allow) => {
    const response = await emulator.request(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    expect(await response.json()).toHaveProperty("message");
  });
});

describe("a path is routed as Hono routes it", () => {
  test("and HEAD is answered as GET is, without its body", async () => {
    const path = "/api/partner/v1/orders/summary?start_date=2026-01-01&end_date=2026-01-02";
    const headers = bearer(emulator.accessToken());
    const [get, head] = [
      await emulator.request(path, { headers }),
      await emulator.request(path, { method: "HEAD", headers }),
    ];
    expect(await get.text()).not.toBe("");
    expect(await head.text()).toBe("");
    expect([head.status, [...head.headers]]).toEqual([get.status, [...get.headers]]);
  });
});
