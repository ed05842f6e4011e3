/** Looks at stores again and again, and shows every look. */
import { missingStores } from "../../sales/ask/say-of-stores.js";
import type { OpenStores } from "../../sales/ask/stores.js";
import type { ComandaError } from "../../shared/errors.js";
import type { Machine } from "../../toolkit/machine.js";

import type { Board } from "./board.js";
import type { CounterOptions } from "./counter.js";
import { fillsScreen } from "./full-screen.js";
import { lookAt, type LookOptions } from "./look.js";
import { noRoomText } from "./panels.js";
import { openView } from "./views.js";

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

/**
 * @param typing the counter, which opens before the first look: that need not succeed then
 * @throws {ComandaError} the failure of the first look, where it brought no store's figures; the signal's reason
 */
export async function watch(
  machine: Machine,
  opened: OpenStores,
  { everyMs, looks, maxWaitMs }: Pace,
  typing?: CounterOptions,
): Promise<WatchResult> {
  const { context, output } = machine;
  const { clock, signal } = context;
  let boards = emptyBoards(opened);
  const look = async (options: Pick<LookOptions, "signal" | "until" | "onWait">) => {
    boards = await lookAtAll(machine, opened, boards, { ...options, everyMs });
  };
  if (!typing) {
    // A screen can show that there is no room yet. Elsewhere the first look waits for room, as any call does.
    const mostWaitMs = fillsScreen(machine) ? 0 : maxWaitMs;
    let isWaitTold = false;
    const onWait = () => {
      if (!isWaitTold) output.notice(noRoomText());
      isWaitTold = true;
    };
    await look({ signal, until: clock.now() + mostWaitMs, onWait });
    const failure = boards.some((board) => board.look ?? !board.failure) ? undefined : failureOf(boards);
    if (failure) throw failure;
  }
  const view = await openView(machine, typing);
  try {
    if (typing) {
      view.show(boards, clock.now());
      await look({ signal: view.signal, until: clock.now() });
    }
    for (let count = 1; ; count += 1) {
      const nextAt = clock.now() + everyMs;
      view.show(boards, count === looks ? undefined : nextAt);
      if (count === looks) return { kind: "watched", boards, hasLeft: false };
      await clock.sleep(Math.max(0, nextAt - clock.now()), view.signal);
      await look({ signal: view.signal, until: clock.now() + everyMs });
    }
  } catch (error) {
    if (!view.hasLeft || signal.aborted) throw error;
    return { kind: "watched", boards, hasLeft: true };
  } finally {
    await view.close();
  }
}

export function emptyBoards({ stores }: OpenStores): readonly Board[] {
  return stores.map((store) => {
    if (store.kind === "missing") {
      const display = { locale: "en", currency: undefined };
      return { store: store.store, zone: "UTC", display, isLimited: false, failure: store.error };
    }
    const { zone, display } = store.preferences;
    return { store: store.name, zone, display, isLimited: false };
  });
}

/** An answer that another process got since the last look is as good as a new one. */
export function lookAtAll(
  machine: Machine,
  { stores }: OpenStores,
  boards: readonly Board[],
  { everyMs, ...options }: Omit<LookOptions, "maxAgeMs"> & Pick<Pace, "everyMs">,
): Promise<readonly Board[]> {
  const looks = boards.map(async (board, index) => {
    const store = stores[index];
    if (!store || store.kind === "missing") return board;
    return lookAt(machine, store, board, { ...options, maxAgeMs: everyMs - 1 });
  });
  return Promise.all(looks);
}

/** @returns a single store's failure; for several stores an error that counts those without figures */
export function failureOf(boards: readonly Board[]): ComandaError | undefined {
  const [first] = boards;
  if (boards.length === 1) return first?.failure;
  return missingStores({
    stores: boards.map(({ store, failure }) =>
      failure ? { kind: "missing", store, error: failure } : { kind: "figures" },
    ),
  });
}
