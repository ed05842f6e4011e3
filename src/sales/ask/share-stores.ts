/** Shares out stores among the runs, on whatever machines, that are at the same work at the same time. */
import { TurnLost, type StoreTurns, type Turn } from "../../state/store-turns.js";
import type { Context } from "../../toolkit/context.js";

/** Stores of one run that have had no answer yet: runs that begin together get about as many stores each. */
const mostBeginning = 4;
const lookAgainMs = 1_000;

export interface Share<Result> {
  /** `failed` where the store gave nothing, which another run wouldn't change. */
  readonly outcome: "done" | "failed";
  readonly result: Result;
}

/**
 * Resolves when each store was done, by this run or by another.
 *
 * @param work calls `begun` when the store has had an answer, or waits for its limit
 * @returns what came of those that this run has done
 */
export async function shareStores<Result>(
  turns: StoreTurns,
  { clock, signal }: Pick<Context, "clock" | "signal">,
  work: (turn: Turn, begun: () => void) => Promise<Share<Result>>,
): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  const [underWay, beginning] = [new Set<Promise<void>>(), new Set<Promise<void>>()];
  const failures: unknown[] = [];

  async function doAt(turn: Turn, begun: () => void): Promise<void> {
    try {
      const { outcome, result } = await work(turn, begun);
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
    let begun: () => void = () => undefined;
    const beginningOf = new Promise<void>((resolve) => (begun = resolve));
    const done = doAt(turn, begun);
    for (const [all, part] of [
      [underWay, done],
      [beginning, Promise.race([beginningOf, done])],
    ] as const) {
      all.add(part);
      void part.then(() => all.delete(part));
    }
  }

  /** @returns is there more to do? */
  async function next(): Promise<boolean> {
    signal.throwIfAborted();
    const turn = await turns.take();
    if (turn === "others") await clock.sleep(lookAgainMs, signal);
    else if (turn !== "over") begin(turn);
    else if (underWay.size > 0) await Promise.race(underWay);
    else return false;
    if (beginning.size >= mostBeginning) await Promise.race(beginning);
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
