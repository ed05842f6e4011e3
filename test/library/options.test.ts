/** The options of `createClient`, of its calls and of the other entry points. */
import { describe, expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { ComandaError, createClient, createMemoryRateLimiter } from "../../src/library/index.js";
import { outcomeOf, request } from "../../src/library/index.js";
import type { AnyRequest, ClientOptions, ObservedAttempt, RateLimiter } from "../../src/library/index.js";
import { createTransport } from "../../src/library/node.js";
import { errorOf, period, scripted, type Step } from "../client/support/scripted.js";
import { closing } from "../support/resources.js";

/** A client of a service that responds with these steps, and the requests that it received. */
function clientWith(options: Partial<ClientOptions>, steps: readonly Step[] = [{ status: 204 }]) {
  const { transport, requests } = scripted(...steps);
  const credentials = { bearer: "TOKEN" };
  const client = createClient({ baseUrl: "https://api.example", credentials, transport, ...options });
  return { client, requests };
}

/** Returns the error of options that no client has. */
const refusal = (options: Partial<ClientOptions>) =>
  errorOf(Promise.resolve().then(() => clientWith(options)));

describe("a credential", () => {
  test("may be text, or a method of an object with other fields", async () => {
    class Keys {
      private readonly key = "KEY";
      apiKey() {
        return this.key;
      }
    }
    for (const [credentials, header, value] of [
      [{ bearer: "TOKEN" }, "authorization", "Bearer TOKEN"],
      [{ bearer: () => "TOKEN" }, "authorization", "Bearer TOKEN"],
      [{ bearer: "", apiKey: "KEY" }, "x-api-key", "KEY"],
      [new Keys(), "x-api-key", "KEY"],
    ] as const) {
      const { client, requests } = clientWith({ credentials });
      await client.dispatchOrder(1);
      expect(requests[0]?.headers).toMatchObject({ [header]: value });
    }
  });

  test.each([
    ["begins with Bearer", "Bearer TOKEN"],
    ["contains a blank", "two words"],
    ["ends with a line break", "TOKEN\n"],
    ["begins with a blank", " TOKEN"],
    ["has more than 4,096 characters", "TOKEN".padEnd(4_097, "x")],
  ])("is rejected if it %s", async (_, secret) => {
    for (const field of ["bearer", "apiKey", "partnerKey"]) {
      const error = await refusal({ credentials: { [field]: secret } });
      expect(error).toMatchObject({ code: "invalid_input", field: `credentials.${field}` });
      expect(JSON.stringify(error)).not.toContain("TOKEN");
    }
    const { client } = clientWith({ credentials: { bearer: () => secret } });
    const error = await errorOf(client.dispatchOrder(1));
    expect(error).toMatchObject({ code: "not_signed_in", attempts: 0 });
    expect(JSON.stringify([error, error.message])).not.toContain("TOKEN");
  });
});

test("an option with functions may be an object of a class, with functions of its prototype and other fields", async () => {
  class Observer {
    readonly outcomes: string[] = [];
    attempted(_: unknown, { verdict }: ObservedAttempt) {
      this.outcomes.push(verdict.outcome);
    }
  }
  const observer = new Observer();
  await clientWith({ observer }).client.dispatchOrder(1);
  expect(observer.outcomes).toEqual(["done"]);
});

describe("request", () => {
  const cancel = { method: "POST", path: "/api/partner/v1/orders/4711/cancel" };

  test.each<readonly [message: string, field: string | undefined, input: unknown]>([
    ["The input is required.", undefined, undefined],
    ["The input must be an object.", undefined, "GET /x"],
    ['input has no field "Body". Did you mean "body"?', "Body", { ...cancel, Body: "{}" }],
    ['input has no field "timeoutMs".', "timeoutMs", { ...cancel, timeoutMs: 5 }],
    ["method must be one of ", "method", { ...cancel, method: "post" }],
    ["path is required.", "path", { method: "GET" }],
    ["path must be text.", "path", { ...cancel, path: ["orders"] }],
    ["query must be an object whose values are strings, or a list", "query", { ...cancel, query: 5 }],
    ["query must be ", "query", { ...cancel, query: { a: 1 } }],
    ["query must be ", "query", { ...cancel, query: ["ab"] }],
    ["query must be ", "query", { ...cancel, query: new URLSearchParams({ a: "1" }) }],
    ["headers must be an object whose values are strings.", "headers", { ...cancel, headers: "X-A: 1" }],
    ["headers.a must be text.", "headers.a", { ...cancel, headers: { a: 1 } }],
    ["The header Cookie can't be set.", "headers", { ...cancel, headers: { Cookie: "a=1" } }],
    ["The header X-API-KEY can't be set.", "headers", { ...cancel, headers: { "X-API-KEY": "v" } }],
    ["The header bad name can't be set.", "headers", { ...cancel, headers: { "bad name": "v" } }],
    ["The header a can't be set.", "headers", { ...cancel, headers: { a: "a\r\nb" } }],
    ['"x-a" is repeated.', undefined, { ...cancel, headers: { "X-A": "1", "x-a": "2" } }],
    ["body must be a string, such as JSON.stringify(value), ", "body", { ...cancel, body: { a: 1 } }],
    ["A HEAD request has no body.", "body", { ...cancel, method: "HEAD", body: "{}" }],
    ["auth must be one of ", "auth", { ...cancel, auth: "key" }],
  ])("sends nothing and reports '%s', with the field %s: %o", async (message, field, input) => {
    const { client, requests } = clientWith({});
    const error = await errorOf(request(client, input as never));
    expect(error).toMatchObject({ code: "invalid_input", field, operation: "request", attempts: 0 });
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/[.?]$/);
    expect(requests).toEqual([]);
  });

  test("sends a query of pairs or of an object, headers and a body", async () => {
    const { client, requests } = clientWith({}, [{ status: 204 }, { status: 204 }]);
    const body = new TextEncoder().encode("{}");
    const query: AnyRequest["query"] = [
      ["a", "1"],
      ["a", "2"],
    ];
    await request(client, { ...cancel, method: "PUT", query, headers: { "X-A": "1" }, body });
    await request(client, { method: "GET", path: "/x", query: { a: "1" }, headers: undefined });
    expect(requests).toMatchObject([
      { url: `https://api.example${cancel.path}?a=1&a=2`, headers: { "x-a": "1" }, body },
      { url: "https://api.example/x?a=1" },
    ]);
  });
});

describe("undefined", () => {
  test("counts as absent in all options", async () => {
    const names =
      "allowInsecure fetch rateLimiter clock random maxWaitMs timeoutMs maxRetries userAgent onWait journal onFallback";
    const absent = Object.fromEntries(names.split(" ").map((name) => [name, undefined]));
    const observer = { sends: undefined, attempted: undefined };
    const credentials = { bearer: "TOKEN", renew: undefined, apiKey: undefined, partnerKey: undefined };
    const ofCall = { signal: undefined, timeoutMs: undefined, maxRetries: undefined, maxWaitMs: undefined };
    const { client, requests } = clientWith({ ...absent, observer, credentials });
    expect(await client.dispatchOrder(1, ofCall)).toMatchObject({ outcome: "done" });
    expect(requests).toMatchObject([{ timeoutMs: 30_000 }]);
  });

  test("counts as absent in the query and the body", async () => {
    const { client, requests } = clientWith({}, [{ body: "{}" }, { body: "{}" }]);
    await errorOf(client.summary({ ...period, date_field: undefined, filters: { status_in: undefined } }));
    await errorOf(client.assignDriver(1, { driver_id: 7, driver_fee: undefined }, { maxRetries: 0 }));
    const search = "?start_date=2026-10-01T00%3A00%3A00Z&end_date=2026-10-02T00%3A00%3A00Z";
    expect(new URL(requests[0]?.url ?? "").search).toBe(search);
    expect(requests[1]?.body).toBe('{"driver_id":7}');
  });

  test("counts as absent in the options of the emulator, of its client and of createTransport", async () => {
    const options = { port: undefined, readings: { conflict_status: undefined }, rateLimits: undefined };
    const faults = [{ status: 503, times: undefined, path: undefined }];
    const emulator = closing(await startEmulator({ ...options, orders: 0, faults }));
    const transport = closing(createTransport({ connections: undefined, connectTimeoutMs: undefined }));
    const absent = { baseUrl: undefined, clock: undefined, credentials: undefined };
    const client = emulator.client({ ...absent, transport });
    const { id } = emulator.createOrder({ status: undefined, order_type: "takeout", merchant_id: undefined });
    expect(await errorOf(client.finalizeOrder(id))).toMatchObject({ httpStatus: 503 });
    emulator.setFaults();
    const canceled = await client.cancelOrder(id, { cancellation_reason: undefined });
    expect(canceled).toMatchObject({ outcome: "done" });
  });
});

test("undefined counts as absent for a name that the input doesn't have, and in the options of an error", async () => {
  const body = '{"total_order_count":0,"total_revenue":0,"average_order_value":0}';
  const { client } = clientWith({}, [{ body }]);
  const query = { ...period, group_by: undefined };
  expect(await client.summary(query)).toMatchObject({ outcome: "done" });
  const error = new ComandaError("not_found", "No.", { outcome: undefined, httpStatus: undefined });
  expect(error).toMatchObject({ outcome: "failed", httpStatus: null });
});

test("options that are inherited count", async () => {
  const { transport } = scripted({ status: 204 });
  const shared = { baseUrl: "https://api.example", credentials: { bearer: "TOKEN" }, transport };
  const { outcome } = await createClient(Object.create(shared) as ClientOptions).dispatchOrder(1);
  expect(outcome).toBe("done");
});

test("a hint about an unknown name lists no internal name", async () => {
  const ofCredentials = await refusal({ credentials: { xyz: "TOKEN" } as object });
  expect(ofCredentials.hint).toBe("Use one of bearer, renew, apiKey, partnerKey.");
  const ofCall = await errorOf(clientWith({}).client.dispatchOrder(1, { xyz: 1 } as object));
  expect(ofCall.hint).toBe("Use one of signal, timeoutMs, maxRetries, maxWaitMs.");
});

test.each<readonly [field: string, call: (limiter: RateLimiter) => unknown]>([
  ["ms", (limiter) => limiter.blocked("general", NaN)],
  ["bucket", (limiter) => limiter.blocked("x" as "general", 1)],
  ["maxWaitMs", (limiter) => limiter.acquire("general", { maxWaitMs: NaN })],
  ["bucket", (limiter) => limiter.acquire("x" as "general", { maxWaitMs: 0 })],
])("createMemoryRateLimiter's functions reject an argument that isn't valid: %s", async (field, call) => {
  const rejected = Promise.resolve(createMemoryRateLimiter()).then(call);
  expect(await errorOf(rejected)).toMatchObject({ code: "invalid_input", field });
});

test("an unknown outcome has as its cause the error that a function of the program throws", async () => {
  const cause = new ComandaError("usage", "Mine.", { cause: new Error("another") });
  const attempted = () => Promise.reject(cause);
  const { client } = clientWith({ observer: { attempted } }, [{ status: 502 }]);
  const error = await errorOf(client.dispatchOrder(1));
  expect(error).toMatchObject({ code: "outcome_unknown", outcome: "unknown" });
  expect(error.cause).toBe(cause);
});

test("maxWaitMs of a call replaces the client's, for the service's limit and for our own", async () => {
  const limited = clientWith({}, [{ status: 429, headers: { "retry-after": "7" } }]).client;
  const atOnce = { code: "rate_limited", attempts: 1 };
  expect(await errorOf(limited.dispatchOrder(1, { maxWaitMs: 0 }))).toMatchObject(atOnce);
  const given: number[] = [];
  const acquire: RateLimiter["acquire"] = (_, { maxWaitMs }) => {
    given.push(maxWaitMs);
    return Promise.resolve({ settle: () => undefined });
  };
  const rateLimiter = { acquire, blocked: () => undefined };
  const { client } = clientWith({ maxWaitMs: 5, rateLimiter }, [{ status: 204 }, { status: 204 }]);
  await client.dispatchOrder(1, { maxWaitMs: 0 });
  await client.dispatchOrder(1, { maxWaitMs: undefined });
  expect(given).toEqual([0, 5]);
});

test.each([
  [undefined, /^comanda\/\d+\.\d+\.\d+$/],
  ["shop/2.1 (Ana)", /^shop\/2\.1 \(Ana\) comanda\/\d+\.\d+\.\d+$/],
])("the header User-Agent names the program and comanda's version: %s", async (userAgent, expected) => {
  const { client, requests } = clientWith({ userAgent });
  await client.dispatchOrder(1);
  expect(requests[0]?.headers["user-agent"]).toMatch(expected);
});

describe("outcomeOf", () => {
  test("returns the result or the error, which have the same fields", async () => {
    const conflict = { status: 409, body: '{"code":4002,"message":"no"}' };
    const { client } = clientWith({}, [{ status: 204 }, conflict]);
    const done = await outcomeOf(client.dispatchOrder(1));
    const refused = await outcomeOf(client.dispatchOrder(2));
    const facts = { evidence: "api", attempts: 1, value: null };
    expect(done).toMatchObject({ ...facts, outcome: "done", code: null, httpStatus: 204 });
    expect(refused).toMatchObject({ ...facts, outcome: "refused", code: "status_conflict", httpStatus: 409 });
  });

  test("throws what isn't a ComandaError", async () => {
    const other = new Error("another");
    await expect(outcomeOf(Promise.reject(other))).rejects.toBe(other);
  });
});
