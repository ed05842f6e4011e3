/** What the service answered about sales: the newest answer to each question, and days as rows for programs that read sales.db. */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import type { Dimension } from "../api/values.js";
import type { GroupedSummary, Summary } from "../api/models.js";
import { salesSchemas } from "../api/responses.js";
import { isComandaError } from "../base/errors.js";
import { parseJson } from "../base/basics.js";
import { isoTime } from "./database.js";
import type { LeaseOptions } from "./leases.js";
import type { State } from "./state.js";

/** What is asked, in words that the same question has each time. */
export interface CachedQuery {
  readonly by: Dimension | undefined;
  readonly text: string;
}

export interface CachedAnswer {
  /** Before the question went out, in milliseconds since the epoch. */
  readonly askedAt: number;
  /** Days of the period that was requested, `YYYY-MM-DD`, both included. */
  readonly first: string;
  readonly last: string;
  /** End of the period that was requested: a question about today has another one each second. */
  readonly end: string;
  /** As in the request, for example `status_in=closed`. */
  readonly filters: readonly string[];
  readonly answer: Summary | GroupedSummary;
}

export interface StoredDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly orders: number;
  readonly revenueCents: number;
}

export type Answers = ReturnType<typeof openAnswerCache>;

/**
 * All of its functions reject with `state_unusable` or `lock_timeout` where the database can't be used.
 *
 * @param source tells whose answers these are: the store's alias, the environment's address, and the sign-in. Those of one sign-in
 *   never pass for another's: the alias may stand for another store by now
 */
export function openAnswerCache(
  state: State,
  source: { readonly store: string; readonly environment: string; readonly signIn: string },
) {
  const { store, environment, signIn } = source;
  const digestOf = ({ text }: CachedQuery) =>
    createHash("sha256")
      .update(JSON.stringify([store, environment, signIn, text]))
      .digest("hex");
  async function findWhere(sql: string, ...values: readonly string[]): Promise<readonly CachedAnswer[]> {
    const columns = { asked_at: "bigint", answer: "text" } as const;
    if (!state.hasDatabase("sales")) return [];
    const database = await state.database("sales");
    const select = `select asked_at, answer from answers where ${sql}`;
    const rows = await database.rows(columns, select, ...values);
    return rows.flatMap(({ asked_at: askedAt, answer }) => {
      const read = z.safeParse(
        z.object({
          first: z.string(),
          last: z.string(),
          end: z.string(),
          filters: z.array(z.string()),
          answer: z.union([salesSchemas().groupedSummary, salesSchemas().summary]),
        }),
        parseJson(answer),
      );
      return read.success ? { askedAt: Date.parse(isoTime(askedAt)), ...read.data } : [];
    });
  }
  return {
    find: async (question: CachedQuery): Promise<CachedAnswer | undefined> =>
      (await findWhere("digest = $1", digestOf(question)))[0],
    /** Gives the newest answers by drivers, however old, to whatever question: the newest first. */
    ofDrivers: async (): Promise<readonly CachedAnswer[]> =>
      findWhere(
        "store = $1 and environment = $2 and sign_in = $3 and dimension = 'driver_id' order by asked_at desc limit 20",
        ...[store, environment, signIn],
      ),
    /** Returns all answers of the sign-in, or those of every sign-in if `signIn` is empty: the newest first. */
    list: async (): Promise<readonly CachedAnswer[]> =>
      findWhere(
        "store = $1 and environment = $2 and (sign_in = $3 or $3 = '') order by asked_at desc",
        ...[store, environment, signIn],
      ),
    /** A killed process doesn't lose it. A loss of power may; then it is asked for again. */
    async keep(question: CachedQuery, { askedAt, ...answer }: CachedAnswer): Promise<void> {
      const database = await state.database("sales");
      await database.run(
        `insert into answers (digest, store, environment, sign_in, dimension, asked_at, answer)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (digest) do update set asked_at = excluded.asked_at, answer = excluded.answer`,
        ...[digestOf(question), store, environment, signIn, question.by ?? ""],
        ...[Math.round(askedAt), JSON.stringify(answer)],
      );
    },
    /**
     * Keeps days that were over when they were asked. A day that is as it was is the same row, asked later.
     *
     * @param days are counted in the zone, and their amounts written in the currency
     * @returns those that have changed, as they were before
     */
    async keepDays(
      days: readonly StoredDay[],
      askedAt: number,
      { timeZone, currency }: { readonly timeZone: string; readonly currency: string | null },
    ): Promise<readonly StoredDay[]> {
      const database = await state.database("sales");
      const owner = [store, environment, signIn];
      const at = new Date(askedAt).toISOString();
      return database.transaction("answers", async ({ rows, run }) => {
        const changed: StoredDay[] = [];
        for (const { date, orders, revenueCents } of days) {
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
            changed.push({ date, orders: before.orders, revenueCents: before.revenue_cents });
          await run(
            `insert into days (id, store, environment, sign_in, date, time_zone, currency, orders, revenue_cents, asked_at)
             values ((select coalesce(max(id), 0) + 1 from days), $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
            ...[...owner, date, timeZone, currency, orders, revenueCents, at],
          );
        }
        return changed;
      });
    },
    /** Lets one at a time do its work among all processes that ask the same question. */
    async share<Result>(
      question: CachedQuery,
      work: () => Promise<Result>,
      options: Pick<LeaseOptions, "waitMs">,
    ): Promise<Result> {
      let turns = 0;
      const begin = () => {
        turns += 1;
        return work();
      };
      try {
        return await state.withLease(`figures-${digestOf(question).slice(0, 32)}`, begin, options);
      } catch (error) {
        const isUnusable = isComandaError(error, "lock_timeout") || isComandaError(error, "state_unusable");
        if (turns > 0 || !isUnusable) throw error;
        // To ask twice is better than not to ask.
        return work();
      }
    },
  };
}

/** Reads which days `comanda sync` has stored of a store, also before a logout; `undefined` if there are none. */
export async function storedDays(state: State, store: string) {
  if (!state.hasDatabase("sales")) return undefined;
  const database = await state.database("sales");
  const columns = { first: "text?", last: "text?" } as const;
  const select = "select min(date) as first, max(date) as last from days where store = $1";
  const [row] = await database.rows(columns, select, store);
  const { first = null, last = null } = row ?? {};
  return first === null || last === null ? undefined : { first, last };
}

/** Removes all that is kept of a store. */
export async function clearAnswers(state: State, store: string): Promise<void> {
  if (!state.hasDatabase("sales")) return;
  const database = await state.database("sales");
  await database.transaction("answers", async ({ run }) => {
    for (const table of ["answers", "days"]) await run(`delete from ${table} where store = $1`, store);
  });
}

/** The store is called otherwise from now on: its days stay its own, also where this is done twice. */
export async function renameInAnswers(state: State, from: string, to: string): Promise<void> {
  if (!state.hasDatabase("sales")) return;
  const database = await state.database("sales");
  await database.transaction("answers", async ({ run }) => {
    await run("delete from answers where store = $1", from);
    // No store of this machine has that name, so what is left there is nobody's.
    const isOwned = "exists (select 1 from days where store = $2)";
    if (from !== to) await run(`delete from days where store = $1 and ${isOwned}`, to, from);
    await run("update days set store = $1 where store = $2", to, from);
  });
}
