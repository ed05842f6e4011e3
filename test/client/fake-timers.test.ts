/** Fake timers that also fake hrtime control every wait of a client. Other tests pass `clock`. */
import { afterEach, describe, expect, test, vi } from "vitest";

import { createClient } from "../../src/client/client.js";
import { scripted } from "./support/scripted.js";

afterEach(() => {
  vi.useRealTimers();
});

describe("the fake timers of vitest and jest, which fake hrtime too", () => {
  test.each(["before the client is made", "after its first call"])("installed %s", async (when) => {
    if (when === "before the client is made") vi.useFakeTimers();
    const limited = { status: 429, headers: { "retry-after": "30" } };
    const { transport, requests } = scripted({ status: 204 }, limited, { status: 204 }, { status: 204 });
    const credentials = { bearer: () => Promise.resolve("TOKEN") };
    const waits: number[] = [];
    const onWait = ({ ms }: { readonly ms: number }) => void waits.push(ms);
    const client = createClient({ baseUrl: "https://api.example", transport, credentials, onWait });
    await client.dispatchOrder(1);
    if (when !== "before the client is made") vi.useFakeTimers();
    const call = client.dispatchOrder(2);
    // The call reaches its wait without a timer.
    await vi.waitUntil(() => waits.length > 0 || requests.length > 2, { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await call).toMatchObject({ outcome: "done", attempts: 2 });
    expect(await client.dispatchOrder(3)).toMatchObject({ attempts: 1 });
    expect(waits).toEqual([30_000]);
  });
});
