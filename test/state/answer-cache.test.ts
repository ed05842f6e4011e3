/** Caches answers by query, and stores days as rows, on both engines. */
import { describe, expect, test } from "vitest";

import type { Database } from "../../src/state/database.js";
import { clearAnswers, openAnswerCache, renameInAnswers } from "../../src/state/answer-cache.js";
import type { State } from "../../src/state/state.js";
import { jumpingClock } from "../client/support/clock.js";
import { engines, type Engine } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";

/** Opens the state of a machine whose sales database is the engine's. */
async function openOn(engine: Engine): Promise<{ readonly state: State; readonly database: Database }> {
  const open = await engine.create({ database: "sales" });
  const database = await open();
  const folder = openState(temporaryFolder(), { clock: jumpingClock() });
  const opened = () => Promise.resolve(database);
  return { state: { ...folder, database: opened, hasDatabase: () => true }, database };
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
const asked = { first: "2026-10-01", last: "2026-10-31", end, filters: [] };
const drivers = { by: "driver_id", text: "drivers" } as const;
const day = (date: string, orders: number, revenueCents: number) => ({ date, orders, revenueCents });
const form = { timeZone: "America/Sao_Paulo", currency: "BRL" };

describe.each(engines.filter(({ isInstalled }) => isInstalled))("the answers on $name", (engine) => {
  test("have a valid date even if a row has an impossible time", async () => {
    const { state, database } = await openOn(engine);
    await answersOf(state).keep(question, { ...asked, askedAt: 5, answer: summary });
    await database.run("update answers set asked_at = 8640000000000001");
    const found = await answersOf(state).find(question);
    expect(new Date(found?.askedAt ?? Number.NaN).toISOString()).toBe("9999-12-30T00:00:00.000Z");
  });

  test("are found only for the same query, store, address and sign-in, and those by driver for any query", async () => {
    const { state } = await openOn(engine);
    const own = answersOf(state);
    await own.keep(question, {
      ...asked,
      askedAt: 5.5,
      end: "2026-10-31T12:00:00-03:00",
      answer: { ...summary, total_order_count: 1 },
    });
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
    const found = (await own.ofDrivers()).map(({ answer }) => answer);
    expect(found).toEqual([named("Ana"), named("Bia")]);
    expect(await answersOf(state, { signIn: "2" }).ofDrivers()).toEqual([]);
  });

  test("include a second row for a changed day, and views of the newest rows and the changes", async () => {
    const { state, database } = await openOn(engine);
    const own = answersOf(state);
    const first = [day("2026-11-18", 3, 3000), day("2026-11-19", 0, 0)];
    expect(await own.storeDays(first, 1_000, form)).toEqual([]);
    expect(await own.storeDays(first, 2_000, form)).toEqual([]);
    const later = [day("2026-11-18", 4, 4250), day("2026-11-19", 0, 0)];
    expect(await own.storeDays(later, 3_000, form)).toEqual([day("2026-11-18", 3, 3000)]);
    // A different currency or time zone doesn't change the figures.
    expect(await own.storeDays(later.slice(1), 4_000, { ...form, currency: "USD" })).toEqual([]);
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
    expect(await database.rows({ ...row, ...before }, changes)).toEqual([
      {
        date: "2026-11-18",
        asked_before: at(2_000),
        orders_before: 3,
        asked_at: at(3_000),
        orders: 4,
        cents: 4250,
      },
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
    expect(await answersOf(state, { store: "praia" }).find(question)).toBeUndefined();
    await clearAnswers(state, "praia");
    expect(await stores()).toEqual([{ store: "norte" }]);
  });
});
