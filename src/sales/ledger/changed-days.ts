/**
 * Finds the days that have changed by the service's answers about longer windows. A window whose answer isn't the sum
 * of its days is halved; its second half is the whole less the first. So a month without a change takes one call.
 * Changes that cancel each other out in a window aren't seen.
 */
import { addSums, emptySum, isNothing, subtractSum, type Sum } from "../merge/sums.js";

export type Sums = ReadonlyMap<string, Sum>;

export interface DaySource<Day> {
  readonly knownSums: (day: Day) => Sums;
  /** Asks the service about days that follow on one another. */
  readonly ask: (days: readonly Day[]) => Promise<Sums>;
}

/** @param days are in time's order, without a gap */
export async function askChangedDays<Day>(days: readonly Day[], source: DaySource<Day>): Promise<void> {
  if (days.length > 0) await search(days, await source.ask(days), source);
}

async function search<Day>(days: readonly Day[], sums: Sums, source: DaySource<Day>): Promise<void> {
  if (sameSums(sums, days.map(source.knownSums).reduce(combineSums(addSums), new Map()))) return;
  if (days.length === 1) {
    await source.ask(days);
    return;
  }
  const middle = Math.ceil(days.length / 2);
  const [first, second] = [days.slice(0, middle), days.slice(middle)];
  const sumsOfFirst = await source.ask(first);
  await search(first, sumsOfFirst, source);
  await search(second, combineSums(subtractSum)(sums, sumsOfFirst), source);
}

function combineSums(combine: (left: Sum, other: Sum) => Sum): (left: Sums, other: Sums) => Sums {
  return (left, other) =>
    new Map(
      [...new Set([...left.keys(), ...other.keys()])].map((identity) => [
        identity,
        combine(left.get(identity) ?? emptySum, other.get(identity) ?? emptySum),
      ]),
    );
}

function sameSums(left: Sums, other: Sums): boolean {
  return [...combineSums(subtractSum)(left, other).values()].every(isNothing);
}
