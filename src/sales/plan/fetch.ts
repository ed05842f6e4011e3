/**
 * Fetches the figures of one period: its windows are asked for one after another, and merged into what one answer
 * would be.
 */
import { formatCents } from "../../contract/money.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary, Summary } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { placeGroups } from "../merge/group-identity.js";
import { mergeGroups, type GroupList } from "../merge/groups.js";
import { addMetrics, centsOf, withWholeCents, type OnRounded } from "../merge/sums.js";
import type { Window } from "../period/windows.js";

export interface FetchOptions<Answer> {
  /** The windows are in the order of time; see `splitPeriod`. */
  readonly windows: readonly Window[];
  /** Calls the service once. An error that it throws is passed on: there are no figures of half a period. */
  readonly fetch: (window: Window) => Promise<Answer>;
  /** Splits a window into shorter ones, for a service that refuses it. */
  readonly split?: (window: Window) => readonly Window[] | Promise<readonly Window[]>;
  /** Is told a sentence for stderr, at most one for each fetch. */
  readonly onWarning: (message: string) => void;
}

/**
 * Adds up orders and revenue of all windows, exact in cents; the average is revenue / orders, rounded half up to the
 * cent. The answer of a single window is returned as it came, unknown fields included. An amount with more than two
 * decimals, which the specification rules out, is rounded half up, with a warning.
 *
 * @throws {ComandaError} `unexpected_answer` for amounts too large to be exact; also what `fetch` throws
 */
export async function fetchSummary(options: FetchOptions<Summary>): Promise<Summary> {
  const onRounded = roundingWarning(options.onWarning);
  const { answers } = await fetchAll(options);
  const summaries = answers.map((answer) => withWholeCents(answer, onRounded));
  const [first, ...others] = summaries;
  return first && others.length === 0 ? first : addMetrics(summaries);
}

/**
 * Merges the groups of all windows as `mergeGroups` does; figures are added as in {@link fetchSummary}.
 *
 * @throws {ComandaError} `unexpected_answer` for amounts too large to be exact; also what `fetch` throws
 */
export async function fetchGrouped(
  options: FetchOptions<GroupedSummary> & { readonly dimension: Dimension },
): Promise<GroupList> {
  const onRounded = roundingWarning(options.onWarning);
  const { dimension } = options;
  const { windows, answers } = await fetchAll(options);
  const lists = answers.map((answer) => {
    const groups = answer.groups.map((group) => withWholeCents(group, onRounded));
    return { ...answer, groups };
  });
  const [first, ...others] = lists;
  const placed = placeGroups(lists, windows, dimension);
  if (first && others.length === 0) return { grouped: first, placed: placed.flat() };
  return mergeGroups(first?.group_by ?? dimension, placed);
}

async function fetchAll<Answer>({ windows, fetch, split }: FetchOptions<Answer>) {
  const [answered, answers]: [Window[], Answer[]] = [[], []];
  const windowsToAsk = [...windows];
  for (let window = windowsToAsk.shift(); window !== undefined; window = windowsToAsk.shift()) {
    try {
      answers.push(await fetch(window));
      answered.push(window);
    } catch (error) {
      const parts = isRefusal(error) ? ((await split?.(window)) ?? []) : [];
      if (parts.length < 2) throw error;
      windowsToAsk.unshift(...parts);
    }
  }
  return { windows: answered, answers };
}

/** The specification doesn't show how half a year is counted: a service that counts 180 days refuses 181. */
function isRefusal(error: unknown): boolean {
  return error instanceof ComandaError && error.code === "invalid_request";
}

function roundingWarning(onWarning: (message: string) => void): OnRounded {
  let warned = false;
  return (amount) => {
    if (warned) return;
    warned = true;
    const rounded = formatCents(centsOf(amount));
    onWarning(
      t`The service gave ${amount}, an amount with more than two decimals: it was rounded to ${rounded}.`,
    );
  };
}
