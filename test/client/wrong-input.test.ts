/** Programs without types: invalid arguments are rejected with a ComandaError that names them, before anything is sent. */
import { inspect } from "node:util";

import { expect, test } from "vitest";

import { request } from "../../src/client/any-call.js";
import { createClient, type Client } from "../../src/library/index.js";
import { errorOf, scripted, scriptedClient } from "./support/scripted.js";

type Method = (...all: readonly unknown[]) => Promise<unknown>;

const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };
const get = { method: "GET", path: "/x" };
const cycle: Record<string, unknown> = { order_type: "takeout" };
cycle["self"] = cycle;

const wrong: readonly (readonly [string, ...unknown[]])[] = [
  ["dispatchOrder"],
  ["dispatchOrder", null],
  ["dispatchOrder", "\uD800"],
  ["dispatchOrder", "4.711"],
  ["cancelOrder", "1", "too late"],
  ["cancelOrder", "1", { cancellation_reason: 5 }],
  ["assignDriver", "1"],
  ["assignDriver", "1", { driver_id: "7" }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: 1.005 }],
  ["assignDriver", "1", { driver_id: 7, driver_fee: "7,50" }],
  ["summary"],
  ["summary", { ...period, end_date: "2026-10-02" }],
  ["summary", { ...period, filters: { status_in: [] } }],
  ["summary", { ...period, filters: { customer_origin_in: ["é".repeat(256)] } }],
  ["summary", { ...period, filters: { driver_id_in: [7, 0] } }],
  ["groupedSummary", period],
  ["createPrefilledOrder"],
  ["createPrefilledOrder", cycle],
  ["createPrefilledOrder", { order_type: "takeout", extra: 1n }],
  ["request"],
  ["request", { ...get, method: "get" }],
  ["request", { ...get, headers: { a: 1 } }],
  ["request", { ...get, auth: "toString" }],
  ["request", { method: "POST", path: "/x", body: { a: 1 } }],
];

/** Unknown names, each with a part of its message. */
const unknown: readonly (readonly [string, string, ...unknown[]])[] = [
  ['no field "filter". Did you mean "filters"?', "summary", { ...period, filter: {} }],
  ['Did you mean "status_in"?', "summary", { ...period, filters: { statusIn: "closed" } }],
  ['filters has no field "toString"', "summary", { ...period, filters: { toString: "closed" } }],
  ['Did you mean "cancellation_reason"?', "cancelOrder", "1", { reason: "sold out" }],
  ['Did you mean "item_id"?', "createPrefilledOrder", { order_type: "takeout", cart: [{ item: 1 }] }],
];

test.each([
  ...wrong.map(([name, ...given]) => [name, inspect(given), "", given] as const),
  ...unknown.map(([words, name, ...given]) => [name, inspect(given), words, given] as const),
])("rejects %s(%s) %s", async (name, _, words, given) => {
  const { client, requests } = scriptedClient([]);
  const methods = { ...client, request: request.bind(undefined, client) };
  const call = (methods as unknown as Readonly<Record<string, Method>>)[name];
  const error = await errorOf(call?.(...given) ?? Promise.resolve());
  expect(error).toMatchObject({ code: "invalid_input", exitCode: 2, attempts: 0 });
  expect(error.message).toMatch(/^[\w"].*[.?]$/);
  expect(error.message).toContain(words);
  expect(requests).toEqual([]);
});

test.each<[field: string, options: unknown]>([
  ["options", null],
  ["options", 5_000],
  ["timeout", { timeout: 5_000 }],
  ["signal", { signal: new AbortController() }],
  ["timeoutMs", { timeoutMs: "5000" }],
  ["timeoutMs", { timeoutMs: 0 }],
  ["timeoutMs", { timeoutMs: -1 }],
  ["timeoutMs", { timeoutMs: Number.NaN }],
  ["maxRetries", { maxRetries: Number.NaN }],
])("rejects a call whose option %s isn't valid: %o", async (field, options) => {
  const { transport, requests } = scripted({});
  const client = createClient({ baseUrl: "https://api.example", transport, credentials: {} });
  const methods = client as unknown as Readonly<Record<string, Method>>;
  expect(await errorOf(methods["dispatchOrder"]?.(1, options) ?? Promise.resolve())).toMatchObject({
    code: "invalid_input",
    field,
    operation: "dispatchOrder",
    attempts: 0,
  });
  expect(requests).toEqual([]);
});

test.each<[field: string, options: unknown]>([
  ["options", undefined],
  ["options", null],
  ["credentials", { baseUrl: "https://api.example" }],
  ["credentials", { baseUrl: "https://api.example", credentials: "TOKEN" }],
  ["baseUrl", { baseUrl: 5, credentials: {} }],
  ["timeout", { baseUrl: "https://api.example", credentials: {}, timeout: 5_000 }],
  ["maxWaitMs", { baseUrl: "https://api.example", credentials: {}, maxWaitMs: -1 }],
  ["fetch", { baseUrl: "https://api.example", credentials: {}, fetch: {} }],
])("createClient rejects the option %s in %o", (field, options) => {
  const create = createClient as (options: unknown) => Client;
  expect(() => create(options)).toThrow(expect.objectContaining({ code: "invalid_input", field }));
});
