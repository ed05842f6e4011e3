/** Looks at a store once, with as few calls as possible, and only where the limits leave room. */
import { ComandaError } from "../../shared/errors.js";
import type { Period } from "../../sales/period/period.js";
import { requestedPeriods, type SalesRequest } from "../../sales/plan/request.js";
import { createStoreCalls, type StoreCalls } from "../../sales/plan/store-calls.js";
import type { Compared } from "../../sales/results.js";
import type { Machine } from "../../toolkit/machine.js";
import type { OpenStore } from "../../sales/ask/stores.js";

import { noRoomText } from "./panels.js";
import { isComparisonDue, isSameDay, lookOf, sameWeekdayOf, type Board } from "./board.js";

/** A look has the day so far, and the same weekday a week before until the same time. */
const request: SalesRequest = {
  period: { period: "today" },
  dateField: undefined,
  filters: [],
  comparison: "week",
  comparisonIsOptional: true,
};

export interface LookOptions {
  readonly signal: AbortSignal;
  /** An answer that another process got may be so old, in milliseconds. */
  readonly maxAgeMs: number;
  /** The look may wait so long for a place within the rate limit, in milliseconds since the epoch. */
  readonly until: number;
  /** Called before a wait. */
  readonly onWait?: () => void;
}

/**
 * @returns the board with the new answers; without any, the old figures and the reason
 * @throws {unknown} the signal's reason, and every error but a `ComandaError`
 */
export async function lookAt(
  machine: Machine,
  store: OpenStore,
  before: Board,
  options: LookOptions,
): Promise<Board> {
  const { clock } = machine.context;
  const { signal, until, onWait } = options;
  for (;;) {
    let board: Board = { ...before, isLimited: false, failure: undefined };
    const room = { inMs: Number.POSITIVE_INFINITY };
    try {
      const day = openDay(machine, store, options, room);
      board = await withLook(board, day, store, signal);
      return await withSameWeekday(store, board, day, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ComandaError)) throw error;
      if (error.code !== "rate_limited") return { ...board, failure: error };
      // Other processes took the place meanwhile, or the service counts requests of other machines.
      if (clock.now() + room.inMs > until) return { ...board, isLimited: true };
      onWait?.();
      // After the wait another process may have an answer that is new enough.
      await clock.sleep(room.inMs, signal);
    }
  }
}

/** The day ends at the moment of the look, so each look has its own calls. */
interface Day {
  readonly periods: Compared<Period>;
  readonly calls: StoreCalls;
}

/** @param room gets the wait where there is no room for the call */
function openDay(
  { context: { clock }, output }: Machine,
  store: OpenStore,
  { maxAgeMs }: LookOptions,
  room: { inMs: number },
): Day {
  const onWarning = (message: string) => {
    output.warnOnce(message);
  };
  return {
    periods: requestedPeriods(request, { now: clock.now(), onWarning, ...store.preferences }),
    calls: createStoreCalls({
      source: {
        ...store.source,
        async call(query, signal) {
          const waitMs = "group_by" in query ? await roomIn(store, "summary_grouped") : 0;
          if (waitMs === 0) return store.source.call(query, signal);
          room.inMs = waitMs;
          throw new ComandaError("rate_limited", noRoomText());
        },
      },
      request,
      freshness: { kind: "usual", maxAgeMs },
      exactOnly: true,
      onWarning,
    }),
  };
}

async function withLook(
  { sameWeekday, ...before }: Board,
  { periods: { current }, calls }: Day,
  { source }: OpenStore,
  signal: AbortSignal,
): Promise<Board> {
  const { figures, age } = await calls.grouped({ period: current, dimension: "status" }, signal);
  // The age is shown beside this machine's clock, so it is counted by that clock.
  const correctedAge = { ...age, askedAt: age.askedAt - source.ahead() };
  const look = lookOf(current, { figures: figures.grouped.groups, age: correctedAge }, before.look);
  // A comparison of another day isn't shown beside this one.
  const isOfToday = sameWeekday && isSameDay(sameWeekday.current.period, look.period);
  return { ...before, look, ...(isOfToday && { sameWeekday }) };
}

async function withSameWeekday(
  store: OpenStore,
  board: Board,
  { periods: { previous }, calls }: Day,
  signal: AbortSignal,
): Promise<Board> {
  const { look, sameWeekday } = board;
  if (!look || !previous || !isComparisonDue(sameWeekday, look)) return board;
  if ((await roomIn(store, "summary")) > 0) return board;
  const figures = await calls.summary({ period: previous }, signal);
  return { ...board, sameWeekday: sameWeekdayOf(look, { period: previous, ...figures }) };
}

/** @returns milliseconds until there is a place for this look, and one more for a person's command */
async function roomIn(store: OpenStore, bucket: "summary" | "summary_grouped"): Promise<number> {
  const quota = await store.quota(bucket);
  if (!quota || (quota.remaining > 1 && quota.waiting.length === 0)) return 0;
  return Math.max(quota.remaining === 0 ? quota.waitMs : (quota.nextFreeMs ?? 0), leastWaitMs);
}

const leastWaitMs = 250;
