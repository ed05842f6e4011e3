/** Looks at stores again and again, and shows every look. */
import { rateLimits } from "../../contract/limits.js";
import type { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { countsRequests } from "../../state/limiter.js";
import type { MissingStore } from "../../sales/results.js";
import type { Machine } from "../../toolkit/machine.js";
import { missingAmong } from "../../sales/ask/say-of-stores.js";
import { duration } from "../../sales/ask/progress.js";
import type { OpenStores } from "../../sales/ask/stores.js";

import type { Board } from "./board.js";
import { fillsScreen } from "./full-screen.js";
import { noRoomText } from "./panels.js";
import { emptyBoard, lookAt, type LookOptions } from "./look.js";
import { openView, type View } from "./views.js";

export interface Pace {
  /** Milliseconds from one look to the next. */
  readonly everyMs: number;
  /** The number of looks; absent where a person or a signal ends them. */
  readonly looks: number | undefined;
  /** Without a screen the first look may wait so many milliseconds for a place within the rate limit. */
  readonly maxWaitMs: number;
}

export interface WatchResult {
  readonly kind: "watched";
  /** The boards after the last look. */
  readonly boards: readonly Board[];
  /** Did the person leave before the last look? */
  readonly hasLeft: boolean;
}

/** One call of each window of the limit is left to other commands. */
const looksAtOnce = rateLimits.summary_grouped.limit - 1;
const paceMs = rateLimits.summary_grouped.windowMs / looksAtOnce;

/**
 * @param counter the view with a line to type: it opens before the first look, which need not succeed
 * @throws {ComandaError} the failure of the first look, where it brought no store's figures; the signal's reason
 */
export async function watch(
  machine: Machine,
  opened: OpenStores,
  { everyMs, looks, maxWaitMs }: Pace,
  counter?: View,
): Promise<WatchResult> {
  const { context } = machine;
  const { clock } = context;
  const looker = createLooker(machine, opened, everyMs);
  if (!counter) {
    const boards = await looker.look(firstLook(machine, maxWaitMs));
    const failure = boards.some((board) => board.look ?? !board.failure) ? undefined : failureOf(boards);
    if (failure) throw failure;
  }
  const view = counter ?? openView(machine, paceNote(machine, { everyMs, looks }));
  try {
    if (counter) {
      view.show(looker.boards(), clock.now());
      await looker.look({ signal: view.signal, until: clock.now() });
    }
    for (let count = 1; ; count += 1) {
      const nextAt = clock.now() + everyMs;
      view.show(looker.boards(), count === looks ? undefined : nextAt);
      if (count === looks) return { kind: "watched", boards: looker.boards(), hasLeft: false };
      await clock.sleep(Math.max(0, nextAt - clock.now()), view.signal);
      await looker.look({ signal: view.signal, until: clock.now() + everyMs });
    }
  } catch (error) {
    if (!isEndByPerson(view, context.signal)) throw error;
    return { kind: "watched", boards: looker.boards(), hasLeft: true };
  } finally {
    view.close();
  }
}

/** Gives a function that looks once, for people who read line by line. */
export function lookOnce(
  machine: Machine,
  opened: OpenStores,
  { everyMs }: Pick<Pace, "everyMs">,
): () => Promise<readonly Board[]> {
  const { clock, signal } = machine.context;
  const looker = createLooker(machine, opened, everyMs);
  return () => looker.look({ signal, until: clock.now() });
}

/** Keeps the boards of all stores from look to look. */
function createLooker(machine: Machine, opened: OpenStores, everyMs: number) {
  const { stores } = opened;
  let boards: readonly Board[] = stores.map((store) =>
    store.kind === "missing" ? missingBoard(store) : emptyBoard(store),
  );
  return {
    boards: () => boards,
    async look(pace: Omit<LookOptions, "maxAgeMs">): Promise<readonly Board[]> {
      // An answer that another process got since the last look is as good as a new one.
      const looking = { ...pace, maxAgeMs: everyMs - 1 };
      const next = stores.map(async (store, index) => {
        const board = boards[index];
        return store.kind === "missing" || !board ? undefined : lookAt(machine, store, board, looking);
      });
      const looks = await Promise.all(next);
      boards = boards.map((board, index) => looks[index] ?? board);
      return boards;
    },
  };
}

/** A screen can show that there is no room yet. Elsewhere the first look waits for room, as any call does. */
function firstLook(machine: Machine, maxWaitMs: number): Omit<LookOptions, "maxAgeMs"> {
  const { context, output } = machine;
  const [signal, now] = [context.signal, context.clock.now()];
  if (fillsScreen(machine)) return { signal, until: now };
  let hasNotified = false;
  const onWait = () => {
    if (!hasNotified) output.notice(noRoomText());
    hasNotified = true;
  };
  return { signal, until: now + maxWaitMs, onWait };
}

function isEndByPerson({ hasLeft }: View, signal: AbortSignal): boolean {
  return hasLeft && !signal.aborted;
}

function missingBoard({ store, error }: MissingStore): Board {
  return {
    store,
    zone: "UTC",
    display: { locale: "en", currency: undefined },
    isLimited: false,
    failure: error,
  };
}

/** @returns a single store's failure; for several stores an error that counts those without figures */
export function failureOf(boards: readonly Board[]): ComandaError | undefined {
  const [first] = boards;
  if (boards.length === 1) return first?.failure;
  return missingAmong(
    boards.map(({ store, failure }) =>
      failure ? { kind: "missing", store, error: failure } : { kind: "figures" },
    ),
  );
}

/** A few looks fit the limit, so they need no note. */
function paceNote(
  { context }: Machine,
  { everyMs, looks = Infinity }: Pick<Pace, "everyMs" | "looks">,
): string | undefined {
  if (everyMs >= paceMs || looks <= looksAtOnce || !countsRequests(context)) return undefined;
  return t`Every ${duration(everyMs)} is more often than the limits allow: figures come about every ${duration(paceMs)}.`;
}
