/**
 * Puts a window together of shorter ones that are kept and follow on one another: a week of days that were asked one
 * by one.
 */
import { hasDates } from "../../contract/enums.js";
import { dayOrdinal } from "../merge/calendar-forms.js";
import { parseDate, parseDateTime } from "../period/calendar.js";
import type { Window } from "../period/windows.js";
import type { DayBasis } from "./kept-days.js";

type Span = Pick<Window, "start" | "end">;

/**
 * @param kept lists windows with an answer that may be used
 * @returns the fewest windows, in time's order, each beginning where the one before ends; `undefined` where a part is
 * lacking
 */
export function tilesOf(whole: Span, kept: readonly Span[], place: DayBasis): readonly Window[] | undefined {
  const { first: begin, next: end } = edgesOf(whole, place);
  const latestFirst = kept
    .map((span) => ({ span, ...edgesOf(span, place) }))
    .toSorted((a, b) => (a.first > b.first ? -1 : 1));
  /** From each of these moments on, these windows lead to the end. */
  const tilesFrom = new Map<bigint, readonly Span[]>([[end, []]]);
  for (const { span, first, next } of latestFirst) {
    const [rest, before] = [tilesFrom.get(next), tilesFrom.get(first)];
    if (rest && (!before || rest.length + 1 < before.length)) tilesFrom.set(first, [span, ...rest]);
  }
  return tilesFrom.get(begin)?.map((span) => windowOf(span, place));
}

/** Gives where a span begins and where the next one would, in days or microseconds; see `windows.ts` for the seam. */
function edgesOf({ start, end }: Span, { zone, dateField }: DayBasis): { first: bigint; next: bigint } {
  if (hasDates(dateField)) {
    const dayOf = (date: string) => BigInt(dayOrdinal(parseDate(date)));
    return { first: dayOf(start), next: dayOf(end) + 1n };
  }
  const at = (text: string) => parseDateTime(text, zone).epochNanoseconds / 1_000n;
  return { first: at(start), next: at(end) + 1n };
}

function windowOf({ start, end }: Span, { zone, dateField }: DayBasis): Window {
  const dayOf = (text: string) =>
    (hasDates(dateField) ? parseDate(text) : parseDateTime(text, zone).toPlainDate()).toString();
  return { start, end, firstDay: dayOf(start), lastDay: dayOf(end) };
}
