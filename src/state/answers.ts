/**
 * The service's answers about sales are kept with the time when it was asked: one row for each answer, and the same
 * figures one by one for those who read them as tables.
 */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import { summaryPeriodMonths } from "../contract/limits.js";
import { groupedSummarySchema, summarySchema } from "../contract/summary.js";
import { dimensions, type Dimension } from "../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../contract/models.js";
import { ComandaError } from "../shared/errors.js";
import { parseJson } from "../shared/json.js";
import type { Columns, Row, Statements, Value } from "./database.js";
import { withLeaseOr } from "./leases.js";
import { questionOf, type Question } from "./question.js";
import type { StateFolder } from "./state-folder.js";

/** Tells whose answers these are. Those of one sign-in never pass for another's. */
export interface AnswerSource {
  /** The store's alias. */
  readonly store: string;
  /** The environment's address. */
  readonly environment: string;
  readonly signIn: () => Promise<string>;
}

/** The settings of a store, for those who read the answers as tables. */
export interface SourceSettings {
  readonly timeZone: string | undefined;
  readonly currency: string | undefined;
  readonly dayStarts: string | undefined;
}

type Query = SummaryQuery | GroupedSummaryQuery;

export interface KeptAnswer extends Question {
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly answer: Summary | GroupedSummary;
}

/** Days YYYY-MM-DD, the last one included. */
export interface KeptDays {
  readonly dimension: Dimension;
  readonly first: string;
  readonly last: string;
}

/** An answer as its figures are shown in tables. */
export interface Figures {
  /** IANA name: in whose days the window was counted. */
  readonly timeZone: string;
  /** The window's own, YYYY-MM-DD; absent where it isn't made of whole days. */
  readonly days: { readonly first: string; readonly last: string } | undefined;
  readonly rows: readonly FigureRow[];
}

export interface FigureRow {
  readonly key: string | null;
  readonly label: string | null;
  /** YYYY-MM-DD, where these are the figures of one day. */
  readonly day: string | undefined;
  /** The end of the time that they count, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly orders: number;
  readonly revenueCents: number;
  readonly averageCents: number;
}

/** An answer that was read once is read again only when something was kept, or another process may have kept something. */
export interface Answers {
  /** Every answer to this question, in the order in which they were kept. */
  history(query: Query): Promise<readonly KeptAnswer[]>;
  /** Every answer to the same question about a window that has a part of this one, in the order in which they were kept. */
  overlapping(query: Query): Promise<readonly KeptAnswer[]>;
  /** The first and the last day of all that is known without a filter, by dimension. */
  keptDays(): Promise<readonly KeptDays[]>;
  /** Every answer by a dimension, the newest windows first. */
  answersBy(dimension: Dimension): AsyncIterable<KeptAnswer>;
  /**
   * Resolves when the answer is kept: a killed process doesn't lose it. A loss of power may; then it is asked for again.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`
   */
  keep(query: Query, askedAt: number, answer: Summary | GroupedSummary, figures: Figures): Promise<void>;
  /**
   * The newest answer to this question about a window that began then and ended when it was asked, as it is kept now:
   * another process may have asked meanwhile.
   */
  running(query: Query): Promise<KeptAnswer | undefined>;
  /** Keeps such an answer in the place of the one before: the next moment's question has another end. */
  keepRunning(query: Query, askedAt: number, answer: Summary | GroupedSummary): Promise<void>;
  /** Lets one at a time do its work among all processes that ask the same question. */
  share<Result>(query: Query, work: () => Promise<Result>, options: ShareOptions): Promise<Result>;
}

export interface ShareOptions {
  /** Another process may take so many milliseconds; after that nobody waits for it any more. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Whoever has figures to show waits no longer for another process. */
const waitMs = 5000;

const columns = {
  dimension: "text",
  date_field: "text",
  filters: "text",
  from_text: "text",
  to_text: "text",
  asked_at: "bigint",
  answer: "text",
} as const;
const select = `select ${Object.keys(columns).join(", ")} from answers`;
const summaryName = "";
/** A row that tells where a window ended when it was asked has this in the place of the dimension, and no figures. */
const runningName = (dimension: Dimension | null) => `running ${dimension ?? summaryName}`;
/** Nobody takes a running window's answer for one of now when it is older. */
const runningKeptMs = 60 * 60_000;
const anyDimension = [summaryName, ...dimensions].map((name) => `'${name}'`).join(", ");
/** Answers that are read at a time where nobody knows how many are needed. */
const page = 50;
/** Windows are 6 months long at most; months are 31 days long at most. */
const longestWindowMs = (summaryPeriodMonths + 1) * 31 * 86_400_000;

export function openAnswers(state: StateFolder, origin: AnswerSource, settings: SourceSettings): Answers {
  let source: number | undefined;
  const read = new Map<string, Promise<readonly KeptAnswer[]>>();

  /** @param query has the source's id as $1 */
  async function rowsOfSource<Names extends Columns>(
    columns: Names,
    query: string,
    ...values: readonly Value[]
  ): Promise<readonly Row<Names>[]> {
    // Without answers nothing is asked of the sign-in, whose name may have to be written down.
    const database = await state.existingDatabase("sales");
    if (database && source === undefined) {
      const sql = "select id from sources where store = $1 and environment = $2 and sign_in = $3";
      const { store, environment } = origin;
      const identity = [store, environment, await origin.signIn()];
      const [row] = await database.rows({ id: "bigint" }, sql, ...identity);
      source = row?.id;
    }
    return database && source !== undefined ? database.rows(columns, query, source, ...values) : [];
  }

  /** @param sql the end of a query, where $1 is whose answers these are */
  function find(sql: string, ...values: readonly Value[]): Promise<readonly KeptAnswer[]> {
    const name = JSON.stringify([sql, values]);
    const answers = read.get(name) ?? findNew(sql, values);
    read.set(name, answers);
    return answers;
  }

  async function findNew(sql: string, values: readonly Value[]): Promise<readonly KeptAnswer[]> {
    const rows = await rowsOfSource(columns, `${select} where source_id = $1 and ${sql}`, ...values);
    return rows.flatMap((row) => answerOf(row) ?? []);
  }

  async function insert(write: (statements: Statements, from: number) => Promise<void>): Promise<void> {
    const database = await state.database("sales");
    const signIn = await origin.signIn();
    const work = async (statements: Statements) => {
      await write(statements, await sourceWith(statements, { ...origin, signIn }, settings));
    };
    await database.transaction("answers", work, { durable: false, waitMs, outlastsSignal: true });
    read.clear();
  }

  return {
    async history(query) {
      const { dimension, date_field: dateField, filters, from, to } = questionOf(query);
      // Answers about one window are held against each other, whatever their dimension, so all of them are read.
      const answers = await find(
        `dimension in (${anyDimension}) and date_field = $2 and filters = $3 and from_at = $4 and to_at = $5 order by id`,
        ...[dateField, JSON.stringify(filters), Date.parse(from), Date.parse(to)],
      );
      return answers.filter(
        (answer) => answer.dimension === dimension && answer.from === from && answer.to === to,
      );
    },
    overlapping(query) {
      const { dimension, date_field: dateField, filters, from, to } = questionOf(query);
      const [start, end] = [Date.parse(from), Date.parse(to)];
      return find(
        `dimension = $2 and date_field = $3 and filters = $4
         and from_at >= $5 and from_at <= $6 and to_at >= $7 order by id`,
        ...[dimension ?? summaryName, dateField, JSON.stringify(filters)],
        ...[start - longestWindowMs, end, start],
      );
    },
    async keptDays() {
      const rows = await rowsOfSource(
        { dimension: "text", first: "text", last: "text" },
        `select dimension, min(first_day) as first, max(last_day) as last from answers
         where source_id = $1 and date_field = 'created_at' and filters = '[]' and first_day is not null
         group by dimension order by dimension`,
      );
      return rows.flatMap(({ dimension: name, ...days }) => {
        const dimension = dimensions.find((each) => each === name);
        return dimension ? [{ dimension, ...days }] : [];
      });
    },
    async *answersBy(dimension) {
      for (let offset = 0; ; offset += page) {
        const sql = `dimension = $2 order by from_at desc, id desc limit ${page} offset ${offset}`;
        const answers = await find(sql, dimension);
        yield* answers;
        if (answers.length < page) return;
      }
    },
    keep: (query, askedAt, answer, figures) =>
      insert(async (statements, from) => {
        const kept = { question: questionOf(query), askedAt: Math.round(askedAt), answer, figures };
        await insertAnswer(statements, { from, ...kept });
      }),
    async running(query) {
      const { dimension, date_field: dateField, filters, from } = questionOf(query);
      const sql = "dimension = $2 and date_field = $3 and filters = $4 and from_text = $5 order by id";
      const values = [runningName(dimension), dateField, JSON.stringify(filters), from];
      return (await findNew(sql, values)).at(-1);
    },
    keepRunning: (query, askedAt, answer) =>
      insert(async (statements, from) => {
        const { dimension, ...question } = questionOf(query);
        const name = runningName(dimension);
        const at = Math.round(askedAt);
        await statements.run(
          `delete from answers where source_id = $1 and dimension like 'running %' and
           (asked_at < $2 or (dimension = $3 and date_field = $4 and filters = $5 and from_text = $6))`,
          ...[from, at - runningKeptMs, name, question.date_field, JSON.stringify(question.filters)],
          question.from,
        );
        const figures: Figures = { timeZone: "UTC", days: undefined, rows: [] };
        await insertAnswer(statements, {
          ...{ from, name, question: { dimension, ...question }, askedAt: at, answer, figures },
        });
      }),
    async share(query, work, { waitMs: patienceMs, signal }) {
      const name = await lockName(origin, questionOf(query));
      const workAlone = () => {
        read.clear();
        return work();
      };
      return withLeaseOr(state, name, workAlone, {
        ...{ waitMs: patienceMs, signal },
        otherwise(error) {
          if (!(error instanceof ComandaError) || !lockFailures.has(error.code)) throw error;
          // To ask twice is better than not to ask.
          return work();
        },
      });
    },
  };
}

const lockFailures: ReadonlySet<string> = new Set(["lock_timeout", "state_unusable"]);

async function lockName({ environment, signIn, store }: AnswerSource, question: Question): Promise<string> {
  const text = JSON.stringify([environment, await signIn(), store, question]);
  return `figures-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}

const answerSchema = z.union([groupedSummarySchema(), summarySchema()]);

/** @returns `undefined` for what no comanda wrote */
function answerOf({ answer: text, ...row }: Row<typeof columns>): KeptAnswer | undefined {
  const answer = z.safeParse(answerSchema, parseJson(text));
  const filters = z.safeParse(z.array(z.string()), parseJson(row.filters));
  if (!answer.success || !filters.success) return undefined;
  return {
    dimension: dimensions.find((name) => name === row.dimension) ?? null,
    date_field: row.date_field === "scheduled_date" ? "scheduled_date" : "created_at",
    filters: filters.data,
    from: row.from_text,
    to: row.to_text,
    askedAt: row.asked_at,
    answer: answer.data,
  };
}

/** Ids count up, since transactions of one name come one after the other. */
const nextId = (table: "answers" | "sources") => `(select coalesce(max(id), 0) + 1 from ${table})`;

/** @returns its id; with what the settings say by now */
async function sourceWith(
  statements: Statements,
  { store, environment, signIn }: Omit<AnswerSource, "signIn"> & { readonly signIn: string },
  { timeZone, currency, dayStarts }: SourceSettings,
): Promise<number> {
  const [row] = await statements.rows(
    { id: "bigint" },
    `insert into sources (id, store, environment, sign_in, time_zone, currency, day_starts)
     values (${nextId("sources")}, $1, $2, $3, $4, $5, $6)
     on conflict (store, environment, sign_in) do update
     set time_zone = excluded.time_zone, currency = excluded.currency, day_starts = excluded.day_starts
     returning id`,
    ...[store, environment, signIn, timeZone ?? null, currency ?? null, dayStarts ?? null],
  );
  return row?.id ?? 0;
}

interface NewAnswer {
  /** The id of its source. */
  readonly from: number;
  /** It stands in the place of the dimension's name. */
  readonly name?: string;
  readonly question: Question;
  readonly askedAt: number;
  readonly answer: Summary | GroupedSummary;
  readonly figures: Figures;
}

async function insertAnswer({ rows, run }: Statements, kept: NewAnswer): Promise<void> {
  const { from: source, question, askedAt, answer, figures } = kept;
  const { dimension, date_field: dateField, filters, from, to } = question;
  const { name = dimension ?? summaryName } = kept;
  const [inserted] = await rows(
    { id: "bigint" },
    `insert into answers (id, source_id, asked_at, asked_text, dimension, date_field, filters, from_text, to_text,
       from_at, to_at, time_zone, first_day, last_day, figures_digest, answer)
     values (${nextId("answers")}, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     returning id`,
    ...[source, askedAt, new Date(askedAt).toISOString(), name, dateField],
    ...[JSON.stringify(filters), from, to, Date.parse(from), Date.parse(to), figures.timeZone],
    ...[figures.days?.first ?? null, figures.days?.last ?? null, digestOf(figures), JSON.stringify(answer)],
  );
  for (const [position, row] of figures.rows.entries()) {
    await run(
      `insert into figures (answer_id, position, group_key, label, day, ends_at, order_count, revenue_cents,
         average_cents)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      ...[inserted?.id ?? 0, position, row.key, row.label, row.day ?? null, row.endsAt],
      ...[row.orders, row.revenueCents, row.averageCents],
    );
  }
}

/** Orders and revenue by key: a label or an average that changes alone is no other figure. */
function digestOf({ rows }: Figures): string {
  const figures = rows
    .filter(({ orders, revenueCents }) => orders !== 0 || revenueCents !== 0)
    .map(({ key, orders, revenueCents }) => JSON.stringify([key, orders, revenueCents]));
  return createHash("sha256").update(figures.toSorted().join("\n")).digest("hex").slice(0, 32);
}

/**
 * Removes all that is kept of one store, or of all.
 *
 * @returns the number of answers
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function clearAnswers(state: StateFolder, store?: string): Promise<number> {
  const database = await state.existingDatabase("sales");
  if (!database) return 0;
  return database.transaction("answers", (statements) => clear(statements, store));
}

async function clear({ run }: Statements, store: string | undefined): Promise<number> {
  const [condition, values] = store === undefined ? ["", []] : [" where store = $1", [store]];
  const sources = `select id from sources${condition}`;
  const answers = `select id from answers where source_id in (${sources})`;
  await run(`delete from figures where answer_id in (${answers})`, ...values);
  const removed = await run(`delete from answers where source_id in (${sources})`, ...values);
  for (const table of ["sources", "drivers"]) await run(`delete from ${table}${condition}`, ...values);
  return removed;
}

/**
 * The store is called otherwise from now on: its answers stay its own, also where this is done twice.
 *
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function renameInAnswers(state: StateFolder, from: string, to: string): Promise<void> {
  const database = from === to ? undefined : await state.existingDatabase("sales");
  await database?.transaction("answers", async (statements) => {
    const owned =
      "select store from sources where store = $1 union select store from drivers where store = $1";
    if ((await statements.rows({ store: "text" }, owned, from)).length === 0) return;
    // No store of this machine has that name, so what is left there is nobody's.
    await clear(statements, to);
    for (const table of ["sources", "drivers"])
      await statements.run(`update ${table} set store = $1 where store = $2`, to, from);
  });
}
