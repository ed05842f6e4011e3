/** Answers that stand in one output agree, or have been asked for again. */
import type { Question } from "./request.js";

/** An answer that contradicts another one. */
export interface Disputed<Name> {
  readonly name: Name;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

export type Contradiction<Name> = readonly [Disputed<Name>, Disputed<Name>];

/**
 * Of two answers that contradict each other the older is asked for again, once: where orders change at every moment, there
 * is no end to it, and what is left is told.
 *
 * @param contradictions among the answers as they are by now
 */
export async function untilTheyAgree<Name>(
  contradictions: () => readonly Contradiction<Name>[],
  askAgain: (names: readonly Name[]) => Promise<void>,
): Promise<void> {
  const askedAgain = new Set<Name>();
  for (;;) {
    const older = contradictions().flatMap(
      (pair) => olderOf(pair).find(({ name }) => !askedAgain.has(name)) ?? [],
    );
    const names = [...new Set(older.map(({ name }) => name))];
    if (names.length === 0) return;
    for (const name of names) askedAgain.add(name);
    await askAgain(names);
  }
}

/** As much of `PlannedCalls` as it takes to ask again. */
export interface AskedAgain {
  readonly mayAsk: boolean;
  doubt(questions: readonly Question[]): Promise<void>;
  announce(questions: readonly Question[]): Promise<void>;
}

/**
 * As {@link untilTheyAgree}, of what a store was asked, where it may be asked at all.
 *
 * @param askAgain asks for all of it: what isn't doubted is known by now
 */
export async function agree<Asked extends Question>(
  calls: AskedAgain,
  contradictions: () => readonly Contradiction<Asked>[],
  askAgain: () => Promise<void>,
): Promise<void> {
  await untilTheyAgree(
    () => (calls.mayAsk ? contradictions() : []),
    async (older) => {
      await calls.doubt(older);
      await calls.announce(older);
      await askAgain();
    },
  );
}

/** Both, where the clock can't tell. */
function olderOf<Name>([left, other]: Contradiction<Name>): readonly Disputed<Name>[] {
  const oldest = Math.min(left.askedAt, other.askedAt);
  return [left, other].filter(({ askedAt }) => askedAt === oldest);
}
