/**
 * Programs without types: invalid arguments are rejected with a ComandaError that names them, before anything is sent. Inputs that
 * the specification forbids are in the wire fixtures, and those of `request` in library/options.test.ts.
 */
import { expect, test } from "vitest";

import { createClient, createMemoryRateLimiter, request, salesFigures } from "../../src/library/index.js";
import { createTransport, fileSession } from "../../src/library/node.js";
import { createOAuth } from "../../src/library/oauth.js";
import { startEmulator } from "../../src/library/emulator.js";
import { app } from "./support/oauth-app.js";
import { errorOf, period, scripted, scriptedClient } from "./support/scripted.js";

type Method = (...all: readonly unknown[]) => Promise<unknown>;

const cycle: Record<string, unknown> = { order_type: "takeout" };
cycle["self"] = cycle;

test.each<[name: string, given: readonly unknown[], words?: string]>([
  ["dispatchOrder", []],
  ["dispatchOrder", ["4.711"]],
  ["cancelOrder", ["1", "too late"]],
  ["cancelOrder", ["1", { reason: "sold out" }], 'Did you mean "cancellation_reason"?'],
  ["assignDriver", ["1", { driver_id: "7" }]],
  ["assignDriver", ["1", { driver_id: 7, driver_fee: "7,50" }]],
  ["summary", [{ ...period, filters: { status_in: [] } }]],
  ["summary", [{ ...period, filters: { toString: "closed" } }], 'filters has no field "toString"'],
  ["createPrefilledOrder", [cycle]],
  ["createPrefilledOrder", [{ order_type: "takeout", cart: [{ item: 1 }] }], 'Did you mean "item_id"?'],
])("rejects %s(...%o) %s", async (name, given, words = "") => {
  const { client, requests } = scriptedClient([]);
  const call = (client as unknown as Readonly<Record<string, Method>>)[name];
  const error = await errorOf(call?.(...given) ?? Promise.resolve());
  expect(error).toMatchObject({ code: "invalid_input", exitCode: 2, attempts: 0 });
  expect(error.message).toMatch(/^[\w"].*[.?]$/);
  expect(error.message).toContain(words);
  expect(requests).toEqual([]);
});

test.each<[field: string, options: unknown]>([
  ["options", null],
  ["timeout", { timeout: 5_000 }],
  ["signal", { signal: new AbortController() }],
  ["timeoutMs", { timeoutMs: 0 }],
  ["maxRetries", { maxRetries: Number.NaN }],
])("rejects a call whose option %s isn't valid: %o", async (field, options) => {
  const { transport, requests } = scripted({});
  const client = createClient({ baseUrl: "https://api.example", transport, credentials: {} });
  expect(await errorOf(client.dispatchOrder(1, options as never))).toMatchObject({
    code: "invalid_input",
    field,
    operation: "dispatchOrder",
    attempts: 0,
  });
  expect(requests).toEqual([]);
});

const api = { baseUrl: "https://api.example", credentials: {} };
const nothing = () => undefined;
const entries = {
  request,
  salesFigures,
  createClient,
  createMemoryRateLimiter,
  createOAuth,
  createTransport,
  fileSession,
  startEmulator,
};

test.each<[entry: keyof typeof entries, field: string, options: unknown]>([
  ["request", "client", undefined],
  ["request", "client.call", {}],
  ["salesFigures", "client.summary", { groupedSummary: nothing }],
  ["createClient", "options", undefined],
  ["createClient", "credentials", { ...api, credentials: "TOKEN" }],
  ["createClient", "credentials.bearers", { ...api, credentials: { bearers: "TOKEN" } }],
  ["createClient", "baseUrl", { ...api, baseUrl: 5 }],
  ["createClient", "timeout", { ...api, timeout: 5_000 }],
  ["createClient", "maxWaitMs", { ...api, maxWaitMs: -1 }],
  ["createClient", "transport.send", { ...api, transport: {} }],
  ["createClient", "rateLimiter", { ...api, rateLimiter: { acquire: nothing, blocked: true } }],
  ["createClient", "journal.ended", { ...api, journal: { willSend: nothing, attempted: nothing } }],
  ["createClient", "clock.monotonic", { ...api, clock: { now: nothing, sleep: nothing, monotonic: 5 } }],
  ["createClient", "userAgent", { ...api, userAgent: "shop\r\nx: 1" }],
  ["createClient", "userAgent", { ...api, userAgent: "açaí/1" }],
  ["createClient", "observer.sends", { ...api, observer: { sends: "log" } }],
  ["createClient", "observer.attempt", { ...api, observer: { attempt: nothing } }],
  ["createMemoryRateLimiter", "clock.now", {}],
  ["createOAuth", "store", { ...app, store: undefined }],
  ["createOAuth", "store.lock", { ...app, store: { load: nothing, save: nothing } }],
  ["createOAuth", "transport.send", { ...app, transport: {} }],
  ["createOAuth", "clientID", { ...app, clientID: "app" }],
  ["createOAuth", "clientId", { ...app, clientId: "" }],
  ["createOAuth", "maxClients", { ...app, maxClients: 0 }],
  ["createOAuth", "maxClients", { ...app, maxClients: 0.5 }],
  ["createOAuth", "timeoutMs", { ...app, timeoutMs: 0 }],
  ["createOAuth", "timeoutMs", { ...app, timeoutMs: 300_001 }],
  ["createTransport", "connections", { connections: 0 }],
  ["fileSession", "folder", { folder: 7 }],
  ["startEmulator", "port", { port: 70_000 }],
  ["startEmulator", "stores.0.id", { stores: [{ id: 0 }] }],
])("%s rejects the option %s in %o", async (entry, field, options) => {
  const start = entries[entry] as (options: never) => unknown;
  const error = await errorOf(Promise.resolve().then(() => start(options as never)));
  expect(error).toMatchObject({ code: "invalid_input", field });
  expect(error.message).toMatch(/ (?:is required|must (?:be|have) .*|has no field ".*)[.?]$/);
});
