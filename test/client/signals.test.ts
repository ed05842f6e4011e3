/** One signal for any number of calls: Node warns of more than ten listeners, since they may be a leak. */
import { getEventListeners } from "node:events";

import { expect, onTestFinished, test } from "vitest";

import type { ClientOptions } from "../../src/client/call.js";
import { createClient } from "../../src/client/client.js";
import { unlessAborted } from "../../src/client/clock.js";
import { TransportError, type HttpRequest } from "../../src/client/transport.js";
import { startPublicEmulator } from "../support/emulators.js";
import { errorOf } from "./support/error-of.js";
import { scripted } from "./support/scripted.js";

const refused = new TransportError("refused", false, "nothing listens");
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

/** What Node warns of while this test runs. */
function warnings(): Error[] {
  const seen: Error[] = [];
  const hear = (warning: Error) => seen.push(warning);
  process.on("warning", hear);
  onTestFinished(() => {
    process.off("warning", hear);
  });
  return seen;
}

/** A client whose every call waits where `options` make it wait. */
function waiting(options: Partial<ClientOptions>) {
  const aborted = new TransportError("aborted", true, "aborted");
  const send = ({ signal }: HttpRequest) => waitForSignal(signal).catch(() => Promise.reject(aborted));
  const transport = { send, close: () => Promise.resolve() };
  const credentials = { bearer: () => Promise.resolve("TOKEN") };
  const base = { baseUrl: "https://api.example", rateLimiter: false as const, credentials, transport };
  return createClient({ ...base, ...options });
}

test("200 calls at once over real connections leave no listener and cause no warning", async () => {
  const seen = warnings();
  const emulator = await startPublicEmulator({ orders: 0, rateLimits: false });
  onTestFinished(() => emulator.close());
  const client = createClient({
    baseUrl: emulator.baseUrl,
    credentials: emulator.signIn().credentials,
    rateLimiter: false,
  });
  onTestFinished(() => client.close());
  const { signal } = new AbortController();
  const { id } = emulator.createOrder({ order_type: "delivery", delivered_by: "merchant" });
  const calls = Array.from({ length: 200 }, () =>
    client.assignDriver(String(id), { driver_id: 11 }, { signal }),
  );
  for (const { httpStatus } of await Promise.all(calls)) expect(httpStatus).toBe(200);
  expect(listenersOf(signal)).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
});

test.each<[string, () => Partial<ClientOptions>]>([
  ["the service", () => ({})],
  ["a credential", () => ({ credentials: { bearer: () => new Promise(() => undefined) } })],
  [
    "a pause",
    () => ({
      clock: { now: Date.now, sleep: (_, signal) => waitForSignal(signal) },
      transport: scripted(refused, refused).transport,
    }),
  ],
  [
    "a place within the rate limit",
    () => ({
      rateLimiter: { acquire: (_, { signal }) => waitForSignal(signal), blocked: () => undefined },
    }),
  ],
])("calls of many clients that wait for %s all end with it", async (_, options) => {
  const seen = warnings();
  const abort = new AbortController();
  const { signal } = abort;
  const calls = Array.from({ length: 20 }, () => waiting(options())).flatMap((client) => [
    errorOf(client.dispatchOrder("1", { signal })),
    errorOf(client.request({ method: "GET", path: "/x" }, { signal })),
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error("closing time");
  abort.abort(reason);
  for (const error of await Promise.all(calls)) expect(error.cause).toBe(reason);
  expect(listenersOf(signal)).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
});

function waitForSignal(signal?: AbortSignal): Promise<never> {
  return unlessAborted(signal, () => new Promise<never>(() => undefined));
}
