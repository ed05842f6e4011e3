/** One look at a store: as few calls as tell it, and only those that the limits leave over. */
import { ComandaError } from "../../shared/errors.js";
import { askedPeriods, type PeriodSpan, type SalesRequest } from "../../sales/plan/request.js";
import { createStoreCalls, type StoreCalls } from "../../sales/plan/store-calls.js";
import type { Compared } from "../../sales/results.js";
import type { Machine } from "../../toolkit/machine.js";
import type { OpenStore } from "../../sales/ask/stores.js";

import { isComparisonDue, isSameDay, lookOf, sameWeekdayOf, type Board } from "./board.js";

/** What is asked: the day so far, and the same weekday a week before until the same time. */
const request: SalesRequest = {
  period: { period: "today" },
  dateField: undefined,
  filters: [],
  comparison: "week",
  comparisonIsOptional: true,
};

export interface Looking {
  readonly signal: AbortSignal;
  /** How long it may wait for a place within the rate limit, milliseconds since the epoch. */
  readonly until: number;
  /** Told before it waits. */
  readonly onWait?: () => void;
}

export function emptyBoard({ name, preferences: { zone, display } }: OpenStore): Board {
  return { store: name, zone, display, isLimited: false };
}

/**
 * @returns the board with what was answered; where nothing was, as it was, with the reason
 * @throws {unknown} the signal's reason, and what is no `ComandaError`
 */
export async function lookAt(
  machine: Machine,
  store: OpenStore,
  before: Board,
  looking: Looking,
): Promise<Board> {
  let board: Board = { ...before, isLimited: false, failure: undefined };
  try {
    if (!(await hasRoom(machine, store, "summary_grouped", looking))) return { ...board, isLimited: true };
    const day = openDay(machine, store);
    board = await withLook(board, day, store, looking.signal);
    return await withSameWeekday(machine, store, board, day, looking.signal);
  } catch (error) {
    if (looking.signal.aborted || !(error instanceof ComandaError)) throw error;
    // Others took the place meanwhile, or the service counts more than this machine knows of.
    if (error.code === "rate_limited") return { ...board, isLimited: true };
    return { ...board, failure: error };
  }
}

/** The day so far as it is at this moment, and the calls that ask for it. */
interface Day {
  readonly spans: Compared<PeriodSpan>;
  readonly calls: StoreCalls;
}

function openDay({ context: { clock }, output }: Machine, store: OpenStore): Day {
  const onWarning = (message: string) => {
    output.warnOnce(message);
  };
  return {
    spans: askedPeriods(request, { now: clock.now(), onWarning, ...store.preferences }),
    calls: createStoreCalls({
      ...store.endpoints,
      request,
      freshness: { kind: "fresh" },
      doubtedAt: undefined,
      exactOnly: true,
      now: () => clock.now(),
      ahead: store.ahead,
      onCalled: () => undefined,
      onWarning,
    }),
  };
}

async function withLook(
  { sameWeekday, ...before }: Board,
  { spans: { current }, calls }: Day,
  { ahead }: OpenStore,
  signal: AbortSignal,
): Promise<Board> {
  const { figures, age } = await calls.grouped(current, "status", signal);
  // What is looked at now is as old as the clock says that stands beside it.
  const corrected = { ...age, askedAt: age.askedAt - ahead() };
  const look = lookOf(current.period, { figures: figures.grouped.groups, age: corrected }, before.look);
  // Another day's says nothing of this one.
  const isOfToday = sameWeekday && isSameDay(sameWeekday.current.period, look.period);
  return { ...before, look, ...(isOfToday && { sameWeekday }) };
}

async function withSameWeekday(
  machine: Machine,
  store: OpenStore,
  board: Board,
  { spans, calls }: Day,
  signal: AbortSignal,
): Promise<Board> {
  const { look, sameWeekday } = board;
  if (!look || spans.kind !== "comparison" || !isComparisonDue(sameWeekday, look)) return board;
  if (!(await hasRoom(machine, store, "summary", { signal, until: look.askedAt }))) return board;
  const previous = await calls.summary(spans.previous, signal);
  return { ...board, sameWeekday: sameWeekdayOf(look, { period: spans.previous.period, ...previous }) };
}

/** Is there a place for us, and one more for a person's command? Waits for them where that doesn't take too long. */
async function hasRoom(
  { context: { clock } }: Machine,
  store: OpenStore,
  bucket: "summary" | "summary_grouped",
  { signal, until, onWait }: Looking,
): Promise<boolean> {
  for (;;) {
    signal.throwIfAborted();
    const quota = await store.quota(bucket);
    if (!quota || (quota.remaining > 1 && quota.waiting.length === 0)) return true;
    const nextMs = quota.remaining === 0 ? quota.waitMs : (quota.nextFreeMs ?? 0);
    const waitMs = Math.max(nextMs, leastWaitMs);
    if (clock.now() + waitMs > until) return false;
    onWait?.();
    await clock.sleep(waitMs, signal);
  }
}

const leastWaitMs = 250;
