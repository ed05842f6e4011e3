/** The figures of a period: its windows fetched one after another, then merged into what one answer would be. */
import { formatCents } from "../../contract/money.js";
import type { Dimension, GroupedSummary, Summary } from "../../contract/summary.js";
import { readAmount } from "../merge/amounts.js";
import { mergePlaced } from "../merge/groups.js";
import { type PlacedGroup, placeGroups } from "../merge/placed-groups.js";
import { addTotals, metricsOf, nothing, type OnRounded, totalsOf, withWholeCents } from "../merge/sums.js";
import type { Window } from "../period/windows.js";

export interface FetchOptions<Answer> {
  /** In time's order; see `splitPeriod`. */
  readonly windows: readonly Window[];
  /** One call to the service. What it throws is passed on: there are no figures of half a period. */
  readonly fetch: (window: Window) => Promise<Answer>;
  /** Called before the first call and after each. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** A sentence for stderr, at most one for each fetch. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface FetchProgress {
  /** Calls answered so far, out of `total`. */
  readonly done: number;
  readonly total: number;
}

/** An answer, and what its groups are, which merging stores and comparing periods need to know. */
export interface FetchedGroups {
  readonly grouped: GroupedSummary;
  /** In the order of `grouped.groups`. */
  readonly placed: readonly PlacedGroup[];
}

/**
 * Orders and revenue of all windows, exact in cents; the average is revenue / orders, rounded half up to the
 * cent. The answer of a single window is given on as it came, unknown fields included. An amount with more
 * than two decimals, which the specification rules out, is rounded half up, with a warning.
 *
 * @throws {ComandaError} `unexpected_answer` for amounts too large to be exact; what `fetch` throws
 */
export async function fetchSummary(options: FetchOptions<Summary>): Promise<Summary> {
  const onRounded = roundingWarning(options.onWarning);
  const [first, ...others] = await fetchAll(options);
  if (first && others.length === 0) return withWholeCents(first, onRounded);
  const answers = first ? [first, ...others] : [];
  return metricsOf(answers.map((one) => totalsOf(one, onRounded)).reduce(addTotals, nothing));
}

/**
 * The groups of all windows, merged as `merge-groups.ts` says; figures as in {@link fetchSummary}.
 *
 * @throws {ComandaError} `unexpected_answer` for amounts too large to be exact; what `fetch` throws
 */
export async function fetchGrouped(
  options: FetchOptions<GroupedSummary> & { readonly dimension: Dimension },
): Promise<FetchedGroups> {
  const onRounded = roundingWarning(options.onWarning);
  const { windows, dimension } = options;
  const [first, ...others] = await fetchAll(options);
  if (first && others.length === 0) {
    const groups = first.groups.map((group) => withWholeCents(group, onRounded));
    const grouped = { ...first, groups };
    return { grouped, placed: placeGroups([grouped], windows, dimension).flat() };
  }
  const answers = first ? [first, ...others] : [];
  const placed = mergePlaced(placeGroups(answers, windows, dimension), onRounded);
  return {
    grouped: { group_by: first?.group_by ?? dimension, groups: placed.map(({ group }) => group) },
    placed,
  };
}

/**
 * The least time, in milliseconds, until `calls` calls have gone out, where `free` of them may go at once and
 * each further `limit` have to wait for a whole window: for the line that says how long a report will take.
 */
export function waitForCalls(
  calls: number,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
  free = limit,
): number {
  return Math.max(0, Math.ceil((calls - free) / limit)) * windowMs;
}

async function fetchAll<Answer>({ windows, fetch, onProgress }: FetchOptions<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  onProgress?.({ done: 0, total: windows.length });
  for (const window of windows) {
    answers.push(await fetch(window));
    onProgress?.({ done: answers.length, total: windows.length });
  }
  return answers;
}

function roundingWarning(onWarning: ((message: string) => void) | undefined): OnRounded {
  let warned = false;
  return (amount) => {
    if (warned) return;
    warned = true;
    const rounded = formatCents(readAmount(amount).cents);
    onWarning?.(
      `The service gave ${amount}, an amount with more than two decimals: it was rounded to ${rounded}.`,
    );
  };
}
