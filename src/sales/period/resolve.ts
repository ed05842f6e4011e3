/** Makes a period of `--period`, or of `--from` and `--to`. */
import type { DateField } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import {
  isBefore,
  isDate,
  isDateTime,
  parseDate,
  parseDateTime,
  type PlainDate,
  resolveZone,
  type ZonedDateTime,
  zonedNow,
  periodDayOf,
  startOfDay,
} from "./calendar.js";
import { daysPeriod, type Period, period } from "./period.js";
import { assertAskable } from "./limits.js";
import { periodHint, dayNamed, namedPeriod, nearestName } from "./names.js";

export interface PeriodRequest {
  readonly period?: string | undefined;
  /** The start is a day, a date-time, or a name of which the first day is meant. */
  readonly from?: string | undefined;
  /** The last day is written like `from`. Without it, a period with `from` ends now. */
  readonly to?: string | undefined;
}

export interface PeriodContext {
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  /** The zone is an IANA name. */
  readonly zone: string;
  /** Days start at this time, HH:MM; absent for midnight. */
  readonly dayStarts?: string | undefined;
  /** The default is `created_at`. An order can be scheduled for the future, but not created there. */
  readonly dateField?: DateField | undefined;
}

/**
 * Makes the period that was asked for, in whole days of the zone unless date-times were typed.
 *
 * @throws {ComandaError} `invalid_input` for an unknown name, a day that doesn't exist, a mix of date and date-time,
 * an end before its start, an unknown zone, or a period outside the service's limits
 */
export function resolvePeriod({ period: name, from, to }: PeriodRequest, context: PeriodContext): Period {
  const zone = resolveZone(context.zone);
  const now = zonedNow(context.now, zone);
  if (name !== undefined && (from !== undefined || to !== undefined)) {
    throw new ComandaError("invalid_input", t`--period can't be given together with --from or --to.`, {
      hint: periodHint(),
    });
  }
  const { dayStarts } = context;
  const resolvedPeriod =
    name === undefined ? periodBetween({ from, to }, now, dayStarts) : namedPeriod(name, now, dayStarts);
  const { kind, start, end } = resolvedPeriod;
  if (isBefore(end, start)) throw emptyPeriod(resolvedPeriod);
  assertAskable(resolvedPeriod, context);
  const isRunning = kind === "running" || (kind === "days" && !isBefore(now, start) && isBefore(now, end));
  const runningDay = periodDayOf(now, { zone, dayStarts }).toString();
  return isRunning ? { ...resolvedPeriod, runningDay } : resolvedPeriod;
}

function periodBetween(
  typed: Omit<PeriodRequest, "period">,
  now: ZonedDateTime,
  dayStarts: string | undefined,
): Period {
  if (typed.from === undefined) {
    const message = typed.to === undefined ? t`No period is given.` : t`--to is given without --from.`;
    throw new ComandaError("invalid_input", message, { hint: periodHint() });
  }
  const from = dayNamed(typed.from, "first", now, dayStarts);
  const to = typed.to === undefined ? undefined : dayNamed(typed.to, "last", now, dayStarts);
  const kind = edgeKind("--from", from);
  if (to !== undefined && edgeKind("--to", to) !== kind) {
    throw new ComandaError("invalid_input", t`--from and --to are not of one kind.`, {
      hint: t`Give two dates (both days are included), or two date-times with offset.`,
    });
  }
  const zone = now.timeZoneId;
  const label = to === undefined ? t`since ${from}` : t`${from} to ${to}`;
  const unit = "days";
  if (kind === "date") {
    const day = parseDate(from);
    if (to === undefined) {
      const start = startOfDay(day, { zone, dayStarts });
      return period({ label, kind: "running", unit, dayStarts, start, end: now });
    }
    const last = parseDate(to);
    return daysPeriod({ label, unit, months: wholeMonths(day, last), first: day, last, zone, dayStarts });
  }
  const end = to === undefined ? now : parseDateTime(to, zone);
  const sent = { from, ...(to !== undefined && { to }) };
  return period({ label, kind: "instants", unit, dayStarts, start: parseDateTime(from, zone), end, sent });
}

/** Counts whole months: October is a month by its dates too, and is compared as one. */
function wholeMonths(first: PlainDate, last: PlainDate): number | undefined {
  const next = last.add({ days: 1 });
  if (first.day !== 1 || next.day !== 1) return undefined;
  const { months } = first.until(next, { largestUnit: "month" });
  return months > 0 ? months : undefined;
}

function edgeKind(option: string, text: string): "date" | "date-time" {
  if (isDate(text)) return "date";
  if (isDateTime(text)) return "date-time";
  throw new ComandaError(
    "invalid_input",
    t`${option} "${text}" is neither a date nor a date-time with offset.${nearestName(text)}`,
    {
      hint: t`Write 2026-10-05, 2026-10-05T18:00:00-03:00, or a name such as yesterday, last-month, last-7-days.`,
    },
  );
}

function emptyPeriod({ from, to, zone, kind }: Period): ComandaError {
  if (kind === "days" && from.date === to.date) {
    // A zone left days out when it changed sides of the date line, such as 2011-12-30 in Pacific/Apia.
    return new ComandaError("invalid_input", t`There was no day ${from.date} in ${zone}.`);
  }
  const [first, last] = kind === "instants" ? [from.sent, to.sent] : [from.date, to.date];
  return new ComandaError("invalid_input", t`The period ends (${last}) before it starts (${first}).`, {
    hint: t`--to can't lie before --from.`,
  });
}
