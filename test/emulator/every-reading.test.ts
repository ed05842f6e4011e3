/** The client and the commands against every service that differs from the emulator in one thing. */
import { describe, expect, test } from "vitest";

import { dimensions } from "../../src/api/values.js";
import { fetchTransport } from "../../src/client/transport.js";
import { createClient } from "../../src/library/index.js";
import { createTestEmulator, someDriver, start, triedDeviations } from "./support.js";

const services: [string, Record<string, string | number | boolean>][] = [
  ["as it is", {}],
  ...triedDeviations.map(({ reading, value }): [string, Record<string, string | number | boolean>] => [
    `${reading}=${String(value)}`,
    { [reading]: value },
  ]),
];

const day = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();
const code = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe.each(services)("a service that is %s", (_, readings) => {
  const emulator = createTestEmulator({ orders: 40, readings });
  const transport = fetchTransport((url, { method, headers, body }) =>
    emulator.request(url.slice(url.indexOf("/", 8)), {
      method,
      headers,
      ...(body !== undefined && !(body instanceof ReadableStream) && { body }),
    }),
  );
  const clientWith = (bearer: string, keys: { apiKey?: () => Promise<string> } = {}) =>
    createClient({
      baseUrl: "http://127.0.0.1:1",
      transport,
      clock: { now: () => start, sleep: () => Promise.reject(new Error("nothing is waited for")) },
      rateLimiter: false,
      maxRetries: 0,
      maxWaitMs: 0,
      credentials: { bearer: () => Promise.resolve(bearer), ...keys },
    });
  const client = clientWith(emulator.accessToken(), {
    apiKey: () => Promise.resolve(emulator.apiKey()),
  });
  const statusOf = async (id: number) => (await emulator.look(id)).status;

  test("is told right what became of orders", async () => {
    const { id } = await emulator.order({ status: "ready", delivered_by: "merchant" });
    const order_id = String(id);
    const { value: order } = await client.assignDriver(order_id, { driver_id: someDriver, driver_fee: 7.5 });
    expect(order).toMatchObject({ id, driver_id: someDriver, driver_fee: 7.5 });
    await client.dispatchOrder(order_id);
    expect(await statusOf(id)).toBe("released");
    await client.deliverOrder(order_id);
    await client.finalizeOrder(order_id);
    expect(await statusOf(id)).toBe("closed");
    expect(await code(client.cancelOrder(order_id, { cancellation_reason: "late" }))).toBe("status_conflict");
    expect(await statusOf(id)).toBe("closed");
    const other = await emulator.order({ status: "confirmed", payment_method_ids: [1] });
    await client.cancelOrder(String(other.id));
    expect(await statusOf(other.id)).toBe("canceled");
  });

  test("is told right why a call is refused", async () => {
    expect(await code(client.dispatchOrder("1"))).toBe("not_found");
    expect(await code(clientWith("at_unknown").dispatchOrder("1"))).toBe("token_refused");
    const narrow = clientWith(emulator.accessToken(501, "painel-de-vendas"));
    const { id } = await emulator.order({ delivered_by: "merchant" });
    const assigned = narrow.assignDriver(String(id), { driver_id: someDriver });
    expect(await code(assigned)).toBe("forbidden");
    expect(await code(client.assignDriver(String(id), { driver_id: 999 }))).toBe("invalid_request");
    emulator.service.limiter.switch(true);
    const period = { start_date: iso(start - 30 * day), end_date: iso(start) };
    const codes = [];
    for (let call = 0; call < 6; call += 1) codes.push(await code(client.summary(period)));
    expect(codes).toEqual([...Array.from({ length: 5 }, () => "done"), "rate_limited"]);
    emulator.service.limiter.switch(true);
  });

  test("gives figures and pre-filled orders that are read", async () => {
    const period = { start_date: iso(start - 30 * day), end_date: iso(start) };
    const { value: summary } = await client.summary(period);
    expect(summary.total_order_count).toBeGreaterThan(0);
    emulator.service.limiter.enabled = false;
    for (const group_by of dimensions) {
      const { value: groupedSummary } = await client.groupedSummary({ ...period, group_by });
      const { groups } = groupedSummary;
      expect(groups.length, group_by).toBeGreaterThan(0);
      expect(groups.every(({ average_order_value }) => typeof average_order_value === "number")).toBe(true);
    }
    const { value: prefilledOrder } = await client.createPrefilledOrder({ order_type: "takeout" });
    expect(prefilledOrder.order_url).toMatch(/^http/);
  });
});
