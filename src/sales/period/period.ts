/** A stretch of time in a store's zone, as it is asked for, shown and written. */
import {
  endOfDay,
  type PlainDate,
  startOfDay,
  wireDateTime,
  zonedNow,
  type ZonedDateTime,
} from "./calendar.js";
import { t } from "../../shared/language.js";
import { shownDate } from "../../shared/local-time.js";

export interface PeriodEdge {
  /** The local day, `YYYY-MM-DD`. Both days of a period are included. */
  readonly date: string;
  /** The date-time with offset that goes out: what was given, or the first or last instant of the day. */
  readonly sent: string;
}

/**
 * `days`: whole days. `running`: from the start of a day until now (or, in a comparison, the same time of
 * another day). `instants`: from one date-time to another.
 */
export type PeriodKind = "days" | "running" | "instants";

/** What the period is one of. `days`: any number of them. */
export type PeriodUnit = "day" | "week" | "month" | "year" | "days";

export interface Period {
  /** What was asked for, for example `last-month` or `2026-10-01 to 2026-10-05`. */
  readonly label: string;
  readonly kind: PeriodKind;
  readonly unit: PeriodUnit;
  /** How many whole months of the calendar it is, or will be when it is over; absent for what is counted in days. */
  readonly months: number | undefined;
  /** IANA name. */
  readonly zone: string;
  /** When its days start, HH:MM, where that isn't midnight. */
  readonly dayStarts?: string;
  /** Are its days set against those of the same dates? */
  readonly byDate?: true;
  /** The day of it that isn't over, `YYYY-MM-DD`; absent where all of the period's days are. */
  readonly runningDay?: string;
  readonly from: PeriodEdge;
  readonly to: PeriodEdge;
  readonly start: ZonedDateTime;
  /** The last instant that is included. */
  readonly end: ZonedDateTime;
}

interface PeriodParts {
  readonly label: string;
  readonly kind: PeriodKind;
  readonly unit: PeriodUnit;
  /** The length in months, where the unit doesn't say it. */
  readonly months?: number | undefined;
  readonly start: ZonedDateTime;
  readonly end: ZonedDateTime;
  /** The edges as they were typed; they are passed on to the letter. */
  readonly sent?: { readonly from?: string; readonly to?: string };
}

const unitMonths: Readonly<Partial<Record<PeriodUnit, number>>> = { month: 1, year: 12 };

export function period({ label, kind, unit, months, start, end, sent = {} }: PeriodParts): Period {
  return {
    label,
    kind,
    unit,
    months: months ?? unitMonths[unit],
    zone: start.timeZoneId,
    from: edge(start, sent.from),
    to: edge(end, sent.to),
    start,
    end,
  };
}

interface Days extends Pick<PeriodParts, "label" | "unit" | "months"> {
  readonly first: PlainDate;
  /** Included. */
  readonly last: PlainDate;
  readonly zone: string;
}

/** Whole days: 23 or 25 hours long where the clocks change. */
export function daysPeriod({ first, last, zone, ...parts }: Days): Period {
  const made = period({
    ...parts,
    kind: "days",
    start: startOfDay(first, zone),
    end: endOfDay(last, zone),
  });
  // A day that the zone left out starts where the next one does; what was asked for is still shown.
  return {
    ...made,
    from: { ...made.from, date: first.toString() },
    to: { ...made.to, date: last.toString() },
  };
}

/** The window in words, for a heading: `2026-10-01 to 2026-10-31 (America/Sao_Paulo)`. */
export function describePeriod({ kind, zone, dayStarts, runningDay, from, to, end }: Period): string {
  if (kind === "instants") return t`${from.sent} to ${to.sent}`;
  const until = kind === "running" ? ` ${end.toPlainTime().toString({ smallestUnit: "minute" })}` : "";
  const last = kind === "running" ? end.toPlainDate().toString() : to.date;
  const days =
    from.date === last && until === ""
      ? shownDate(last)
      : t`${shownDate(from.date)} to ${shownDate(last)}${until}`;
  // The time of a running one says so.
  const soFar = kind === "days" && runningDay !== undefined ? t`, so far` : "";
  return `${days} (${zone}${dayStarts === undefined ? "" : t`, days from ${dayStarts}`})${soFar}`;
}

/** An instant in words, by the zone's clock: `2026-11-20 12:05`. */
export function describeMoment(epochMs: number, zone: string): string {
  const moment = zonedNow(epochMs, zone);
  return `${shownDate(moment.toPlainDate().toString())} ${moment.toPlainTime().toString({ smallestUnit: "minute" })}`;
}

function edge(moment: ZonedDateTime, sent = wireDateTime(moment)): PeriodEdge {
  return { date: moment.toPlainDate().toString(), sent };
}
