import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import {
  clearAnswers,
  openAnswers,
  renameInAnswers,
  type AnswerSource,
  type Figures,
} from "../../src/state/answers.js";
import type { ObservedCall } from "../../src/client/call/observer.js";
import type { Database } from "../../src/state/database.js";
import { doubtedAt, doubtObserver } from "../../src/state/doubts.js";
import { knownDrivers, learnDrivers } from "../../src/state/drivers.js";
import { createDatabases, type StateFolder } from "../../src/state/state-folder.js";
import { simulatedClock } from "./support/clock.js";
import { engines, type Engine } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";

const october = { start_date: "2026-10-01T00:00:00-03:00", end_date: "2026-10-31T23:59:59.999999-03:00" };
const byDay = { ...october, group_by: "day" } as const;
const answer = { total_order_count: 3, total_revenue: 0.3, average_order_value: 0.1, új: [1.1] };
const groups = { group_by: "day", groups: [{ key: 1, label: null, ...answer }] };
const figures: Figures = {
  timeZone: "America/Sao_Paulo",
  days: { first: "2026-10-01", last: "2026-10-31" },
  rows: [
    {
      ...{ key: null, label: null, day: undefined, endsAt: 5 },
      ...{ orders: 3, revenueCents: 30, averageCents: 10 },
    },
  ],
};
const centro = { store: "centro", environment: "https://api.example", signIn: "1" };
const settings = { timeZone: undefined, currency: "BRL", dayStarts: undefined };
const daysFrom = (first: number, last: number) => ({
  start_date: `2026-10-${String(first).padStart(2, "0")}T00:00:00-03:00`,
  end_date: `2026-10-${String(last).padStart(2, "0")}T23:59:59.999999-03:00`,
});

/** The state of a machine whose sales lie in the engine's database. */
async function openOn(engine: Engine): Promise<{ readonly state: StateFolder; readonly database: Database }> {
  const open = await engine.create({ database: "sales" });
  const database = await open();
  const folder = openState(temporaryFolder(), { clock: simulatedClock() });
  const opened = () => Promise.resolve(database);
  const state = { ...folder, ...createDatabases(opened, () => true) };
  return { state, database };
}

function answersOf(state: StateFolder, own: Partial<typeof centro> = {}) {
  const { signIn, ...source } = { ...centro, ...own };
  const whose: AnswerSource = { ...source, signIn: () => Promise.resolve(signIn) };
  return openAnswers(state, whose, settings);
}

describe.each(engines)("answers about sales on $name", (engine) => {
  describe.skipIf(!engine.isInstalled)("as they are kept", () => {
    test("are all there, in their order, with all that the service sent", async () => {
      const { state } = await openOn(engine);
      await answersOf(state).keep(october, 3_000, answer, figures);
      await answersOf(state).keep(byDay, 2_000, groups, figures);
      // A clock that ran ahead was set right.
      await answersOf(state).keep(october, 1_000, { ...answer, total_order_count: 4 }, figures);
      const history = await answersOf(state).history(october);
      expect(history.map(({ askedAt }) => askedAt)).toEqual([3_000, 1_000]);
      expect(history[0]?.answer).toEqual(answer);
      expect((await answersOf(state).history(byDay))[0]?.answer).toEqual(groups);
    });

    test.each([
      ["another sign-in", { signIn: "2" }],
      ["another environment", { environment: "https://other.example" }],
      ["another store", { store: "norte" }],
    ])("are never taken for those of %s", async (_, other) => {
      const { state } = await openOn(engine);
      await answersOf(state).keep(october, 1_000, answer, figures);
      expect(await answersOf(state, other).history(october)).toEqual([]);
      await answersOf(state, other).keep(october, 2_000, answer, figures);
      expect(await answersOf(state).history(october)).toHaveLength(1);
    });

    test("are found by the same filters in any order, and the default date field by its name", async () => {
      const { state } = await openOn(engine);
      const filters = { status_in: ["closed", "delivered"], total_gteq: 50 } as const;
      await answersOf(state).keep({ ...october, filters }, 1_000, answer, figures);
      const same = { total_gteq: "50", status_in: ["delivered", "closed"] } as const;
      const found = await answersOf(state).history({ ...october, date_field: "created_at", filters: same });
      expect(found).toMatchObject([
        { filters: ["status_in=closed", "status_in=delivered", "total_gteq=50"] },
      ]);
      expect(await answersOf(state).history({ ...october, filters: { status_in: "closed" } })).toEqual([]);
      expect(await answersOf(state).history({ ...october, date_field: "scheduled_date" })).toEqual([]);
    });

    test("are found by a part of their window, up to half a year long", async () => {
      const { state } = await openOn(engine);
      const answers = answersOf(state);
      for (const query of [daysFrom(1, 4), daysFrom(5, 9), daysFrom(10, 20)])
        await answers.keep({ ...query, group_by: "day" }, 1_000, groups, figures);
      const spring = {
        start_date: "2026-04-20T00:00:00-03:00",
        end_date: "2026-10-05T23:59:59.999999-03:00",
      };
      await answers.keep({ ...spring, group_by: "day" }, 2_000, groups, figures);
      await answers.keep(daysFrom(4, 5), 3_000, answer, figures);
      const found = await answers.overlapping({ ...daysFrom(4, 5), group_by: "day" });
      expect(found.map(({ from }) => from.slice(0, 10))).toEqual(["2026-10-01", "2026-10-05", "2026-04-20"]);
    });

    test("by a dimension come with the newest windows first, however many there are", async () => {
      const { state } = await openOn(engine);
      const answers = answersOf(state);
      for (let time = 0; time < 60; time += 1)
        await answers.keep({ ...daysFrom(1 + (time % 30), 31), group_by: "week" }, time, groups, figures);
      const days: string[] = [];
      for await (const { from } of answers.answersBy("week")) days.push(from.slice(8, 10));
      expect(days).toHaveLength(60);
      expect(days).toEqual(days.toSorted().toReversed());
    });

    test("are shown to the one who waited for the one who kept them", async () => {
      const { state } = await openOn(engine);
      const [first, second] = [answersOf(state), answersOf(state)];
      const options = { waitMs: 5_000, signal: new AbortController().signal };
      expect(await second.history(october)).toEqual([]);
      const seen: number[] = [];
      await Promise.all([
        first.share(october, () => first.keep(october, 1_000, answer, figures), options),
        second.share(october, async () => seen.push((await second.history(october)).length), options),
      ]);
      expect(seen).toEqual([1]);
    });

    test("go with a new name, and take the place of what a store of that name left behind", async () => {
      const { state } = await openOn(engine);
      await renameInAnswers(state, "nowhere", "centro");
      await answersOf(state).keep(october, 1_000, answer, figures);
      await answersOf(state, { store: "norte" }).keep(byDay, 2_000, groups, figures);
      await renameInAnswers(state, "centro", "norte");
      expect(await answersOf(state, { store: "norte" }).history(october)).toHaveLength(1);
      expect(await answersOf(state, { store: "norte" }).history(byDay)).toEqual([]);
      expect(await answersOf(state).history(october)).toEqual([]);
    });

    test("are forgotten by store, or all of them, with all that was known of the store", async () => {
      const { state, database } = await openOn(engine);
      await answersOf(state).keep(october, 1_000, answer, figures);
      await answersOf(state, { store: "norte" }).keep(october, 1_000, answer, figures);
      await learnDrivers(state, "norte", { group_by: "driver_id", groups: [] }, 1_000);
      expect(await clearAnswers(state, "nowhere")).toBe(0);
      expect(await clearAnswers(state, "centro")).toBe(1);
      expect(await clearAnswers(state)).toBe(1);
      for (const table of ["answers", "figures", "sources", "drivers"])
        expect(await database.rows({ count: "bigint" }, `select count(*) as count from ${table}`)).toEqual([
          { count: 0 },
        ]);
    });
  });

  describe.skipIf(!engine.isInstalled)("and what else is known of a store", () => {
    test("a change of an order makes what was known of it doubtful, and of no other store", async () => {
      const { state } = await openOn(engine);
      for (const store of ["centro", "norte"])
        await answersOf(state, { store }).keep(october, 1_000, answer, figures);
      const call: ObservedCall = {
        number: 1,
        operation: "dispatchOrder",
        method: "POST",
        url: "",
        path: "/",
        order: "1",
        cancels: false,
      };
      const observer = doubtObserver({ state, store: "centro" });
      await observer.sends?.(call, { attempt: 1, credential: undefined });
      expect(await doubtedAt({ state, store: "centro" })).toBe(state.clock.now());
      expect(await doubtedAt({ state, store: "norte" })).toBeUndefined();
      expect(await doubtedAt({ state, store: "nowhere" })).toBeUndefined();
    });

    test("the newest name of each driver is known, in whatever order the names came", async () => {
      const { state } = await openOn(engine);
      const group = (key: string | null, label: string | null) => ({ ...answer, key, label });
      const learn = (at: number, ...of: ReturnType<typeof group>[]) =>
        learnDrivers(state, "centro", { group_by: "driver_id", groups: of }, at);
      await learn(2_000, group("12", "Bia"), group("11", "Ana"), group(null, "Não informado"));
      await learn(1_000, group("11", "Anna"), group("13", null));
      await learn(3_000, group("12", "Beatriz"));
      expect(await knownDrivers(state, "centro")).toEqual([
        { id: 11, name: "Ana", asked_at: "1970-01-01T00:00:02.000Z" },
        { id: 12, name: "Beatriz", asked_at: "1970-01-01T00:00:03.000Z" },
      ]);
      expect(await knownDrivers(state, "norte")).toEqual([]);
    });
  });
});

describe("a machine's answers", () => {
  test("make no file where nothing is kept", async () => {
    const state = openState(temporaryFolder());
    expect(await answersOf(state).history(october)).toEqual([]);
    expect(await clearAnswers(state)).toBe(0);
    await renameInAnswers(state, "centro", "norte");
    expect(await knownDrivers(state, "centro")).toEqual([]);
    expect(await state.existingDatabase("sales")).toBeUndefined();
  });

  test("are asked for without the lock where it can't be had", async () => {
    const folder = temporaryFolder();
    const state = openState(folder);
    writeFileSync(path.join(folder, "locks"), "in the way");
    const options = { waitMs: 0, signal: new AbortController().signal };
    await expect(answersOf(state).share(october, () => Promise.resolve("asked"), options)).resolves.toBe(
      "asked",
    );
  });
});
