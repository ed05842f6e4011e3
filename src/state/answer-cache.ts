/** Caches the newest answer to each sales query, and stores days as rows for programs that read sales.db. */
import * as z from "zod/mini";

import type { Dimension } from "../api/values.js";
import type { GroupedSummary, Summary } from "../api/models.js";
import { salesSchemas } from "../api/responses.js";
import { parseJson } from "../base/basics.js";
import { digestOf, isDatabaseError, isoTime, type Statements, type Value } from "./database.js";
import type { LeaseOptions } from "./leases.js";
import type { State } from "./state.js";

/** A query, with a `text` that is the same for each equal query. */
export interface CachedQuery {
  readonly by: Dimension | undefined;
  readonly text: string;
}

export interface CachedAnswer {
  /** The time just before the request, in milliseconds since the epoch. */
  readonly askedAt: number;
  /** The last day of the requested period, `YYYY-MM-DD`. */
  readonly last: string;
  /** The end of the requested period. A query about today has a different one each second. */
  readonly end: string;
  readonly answer: Summary | GroupedSummary;
}

export interface StoredDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly orders: number;
  readonly revenueCents: number;
}

/** A new sign-in is to the same store if at least this many days with orders are equal, and at most this share differs. */
const sameStore = { equalDays: 5, differingShare: 0.1 };

export type Answers = ReturnType<typeof openAnswerCache>;

/**
 * Opens the cached answers and stored days of a store. Its functions reject with `state_unusable` or `lock_timeout` if the
 * database can't be used.
 *
 * @param source the alias, the address, and the sign-in. Answers aren't shared between sign-ins, because the alias may now belong
 *   to a different store
 */
export function openAnswerCache(
  state: State,
  { store, environment, signIn }: Readonly<Record<"store" | "environment" | "signIn", string>>,
) {
  // Without the alias, so that a renamed store keeps its answers.
  const digest = ({ text }: CachedQuery) => digestOf(JSON.stringify([environment, signIn, text]));
  async function findWhere(sql: string, ...values: readonly Value[]): Promise<readonly CachedAnswer[]> {
    const columns = { asked_at: "bigint", answer: "text" } as const;
    const database = await state.existing("sales");
    const select = `select asked_at, answer from answers where ${sql}`;
    const rows = await database?.rows(columns, select, ...values);
    return (rows ?? []).flatMap(({ asked_at: askedAt, answer }) => {
      const read = z.safeParse(
        z.object({
          last: z.string(),
          end: z.string(),
          answer: z.union([salesSchemas().groupedSummary, salesSchemas().summary]),
        }),
        parseJson(answer),
      );
      return read.success ? { askedAt: Date.parse(isoTime(askedAt)), ...read.data } : [];
    });
  }
  return {
    find: async (query: CachedQuery): Promise<CachedAnswer | undefined> =>
      (await findWhere("digest = $1 and store = $2", digest(query), store))[0],
    /** Returns the answers of the sign-in, or of every sign-in if `signIn` is empty, however old: the newest first. */
    list: async (by: Dimension, most: number): Promise<readonly CachedAnswer[]> =>
      findWhere(
        `store = $1 and environment = $2 and (sign_in = $3 or $3 = '') and dimension = $4
           order by asked_at desc limit $5`,
        ...[store, environment, signIn, by, most],
      ),
    /** Caches an answer. It survives a killed process; after a power failure it may have to be requested again. */
    async keep(query: CachedQuery, { askedAt, ...answer }: CachedAnswer): Promise<void> {
      const database = await state.database("sales");
      await database.run(
        `insert into answers (digest, store, environment, sign_in, dimension, asked_at, answer)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (digest) do update
           set store = excluded.store, asked_at = excluded.asked_at, answer = excluded.answer`,
        ...[digest(query), store, environment, signIn, query.by ?? ""],
        ...[Math.round(askedAt), JSON.stringify(answer)],
      );
    },
    /**
     * Stores days that were over when they were requested. An unchanged day keeps its row, with the new request time. If their
     * figures show that an earlier sign-in was to the same store, its rows become rows of this sign-in.
     *
     * @returns the days that have changed; the days of earlier sign-ins that count from now on; and
     *   at the first call of a sign-in, those that remain hidden
     */
    async storeDays(
      days: readonly StoredDay[],
      askedAt: number,
      { timeZone, currency }: { readonly timeZone: string; readonly currency: string | null },
    ) {
      const database = await state.database("sales");
      const owner = [store, environment, signIn];
      const at = new Date(askedAt).toISOString();
      return database.transaction("answers", async (statements) => {
        const { rows, run } = statements;
        const earlier = await joinEarlierDays(statements, owner, days);
        const changed: { readonly before: StoredDay; readonly now: StoredDay }[] = [];
        for (const now of days) {
          const { date, orders, revenueCents } = now;
          const [before] = await rows(
            { id: "bigint", orders: "bigint", revenue_cents: "bigint", time_zone: "text", currency: "text?" },
            `select id, orders, revenue_cents, time_zone, currency from days
             where store = $1 and environment = $2 and sign_in = $3 and date = $4 order by id desc limit 1`,
            ...[...owner, date],
          );
          const isAlike = before?.time_zone === timeZone && before.currency === currency;
          if (before && isAlike && before.orders === orders && before.revenue_cents === revenueCents) {
            await run("update days set asked_at = $1 where id = $2", at, before.id);
            continue;
          }
          if (before && isAlike)
            changed.push({
              before: { date, orders: before.orders, revenueCents: before.revenue_cents },
              now,
            });
          await run(
            `insert into days (id, store, environment, sign_in, date, time_zone, currency, orders, revenue_cents, asked_at)
             values ((select coalesce(max(id), 0) + 1 from days), $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
            ...[...owner, date, timeZone, currency, orders, revenueCents, at],
          );
        }
        // The views show the sign-in of the last row. Without a changed day, that is still another store's.
        const own = "store = $1 and environment = $2 and sign_in = $3";
        await run(
          `update days set id = (select max(id) + 1 from days) where id = (select max(id) from days where ${own})
             and id < (select max(id) from days where store = $1 and environment = $2)`,
          ...owner,
        );
        return { changed, ...earlier };
      });
    },
    /** Runs the work while no other process works on the same query. If the lease can't be taken, runs it anyway. */
    async share<Result>(
      query: CachedQuery,
      work: () => Promise<Result>,
      options: Pick<LeaseOptions, "waitMs">,
    ): Promise<Result> {
      let attempts = 0;
      const begin = () => {
        attempts += 1;
        return work();
      };
      try {
        return await state.withLease(`figures-${digest(query).slice(0, 32)}`, begin, options);
      } catch (error) {
        if (attempts > 0 || !isDatabaseError(error)) throw error;
        return work();
      }
    },
  };
}

/** Compares the stored days of earlier sign-ins with those of this one, because the API doesn't name a sign-in's store. */
async function joinEarlierDays(
  { rows, run }: Statements,
  owner: readonly string[],
  days: readonly StoredDay[],
) {
  const stored = await rows(
    { sign_in: "text", date: "text", orders: "bigint", revenue_cents: "bigint" },
    `select sign_in, date, orders, revenue_cents from days where id in (
       select max(id) from days where store = $1 and environment = $2 and sign_in <> $3 group by sign_in, date)`,
    ...owner,
  );
  const own = "select id from days where store = $1 and environment = $2 and sign_in = $3 limit 1";
  const isFirst = stored.length > 0 && (await rows({ id: "bigint" }, own, ...owner)).length === 0;
  const now = new Map(days.map((day) => [day.date, day]));
  const joined: (typeof stored)[number][] = [];
  const hidden: (typeof stored)[number][] = [];
  for (const signIn of new Set(stored.map((row) => row.sign_in))) {
    const before = stored.filter((row) => row.sign_in === signIn);
    const both = before.filter(({ date }) => now.has(date));
    const equal = both.filter(({ date, orders, revenue_cents: cents }) => {
      const day = now.get(date);
      return day?.orders === orders && day.revenueCents === cents;
    });
    const isSame =
      equal.filter(({ orders }) => orders > 0).length >= sameStore.equalDays &&
      both.length - equal.length <= both.length * sameStore.differingShare;
    (isSame ? joined : hidden).push(...before);
    if (isSame)
      await run(
        "update days set sign_in = $3 where store = $1 and environment = $2 and sign_in = $4",
        ...owner,
        signIn,
      );
  }
  return { joined: earlierDays(joined), hidden: isFirst ? earlierDays(hidden) : null };
}

/** Returns the number of different days, the first and the last one, and their sign-ins; `null` without a day. */
function earlierDays(rows: readonly { readonly sign_in: string; readonly date: string }[]) {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return null;
  return { days: dates.length, from, to, sign_ins: [...new Set(rows.map((row) => row.sign_in))] };
}

/** Returns the last day that `comanda sync` has stored for a store under any sign-in, and when; `undefined` without one. */
export async function storedDays(state: State, store: string) {
  const database = await state.existing("sales");
  const rows = await database?.rows(
    { last: "text", asked_at: "text" },
    "select max(date) as last, max(asked_at) as asked_at from days where store = $1 group by store",
    store,
  );
  const row = rows?.[0];
  return row && { last: row.last, askedAt: row.asked_at };
}

export async function clearAnswers(state: State, store: string): Promise<void> {
  await changeTables(state, ({ run }, table) => run(`delete from ${table} where store = $1`, store));
}

/** Moves a store's days and cached answers to its new alias. Safe to repeat. */
export async function renameInAnswers(state: State, from: string, to: string): Promise<void> {
  await changeTables(state, async ({ run }, table) => {
    // The new alias was free, so rows under it are left over from a removed store.
    const isOwned = `exists (select 1 from ${table} where store = $2)`;
    if (from !== to) await run(`delete from ${table} where store = $1 and ${isOwned}`, to, from);
    await run(`update ${table} set store = $1 where store = $2`, to, from);
  });
}

/** Changes both tables of figures in one transaction, if the database exists. */
async function changeTables(
  state: State,
  change: (statements: Statements, table: string) => Promise<unknown>,
): Promise<void> {
  const database = await state.existing("sales");
  await database?.transaction("answers", async (statements) => {
    for (const table of ["answers", "days"]) await change(statements, table);
  });
}
