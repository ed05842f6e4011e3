/** Which figures are requested, and which cached answers are reused. */
import { describe, expect, test } from "vitest";

import type { SummaryQuery } from "../../src/api/models.js";
import type { Dimension } from "../../src/api/values.js";
import { ComandaError, type ErrorCode } from "../../src/base/errors.js";
import { fetchCompared, fetchFigures, planOf, type FetchOptions } from "../../src/sales/fetch.js";
import { resolvePeriod } from "../../src/sales/period.js";
import { answersInMemory, fetchOptionsFor } from "./support/books.js";

const noon = Date.parse("2026-11-20T15:00:00Z");
const september = { period: "2026-09" };
const today = { period: "today" };

type Typed = Parameters<typeof resolvePeriod>[0];
type More = Partial<FetchOptions> & {
  readonly filterTexts?: readonly string[];
  readonly by?: Dimension;
  readonly zone?: string;
  readonly dayStarts?: string | undefined;
};

/** A service that counts its requests, and a cache. */
function open(fails: (query: SummaryQuery) => ErrorCode | undefined = () => undefined) {
  const sent: SummaryQuery[] = [];
  const answers = answersInMemory();
  const clock = { time: noon, now: () => clock.time };
  const answer = () => ({ total_order_count: sent.length, total_revenue: 0, average_order_value: 0 });
  const receive = (query: SummaryQuery) => {
    sent.push(query);
    const code = fails(query);
    if (code !== undefined) throw new ComandaError(code, "No.");
  };
  const client: FetchOptions["client"] = {
    summary: async (query) => {
      receive(query);
      return Promise.resolve({ value: answer() });
    },
    groupedSummary: async (query) => {
      receive(query);
      const groups = [{ key: "a", label: null, ...answer() }];
      return Promise.resolve({ value: { group_by: query.group_by, groups } });
    },
  };
  const optionsOf = (typed: Typed, { by, zone = "UTC", dayStarts, ...more }: More = {}) => {
    const { dateField } = more;
    const options = fetchOptionsFor(client, noon, { answers, clock, ...more });
    return { options, by, period: resolvePeriod(typed, { now: clock.time, zone, dayStarts, dateField }) };
  };
  /** Returns figures after some seconds, at the number of earlier requests. */
  const ask = async (typed: Typed, more?: More, seconds = 0) => {
    clock.time += seconds * 1_000;
    const { options, by, period } = optionsOf(typed, more);
    const { cached, askedAt } = await fetchFigures(options, await planOf(options, period, by));
    return { sent: sent.length, cached, askedAt: (askedAt - noon) / 1_000 };
  };
  return { sent, clock, answers, optionsOf, ask };
}

describe("an answer", () => {
  test("is reused for ten minutes, and that of a running period for one", async () => {
    const { ask } = open();
    expect(await ask(september)).toEqual({ sent: 1, cached: false, askedAt: 0 });
    expect(await ask(today)).toEqual({ sent: 2, cached: false, askedAt: 0 });
    expect(await ask(today, {}, 60)).toEqual({ sent: 2, cached: true, askedAt: 0 });
    expect(await ask(today, {}, 1)).toEqual({ sent: 3, cached: false, askedAt: 61 });
    expect(await ask(september, {}, 539)).toEqual({ sent: 3, cached: true, askedAt: 0 });
    expect(await ask(september, {}, 1)).toEqual({ sent: 4, cached: false, askedAt: 601 });
  });

  // Both windows end a minute after the first request.
  test.each([
    [noon, { from: "2026-11-20T09:00:00Z", to: "2026-11-20T15:01:00Z" }, undefined],
    // In the last zone of the world.
    [Date.parse("2026-11-21T11:58:59.999Z"), { period: "2026-11-20" }, "scheduled_date"],
  ] as const)(
    "from before the end of its window isn't reused afterwards: from %i, %j by %s",
    async (start, typed, dateField) => {
      const { ask, clock } = open();
      clock.time = start;
      const sent: number[] = [];
      for (const seconds of [0, 30, 90, 500]) sent.push((await ask(typed, { dateField }, seconds)).sent);
      expect(sent).toEqual([1, 1, 2, 2]);
    },
  );

  test.each<[string, More]>([
    ["another filter", { filterTexts: ["status=closed"] }],
    ["another date field", { dateField: "scheduled_date" }],
    ["another zone", { zone: "America/Manaus" }],
    ["another currency", { currency: "BRL" }],
    ["groups", { by: "status" }],
  ])("isn't reused for %s, which has its own", async (_, more) => {
    const { ask } = open();
    await ask(september);
    expect(await ask(september, more)).toMatchObject({ sent: 2, cached: false });
    expect(await ask(september, more)).toMatchObject({ sent: 2, cached: true });
  });

  test("isn't reused with --fresh, but stored for later; nor if it comes from the future", async () => {
    const { ask } = open();
    await ask(september);
    expect(await ask(september, { freshness: "fresh" }, 10)).toEqual({ sent: 2, cached: false, askedAt: 10 });
    expect(await ask(september, {}, 10)).toEqual({ sent: 2, cached: true, askedAt: 10 });
    expect(await ask(september, {}, -11)).toMatchObject({ sent: 3, cached: false });
  });

  test("is reused with --offline, however old it is; without one, nothing is sent", async () => {
    const { ask, sent } = open();
    await ask(september);
    const old = await ask(september, { freshness: "offline" }, 1e6);
    expect(old).toEqual({ sent: 1, cached: true, askedAt: 0 });
    await expect(ask(today, { freshness: "offline" })).rejects.toMatchObject({ code: "not_found" });
    expect(sent).toHaveLength(1);
  });

  test("is reused for the same filters in another order", async () => {
    const { ask } = open();
    await ask(september, { filterTexts: ["status=closed", "order_type=delivery"] });
    const other = { filterTexts: ["order_type=delivery", "status=closed"] };
    expect(await ask(september, other)).toMatchObject({ sent: 1, cached: true });
  });

  test("that isn't valid isn't cached", async () => {
    const { optionsOf, answers } = open();
    const { options, period } = optionsOf(september);
    const value = { total_order_count: -1, total_revenue: 0, average_order_value: 0 };
    const client = { ...options.client, summary: () => Promise.resolve({ value }) };
    const plan = await planOf(options, period, undefined);
    const fetching = fetchFigures({ ...options, client }, plan);
    await expect(fetching).rejects.toMatchObject({ code: "unexpected_answer" });
    expect(await answers.find(plan.requests[0] ?? ({} as never))).toBeUndefined();
  });

  test("that another process has fetched during the wait is used", async () => {
    const { ask, answers, sent } = open();
    const share: typeof answers.share = async (_, work) => {
      answers.share = (_query, other) => other();
      await ask(september);
      return work();
    };
    answers.share = share;
    expect(await ask(september)).toMatchObject({ sent: 1, cached: true });
    expect(sent).toHaveLength(1);
    answers.share = () => Promise.reject(new Error("With --fresh, nothing is shared."));
    expect(await ask(september, { freshness: "fresh" })).toMatchObject({ sent: 2, cached: false });
  });
});

test("figures of several windows are as old as the oldest answer, and cached if any is", async () => {
  const { ask } = open();
  await ask({ from: "2025-11-01", to: "2026-04-30" });
  const both = { from: "2025-11-01", to: "2026-10-31" };
  expect(await ask(both, {}, 30)).toEqual({ sent: 2, cached: true, askedAt: 0 });
});

test("a request has the fields of the query, and is reported", async () => {
  const { ask, sent } = open();
  let called = 0;
  const onCalled = () => void (called += 1);
  await ask(september, { onCalled });
  const closed = { dateField: "scheduled_date", filterTexts: ["status=closed"] } as const;
  await ask(september, { by: "status", ...closed, onCalled });
  await ask(september, { onCalled });
  expect({ sent, called }).toEqual({
    sent: [
      { start_date: "2026-09-01T00:00:00+00:00", end_date: "2026-09-30T23:59:59.999999+00:00", filters: {} },
      {
        ...{ group_by: "status", date_field: "scheduled_date", filters: { status_in: ["closed"] } },
        ...{ start_date: "2026-09-01", end_date: "2026-09-30" },
      },
    ],
    called: 2,
  });
});

test.each(["find", "keep"] as const)(
  "a cache that fails at %s is dropped, with one warning",
  async (name) => {
    const { ask, answers } = open();
    const warnings: unknown[] = [];
    const fails = (message: string) => () => Promise.reject(new ComandaError("state_unusable", message));
    const failing = { ...answers, [name]: fails("It is damaged.") };
    const warn = (warning: object) => warnings.push(warning);
    const twoWindows = { from: "2025-11-01", to: "2026-10-31" };
    expect(await ask(twoWindows, { answers: failing, warn })).toMatchObject({ sent: 2, cached: false });
    expect(warnings).toEqual([{ about: "not_cached", reason: "It is damaged." }]);
    const broken = { ...answers, [name]: () => Promise.reject(new Error("a fault")) };
    await expect(ask(today, { answers: broken })).rejects.toThrow("a fault");
  },
);

test("a window that the service refuses as too long is requested in two, and another refusal is an error", async () => {
  const isLong = ({ start_date, end_date }: SummaryQuery) =>
    Date.parse(end_date) - Date.parse(start_date) > 180 * 86_400_000;
  const { ask, sent } = open((query) => (isLong(query) ? "invalid_request" : undefined));
  expect(await ask({ from: "2026-03-01", to: "2026-08-31" })).toMatchObject({ sent: 3 });
  const ends = sent.map(({ end_date }) => end_date.slice(0, 10));
  expect(ends).toEqual(["2026-08-31", "2026-08-26", "2026-08-31"]);
  const refusing = open(() => "invalid_request");
  await expect(refusing.ask(september)).rejects.toMatchObject({ code: "invalid_request" });
  const forbidden = open(() => "forbidden");
  const refused = forbidden.ask({ from: "2026-03-01", to: "2026-08-31" });
  await expect(refused).rejects.toMatchObject({ code: "forbidden" });
  expect(forbidden.sent).toHaveLength(1);
});

test("days that start late are requested one by one, as summaries", async () => {
  const { optionsOf, sent } = open();
  const { options, period } = optionsOf({ period: "last-7-days" }, { dayStarts: "04:00" });
  const { rows } = await fetchFigures(options, await planOf(options, period, "day"));
  expect(rows.map(({ key, label, orders }) => [key, label, orders])).toEqual(
    [13, 14, 15, 16, 17, 18, 19].map((day, place) => [`2026-11-${day}`, `2026-11-${day}`, place + 1]),
  );
  const day = { start_date: "2026-11-13T04:00:00+00:00", end_date: "2026-11-14T03:59:59.999999+00:00" };
  expect(sent[0]).toEqual({ ...day, filters: {} });
});

test.each<[by: Dimension | undefined, dayStarts: string | undefined, requests: number]>([
  [undefined, "04:00", 1],
  ["hour", "04:00", 1],
  ["day", undefined, 1],
  ["day", "04:00", 7],
])("figures of a week by %s, whose days start at %s, take %i requests", async (by, dayStarts, requests) => {
  const { optionsOf } = open();
  const { options, period } = optionsOf({ period: "last-7-days" }, { dayStarts });
  const plan = await planOf(options, period, by);
  expect(plan.requests).toHaveLength(requests);
});

test("both sides of a comparison end at the time of day of the first answer", async () => {
  const { optionsOf, clock } = open();
  const first = optionsOf(today);
  await fetchFigures(first.options, await planOf(first.options, first.period, undefined));
  clock.time += 20_000;
  const { options, period } = optionsOf(today);
  const both = await fetchCompared(options, await planOf(options, period, undefined), "week");
  expect(both.current.period.end).toBe("2026-11-20T15:00:00+00:00");
  expect(both.previous?.period.end).toBe("2026-11-13T15:00:00+00:00");
  const alone = await fetchCompared(options, await planOf(options, period, undefined), undefined);
  expect(alone).not.toHaveProperty("previous");
});
