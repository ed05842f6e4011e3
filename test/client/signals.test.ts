/** One signal for any number of calls: Node warns of more than ten listeners, since they may be a leak. */
import { getEventListeners } from "node:events";

import { expect, onTestFinished, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { startPublicEmulator } from "../support/emulators.js";
import { errorOf } from "./support/error-of.js";

test("200 calls at once leave no listener and cause no warning, and all that wait end with it", async () => {
  const seen: Error[] = [];
  const hear = (warning: Error) => seen.push(warning);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const emulator = await startPublicEmulator({ orders: 0, rateLimits: false });
  onTestFinished(() => emulator.close());
  const { credentials } = emulator.signIn();
  const options = { baseUrl: emulator.baseUrl, rateLimiter: false } as const;
  const client = createClient({ ...options, credentials });
  const abort = new AbortController();
  const { signal } = abort;
  const { id } = emulator.createOrder({ order_type: "delivery", delivered_by: "merchant" });
  const calls = Array.from({ length: 200 }, () => client.assignDriver(id, { driver_id: 11 }, { signal }));
  for (const { httpStatus } of await Promise.all(calls)) expect(httpStatus).toBe(200);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);

  const slow = createClient({ ...options, credentials: { bearer: () => new Promise(() => undefined) } });
  const waiting = Array.from({ length: 20 }, () => errorOf(slow.dispatchOrder(id, { signal })));
  await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error("closing time");
  abort.abort(reason);
  for (const error of await Promise.all(waiting))
    expect(error).toMatchObject({ code: "interrupted", cause: reason });
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
});
