/** The notices while calls wait. */
import { expect, onTestFinished, test, vi } from "vitest";

import { createOutput } from "../../src/cli/output.js";
import { createNotifier } from "../../src/cli/notices.js";
import { steppedClock } from "../client/support/clock.js";
import { Sink, testContext, testGlobals } from "../support/context.js";

const erase = "\r\u001b[2K";

async function opened(columns?: number) {
  const stderr = new Sink(columns);
  const output = await createOutput(testContext({ stderr }), testGlobals());
  const clock = steppedClock();
  const notifier = createNotifier(output, clock);
  const wait = async (reason: "no_answer" | "slowed_down" | "rate_limit", ms: number) => {
    notifier.notify({ type: "wait", reason, ms });
    void clock.sleep(ms);
    await clock.runAll();
  };
  return { stderr, wait, ...notifier };
}

test("Each wait is reported in one line, and waits that begin together share one", async () => {
  const { stderr, notify, wait } = await opened();
  notify({ type: "wait", reason: "rate_limit", ms: 90_000 });
  await wait("rate_limit", 90_000);
  notify({ type: "wait", reason: "rate_limited", ms: 1_500 });
  const told = ["Rate limit reached. Waiting 90 s.", "Rate limit reached. Waiting 2 s."];
  expect(stderr.text).toBe(`${told.join("\n")}\n`);
});

test("The slower pace after two 429 responses is reported once, with its cause", async () => {
  const { stderr, wait } = await opened();
  for (let attempts = 1; attempts <= 3; attempts += 1) await wait("slowed_down", 1_000);
  expect(stderr.text).toBe("comanda slows down because the service returned 429 twice.\n");
});

test("An outage is reported in one line without a terminal, and its retries are counted", async () => {
  const { stderr, wait, end } = await opened();
  for (let attempts = 1; attempts <= 36; attempts += 1) await wait("no_answer", 1_000);
  expect(stderr.text).toBe("The service is unreachable or failing. Waiting 1 s.\n");
  end();
  expect(stderr.text).toMatch(/\nRetried 36 times: the service was unreachable or failing\.\n$/);
});

test("A warning of the state is followed by the command that its hint is about", async () => {
  const { stderr, warn, end } = await opened();
  warn("Order 4711: done, but not recorded.", { about: "unrecorded", order: "4711", isDone: true });
  end();
  const command = "comanda history settle 4711 done";
  expect(stderr.text).toBe(`warning: Order 4711: done, but not recorded. To record it: ${command}\n`);
});

test.each([
  ["the end of the rate limit in the store's zone", "rate_limit", "Rate limit: until 21:01:30 -03:00"],
  ["that the pace is slower", "slowed_down", "Slowed down after HTTP 429"],
  ["the retries of an outage", "no_answer", "Service down, retries: 1"],
] as const)("The status line of a list shows %s, on 40 columns without the progress", async (...row) => {
  const [, reason, text] = row;
  const lines = async (columns: number) => {
    const { stderr, notify } = await opened(columns);
    const totals = { orders: 500, done: 288, refused: 12, failed: 0, unknown: 0, skipped: 0 };
    notify({ type: "progress", about: "orders", action: "dispatch", settled: 300, totals });
    notify({ type: "wait", reason, ms: 90_000, zone: "America/Sao_Paulo" });
    return stderr.text.split(erase).slice(1);
  };
  const progress = "dispatch 300/500";
  expect(await lines(80)).toEqual([`${progress} 288 done, 12 refused`, `${progress} ${text}`]);
  expect((await lines(40)).at(-1)).toBe(text);
});

test.each([
  [2_001, `${erase}Waiting for the service's response${erase}`],
  [1_999, ""],
])("A call without an answer is shown on a terminal if it takes more than 2 s: %i ms", async (ms, said) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { stderr, notify } = await opened(80);
  notify({ type: "progress", about: "call", number: 1, isOver: false });
  await vi.advanceTimersByTimeAsync(ms);
  notify({ type: "progress", about: "call", number: 1, isOver: true });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stderr.text).toBe(said);
});
