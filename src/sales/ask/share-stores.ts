/** Runs that do the same work at the same time, on whatever machines, share the stores out. */
import { TurnLost, type StoreTurns, type Turn } from "../../state/store-turns.js";
import type { Context } from "../../toolkit/context.js";

/**
 * A run begins at most this many stores that have had no answer yet, so that runs which begin together get about as
 * many stores each.
 */
const maxBeginning = 4;
const lookAgainMs = 1_000;

export interface Share<Result> {
  /** `failed` means that the store gave nothing, which another run wouldn't change. */
  readonly outcome: "done" | "failed";
  readonly result: Result;
}

/**
 * Resolves when each store was done, by this run or by another.
 *
 * @param work calls `begun` when the store has had an answer, or waits for its limit
 * @returns the results of the stores that this run has done
 */
export async function shareStores<Result>(
  turns: StoreTurns,
  { clock, signal }: Pick<Context, "clock" | "signal">,
  work: (turn: Turn, onBegin: () => void) => Promise<Share<Result>>,
): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  const [underWay, beginning] = [new Set<Promise<void>>(), new Set<Promise<void>>()];
  const failures: unknown[] = [];

  async function doAt(turn: Turn, onBegin: () => void): Promise<void> {
    try {
      const { outcome, result } = await work(turn, onBegin);
      await turn.end(outcome);
      results.set(turn.store, result);
    } catch (error) {
      if (error instanceof TurnLost) return;
      failures.push(error);
      // Where that fails too, others take the store when its time is over.
      await turn.release().catch((failure: unknown) => failures.push(failure));
    }
  }

  function begin(turn: Turn): void {
    let onBegin: () => void = () => undefined;
    const beginningOf = new Promise<void>((resolve) => (onBegin = resolve));
    const done = doAt(turn, onBegin);
    for (const [all, part] of [
      [underWay, done],
      [beginning, Promise.race([beginningOf, done])],
    ] as const) {
      all.add(part);
      void part.then(() => all.delete(part));
    }
  }

  /** @returns whether there is more to do */
  async function next(): Promise<boolean> {
    signal.throwIfAborted();
    const turn = await turns.take();
    if (turn === "others") await clock.sleep(lookAgainMs, signal);
    else if (turn !== "over") begin(turn);
    else if (underWay.size > 0) await Promise.race(underWay);
    else return false;
    if (beginning.size >= maxBeginning) await Promise.race(beginning);
    return true;
  }

  try {
    while (failures.length === 0 && (await next()));
  } catch (error) {
    failures.push(error);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return results;
}
