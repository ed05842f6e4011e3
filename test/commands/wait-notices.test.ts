/** What is said while calls wait: a line at a terminal that is gone after the wait, a line for each wait elsewhere. */
import { afterEach, describe, expect, test, vi } from "vitest";

import { createOutput } from "../../src/cli/context.js";
import { slowCalls, waitNotices } from "../../src/commands/store.js";
import type { Clock } from "../../src/client/clock.js";
import { createClient } from "../../src/client/client.js";
import { startProgress } from "../../src/cli/output.js";
import { jumpingClock, steppedClock } from "../client/support/clock.js";
import { Sink, testContext, testGlobals } from "../support/context.js";

const erase = "\r\u001b[2K";
const call = { operation: "dispatchOrder", attempts: 1 };

async function opened(columns: number | undefined, clock: Clock, signal = new AbortController().signal) {
  const stderr = new Sink(columns);
  const context = testContext({ stderr, clock, signal });
  const output = await createOutput(context, testGlobals());
  return { stderr, output, notify: waitNotices({ clock, signal, output }) };
}
/** As it stands on the clock on the wall, whichever zone that has. */
const wall = (ms: number) => new Date(ms).toTimeString().slice(0, 8);

describe("at a terminal", () => {
  test("one line stands in the place of the bar, and is gone after the wait", async () => {
    const clock = steppedClock();
    const { stderr, output, notify } = await opened(80, clock);
    const bar = startProgress(output.status, { total: 2, label: "dispatch", now: () => clock.now() });
    bar.update(1);
    notify({ ...call, reason: "rate_limit", ms: 62_500 });
    notify({ ...call, reason: "rate_limit", ms: 62_400 });
    await clock.runAll();
    const [bars, wait, barsAgain] = stderr.text.split(erase).slice(1);
    expect(bars).toContain("1/2");
    expect(wait).toBe(`The service's rate limit is reached. Waiting 63 s, until ${wall(62_500)}.`);
    expect(barsAgain).toBe(bars);
    bar.end();
    expect(stderr.text.endsWith(erase)).toBe(true);
  });

  test("an interrupt takes it away, and what is said starts on a clean line", async () => {
    const [clock, stop] = [steppedClock(), new AbortController()];
    const { stderr, output, notify } = await opened(40, clock, stop.signal);
    notify({ ...call, reason: "rate_limited", ms: 60_000 });
    output.notice("Interrupted.");
    stop.abort();
    await clock.runAll();
    const [, drawn = "", rest] = stderr.text.split(erase);
    expect([drawn, rest]).toEqual(["The service asks to slow down. Waiting ", "Interrupted.\n"]);
  });
});

test("elsewhere each wait has a line, and waits that began together have one", async () => {
  const clock = steppedClock();
  const { stderr, notify } = await opened(undefined, clock);
  notify({ ...call, reason: "rate_limit", ms: 90_000 });
  notify({ ...call, reason: "rate_limit", ms: 90_000 });
  void clock.sleep(90_000);
  await clock.runAll();
  notify({ ...call, reason: "rate_limited", ms: 1_500 });
  expect(stderr.text.split("\n")).toEqual([
    `The service's rate limit is reached. Waiting 90 s, until ${wall(90_000)}.`,
    `The service asks to slow down. Waiting 2 s, until ${wall(91_500)}.`,
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
    const { stderr, output } = await opened(80, steppedClock());
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
