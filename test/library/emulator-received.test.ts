import { createHash } from "node:crypto";

import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";

const emulator = await startEmulator({ orders: 20, rateLimits: false });
afterAll(() => emulator.close());
beforeEach(() => {
  emulator.reset();
});

const path = (id: number, verb: string) => `/api/partner/v1/orders/${id}/${verb}`;
const { accessToken, apiKey } = emulator.signIn();
const bearer = { authorization: `Bearer ${accessToken}` };

describe("what was received", () => {
  test("is told with query, body, credential, operation and why it was refused", async () => {
    const { id } = emulator.createOrder({ status: "confirmed", delivered_by: "merchant" });
    await fetch(emulator.url + path(id, "dispatch"), { method: "POST", headers: { "x-api-key": apiKey } });
    await fetch(emulator.url + path(id, "driver"), {
      method: "PUT",
      headers: { ...bearer, "content-type": "application/json" },
      body: JSON.stringify({ driver_id: 999 }),
    });
    await fetch(`${emulator.url}/api/partner/v1/orders/summary?start_date=x&start_date=y`, {
      headers: bearer,
    });
    await fetch(`${emulator.url}/_emulator/orders`);
    const at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    const usual = { query: {}, body: null, fault: null, at };
    expect(emulator.received()).toMatchObject([
      {
        ...usual,
        method: "POST",
        path: path(id, "dispatch"),
        credential: "api_key",
        operation: "dispatchOrder",
        refused_by: null,
        status: 204,
      },
      {
        ...usual,
        method: "PUT",
        path: path(id, "driver"),
        body: { driver_id: 999 },
        credential: "bearer",
        operation: "assignDriver",
        refused_by: "driver_id must be an active driver of the store",
        status: 400,
      },
      {
        ...usual,
        method: "GET",
        path: "/api/partner/v1/orders/summary",
        query: { start_date: ["x", "y"] },
        credential: "bearer",
        operation: "summary",
        refused_by: "start_date is given more than once",
        status: 400,
      },
    ]);
    expect(emulator.received({ operation: "summary" })).toHaveLength(1);
    expect(emulator.received({ method: "put", path: "/driver" })).toHaveLength(1);
    expect(emulator.received({ method: "PUT", path: "/dispatch" })).toEqual([]);
  });

  test("has digests in the place of secrets", async () => {
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "rt_my-secret-token",
      client_id: "comanda-local",
    });
    await fetch(`${emulator.url}/api/partner/oauth/token`, { method: "POST", body });
    const [received] = emulator.received({ operation: "token" });
    const digest = createHash("sha256").update("rt_my-secret-token").digest("hex").slice(0, 16);
    expect(received?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: `sha256:${digest}`,
      client_id: "comanda-local",
    });
    expect(JSON.stringify(emulator.received())).not.toContain("my-secret");
  });

  test("is unexpected where the API has no such call and no test put an answer", async () => {
    emulator.route("GET", "/api/partner/v1/orders/{id}", () => ({ json: { id: 1 } }));
    await fetch(`${emulator.url}/api/partner/v1/orders/1`, { headers: bearer });
    await fetch(emulator.url + path(1, "dispatch"), { method: "POST", headers: bearer });
    expect(() => {
      emulator.assertNoUnexpected();
    }).not.toThrow();
    await fetch(`${emulator.url}/api/partner/v1/orders/1/dispach`, { method: "POST", headers: bearer });
    expect(() => {
      emulator.assertNoUnexpected();
    }).toThrow("POST /api/partner/v1/orders/1/dispach: 404");
  });
});

test("an order with the largest id leaves ids for those after it", () => {
  emulator.createOrder({ id: Number.MAX_SAFE_INTEGER });
  const { id } = emulator.createOrder();
  expect(emulator.createOrder().id).toBe(id + 1);
});

test("an owner decides about an app of your own, and nobody is called", async () => {
  const url = new URL(emulator.authUrl);
  const challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
  url.search = new URLSearchParams({
    client_id: emulator.clientId,
    state: "s1",
    redirect_uri: emulator.redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
  }).toString();
  const allowed = new URL(await emulator.authorize(url.href, { person: "ana", store: 502 }));
  expect(allowed.href).toMatch(/^http:\/\/127\.0\.0\.1:8765\/callback\?/);
  expect(allowed.searchParams.get("state")).toBe("s1");
  expect(allowed.searchParams.get("code")).toMatch(/^code_/);
  const refused = new URL(await emulator.authorize(url.href, { allow: false }));
  expect(refused.searchParams.get("error")).toBe("access_denied");
});

test.each(["status=503", "reset", "hang", "html=404", "empty", "redirect=/x", "rate_limit=1", "oversize=10"])(
  "a request that a fault hits before it is processed is told of in full: %s",
  async (fault) => {
    emulator.setFaults(fault);
    const { credentials } = emulator.signIn();
    const headers = {
      authorization: `Bearer ${await credentials.bearer()}`,
      "content-type": "application/json",
    };
    const body = JSON.stringify({ driver_id: 11 });
    const url = `${emulator.url}/api/partner/v1/orders/1/driver`;
    const signal = AbortSignal.timeout(500);
    await fetch(url, { method: "PUT", headers, body, redirect: "manual", signal }).catch(() => undefined);
    emulator.setFaults();
    expect(emulator.received().at(-1)).toMatchObject({
      operation: "assignDriver",
      body: { driver_id: 11 },
      credential: "bearer",
      fault: fault.replace(/=.*/, ""),
    });
    emulator.assertNoUnexpected();
  },
);
