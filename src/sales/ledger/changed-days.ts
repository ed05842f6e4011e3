/**
 * Finds the days that have changed by the service's answers about longer windows. A window whose answer isn't the sum
 * of its days is halved; its second half is the whole less the first. So a month without a change takes one call.
 * Changes that cancel each other out in a window aren't seen.
 */
import { haveSameSums, subtractMembers, type MemberSum } from "../merge/members.js";

export interface DaySource<Day> {
  readonly known: (day: Day) => readonly MemberSum[];
  /** Asks the service about days that follow on one another. */
  readonly ask: (days: readonly Day[]) => Promise<readonly MemberSum[]>;
}

/** @param days are in time's order, without a gap */
export async function askChangedDays<Day>(days: readonly Day[], source: DaySource<Day>): Promise<void> {
  if (days.length > 0) await search(days, await source.ask(days), source);
}

async function search<Day>(
  days: readonly Day[],
  members: readonly MemberSum[],
  source: DaySource<Day>,
): Promise<void> {
  if (haveSameSums(members, days.flatMap(source.known))) return;
  if (days.length === 1) {
    await source.ask(days);
    return;
  }
  const middle = Math.ceil(days.length / 2);
  const [first, second] = [days.slice(0, middle), days.slice(middle)];
  const membersOfFirst = await source.ask(first);
  await search(first, membersOfFirst, source);
  await search(second, subtractMembers(members, membersOfFirst), source);
}
