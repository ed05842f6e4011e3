/** Answers that stand in one output agree, or have been asked for again. */

/** An answer that contradicts another one. */
export interface Disputed<Name> {
  readonly name: Name;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

export type Contradiction<Name> = readonly [Disputed<Name>, Disputed<Name>];

/** As much of `PlannedCalls` as it takes to ask again. */
export interface AskedAgain<Name> {
  readonly mayAsk: boolean;
  doubt(names: readonly Name[]): Promise<void>;
  announce(names: readonly Name[]): Promise<void>;
}

/**
 * Of two answers that contradict each other the older is asked for again, once: where orders change at every moment, there
 * is no end to it, and what is left is told.
 *
 * @param contradictions among the answers as they are by now
 * @param askAgain asks for all of it: what isn't doubted is known by now
 */
export async function agree<Name>(
  calls: AskedAgain<Name>,
  contradictions: () => readonly Contradiction<Name>[],
  askAgain: () => Promise<void>,
): Promise<void> {
  const repeated = new Set<Name>();
  while (calls.mayAsk) {
    const older = contradictions().flatMap(
      (pair) => olderOf(pair).find(({ name }) => !repeated.has(name)) ?? [],
    );
    const names = [...new Set(older.map(({ name }) => name))];
    if (names.length === 0) return;
    for (const name of names) repeated.add(name);
    await calls.doubt(names);
    await calls.announce(names);
    await askAgain();
  }
}

/** Both, where the clock can't tell. */
function olderOf<Name>([left, other]: Contradiction<Name>): readonly Disputed<Name>[] {
  const oldest = Math.min(left.askedAt, other.askedAt);
  return [left, other].filter(({ askedAt }) => askedAt === oldest);
}
