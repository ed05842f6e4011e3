/** Runs that do the same work at the same time, on whatever machines, share the stores out. */
import { TurnLost, type StoreTurns, type Turn } from "../../state/store-turns.js";
import type { Context } from "../../toolkit/context.js";
import type { StoreResult } from "../results.js";

/**
 * A run begins at most this many stores that have had no answer yet, so that runs which begin together get about as
 * many stores each.
 */
const maxBeginning = 4;
const lookAgainMs = 1_000;

/**
 * Resolves when each store was done, by this run or by another.
 *
 * @param work calls `onBegin` when the store has had an answer, or waits for its limit
 * @returns the results of the stores that this run has done
 */
export async function shareStores<Figures>(
  turns: StoreTurns,
  { clock, signal }: Pick<Context, "clock" | "signal">,
  work: (turn: Turn, onBegin: () => void) => Promise<StoreResult<Figures>>,
): Promise<ReadonlyMap<string, StoreResult<Figures>>> {
  const results = new Map<string, StoreResult<Figures>>();
  const [underWay, beginning] = [new Set<Promise<void>>(), new Set<Promise<void>>()];
  const failures: unknown[] = [];

  async function doAt(turn: Turn, onBegin: () => void): Promise<void> {
    try {
      const result = await work(turn, onBegin);
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

  function begin(turn: Turn): void {
    let onBegin: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (onBegin = resolve));
    const done = doAt(turn, onBegin);
    addUntilOver(underWay, done);
    addUntilOver(beginning, Promise.race([hasBegun, done]));
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

function addUntilOver(all: Set<Promise<void>>, part: Promise<void>): void {
  all.add(part);
  void part.then(() => all.delete(part));
}
