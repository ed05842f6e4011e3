/** Programs without types: whatever they give, it is refused with a ComandaError before anything is sent, and by its name. */
import { inspect } from "node:util";

import { describe, expect, test } from "vitest";

import {
  ComandaError,
  createClient,
  createMemoryRateLimiter,
  type ClientOptions,
  type Credentials,
} from "../../src/library/index.js";
import { createTransport, fileSession } from "../../src/library/node.js";
import { errorOf } from "./support/error-of.js";
import { scripted } from "./support/scripted.js";

type Method = (...all: readonly unknown[]) => Promise<unknown>;

const baseUrl = "https://api.example";
const credentials = { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") };
const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };
const get = { method: "GET", path: "/x" };
const cycle: Record<string, unknown> = { order_type: "takeout" };
cycle["self"] = cycle;

function clientOf(script: ReturnType<typeof scripted>) {
  return createClient({ baseUrl, credentials, transport: script.transport, rateLimiter: false });
}

const wrong: readonly (readonly [string, ...unknown[]])[] = [
  ["dispatchOrder"],
  ["dispatchOrder", ""],
  ["dispatchOrder", ".."],
  ["dispatchOrder", "\uD800"],
  ["dispatchOrder", "4.711"],
  ["dispatchOrder", "a/../b"],
  ["dispatchOrder", -1],
  ["dispatchOrder", 4711.5],
  ["dispatchOrder", {}],
  ["dispatchOrder", "1", null],
  ["dispatchOrder", "1", AbortSignal.abort()],
  ["dispatchOrder", "1", { signal: new AbortController() }],
  ["dispatchOrder", "1", { timeoutMs: 0 }],
  ["cancelOrder", "1", "too late"],
  ["cancelOrder", "1", { cancellation_reason: 5 }],
  ["assignDriver", "1"],
  ["assignDriver", "1", { driver_id: "7" }],
  ["assignDriver", "1", { driver_id: 0 }],
  ["assignDriver", "1", { driver_id: 1.5 }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: {} }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: 1.005 }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: "7,50" }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: -1 }],
  ["summary"],
  ["summary", { ...period, end_date: "2026-10-02" }],
  ["summary", { ...period, start_date: "2026-10-02T00:00:00" }],
  ["summary", { ...period, filters: "status" }],
  ["summary", { ...period, filters: { status_in: [] } }],
  ["summary", { ...period, filters: { status_in: null } }],
  ["summary", { ...period, filters: { customer_origin_in: ["é".repeat(256)] } }],
  ["summary", { ...period, filters: { customer_origin_null: false } }],
  ["summary", { ...period, filters: { total_eq: [1, 2] } }],
  ["summary", { ...period, filters: { total_gt: 1e21 } }],
  ["summary", { ...period, filters: { driver_id_in: [7, 0] } }],
  ["summary", { ...period, filters: { created_at_time_gt: 9 } }],
  ["groupedSummary", period],
  ["createPrefilledOrder"],
  ["createPrefilledOrder", cycle],
  ["createPrefilledOrder", { order_type: "takeout", extra: 1n }],
  ["request"],
  ["request", { method: "GET" }],
  ["request", { ...get, method: "get" }],
  ["request", { ...get, headers: { a: 1 } }],
  ["request", { ...get, query: { page: 2 } }],
  ["request", { ...get, query: [["a"]] }],
  ["request", { ...get, auth: "toString" }],
  ["request", { method: "POST", path: "/x", body: { a: 1 } }],
  ["request", get, { signal: new AbortController() }],
];

describe("a call with", () => {
  const script = scripted();
  const client = clientOf(script) as unknown as Readonly<Record<string, Method>>;

  test.each(wrong.map(([name, ...given]) => [`${name}(${inspect(given)})`, name, given] as const))(
    "%s",
    async (_, name, given) => {
      const error = await errorOf(client[name]?.(...given) ?? Promise.resolve());
      expect(error).toMatchObject({ code: "invalid_input", exitCode: 2, attempts: 0 });
      expect(error.message).toMatch(/^[\w"].*[.?]$/);
      expect(script.requests).toEqual([]);
    },
  );

  test.each<[string, readonly unknown[], string]>([
    ["summary", [{ ...period, filter: {} }], 'no field "filter". Did you mean "filters"?'],
    ["summary", [{ ...period, group_by: "day" }], 'no field "group_by"'],
    ["summary", [{ ...period, filters: { statusIn: "closed" } }], 'Did you mean "status_in"?'],
    ["summary", [{ ...period, filters: { toString: "closed" } }], 'filters has no field "toString"'],
    ["assignDriver", ["1", { driver_id: 7, driverFee: 5 }], 'Did you mean "driver_fee"?'],
    ["cancelOrder", ["1", { reason: "sold out" }], 'no field "reason". Did you mean "cancellation_reason"?'],
    ["dispatchOrder", ["1", { singal: undefined }], 'A call has no option "singal". Did you mean "signal"?'],
    [
      "createPrefilledOrder",
      [{ order_type: "takeout", cart: [{ item: 3001, qty: 2 }] }],
      'cart.0 has no field "item". Did you mean "item_id"? It has no field "qty".',
    ],
    ["request", [{ ...get, boddy: "{}" }], 'A request has no field "boddy". Did you mean "body"?'],
  ])("a name that nobody knows: %s(%j)", async (name, given, message) => {
    const error = await errorOf(client[name]?.(...given) ?? Promise.resolve());
    expect(error).toMatchObject({ code: "invalid_input", attempts: 0 });
    expect(error.message).toContain(message);
    expect(error.hint).toMatch(/^It has \w+/);
    expect(script.requests).toEqual([]);
  });

  test("a getter that fails keeps what it threw", async () => {
    const cause = new Error("mine");
    const order = {
      get order_type() {
        throw cause;
      },
    };
    expect(await errorOf(client["createPrefilledOrder"]?.(order) ?? Promise.resolve())).toMatchObject({
      code: "invalid_input",
      cause,
    });
  });
});

test("a call takes undefined for what is optional", async () => {
  const script = scripted({}, { body: '{"id":1}' });
  const client = clientOf(script);
  const nothing = undefined as unknown as never;
  await client.cancelOrder("1", { cancellation_reason: nothing }, { signal: nothing });
  await client.assignDriver("1", { driver_id: 7, driver_fee: nothing });
  expect(script.requests.map(({ body }) => body)).toEqual([undefined, '{"driver_id":7}']);
});

describe("options", () => {
  const client = (more: unknown) => () =>
    createClient({ baseUrl, credentials, ...(more as Partial<ClientOptions>) });
  test.each<[string, () => unknown, RegExp]>([
    [
      "nothing",
      () => createClient(undefined as unknown as ClientOptions),
      /must be an object, not undefined/,
    ],
    ["no base URL", client({ baseUrl: undefined }), /baseUrl must be a URL, not undefined/],
    ["no credentials", client({ credentials: undefined }), /credentials must be an object, not undefined/],
    ["a misspelt name", client({ maxRetry: 3 }), /no option "maxRetry". Did you mean "maxRetries"/],
    ["the same, undefined", client({ timeout: undefined }), /no option "timeout". Did you mean "timeoutMs"/],
    ["a misspelt credential", client({ credentials: { renw: "x" } }), /Did you mean "renew"/],
    ["a token in the place of a function", client({ credentials: { bearer: "SECRET" } }), /bearer must/],
    ["a transport without send", client({ transport: {} }), /transport must be an object with the functions/],
    ["a text for fetch", client({ fetch: "https://x" }), /fetch must be a function, not a string/],
    ["true for a limiter", client({ rateLimiter: true }), /rateLimiter must be false, or/],
    ["a clock that can't sleep", client({ clock: { now: () => 0 } }), /clock must be/],
    ["no time", client({ timeoutMs: 0 }), /timeoutMs must be a number of milliseconds above 0, not 0/],
    ["a time that is no number", client({ timeoutMs: NaN }), /timeoutMs must .* not NaN/],
    ["a time as text", client({ timeoutMs: "30s" }), /timeoutMs must .* not a string/],
    ["less than no wait", client({ maxWaitMs: -1 }), /maxWaitMs must be .* at least 0, not -1/],
    ["half a retry", client({ maxRetries: 0.5 }), /maxRetries must be a whole number of at least 0/],
    ["of a transport", () => createTransport({ connection: 5 } as object), /Did you mean "connections"/],
    ["no connections", () => createTransport({ connections: 0 }), /connections must be/],
    ["an endless connecting", () => createTransport({ connectTimeoutMs: -1 }), /connectTimeoutMs must be/],
    ["no transport's", () => createTransport(null as unknown as object), /must be an object, not null/],
  ])("that are wrong: %s", (_, run, message) => {
    const refusal = (): ComandaError => {
      try {
        run();
      } catch (error) {
        if (error instanceof ComandaError) return error;
        throw error;
      }
      throw new Error("it was taken");
    };
    const { code, message: said, hint = "" } = refusal();
    expect(code).toBe("configuration");
    expect(said).toMatch(message);
    expect(said + hint).not.toContain("SECRET");
  });

  test("of a session", async () => {
    expect(await errorOf(fileSession({ stor: "centro", env: {} } as object))).toMatchObject({
      code: "configuration",
      message: 'fileSession has no option "stor". Did you mean "store"?',
    });
  });

  test("that are right, objects of a class among them", () => {
    class Store implements Credentials {
      readonly token = "TOKEN";
      bearer() {
        return Promise.resolve(this.token);
      }
    }
    const clock = { now: Date.now, sleep: () => Promise.resolve(), advance: () => undefined };
    const rateLimiter = { ...createMemoryRateLimiter(), name: "shared" };
    expect(client({ credentials: new Store(), clock, rateLimiter })).not.toThrow();
    expect(client({ timeoutMs: Infinity, maxWaitMs: Infinity, maxRetries: Infinity })).not.toThrow();
    expect(client({ timeoutMs: 0.5, maxWaitMs: 0, maxRetries: 0, transport: undefined })).not.toThrow();
  });
});
