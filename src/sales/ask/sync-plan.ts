/** Plans what a sync would ask tonight, by what is kept of each store; nothing is asked. */
import { rateLimits } from "../../contract/limits.js";
import type { PeriodSpan } from "../plan/request.js";
import { spanOfDays, type SyncQuestion } from "../plan/sync.js";
import type { Machine } from "../../toolkit/machine.js";
import type { CallPlan, StoreRequest } from "./call-plan.js";
import { waitForCalls } from "./progress.js";
import { openOf } from "../results.js";
import type { OpenStores } from "./stores.js";
import { workOf, type SyncRequest, type Work } from "./sync-work.js";

/** One call a minute is left to other commands. */
export const pace = { ...rateLimits.summary_grouped, limit: rateLimits.summary_grouped.limit - 1 };

/** The calls are those that it takes unless days have changed: each such day takes up to 6 calls more. */
export interface SyncPlan extends CallPlan {
  readonly stores: number;
  readonly dimensions: number;
}

export function callsOf({ due, checked }: Pick<Work, "due" | "checked">): number {
  return due.length + checked.length;
}

/** Makes the window that tells whether any of these days has changed. */
export function spanOf(days: readonly SyncQuestion[]): PeriodSpan {
  const [first, last] = [days[0]?.span.period, days.at(-1)?.span.period];
  if (!first || !last) throw new RangeError("there are days");
  return days[0] && days.length === 1 ? days[0].span : spanOfDays(first.from.date, last.to.date, first.zone);
}

/**
 * Reads what is kept once for each store and dimension, so that thousands of stores are told within seconds.
 *
 * @param options.lists says whether each request is listed
 */
export async function planSync(
  machine: Machine,
  opened: OpenStores,
  request: SyncRequest,
  { lists }: { readonly lists: boolean },
): Promise<SyncPlan> {
  const open = openOf(opened);
  const requests: StoreRequest[] = [];
  const counts: number[] = [];
  for (const store of open) {
    const work = await workOf(machine, store, request);
    counts.push(callsOf(work));
    const checks = work.checked.flatMap((days) =>
      days[0] ? [{ dimension: days[0].dimension, span: spanOf(days) }] : [],
    );
    for (const question of lists ? [...work.due, ...checks, ...work.left] : [])
      for (const planned of await work.calls.requests([question]))
        requests.push({ ...planned, store: store.name });
  }
  // Each store has a limit of its own. Where calls aren't counted, nobody knows how long they take.
  const isCounted = (await open[0]?.quota("summary_grouped")) !== undefined;
  return {
    ...{ stores: open.length, dimensions: request.dimensions.length, requests, estimated: false },
    calls: counts.reduce((sum, calls) => sum + calls, 0),
    waitMs: isCounted ? waitForCalls(Math.max(0, ...counts), pace) : undefined,
  };
}
