/** Which groups of several answers are the same group. */
import type { Dimension, Group, GroupedSummary } from "../../contract/summary.js";
import { isTimeline, ordinalOf } from "./timeline.js";
import type { Window } from "../period/windows.js";

/** A group, and what it is: groups of different answers with the same identity are one. */
export interface PlacedGroup {
  readonly group: Group;
  readonly identity: string;
  /** Its place in time, for days, weeks and months whose key can be read (see `timeline.ts`). */
  readonly ordinal: number | undefined;
}

/** A key with its type: the number 1, the text "1" and null are three keys. */
export function keyIdentity(key: Group["key"]): string {
  return JSON.stringify(key);
}

/**
 * Gives each group of the windows' answers its identity. Days, weeks and months have one of their own in each
 * year; a week that a seam cuts has the same on both sides. Other dimensions are known by their key alone.
 */
export function placeGroups(
  answers: readonly GroupedSummary[],
  windows: readonly Window[],
  dimension: Dimension,
): readonly (readonly PlacedGroup[])[] {
  const placed: PlacedGroup[][] = [];
  for (const [index, window] of windows.entries()) {
    const before = placed.at(-1)?.at(-1);
    const groups = answers[index]?.groups ?? [];
    placed.push(
      groups.map((group, position) => {
        const key = keyIdentity(group.key);
        if (!isTimeline(dimension)) return { group, identity: key, ordinal: undefined };
        const ordinal = ordinalOf(group.key, dimension, window);
        if (ordinal !== undefined) return { group, identity: `${key}@${ordinal}`, ordinal };
        // A key that can't be read: the same on both sides of a seam it is the week that the seam cuts.
        const cut = dimension === "week" && position === 0 && before?.group.key === group.key;
        return { group, identity: cut ? before.identity : `${key}#${index}`, ordinal };
      }),
    );
  }
  return placed;
}
