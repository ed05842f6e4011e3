/** Fake timers in a program's test control every wait of a client, including its rate limiter. */
import { mock } from "node:test";

import { afterEach, describe, expect, test, vi } from "vitest";

import { createClient } from "../../src/client/client.js";
import { scripted } from "./support/scripted.js";

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

describe.each([
  {
    name: "vitest's and jest's, which fake hrtime too",
    fake: () => void vi.useFakeTimers(),
    advance: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  },
  {
    name: "node:test's, which doesn't",
    fake: () => mock.timers.enable(),
    advance: async (ms: number) => {
      mock.timers.tick(ms);
      await new Promise((resolve) => process.nextTick(resolve));
    },
  },
])("fake timers: $name", (timers) => {
  test.each(["before the client is made", "after its first call"])("installed %s", async (when) => {
    if (when === "before the client is made") timers.fake();
    const limited = { status: 429, headers: { "retry-after": "30" } };
    const { transport, requests } = scripted({ status: 204 }, limited, { status: 204 }, { status: 204 });
    const credentials = { bearer: () => Promise.resolve("TOKEN") };
    const waits: number[] = [];
    const onWait = ({ ms }: { readonly ms: number }) => void waits.push(ms);
    const client = createClient({ baseUrl: "https://api.example", transport, credentials, onWait });
    await client.dispatchOrder(1);
    if (when !== "before the client is made") timers.fake();
    const call = client.dispatchOrder(2);
    // The call reaches its wait without a timer.
    await vi.waitUntil(() => waits.length > 0 || requests.length > 2);
    await timers.advance(30_000);
    expect(await call).toMatchObject({ outcome: "done", attempts: 2 });
    expect(await client.dispatchOrder(3)).toMatchObject({ attempts: 1 });
    expect(waits).toEqual([30_000]);
  });
});
