/**
 * Finds groups of another time than was asked for. The service groups by the store's zone (section 4.7) and doesn't
 * name it: a day outside of the window proves that its zone is not the one in which the window was cut.
 */
import { hasDates } from "../../contract/enums.js";
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { parseDateTime } from "../period/calendar.js";
import type { Window } from "../period/windows.js";
import { dateOrdinal, ordinalOf } from "./group-identity.js";

interface DatedWindow {
  readonly window: Window;
  /** The zone is an IANA name. */
  readonly zone: string;
  readonly dateField: DateField | undefined;
}

/**
 * Finds such a group. Weeks prove nothing, since the service decides which is the first of a year.
 *
 * @returns the key of a day or month that the window doesn't touch; `undefined` where there is none
 */
export function keyOutside(
  groups: readonly Group[],
  dimension: Dimension,
  { window, zone, dateField }: DatedWindow,
): string | undefined {
  if ((dimension !== "day" && dimension !== "month") || hasDates(dateField)) return undefined;
  const ordinal = (moment: string) =>
    dateOrdinal(parseDateTime(moment, zone).toPlainDate().toString(), dimension);
  const [first, last] = [ordinal(window.start), ordinal(window.end)];
  if (first === undefined || last === undefined) return undefined;
  const outside = groups.find(({ key }) => {
    const place = ordinalOf(key, dimension, window);
    return place !== undefined && (place < first || place > last);
  });
  return outside && String(outside.key);
}
