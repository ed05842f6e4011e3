/** What is said while calls wait: a line for each wait, and at a terminal which answer is awaited. */
import { afterEach, describe, expect, test, vi } from "vitest";

import { createOutput } from "../../src/cli/output.js";
import { slowCalls, tellWait } from "../../src/cli/connection.js";
import { createClient } from "../../src/client/client.js";
import { jumpingClock, steppedClock } from "../client/support/clock.js";
import { Sink, testContext, testGlobals } from "../support/context.js";

const erase = "\r\u001b[2K";

async function opened(columns?: number) {
  const stderr = new Sink(columns);
  const output = await createOutput(testContext({ stderr }), testGlobals());
  return { stderr, output };
}

test("each wait has a line, and waits that began together have one", async () => {
  const { stderr, output } = await opened();
  const clock = steppedClock();
  const context = { clock, output, opened: {} };
  const call = { operation: "dispatchOrder", attempts: 1 };
  tellWait(context, { ...call, reason: "rate_limit", ms: 90_000 });
  tellWait(context, { ...call, reason: "rate_limit", ms: 89_000 });
  void clock.sleep(90_000);
  await clock.runAll();
  tellWait(context, { ...call, reason: "rate_limited", ms: 1_500 });
  expect(stderr.text.split("\n")).toEqual([
    "The service's rate limit is reached. Waiting 90 s.",
    "The service asks to slow down. Waiting 2 s.",
    "",
  ]);
});

describe("a call without an answer", () => {
  afterEach(() => vi.useRealTimers());

  test.each([
    [2_001, `${erase}Waiting for the answer to POST /api/partner/v1/orders/7/dispatch${erase}`],
    [1_999, ""],
  ])("at a terminal after %i ms", async (ms, said) => {
    vi.useFakeTimers();
    const { stderr, output } = await opened(80);
    const client = createClient({
      baseUrl: "https://api.example",
      transport: {
        send: () => new Promise((resolve) => setTimeout(resolve, ms, { status: 204, headers: {}, body: "" })),
        close: () => Promise.resolve(),
      },
      rateLimiter: false,
      clock: jumpingClock(),
      credentials: { bearer: () => Promise.resolve("SECRET") },
      observer: slowCalls(output),
    });
    const sent = client.dispatchOrder(7);
    await vi.advanceTimersByTimeAsync(ms);
    await sent;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stderr.text).toBe(said);
  });
});
