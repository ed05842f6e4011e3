/**
 * Orders change while figures are asked for, kept and synced. Whatever is told later is what plain counting gives over
 * the orders as they were at the moment that the figures say of themselves; what is told as restated is what has changed
 * between two such moments.
 */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { ComandaError } from "../../../src/shared/errors.js";
import type { Freshness } from "../../../src/sales/ledger/freshness.js";
import { syncQuestions } from "../../../src/sales/plan/sync.js";
import type { Age } from "../../../src/sales/results.js";
import { openState, temporaryFolder } from "../../state/support/folder.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { tellFigure } from "../../support/soak.js";
import {
  asking,
  callsOver,
  counted,
  countedBy,
  emptyKept,
  keptInDatabase,
  keyOf,
  ordersOfDays,
  startOfDay,
  storeCases,
  told,
  type Counted,
  type KeptOfStore,
  tries,
  type StoreCase,
} from "../support/oracle.js";

const size = tries({ test: 1, search: 10, soak: 500 });
const runs = size.numRuns;
const { signal } = new AbortController();
const hour = 3_600_000;

type Step =
  | { readonly do: "change"; readonly seed: number }
  /** This machine changes an order too. */
  | { readonly do: "change here"; readonly seed: number }
  | { readonly do: "sync" }
  | { readonly do: "ask"; readonly what: Asked; readonly fresh: boolean };

interface Asked {
  /** A whole month, or one day of it. */
  readonly period: "last month" | "the month before" | "a day of last month";
  /** Absent: the summary. */
  readonly by?: Dimension;
}

const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    period: fc.constantFrom("last month", "the month before", "a day of last month"),
    by: fc.constantFrom("day", "week", "day_of_week"),
  }),
  fc.constant<Asked>({ period: "last month", by: "day" }),
  fc.record({ period: fc.constantFrom("last month", "the month before") }),
  fc.record({ period: fc.constant("a day of last month"), by: fc.constant("status") }),
);
/** Hours until the next step: often on the same day, since what is kept is young then. */
const hours = fc.oneof(fc.nat(20), fc.nat(20), fc.nat(900));
/** The same question before and after orders have changed. */
const scene: fc.Arbitrary<readonly (Step & { readonly hours: number })[]> = fc
  .record({
    question: fc.oneof(
      fc.constant<Step>({ do: "sync" }),
      fc.record({ do: fc.constant("ask"), what: asked, fresh: fc.constantFrom(true, false, false) }),
    ),
    change: fc.record({ do: fc.constantFrom("change", "change here"), seed: fc.nat() }),
    waits: fc.tuple(hours, hours, hours),
  })
  .map(({ question, change, waits: [first, second, third] }) => [
    { ...question, hours: first },
    { ...change, hours: second },
    { ...question, hours: third },
  ]);
const scenes = fc.array(scene, { minLength: 4, maxLength: 6, size: "max" });

/** A question that has gone out. */
interface Call {
  readonly at: number;
  /** First and last day, and what it was split by; `summary` where it wasn't. */
  readonly from: string;
  readonly to: string;
  readonly by: string;
}

/** One store, one machine, and a notebook of what was asked when. */
class Story {
  readonly #days: Pick<StoreCase, "zone" | "dayStarts">;
  readonly #today: Temporal.PlainDate;
  readonly #kept: () => KeptOfStore;
  readonly #calls: Call[] = [];
  /** As the orders were from then on. */
  readonly #versions: { readonly at: number; readonly orders: readonly OrderRecord[] }[];
  #doubtedAt: number | undefined;
  now: number;
  checked = 0;

  /** @param kept what a command finds of earlier ones when it begins */
  constructor({ zone, to, orders }: StoreCase, kept: () => KeptOfStore) {
    this.#kept = kept;
    this.#days = { zone, dayStarts: "00:00" };
    this.#today = Temporal.PlainDate.from(to);
    this.now = startOfDay(this.#today, this.#days) + 2 * hour;
    this.#versions = [{ at: this.now, orders }];
  }

  /** Every third order or so gets another total, another status, or is found to be another day's. */
  change(seed: number, here: boolean): void {
    const orders = this.#ordersAt(this.now).map((order, index) => {
      const chance = (seed + index * 7_919) % 9;
      if (chance === 0) return { ...order, total: order.total + 1 + (seed % 1_000) };
      if (chance === 1) return { ...order, status: "canceled" as const };
      return chance === 2 ? { ...order, createdAt: order.createdAt + 26 * hour } : order;
    });
    this.#versions.push({ at: this.now, orders });
    if (here) this.#doubtedAt = this.now;
  }

  async sync(): Promise<void> {
    const { zone } = this.#days;
    const since = this.#localDay().subtract({ days: 40 }).toString();
    const run = this.#run({ kind: "usual", maxAgeMs: 12 * hour }, true);
    for (const question of syncQuestions({ since, dimensions: ["day"] }, { now: this.now, zone })) {
      const { dimension } = question;
      const { from, to } = question.period;
      const { age, figures } = await run.calls.grouped(question, signal);
      this.#note(run.sent.length, { from: from.date, to: to.date, by: dimension });
      run.sent.length = 0;
      const own = { from: from.date, to: to.date, by: dimension };
      this.#check(own, age, new Map(figures.grouped.groups.map((group) => [group.key, told(group)])));
    }
  }

  async ask(what: Asked, freshness: Freshness): Promise<void> {
    const run = this.#run(freshness, false);
    const own = this.#place(what);
    const { age, groups } = await this.#answer(run.calls, what);
    this.#note(run.sent.length, own);
    expect(age.kept).toBe(run.sent.length === 0);
    if (age.kept && this.#doubtedAt !== undefined) expect(age.askedAt).toBeGreaterThan(this.#doubtedAt);
    this.#check(own, age, groups);
  }

  /** What was known at each moment of the story, and just before. */
  async lookBack(what: Asked): Promise<void> {
    const own = this.#place(what);
    // Days follow from the month's days; a summary, weeks and weekdays follow from days.
    const sources = this.#calls.filter(
      ({ from, to, by }) =>
        (by === own.by && from === own.from && to === own.to) ||
        (by === "day" && own.by !== "status" && from <= own.from && own.to <= to),
    );
    for (const at of new Set(this.#calls.flatMap((call) => [call.at - 1, call.at]))) {
      const newestOf = (by: readonly Call[]) => {
        const newest = Math.max(...by.filter((call) => call.at <= at).map((call) => call.at));
        return newest === Number.NEGATIVE_INFINITY ? undefined : newest;
      };
      // Weeks and weekdays follow from days only where their own answers have told how the service writes them.
      const mayFollow = own.by === "week" || own.by === "day_of_week";
      const itself = newestOf(sources.filter(({ by }) => by === own.by));
      const { calls, sent } = this.#run({ kind: "as of", at }, false);
      const answer = await this.#answer(calls, what).catch((error: unknown) => {
        if (error instanceof ComandaError && error.code === "not_found") return undefined;
        throw error;
      });
      expect(sent).toEqual([]);
      expect(mayFollow ? [itself, newestOf(sources)] : [newestOf(sources)]).toContain(answer?.age.askedAt);
      if (answer) this.#check(own, answer.age, answer.groups);
    }
  }

  /** The figures are those of the moment that they name, and so is what they tell as restated. */
  #check(
    own: Omit<Call, "at">,
    age: Age,
    groups: ReadonlyMap<string | number | boolean | null, Counted>,
  ): void {
    this.checked += 1;
    const all = new Map([...groups].filter(([, { count }]) => count > 0));
    expect(all).toEqual(this.#countedAt(age.askedAt, own));
    if (own.by !== "day" || own.from === own.to) return;
    const before = this.#calls.findLast(
      (call) => call.at < age.askedAt && call.by === "day" && call.from === own.from && call.to === own.to,
    );
    const found = (age.restated ?? []).map(({ key, before: then, after, since }) => ({
      ...{ key, since },
      ...{ before: told(then), after: told(after) },
    }));
    expect(new Set(found)).toEqual(new Set(before ? this.#restated(own, before.at, age.askedAt) : []));
  }

  /** Days that were over, by six hours, when they were asked for the first time. */
  #restated(own: Omit<Call, "at">, since: number, until: number) {
    const nothing = { count: 0, cents: 0 };
    const [then, now] = [this.#countedAt(since, own), this.#countedAt(until, own)];
    return [...new Set([...then.keys(), ...now.keys()])].flatMap((key) => {
      const [before, after] = [then.get(key) ?? nothing, now.get(key) ?? nothing];
      const end = startOfDay(Temporal.PlainDate.from(String(key)).add({ days: 1 }), this.#days);
      const wasOver = since >= end + 6 * hour;
      const differs = before.count !== after.count || before.cents !== after.cents;
      return wasOver && differs ? [{ key, since, before, after }] : [];
    });
  }

  #countedAt(at: number, { from, to, by }: Omit<Call, "at">): ReadonlyMap<string | number | null, Counted> {
    const orders = ordersOfDays(this.#ordersAt(at), from, to, this.#days);
    if (by !== "summary") return countedBy(orders, (order) => keyOf(order, dimensionOf(by), this.#days));
    return orders.length === 0 ? new Map() : new Map([["all", counted(orders)]]);
  }

  #ordersAt(at: number): readonly OrderRecord[] {
    return this.#versions.findLast((version) => version.at <= at)?.orders ?? [];
  }

  #run(freshness: Freshness, exactOnly: boolean) {
    const store = { zone: this.#days.zone, orders: this.#ordersAt(this.now) };
    return callsOver(store, this.now, {
      ...{ kept: this.#kept(), freshness, exactOnly, doubtedAt: this.#doubtedAt },
    });
  }

  async #answer(calls: ReturnType<typeof callsOver>["calls"], what: Asked) {
    const { from, to } = this.#place(what);
    const place = { ...this.#days, from, to };
    const { current } = asking(place, { now: this.now, period: { from, to } });
    if (what.by === undefined) {
      const { figures, age } = await calls.summary({ period: current }, signal);
      return { age, groups: new Map([["all", told(figures)]]) };
    }
    const { figures, age } = await calls.grouped({ period: current, dimension: what.by }, signal);
    return { age, groups: new Map(figures.grouped.groups.map((group) => [group.key, told(group)])) };
  }

  #note(count: number, own: Omit<Call, "at">): void {
    expect(count).toBeLessThanOrEqual(1);
    if (count === 1) this.#calls.push({ ...own, at: this.now });
  }

  #place({ period, by: dimension }: Asked): Omit<Call, "at"> {
    const by: string = dimension ?? "summary";
    const month = this.#today.with({ day: 1 }).subtract({ months: period === "the month before" ? 2 : 1 });
    if (period === "a day of last month") {
      const day = month.with({ day: 15 }).toString();
      return { from: day, to: day, by };
    }
    return { from: month.toString(), to: month.with({ day: month.daysInMonth }).toString(), by };
  }

  #localDay(): Temporal.PlainDate {
    return Temporal.Instant.fromEpochMilliseconds(this.now).toZonedDateTimeISO(this.#days.zone).toPlainDate();
  }
}

function dimensionOf(by: string): Dimension {
  const found = (["day", "week", "day_of_week", "status"] as const).find((one) => one === by);
  if (found === undefined) throw new RangeError(by);
  return found;
}

const lookedAt: readonly Asked[] = [
  { period: "last month", by: "day" },
  { period: "last month", by: "day_of_week" },
  { period: "last month" },
  { period: "the month before", by: "week" },
  { period: "a day of last month", by: "day" },
  { period: "a day of last month", by: "status" },
];

async function tellStories(sized: typeof size, keptOf: () => () => KeptOfStore): Promise<number> {
  const cases = storeCases({ dayStarts: ["00:00"], days: 60, before: 20, orders: 50 });
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(cases, scenes, async (given, story) => {
      const told = new Story(given, keptOf());
      for (const one of story.flat()) {
        told.now += one.hours * hour + 1_000;
        if (one.do === "sync") await told.sync();
        else if (one.do === "ask") await told.ask(one.what, one.fresh ? { kind: "fresh" } : usual);
        else told.change(one.seed, one.do === "change here");
      }
      for (const what of lookedAt) await told.lookBack(what);
      checked += told.checked;
    }),
    sized,
  );
  return checked;
}

test(`${runs} stories of orders that change: figures are true of the moment that they name`, async () => {
  const checked = await tellStories(size, () => {
    const kept = emptyKept();
    return () => kept;
  });
  tellFigure({ what: "answers held against their moment", of: `${runs} stories`, seen: checked });
});

test("Weekdays that were asked for before the days give way to these", async () => {
  const zone = "America/Sao_Paulo";
  const noon = Temporal.ZonedDateTime.from("2026-09-01T12:00[America/Sao_Paulo]");
  const orders = Array.from({ length: 61 }, (_, day) =>
    orderOf({ id: day, createdAt: noon.add({ days: day }).epochMilliseconds, total: 100 + day * day }),
  );
  const kept = emptyKept();
  const ask = async (month: string, by: "day" | "day_of_week", now: string, freshness = usual) => {
    const at = Date.parse(now);
    const place = { zone, dayStarts: "00:00", from: `${month}-01`, to: `${month}-30` };
    const { calls } = callsOver({ zone, orders }, at, { kept, freshness });
    return calls.grouped({ period: asking(place, { now: at }).current, dimension: by }, signal);
  };
  for (const by of ["day", "day_of_week"] as const) await ask("2026-09", by, "2026-11-01T09:00:00Z");
  await ask("2026-10", "day_of_week", "2026-11-02T09:00:00Z");
  orders.push(orderOf({ id: 100, createdAt: noon.add({ days: 35 }).epochMilliseconds, total: 1 }));
  await ask("2026-10", "day", "2026-11-03T09:00:00Z");
  const { figures, age } = await ask("2026-10", "day_of_week", "2026-11-04T09:00:00Z", { kind: "offline" });
  expect(age.askedAt).toBe(Date.parse("2026-11-03T09:00:00Z"));
  // A Tuesday.
  expect(figures.grouped.groups[2]).toMatchObject({ key: 2, label: "Terça-feira", total_order_count: 5 });
});

test("The same holds over a database, which each command reads anew", async () => {
  const checked = await tellStories(tries({ test: 1, search: 2, soak: 100 }), () => {
    const data = openState(temporaryFolder());
    return () => keptInDatabase(data);
  });
  expect(checked).toBeGreaterThan(5);
});

const usual: Freshness = { kind: "usual", maxAgeMs: undefined };
