/** Runs that do the same work at the same time, on whatever machines, share the stores out. */
import { TurnLost, type StoreTurns, type Turn } from "../../state/store-turns.js";
import type { Context } from "../../toolkit/context.js";
import type { StoreResult } from "../results.js";

const lookAgainMs = 1_000;

/**
 * Resolves when each store was done, by this run or by another.
 *
 * @returns the results of the stores that this run has done
 */
export async function shareStores<Figures>(
  turns: StoreTurns,
  { clock, signal }: Pick<Context, "clock" | "signal">,
  work: (turn: Turn) => Promise<StoreResult<Figures>>,
): Promise<ReadonlyMap<string, StoreResult<Figures>>> {
  const results = new Map<string, StoreResult<Figures>>();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];

  async function doAt(turn: Turn): Promise<void> {
    try {
      const result = await work(turn);
      // A store that gives nothing would give another run nothing either.
      await turn.end(result.kind === "figures" ? "done" : "failed");
      results.set(turn.store, result);
    } catch (error) {
      if (error instanceof TurnLost) return;
      failures.push(error);
      // Where that fails too, others take the store when its time is over.
      await turn.release().catch((failure: unknown) => failures.push(failure));
    }
  }

  /** Resolves before the store's first request, so that runs which begin together take stores by turns. */
  function begin(turn: Turn): Promise<void> {
    return new Promise((resolve) => {
      const hold = () => {
        resolve();
        return turn.hold();
      };
      const done = doAt({ ...turn, hold }).finally(resolve);
      underWay.add(done);
      void done.then(() => underWay.delete(done));
    });
  }

  /** @returns whether there is more to do */
  async function next(): Promise<boolean> {
    signal.throwIfAborted();
    const turn = await turns.take();
    if (turn === "others") await clock.sleep(lookAgainMs, signal);
    else if (turn !== "over") await begin(turn);
    else if (underWay.size > 0) await Promise.race(underWay);
    else return false;
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
