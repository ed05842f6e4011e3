/** `comanda/testing`: the emulator in the process of a test. */
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { beforeEach, describe, expect, test } from "vitest";

import { startEmulator, type Client } from "../../src/library/emulator.js";
import { errorOf } from "../client/support/scripted.js";
import { closing } from "../support/resources.js";
import { containing, matching } from "../support/output.js";

/** Today, because one of the clients uses the machine's clock. */
const start = Date.now();
const emulator = closing(await startEmulator({ orders: 20, now: start }));
beforeEach(() => {
  emulator.reset();
});

const daysBefore = (days: number) => new Date(start - days * 86_400_000).toISOString();
const period = { start_date: daysBefore(5), end_date: daysBefore(1) };
const summaries = (client: Client, count: number) =>
  Promise.all(Array.from({ length: count }, () => client.summary(period)));

/** The emulator of a program without types. */
type Untyped = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

const path = (id: number, verb: string) => `/api/partner/v1/orders/${id}/${verb}`;
const bearer = () => ({ authorization: `Bearer ${emulator.signIn().accessToken}` });

test("a client of the emulator advances its clock instead of waiting", async () => {
  const before = [Date.now(), emulator.clock.now()] as const;
  const client = emulator.client();
  const answers = await summaries(client, 6);
  expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([200]));
  expect(emulator.clock.now() - before[1]).toBeGreaterThanOrEqual(59_000);
  expect(Date.now() - before[0]).toBeLessThan(30_000);
  // More calls at once than one window allows wait for the next ones, and none is rejected.
  await summaries(client, 20);
  expect(emulator.received().filter(({ status }) => status !== 200)).toEqual([]);
  // A reset sets the clock back, and the client doesn't wait for the same time again.
  emulator.reset();
  const since = emulator.clock.now();
  await summaries(client, 1);
  expect(emulator.clock.now() - since).toBeLessThan(30_000);
});

test.each<readonly [words: string, options: object]>([
  ["now must be milliseconds since 1970", { now: 8.64e15 }],
  ["now must be milliseconds since 1970", { now: NaN }],
  ["a different id for each store", { stores: [{ id: 5 }, { id: 5 }] }],
  ["must be valid, for example America", { stores: [{ id: 5, time_zone: "X/Y" }] }],
  ["orders is only allowed if scene is mixed", { scene: "busy", orders: 5 }],
  ['The fault "" must contain exactly one of status, ', { faults: [""] }],
  [
    'has no fields "rateLimit", "ordres", "x". "rateLimit": Did you mean "rateLimits"? "ordres": Did you mean "orders"?',
    { rateLimit: false, ordres: 1, x: 1 },
  ],
])("rejects an option that isn't valid with a message that contains '%s': %o", async (words, options) => {
  const error = { code: "invalid_input", message: containing(words) };
  await expect(startEmulator(options)).rejects.toMatchObject(error);
});

test("the stack of an error about an argument begins in the program", () => {
  const error = { code: "invalid_input", stack: matching(/^[^\n]*\n {4}at [^\n]*testing\.test/) };
  const thrown = expect.objectContaining(error) as Error;
  expect(() => emulator.createOrder({ id: 0 })).toThrow(thrown);
  expect(() => emulator.route("GET", "/elsewhere", () => ({}))).toThrow(thrown);
  expect(() => {
    emulator.clock.set(Number.NaN);
  }).toThrow(thrown);
});

test.each<readonly [call: string, field: string, run: (untyped: Untyped) => unknown]>([
  ["setDriver", "nmae", ({ setDriver }) => setDriver?.({ id: 5, nmae: "Nova" })],
  ["setDriver", "active", ({ setDriver }) => setDriver?.({ id: 5, active: "no" })],
  ["setApp", "scopes.0", ({ setApp }) => setApp?.({ scopes: ["everything"] })],
  ["setRateLimits", "enabled", ({ setRateLimits }) => setRateLimits?.("off")],
  ["drivers", "storeId", ({ drivers }) => drivers?.("x")],
  ["uninstall", "storeId", ({ uninstall }) => uninstall?.()],
  ["received", "operations", ({ received }) => received?.({ operations: "summary" })],
  ["order", "id", ({ order }) => order?.("x")],
  ["signIn", "storeId", ({ signIn }) => signIn?.({})],
  ["client", "storeId", ({ client }) => client?.({ storeId: {} })],
  ["createOrder", "driver_id", ({ createOrder }) => createOrder?.({ driver_id: -1 })],
  ["createOrder", "driver_fee", ({ createOrder }) => createOrder?.({ driver_fee: 7.125 })],
  ["createOrder", "total", ({ createOrder }) => createOrder?.({ total: 1e308 })],
  ["route", "handler", ({ route }) => route?.("GET", "/api/partner/v1/x", { json: {} })],
  ["authorize", "alow", ({ authorize }) => authorize?.(emulator.authUrl, { alow: false })],
])("%s rejects an argument without types whose %s isn't valid and changes nothing", async (_, field, run) => {
  const drivers = emulator.drivers();
  const call = Promise.resolve().then(() => run(emulator as unknown as Untyped));
  expect(await errorOf(call)).toMatchObject({ code: "invalid_input", field });
  expect(emulator.drivers()).toEqual(drivers);
});

test("a test can add a driver, and deactivate one", async () => {
  const { id } = emulator.createOrder({ order_type: "delivery" });
  emulator.setDriver({ id: 99, name: "Nova" });
  const client = emulator.client();
  await client.assignDriver(id, { driver_id: 99 });
  emulator.setDriver({ id: 99, active: false });
  await expect(client.assignDriver(id, { driver_id: 99 })).rejects.toMatchObject({ httpStatus: 400 });
  expect(emulator.drivers(501).at(-1)).toEqual({ id: 99, name: "Nova", storeId: 501, active: false });
  emulator.reset();
  expect(emulator.drivers().some((driver) => driver.id === 99)).toBe(false);
  expect(() => emulator.drivers(999)).toThrow("There is no store 999");
});

describe("a received request", () => {
  const driver = (headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(emulator.url + path(1, "driver"), {
      ...init,
      method: "PUT",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ driver_id: 999 }),
    });
  const received = { path: path(1, "driver"), operation: "assignDriver", body: { driver_id: 999 } };

  test("contains its query, body, credential, operation and the reason for a rejection", async () => {
    const { id } = emulator.createOrder({ status: "confirmed" });
    const headers = { "x-api-key": emulator.signIn().apiKey };
    await fetch(emulator.url + path(id, "dispatch"), { method: "POST", headers });
    await driver(bearer());
    const summary = "/api/partner/v1/orders/summary";
    await fetch(`${emulator.url}${summary}?start_date=x&start_date=y`, { headers: bearer() });
    await fetch(`${emulator.url}/_emulator/orders`);
    const at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(emulator.received()).toMatchObject([
      { method: "POST", path: path(id, "dispatch"), credential: "api_key", operation: "dispatchOrder" },
      { ...received, method: "PUT", credential: "bearer", refused_by: "Resource not found", status: 404 },
      {
        ...{ at, method: "GET", path: summary, query: { start_date: ["x", "y"] }, body: null, fault: null },
        ...{ operation: "summary", refused_by: "start_date is given more than once", status: 400 },
      },
    ]);
    expect(emulator.received({ operation: "summary" })).toHaveLength(1);
    expect(emulator.received({ method: "put", path: "/driver" })).toHaveLength(1);
    expect(emulator.received({ method: "PUT", path: "/dispatch" })).toEqual([]);
  });

  test("contains digests instead of secrets", async () => {
    const fields = { grant_type: "refresh_token", client_id: "comanda-local" };
    const body = new URLSearchParams({ ...fields, refresh_token: "rt_my-secret-token" });
    await fetch(`${emulator.url}/api/partner/oauth/token`, { method: "POST", body });
    const [token] = emulator.received({ operation: "token" });
    const digest = createHash("sha256").update("rt_my-secret-token").digest("hex").slice(0, 16);
    expect(token?.body).toEqual({ ...fields, refresh_token: `sha256:${digest}` });
    expect(JSON.stringify(emulator.received())).not.toContain("my-secret");
  });

  test("is unexpected if neither the API nor a route has its operation", async () => {
    emulator.route("GET", "/api/partner/v1/orders/{id}", () => ({ json: { id: 1 } }));
    await fetch(`${emulator.url}/api/partner/v1/orders/1`, { headers: bearer() });
    await fetch(emulator.url + path(1, "dispatch"), { method: "POST" });
    emulator.assertNoUnexpected();
    await fetch(emulator.url + path(1, "dispach"), { method: "POST", headers: bearer() });
    expect(emulator.assertNoUnexpected).toThrow("POST /api/partner/v1/orders/1/dispach: 404");
  });

  test("stays unexpected after 1,000 later ones, until a reset", async () => {
    for (const verb of Array.from({ length: 21 }, (_, index) => `dispach${index}`))
      await fetch(emulator.url + path(1, verb), { method: "POST", headers: bearer() });
    // One connection with all requests takes a fifth of the time of 1,020 calls of fetch.
    const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
    const request = "GET /_emulator/clock HTTP/1.1\r\nhost: 127.0.0.1\r\n";
    socket.write(`${request}\r\n`.repeat(1_019) + `${request}connection: close\r\n\r\n`);
    expect((await text(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(1_020);
    expect(emulator.received()).toEqual([]);
    const listed = /orders\/1\/dispach0: 404\n[^]*orders\/1\/dispach19: 404\nand 1 more$/;
    expect(emulator.assertNoUnexpected).toThrow(listed);
    emulator.reset();
    expect(emulator.assertNoUnexpected).not.toThrow();
  });

  test.each(["empty", "reset", "hang"])("is complete even if a fault ended it early: %s", async (fault) => {
    emulator.setFaults(fault);
    const init = { signal: AbortSignal.timeout(200) };
    await driver(bearer(), init).catch(() => undefined);
    const status = fault === "empty" ? 200 : null;
    expect(emulator.received().at(-1)).toMatchObject({ ...received, credential: "bearer", fault, status });
    emulator.assertNoUnexpected();
  });
});

describe("a page of another origin", () => {
  const origin = "http://localhost:5173";
  const ask = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };

  test("may call the API and read its answers, and its preflight isn't a call", async () => {
    const { id } = emulator.createOrder({ status: "confirmed", order_type: "delivery" });
    emulator.setFaults({ status: 503, times: 1 });
    const url = emulator.url + path(id, "dispatch");
    const asked = await fetch(url, { method: "OPTIONS", headers: ask });
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": expect.stringContaining("POST") as string,
      "access-control-allow-headers": "authorization",
    });
    for (const status of [503, 204, 409]) {
      const answer = await fetch(url, { method: "POST", headers: { ...bearer(), origin } });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect(emulator.received().map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
  });

  test("may not use the control API", async () => {
    const url = `${emulator.url}/_emulator/faults`;
    const asked = await fetch(url, { method: "OPTIONS", headers: ask });
    expect(asked.headers.get("access-control-allow-origin")).toBeNull();
    for (const headers of [{ origin }, { "sec-fetch-site": "cross-site" }])
      expect((await fetch(url, { method: "PUT", headers })).status).toBe(403);
  });
});
