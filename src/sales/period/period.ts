/** A period is a stretch of time in a store's zone, as it is asked for, shown and written. */
import {
  type PlainDate,
  wireDateTime,
  zonedNow,
  type ZonedDateTime,
  endOfDay,
  periodDayOf,
  startOfDay,
  type DayCount,
} from "./calendar.js";
import { t } from "../../shared/language.js";
import { shownDate } from "../../shared/local-time.js";

export interface PeriodEdge {
  /** The local day is written `YYYY-MM-DD`. Both days of a period are included. */
  readonly date: string;
  /** This date-time with offset goes out: the one that was typed, or the first or last instant of the day. */
  readonly sent: string;
}

/**
 * `days`: whole days. `running`: from the start of a day until now (or, in a comparison, the same time of
 * another day). `instants`: from one date-time to another.
 */
export type PeriodKind = "days" | "running" | "instants";

/** The period is one of these units; `days` stands for any number of them. */
export type PeriodUnit = "day" | "week" | "month" | "year" | "days";

export interface Period extends DayCount {
  /** The label names what was asked for, for example `last-month` or `2026-10-01 to 2026-10-05`. */
  readonly label: string;
  readonly kind: PeriodKind;
  readonly unit: PeriodUnit;
  /**
   * The period has so many whole months of the calendar, or will have when it is over; absent for a period that is
   * counted in days.
   */
  readonly months: number | undefined;
  /** The period's days are compared with those of the same dates. */
  readonly byDate?: true;
  /** This day of the period isn't over, `YYYY-MM-DD`; absent where all its days are. */
  readonly runningDay?: string;
  readonly from: PeriodEdge;
  readonly to: PeriodEdge;
  readonly start: ZonedDateTime;
  /** The last instant is included. */
  readonly end: ZonedDateTime;
}

interface PeriodParts extends Pick<Period, "label" | "kind" | "unit" | "dayStarts"> {
  /** The length in months is needed where the unit doesn't say it. */
  readonly months?: number | undefined;
  readonly start: ZonedDateTime;
  readonly end: ZonedDateTime;
  /** Edges that were typed are passed on to the letter. */
  readonly sent?: { readonly from?: string; readonly to?: string };
}

const unitMonths: Readonly<Partial<Record<PeriodUnit, number>>> = { month: 1, year: 12 };

export function period({ label, kind, unit, months, dayStarts, start, end, sent = {} }: PeriodParts): Period {
  const days = { zone: start.timeZoneId, ...(dayStarts !== undefined && { dayStarts }) };
  const edge = (moment: ZonedDateTime, text = wireDateTime(moment)): PeriodEdge => {
    // A moment that was typed is one of the calendar, wherever days start.
    const day = kind === "instants" ? moment.toPlainDate() : periodDayOf(moment, days);
    return { date: day.toString(), sent: text };
  };
  return {
    ...{ label, kind, unit, months: months ?? unitMonths[unit], ...days },
    ...{ from: edge(start, sent.from), to: edge(end, sent.to), start, end },
  };
}

interface Days extends Pick<PeriodParts, "label" | "unit" | "months">, DayCount {
  readonly first: PlainDate;
  /** The last day is included. */
  readonly last: PlainDate;
}

/** Makes a period of whole days; they are 23 or 25 hours long where the clocks change. */
export function daysPeriod({ first, last, zone, dayStarts, ...parts }: Days): Period {
  const days = { zone, dayStarts };
  const [start, end] = [startOfDay(first, days), endOfDay(last, days)];
  const wholeDays = period({ ...parts, dayStarts, kind: "days", start, end });
  // A day that the zone left out starts where the next one does; the day that was asked for is still shown.
  return {
    ...wholeDays,
    from: { ...wholeDays.from, date: first.toString() },
    to: { ...wholeDays.to, date: last.toString() },
  };
}

/** Describes the window for a heading: `2026-10-01 to 2026-10-31 (America/Sao_Paulo)`. */
export function describePeriod({ kind, zone, dayStarts, runningDay, from, to, end }: Period): string {
  if (kind === "instants") return t`${from.sent} to ${to.sent}`;
  const until = kind === "running" ? ` ${end.toPlainTime().toString({ smallestUnit: "minute" })}` : "";
  const last = kind === "running" ? end.toPlainDate().toString() : to.date;
  const days =
    from.date === last && until === ""
      ? shownDate(last)
      : t`${shownDate(from.date)} to ${shownDate(last)}${until}`;
  // The time of a running period tells already that it isn't over.
  const soFar = kind === "days" && runningDay !== undefined ? t`, so far` : "";
  return `${days} (${zone}${dayStarts === undefined ? "" : t`, days from ${dayStarts}`})${soFar}`;
}

/** Describes an instant by the zone's clock: `2026-11-20 12:05`. */
export function describeMoment(epochMs: number, zone: string): string {
  const moment = zonedNow(epochMs, zone);
  return `${shownDate(moment.toPlainDate().toString())} ${moment.toPlainTime().toString({ smallestUnit: "minute" })}`;
}
