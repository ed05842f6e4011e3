/** Programs without types: whatever they pass, a method rejects with a ComandaError, and nothing is sent. */
import { inspect } from "node:util";

import { describe, expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { createDescriber } from "../../src/client/client.js";
import { errorOf } from "./support/error-of.js";
import { scripted } from "./support/scripted.js";

type Method = (...all: readonly unknown[]) => unknown;

const script = scripted();
const client = createClient({
  baseUrl: "https://api.example",
  transport: script.transport,
  credentials: { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") },
}) as unknown as Record<string, Method>;

const cycle: Record<string, unknown> = { order_type: "takeout" };
cycle["self"] = cycle;
const failing = {
  order_type: "takeout",
  toJSON: () => {
    throw new Error("mine");
  },
};
const get = { method: "GET", path: "/x" };
const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };

const wrong: readonly (readonly [string, ...unknown[]])[] = [
  ["dispatchOrder"],
  ["dispatchOrder", "4.711"],
  ["dispatchOrder", "a/../b"],
  ["dispatchOrder", -1],
  ["dispatchOrder", 4711.5],
  ["dispatchOrder", null],
  ["dispatchOrder", {}],
  ["dispatchOrder", "1", null],
  ["dispatchOrder", "1", "soon"],
  ["dispatchOrder", "1", AbortSignal.abort()],
  ["dispatchOrder", "1", { signal: new AbortController() }],
  ["dispatchOrder", "1", { signal: true }],
  ["dispatchOrder", "1", { signal: null }],
  ["cancelOrder", "1", "too late"],
  ["cancelOrder", "1", { cancellation_reason: 5 }],
  ["assignDriver", "1"],
  ["assignDriver", "1", null],
  ["assignDriver", "1", { driver_id: "7" }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: {} }],
  ["summary"],
  ["summary", null],
  ["summary", { ...period, filters: "status" }],
  ["summary", { ...period, filters: null }],
  ["summary", { ...period, filters: [{ field: "status", operator: "in", values: ["closed"] }] }],
  ["summary", { ...period, filters: { status_in: [] } }],
  ["summary", { ...period, filters: { status_in: null } }],
  ["summary", { ...period, filters: { customer_origin_in: [5] } }],
  ["summary", { ...period, filters: { customer_origin_null: false } }],
  ["summary", { ...period, filters: { total_eq: [1, 2] } }],
  ["summary", { ...period, filters: { total_eq: 1.005 } }],
  ["summary", { ...period, filters: { total_gt: 1e21 } }],
  ["summary", { ...period, filters: { driver_id_in: [7, 0] } }],
  ["summary", { ...period, filters: { created_at_time_gt: 9 } }],
  ["groupedSummary", period],
  ["createPrefilledOrder"],
  ["createPrefilledOrder", cycle],
  ["createPrefilledOrder", { order_type: "takeout", extra: 1n }],
  ["createPrefilledOrder", failing],
  ["request"],
  ["request", null],
  ["request", "GET /x"],
  ["request", {}],
  ["request", { method: "GET" }],
  ["request", { ...get, method: "get" }],
  ["request", { ...get, headers: { a: 1 } }],
  ["request", { ...get, headers: null }],
  ["request", { ...get, query: { page: 2 } }],
  ["request", { ...get, query: [["a"]] }],
  ["request", { ...get, auth: "basic" }],
  ["request", { ...get, auth: "toString" }],
  ["request", { method: "POST", path: "/x", body: { a: 1 } }],
  ["request", { method: "POST", path: "/x", body: 5 }],
  ["request", { method: "POST", path: "/x", body: null }],
  ["request", { method: "POST", path: "/x", body: { open: () => [], length: -0.5, reopens: true } }],
  ["request", get, { signal: new AbortController() }],
];

describe("a call with", () => {
  test.each(
    wrong.map(([name, ...given]) => ({
      title: `${name}(${given.map((each) => inspect(each)).join()})`,
      name,
      given,
    })),
  )("$title", async ({ name, given }) => {
    const call = client[name]?.(...given);
    expect(call).toBeInstanceOf(Promise);
    const error = await errorOf(call as Promise<unknown>);
    expect(error).toMatchObject({ code: "invalid_input", exitCode: 2 });
    expect(error.message).toMatch(/^[\w"].*[.?]$/);
    expect(script.requests).toEqual([]);
  });

  test("a getter that fails keeps what it threw", async () => {
    const cause = new Error("mine");
    const order = {
      get order_type() {
        throw cause;
      },
    };
    expect(await errorOf(client["createPrefilledOrder"]?.(order) as Promise<unknown>)).toMatchObject({
      code: "invalid_input",
      cause,
    });
  });
});

test("a description of no operation throws the same", () => {
  const describer = createDescriber({ baseUrl: "https://api.example", credentials: {} }, ["bearer"]);
  const untyped = describer as unknown as Record<string, Method>;
  for (const describe of [
    () => untyped["operation"]?.("nope", {}),
    () => untyped["operation"]?.("dispatchOrder", undefined),
    () => untyped["any"]?.(undefined),
  ])
    expect(describe).toThrow(expect.objectContaining({ code: "invalid_input" }));
});
