/** `emulator.client()`: one clock for both ends, so that no test waits. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startEmulator, type Client, type Emulator } from "../../src/library/emulator.js";

let emulator: Emulator;
const clients: Client[] = [];
/** Today, since one of the clients here has the machine's clock. */
const start = Date.now();
const daysBefore = (days: number) => new Date(start - days * 86_400_000).toISOString();
const period = { start_date: daysBefore(5), end_date: daysBefore(1) };

beforeEach(async () => {
  emulator = await startEmulator({ orders: 20, now: start });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await emulator.close();
});

function opened(client: Client): Client {
  clients.push(client);
  return client;
}

const summaries = (client: Client, count: number) =>
  Promise.all(Array.from({ length: count }, () => client.summary(period)));

describe("the wired client", () => {
  test("ends six summaries at once: the wait for the sixth is the emulator's clock set on", async () => {
    const before = [Date.now(), emulator.clock.now()] as const;
    const answers = await summaries(opened(emulator.client()), 6);
    expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([200]));
    expect(emulator.clock.now() - before[1]).toBeGreaterThanOrEqual(59_000);
    expect(Date.now() - before[0]).toBeLessThan(30_000);
  });

  test("waits as long as the service says, where it doesn't hold back itself", async () => {
    const waits: number[] = [];
    const client = emulator.client({ rateLimiter: false, onWait: ({ ms }) => waits.push(ms) });
    await summaries(opened(client), 5);
    await client.summary(period);
    expect(waits).toHaveLength(1);
    expect(emulator.received().map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 200]);
  });

  test("renews its token when the waits have outlasted it", async () => {
    const client = opened(emulator.client());
    await client.summary(period);
    emulator.clock.advance(7_200_000);
    expect(await client.summary(period)).toMatchObject({ httpStatus: 200 });
  });

  test("is of the store that is asked for, and takes every option of a client", async () => {
    const { id } = emulator.createOrder({ merchant_id: 502 });
    await expect(opened(emulator.client()).dispatchOrder(String(id))).rejects.toMatchObject({
      code: "not_found",
    });
    await opened(emulator.client({ storeId: 502, maxRetries: 0 })).dispatchOrder(String(id));
    expect(() => emulator.client({ storeId: 9 })).toThrow(RangeError);
    expect(() => emulator.client({ maxRetries: -1 })).toThrow(/maxRetries/);
    const none = opened(emulator.client({ credentials: {} }));
    await expect(none.summary(period)).rejects.toMatchObject({ code: "not_signed_in" });
  });

  test("ends a wait that is aborted, and doesn't move the clock for it", async () => {
    const client = opened(emulator.client());
    await summaries(client, 5);
    const before = emulator.clock.now();
    const reason = new Error("enough");
    const outcome = client.summary(period, { signal: AbortSignal.abort(reason) });
    await expect(outcome).rejects.toMatchObject({ cause: reason });
    expect(emulator.clock.now() - before).toBeLessThan(30_000);
  });
});
