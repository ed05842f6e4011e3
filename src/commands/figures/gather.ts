/** The figures of every store that was asked for, each fetched within its own limits. */
import { ComandaError } from "../../errors/index.js";
import type { StoreResult } from "../../summary/merge/stores.js";
import type { Invocation } from "../leaf.js";

import { createFetcher, type Question, type StoreFetcher } from "./fetcher.js";
import type { FiguresOptions } from "./options.js";
import type { Preferences } from "./preferences.js";
import { figuresProgress } from "./progress.js";
import { askedPeriods, type AskedPeriods, type FiguresRequest } from "./request.js";
import { openSources, type Source } from "./sources.js";

/** What came of one store. */
export interface Gathered<Figures> {
  readonly figures: Figures;
  readonly asked: AskedPeriods;
  readonly preferences: Preferences;
}

export interface GatheredStores<Figures> {
  /** Were several stores asked for, even if there is but one? */
  readonly several: boolean;
  readonly results: readonly StoreResult<Gathered<Figures>>[];
}

export interface Gathering<Figures> {
  readonly label: string;
  readonly options: FiguresOptions;
  readonly request: FiguresRequest;
  /** All that `fetch` will ask, so that the time it takes is known. */
  readonly questions: (asked: AskedPeriods) => readonly Question[];
  readonly fetch: (fetcher: StoreFetcher, asked: AskedPeriods, signal: AbortSignal) => Promise<Figures>;
}

/**
 * @throws {ComandaError} what is wrong with the request, before any call; and, where one store was asked for, what
 *   went wrong with it
 */
export async function gather<Figures>(
  invocation: Invocation,
  { label, options, request, questions, fetch }: Gathering<Figures>,
): Promise<GatheredStores<Figures>> {
  const { context } = invocation;
  const progress = figuresProgress(invocation, label);
  const sources = await openSources(invocation, options, (notice) => progress.onWait(notice));
  const now = context.clock.now();
  try {
    const plans = sources.all.map((source) => {
      if ("error" in source) return source;
      const asked = askedPeriods(request, { now, preferences: source.preferences });
      const fetcher = createFetcher(invocation, { source, cache: sources.cache, request, progress });
      return { source, asked, fetcher };
    });
    const usable = plans.flatMap((plan) => ("error" in plan ? [] : [plan]));
    progress.begin((await Promise.all(usable.map((plan) => expectedOf(plan, questions(plan.asked))))).flat());
    const results = await Promise.all(
      plans.map(async (plan): Promise<StoreResult<Gathered<Figures>>> => {
        if ("error" in plan) return plan;
        const { asked, fetcher, source } = plan;
        try {
          const figures = await alone(context.signal, (signal) => fetch(fetcher, asked, signal));
          return { store: source.store, figures: { figures, asked, preferences: source.preferences } };
        } catch (error) {
          if (!sources.several || context.signal.aborted || !(error instanceof ComandaError)) throw error;
          return { store: source.store, error };
        }
      }),
    );
    return { several: sources.several, results };
  } finally {
    progress.end();
    await sources.close();
  }
}

/** Where one of several calls fails, those beside it are given up too, rather than waited for. */
async function alone<Result>(
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  try {
    return await work(AbortSignal.any([outer, own.signal]));
  } finally {
    own.abort(new ComandaError("interrupted", "Another call for the same figures failed."));
  }
}

async function expectedOf(
  { source, fetcher }: { readonly source: Source; readonly fetcher: StoreFetcher },
  questions: readonly Question[],
) {
  const byBucket = [
    ["summary", questions.filter(({ dimension }) => dimension === undefined)],
    ["summary_grouped", questions.filter(({ dimension }) => dimension !== undefined)],
  ] as const;
  return Promise.all(
    byBucket.map(async ([bucket, asked]) => {
      const calls = fetcher.callsFor(asked);
      return { calls, quota: calls === 0 ? undefined : await source.quota(bucket) };
    }),
  );
}

/**
 * Says of each store that failed why, and ends the command with exit code 10.
 *
 * @throws {ComandaError} `some_failed` where a store gave no figures
 */
export function failForMissing(results: readonly StoreResult<unknown>[]): void {
  const failed = results.flatMap((one) => ("error" in one ? [one] : []));
  if (failed.length === 0) return;
  const names = failed.map(({ store }) => store).join(", ");
  throw new ComandaError(
    "some_failed",
    `${failed.length} of ${results.length} stores gave no figures: ${names}.`,
    {
      hint: failed
        .map(({ store, error }) => [`${store}: ${error.message}`, error.hint].filter(Boolean).join(" "))
        .join("\n"),
    },
  );
}
