/** Caches answers by query, and stores days as rows, on both engines. */
import { describe, expect, test } from "vitest";

import { clearAnswers, openAnswerCache, renameInAnswers } from "../../src/state/answer-cache.js";
import type { State } from "../../src/state/state.js";
import { jumpingClock } from "../client/support/clock.js";
import { engines, type Engine } from "./support/states.js";

async function openOn(engine: Engine) {
  const state = await (await engine.create(jumpingClock()))();
  return { state, database: await state.database("sales") };
}

function answersOf(
  state: State,
  { store = "centro", environment = "https://api.example", signIn = "1" } = {},
) {
  return openAnswerCache(state, { store, environment, signIn });
}

const summary = { total_order_count: 3, total_revenue: 0.3, average_order_value: 0.1 };
const question = { by: undefined, text: "october" };
const end = "2026-10-31T23:59:59.999999-03:00";
const asked = { last: "2026-10-31", end };
const drivers = { by: "driver_id", text: "drivers" } as const;
const day = (date: string, orders: number, revenueCents: number) => ({ date, orders, revenueCents });
const form = { timeZone: "America/Sao_Paulo", currency: "BRL" };

describe.each(engines)("the answers on $name", (engine) => {
  test("are found only for the same query, store, address and sign-in, and those by driver for any query", async () => {
    const { state, database } = await openOn(engine);
    const own = answersOf(state);
    await own.keep(question, { ...asked, askedAt: 5.5, answer: { ...summary, total_order_count: 1 } });
    // Another program may have stored an impossible time.
    await database.run("update answers set asked_at = 8640000000000001");
    expect((await own.find(question))?.askedAt).toBe(Date.UTC(9999, 11, 30));
    await own.keep(question, { ...asked, askedAt: 7, answer: summary });
    expect(await own.find(question)).toEqual({ ...asked, askedAt: 7, answer: summary });
    expect(await own.find({ ...question, text: "november" })).toBeUndefined();
    for (const other of [{ store: "norte" }, { environment: "https://other.example" }, { signIn: "2" }])
      expect(await answersOf(state, other).find(question)).toBeUndefined();
    const long = { by: "customer_origin", text: "ö\0".repeat(24 * 255) } as const;
    const groups = [{ key: "a\0b", label: "\u0000", ...summary }];
    await own.keep(long, { ...asked, askedAt: 1, answer: { group_by: "customer_origin", groups } });
    expect((await own.find(long))?.answer).toEqual({ group_by: "customer_origin", groups });
    const named = (label: string) => ({ group_by: "driver_id", groups: [{ key: 11, label, ...summary }] });
    await own.keep({ ...drivers, text: "a" }, { ...asked, askedAt: 9, answer: named("Ana") });
    await own.keep({ ...drivers, text: "b" }, { ...asked, askedAt: 8, answer: named("Bia") });
    const found = (await own.list("driver_id", 10)).map(({ answer }) => answer);
    expect(found).toEqual([named("Ana"), named("Bia")]);
    expect(await answersOf(state, { signIn: "2" }).list("driver_id", 10)).toEqual([]);
  });

  test("include a second row for a changed day, and views of the newest rows and the changes", async () => {
    const { state, database } = await openOn(engine);
    const own = answersOf(state);
    const first = [day("2026-11-18", 3, 3000), day("2026-11-19", 0, 0)];
    const changedBy = async (...stored: Parameters<typeof own.storeDays>) =>
      (await own.storeDays(...stored)).changed;
    expect(await changedBy(first, 1_000, form)).toEqual([]);
    expect(await changedBy(first, 2_000, form)).toEqual([]);
    const later = [day("2026-11-18", 4, 4250), day("2026-11-19", 0, 0)];
    expect(await changedBy(later, 3_000, form)).toEqual([{ before: first[0], now: later[0] }]);
    // A different currency or time zone doesn't change the figures.
    expect(await changedBy(later.slice(1), 4_000, { ...form, currency: "USD" })).toEqual([]);
    const at = (ms: number) => new Date(ms).toISOString();
    const row = { date: "text", orders: "bigint", asked_at: "text" } as const;
    const newest = "select date, orders, revenue_cents, currency, asked_at from sales_by_day order by date";
    expect(await database.rows({ ...row, revenue_cents: "bigint", currency: "text?" }, newest)).toEqual([
      { date: "2026-11-18", orders: 4, revenue_cents: 4250, currency: "BRL", asked_at: at(3_000) },
      { date: "2026-11-19", orders: 0, revenue_cents: 0, currency: "USD", asked_at: at(4_000) },
    ]);
    const before = { asked_before: "text", orders_before: "bigint", cents: "bigint" } as const;
    const changes =
      "select date, asked_before, orders_before, asked_at, orders, cast(revenue * 100 as bigint) as cents from restatements";
    const changed = { orders: 4, cents: 4250 };
    expect(await database.rows({ ...row, ...before }, changes)).toEqual([
      { date: "2026-11-18", asked_before: at(2_000), orders_before: 3, asked_at: at(3_000), ...changed },
    ]);
  });

  test("are shown only for the newest sign-in, renamed with the store, and deleted with it", async () => {
    const { state, database } = await openOn(engine);
    await answersOf(state, { signIn: "1" }).storeDays([day("2026-11-17", 1, 1)], 1, form);
    await answersOf(state, { signIn: "2" }).storeDays([day("2026-11-18", 2, 2)], 2, form);
    await answersOf(state, { store: "norte" }).storeDays([day("2026-11-17", 3, 3)], 3, form);
    const rows = await database.rows({ orders: "bigint" }, "select orders from sales_by_day order by orders");
    expect(rows).toEqual([{ orders: 2 }, { orders: 3 }]);
    await answersOf(state).keep(question, { ...asked, askedAt: 1, answer: summary });
    for (let twice = 0; twice < 2; twice += 1) await renameInAnswers(state, "centro", "praia");
    const stores = () => database.rows({ store: "text" }, "select store from sales_by_day order by store");
    expect(await stores()).toEqual([{ store: "norte" }, { store: "praia" }]);
    expect(await answersOf(state, { store: "praia" }).find(question)).toMatchObject({ askedAt: 1 });
    expect(await answersOf(state).find(question)).toBeUndefined();
    await clearAnswers(state, "praia");
    expect(await answersOf(state, { store: "praia" }).find(question)).toBeUndefined();
    expect(await stores()).toEqual([{ store: "norte" }]);
  });

  /** Numbers of orders on consecutive days from 1 November; `undefined` for a day that isn't stored. */
  const daysOf = (orders: readonly (number | undefined)[], revenueOf = (each: number) => each * 1000) =>
    orders.flatMap((each, index) =>
      each === undefined ? [] : [day(`2026-11-${String(index + 1).padStart(2, "0")}`, each, revenueOf(each))],
    );
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

  test.each<[string, readonly (number | undefined)[], readonly (number | undefined)[], boolean]>([
    ["five equal days with orders", [9, 1, 2, 3, 4, 5], [undefined, 1, 2, 3, 4, 5], true],
    ["four equal days with orders, and any without", [1, 2, 3, 4, 0, 0, 0], [1, 2, 3, 4, 0, 0, 0], false],
    ["a tenth of the days that differ", ten, ten.with(9, 99), true],
    ["more than a tenth that differ", ten, ten.with(9, 99).with(8, 98), false],
    ["no day in common", ten, [...ten.map(() => undefined), ...ten], false],
  ])("count after a new sign-in by %s: %j, then %j", async (_, before, after, isSame) => {
    const { state, database } = await openOn(engine);
    await answersOf(state, { signIn: "1" }).storeDays(daysOf(before), 1, form);
    const own = answersOf(state, { signIn: "2" });
    const { joined, hidden } = await own.storeDays(daysOf(after), 2, form);
    const dates = daysOf(before).map(({ date }) => date);
    const earlier = { days: dates.length, from: dates[0], to: dates.at(-1), sign_ins: ["1"] };
    const [joinedDays, hiddenDays] = isSame ? [earlier, null] : [null, earlier];
    expect({ joined, hidden }).toEqual({ joined: joinedDays, hidden: hiddenDays });
    const shown = await database.rows({ date: "text" }, "select date from sales_by_day order by date");
    const expected = new Set([...(isSame ? daysOf(before) : []), ...daysOf(after)].map(({ date }) => date));
    expect(shown.map(({ date }) => date)).toEqual([...expected].sort());
    // It is said once.
    expect(await own.storeDays(daysOf(after), 3, form)).toEqual({ changed: [], joined: null, hidden: null });
  });

  test("count again if the alias returns to a store, and only its own changes are restatements", async () => {
    const { state, database } = await openOn(engine);
    await answersOf(state, { signIn: "1" }).storeDays(daysOf(ten), 1, form);
    const other = daysOf(ten, (orders) => orders * 7);
    await answersOf(state, { signIn: "2" }).storeDays(other, 2, form);
    await answersOf(state, { signIn: "2" }).storeDays([day("2026-11-01", 50, 50)], 3, form);
    const back = answersOf(state, { signIn: "3" });
    // Too few days to recognize the store.
    await back.storeDays(daysOf(ten).slice(0, 2), 4, form);
    const revenue = async (view: string) => {
      const sql = `select date, cast(revenue * 100 as bigint) as cents from ${view} order by date`;
      const rows = await database.rows({ date: "text", cents: "bigint" }, sql);
      return rows.map(({ date, cents }) => `${date.slice(-2)}: ${cents}`);
    };
    expect(await revenue("sales_by_day")).toEqual(["01: 1000", "02: 2000"]);
    const { changed, joined, hidden } = await back.storeDays(daysOf(ten.with(9, 99)), 5, form);
    expect({ changed, joined, hidden }).toMatchObject({
      changed: [{ before: day("2026-11-10", 10, 10_000) }],
      joined: { days: 10, sign_ins: ["1"] },
      hidden: null,
    });
    const all = daysOf(ten.with(9, 99)).map(({ date, revenueCents }) => `${date.slice(-2)}: ${revenueCents}`);
    expect(await revenue("sales_by_day")).toEqual(all);
    expect(await revenue("restatements")).toEqual(["10: 99000"]);
    // Without a changed day, no row is added.
    await answersOf(state, { signIn: "4" }).storeDays(other, 6, form);
    await answersOf(state, { signIn: "5" }).storeDays(daysOf(ten.with(9, 99)), 7, form);
    expect(await revenue("sales_by_day")).toEqual(all);
  });
});
