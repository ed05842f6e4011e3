/** The notices while calls wait. */
import { afterEach, describe, expect, test, vi } from "vitest";

import { createOutput, startProgress } from "../../src/cli/output.js";
import { createNotifier } from "../../src/cli/notices.js";
import type { Notice } from "../../src/base/notices.js";
import { jumpingClock, steppedClock } from "../client/support/clock.js";
import { Sink, testContext, testGlobals } from "../support/context.js";

const erase = "\r\u001b[2K";

async function opened(columns?: number) {
  const stderr = new Sink(columns);
  const output = await createOutput(testContext({ stderr }), testGlobals());
  return { stderr, output };
}

test("Each wait is reported in one line, and waits that begin together share one", async () => {
  const { stderr, output } = await opened();
  const clock = steppedClock();
  const { notify } = createNotifier(output, clock);
  notify({ type: "wait", reason: "rate_limit", ms: 90_000 });
  notify({ type: "wait", reason: "rate_limit", ms: 89_000 });
  void clock.sleep(90_000);
  await clock.runAll();
  notify({ type: "wait", reason: "rate_limited", ms: 1_500 });
  expect(stderr.text.split("\n")).toEqual([
    "Rate limit reached. Waiting 90 s.",
    "Rate limit reached. Waiting 2 s.",
    "",
  ]);
});

test("The slower pace after two 429 responses is reported once, with its cause", async () => {
  const { stderr, output } = await opened();
  const clock = steppedClock();
  const { notify } = createNotifier(output, clock);
  for (let attempts = 1; attempts <= 3; attempts += 1) {
    notify({ type: "wait", reason: "slowed_down", ms: 1_000 });
    void clock.sleep(1_000);
    await clock.runAll();
  }
  expect(stderr.text).toBe("comanda slows down because the service returned 429 twice.\n");
});

test("An outage is reported in one line without a terminal, and its retries are counted", async () => {
  const { stderr, output } = await opened();
  const clock = steppedClock();
  const { notify, end } = createNotifier(output, clock);
  for (let attempts = 1; attempts <= 36; attempts += 1) {
    notify({ type: "retry", ms: 1_000 });
    void clock.sleep(1_000);
    await clock.runAll();
  }
  expect(stderr.text).toBe("The service is unreachable or failing. Waiting 1 s.\n");
  await end();
  expect(stderr.text).toMatch(/\nRetried 36 times: the service was unreachable or failing\.\n$/);
});

test("A warning of the state is followed by the command that its hint is about", async () => {
  const { stderr, output } = await opened();
  const { warn, end } = createNotifier(output, steppedClock());
  warn("Order 4711: done, but not recorded.", { about: "unrecorded", order: "4711", isDone: true });
  await end();
  expect(stderr.text).toBe(
    "warning: Order 4711: done, but not recorded. To record it: comanda history settle 4711 done\n",
  );
});

describe("The progress bar on a terminal", () => {
  const lines = async (columns: number, notice: Notice) => {
    const { stderr, output } = await opened(columns);
    const clock = steppedClock();
    const progress = startProgress(output.status, { total: 500, label: "dispatch", now: () => clock.now() });
    void clock.sleep(1_000);
    await clock.runAll();
    progress.update(300, "12 not changed");
    createNotifier(output, clock).notify(notice);
    return stderr.text.split(erase);
  };
  const bar = `${"█".repeat(12)}${"░".repeat(8)}`;

  test("stays if there is room for the time at which the rate limit ends, in the store's time zone", async () => {
    const wait = { type: "wait", reason: "rate_limit", ms: 90_000, zone: "America/Sao_Paulo" } as const;
    expect((await lines(80, wait)).at(-1)).toBe(`dispatch ${bar} 300/500 Rate limit: until 21:01:31 -03:00`);
    expect((await lines(45, wait)).at(-1)).toBe("Rate limit: until 21:01:31 -03:00");
  });

  test("says that the pace is slower", async () => {
    const [last = ""] = (await lines(80, { type: "wait", reason: "slowed_down", ms: 1_000 })).slice(-1);
    expect(last).toBe(`dispatch ${bar} 300/500 Slowed down after HTTP 429`);
  });

  test("shows the retries of an outage, also on 45 columns", async () => {
    const down = { type: "retry", ms: 1_000 } as const;
    expect((await lines(80, down)).at(-1)).toBe(`dispatch ${bar} 300/500 Service down, retries: 1`);
    expect((await lines(45, down)).at(-1)).toBe("dispatch 300/500 Service down, retries: 1");
  });
});

describe("A call without an answer", () => {
  afterEach(() => vi.useRealTimers());

  test.each([
    [2_001, `${erase}Waiting for the service's response${erase}`],
    [1_999, ""],
  ])("is shown on a terminal if it takes more than 2 s: %i ms", async (ms, said) => {
    vi.useFakeTimers();
    const { stderr, output } = await opened(80);
    const { notify } = createNotifier(output, jumpingClock());
    notify({ type: "progress", about: "call", number: 1, isOver: false });
    await vi.advanceTimersByTimeAsync(ms);
    notify({ type: "progress", about: "call", number: 1, isOver: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stderr.text).toBe(said);
  });
});
