/** Makes a period of `--period`, or of `--from` and `--to`. */
import type { DateField } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { onBusinessDays, setBack } from "./business-day.js";
import {
  isBefore,
  isDate,
  isDateTime,
  parseDate,
  parseDateTime,
  type PlainDate,
  resolveZone,
  startOfDay,
  type ZonedDateTime,
  zonedNow,
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
  const resolvedPeriod = name === undefined ? periodBetween({ from, to }, now) : namedPeriod(name, now);
  const { kind, start, end } = resolvedPeriod;
  if (isBefore(end, start)) throw emptyPeriod(resolvedPeriod);
  assertAskable(resolvedPeriod, context);
  const isRunning = kind === "running" || (kind === "days" && !isBefore(now, start) && isBefore(now, end));
  return isRunning ? { ...resolvedPeriod, runningDay: now.toPlainDate().toString() } : resolvedPeriod;
}

/** The period counts the days of a store, on both clocks of `business-day.ts`. */
export interface BusinessPeriod {
  readonly period: Period;
  /** Comparisons use the period and the time on the clock that is set back. */
  readonly shown: Period;
  readonly shownNow: number;
}

/**
 * Makes a period like {@link resolvePeriod}, for a store whose days may start later than midnight.
 *
 * @param dayStarts is HH:MM; `undefined` for midnight
 */
export function resolveOnBusinessDays(
  request: PeriodRequest,
  { dayStarts, ...context }: PeriodContext & { readonly dayStarts: string | undefined },
): BusinessPeriod {
  const { now, zone } = context;
  // Date-times don't depend on where a day starts.
  const isMoment = request.from !== undefined && isDateTime(request.from);
  const shownNow = dayStarts === undefined || isMoment ? now : setBack(now, zone, dayStarts);
  const shown = resolvePeriod(request, { ...context, now: shownNow });
  return { period: onBusinessDays(shown, dayStarts, now), shown, shownNow };
}

function periodBetween(typed: Omit<PeriodRequest, "period">, now: ZonedDateTime): Period {
  if (typed.from === undefined) {
    const message = typed.to === undefined ? t`No period is given.` : t`--to is given without --from.`;
    throw new ComandaError("invalid_input", message, { hint: periodHint() });
  }
  const from = dayNamed(typed.from, "first", now);
  const to = typed.to === undefined ? undefined : dayNamed(typed.to, "last", now);
  const [first, last] = [edgeKind("--from", from), to === undefined ? undefined : edgeKind("--to", to)];
  if (last !== undefined && first !== last) {
    throw new ComandaError("invalid_input", t`--from and --to are not of one kind.`, {
      hint: t`Give two dates (both days are included), or two date-times with offset.`,
    });
  }
  const zone = now.timeZoneId;
  const label = to === undefined ? t`since ${from}` : t`${from} to ${to}`;
  const unit = "days";
  if (first === "date") {
    const day = parseDate(from);
    if (to === undefined)
      return period({ label, kind: "running", unit, start: startOfDay(day, zone), end: now });
    const end = parseDate(to);
    return daysPeriod({ label, unit, months: wholeMonths(day, end), first: day, last: end, zone });
  }
  const end = to === undefined ? now : parseDateTime(to, zone);
  const sent = { from, ...(to !== undefined && { to }) };
  return period({ label, kind: "instants", unit, start: parseDateTime(from, zone), end, sent });
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
