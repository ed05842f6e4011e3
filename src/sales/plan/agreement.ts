/** Answers that stand in one output have to agree; otherwise they are asked for again. */

/** This answer contradicts another one. */
export interface Disputed<Name> {
  readonly name: Name;
  /** The time is in milliseconds since the epoch. */
  readonly askedAt: number;
}

export type Contradiction<Name> = readonly [Disputed<Name>, Disputed<Name>];

/** These parts of `PlannedCalls` are needed to ask again. */
export interface RepeatableCalls<Name> {
  readonly mayAsk: boolean;
  doubt(names: readonly Name[]): Promise<void>;
  announce(names: readonly Name[]): Promise<void>;
}

/**
 * Asks for the older of two answers that contradict each other again, once: where orders change at every moment there
 * is no end to it, and the difference that remains is told.
 *
 * @param contradictions finds those among the answers as they are by now
 * @param askAgain asks for everything, since answers that aren't doubted cost no call
 */
export async function agree<Name>(
  calls: RepeatableCalls<Name>,
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

/** Finds the older answer, or both where the clock can't tell. */
function olderOf<Name>([left, other]: Contradiction<Name>): readonly Disputed<Name>[] {
  const oldest = Math.min(left.askedAt, other.askedAt);
  return [left, other].filter(({ askedAt }) => askedAt === oldest);
}
