/** What is asked for, read from the words that were typed, and the periods that this means in a store's zone. */
import { suggestion } from "../../shared/nearest.js";
import { t } from "../../shared/language.js";
import type { Filter } from "../../contract/filters.js";
import { summaryHistoryYears } from "../../contract/limits.js";
import { hasDates } from "../../contract/enums.js";
import { hasDimension } from "../../contract/summary.js";
import { dimensions, type DateField, type Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { onBusinessDays } from "../period/business-day.js";
import { isDate, resolveZone } from "../period/calendar.js";
import { comparisonPeriod, comparisons, type Comparison } from "../period/comparison.js";
import { startsTooEarly } from "../period/limits.js";
import { describePeriod, type Period } from "../period/period.js";
import { isPeriodName } from "../period/names.js";
import { canonicalDate } from "../period/portuguese.js";
import { resolveOnBusinessDays, type PeriodRequest } from "../period/resolve.js";
import { splitPeriod, type Window } from "../period/windows.js";
import type { Compared } from "../results.js";

export interface SalesRequest {
  readonly period: PeriodRequest;
  /** Sent only where it was given: the service's default is `created_at`. */
  readonly dateField: DateField | undefined;
  readonly filters: readonly Filter[];
  readonly comparison: Comparison | undefined;
  /** Is a comparison that reaches back too far left out, rather than refused? */
  readonly comparisonIsOptional: boolean;
}

/** Which orders count, and by which of their dates. */
export type OrderChoice = Pick<SalesRequest, "dateField" | "filters">;

export interface PeriodSpan {
  readonly period: Period;
  readonly windows: readonly Window[];
}

/** One of the things that are asked: the summary of a period, or its groups. */
export interface Question {
  readonly span: PeriodSpan;
  /** Absent: the summary. */
  readonly dimension?: Dimension | undefined;
  /** Beside those of the request. */
  readonly filters?: readonly Filter[] | undefined;
}

export type GroupsQuestion = Question & { readonly dimension: Dimension };

interface StoreClock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name: the zone in which days are counted. */
  readonly zone: string;
  /** The store's own, where it is known. */
  readonly storeZone: string | undefined;
  /** When a day starts, HH:MM; absent for midnight. */
  readonly dayStarts?: string | undefined;
  /** Told where the comparison is left out. */
  readonly onWarning: (message: string) => void;
}

/** @throws {ComandaError} `invalid_input` as {@link resolveOnBusinessDays}, and for a comparison that can't be asked for */
export function askedPeriods(
  { period: request, dateField, comparison, comparisonIsOptional }: SalesRequest,
  { now, zone: name, storeZone, dayStarts, onWarning }: StoreClock,
): Compared<PeriodSpan> {
  const spanOf = (period: Period): PeriodSpan => ({
    period,
    windows: splitPeriod(period, { dateField, storeZone }),
  });
  const zone = resolveZone(name);
  // Dates have no hour.
  const starts = hasDates(dateField) ? undefined : dayStarts;
  const { shown, shownNow, period } = resolveOnBusinessDays(request, {
    now,
    zone,
    dateField,
    dayStarts: starts,
  });
  const current = spanOf(period);
  if (comparison === undefined) return { current };
  const previous = onBusinessDays(comparisonPeriod(shown, comparison, { now: shownNow, dateField }), starts);
  if (!startsTooEarly(previous, now)) return { current, previous: spanOf(previous) };
  const problem = t`The comparison with ${describePeriod(previous)} would begin more than ${summaryHistoryYears} years back`;
  if (!comparisonIsOptional) {
    throw new ComandaError("invalid_input", `${problem}.`, {
      hint: t`Leave out --compare, or ask for a later period.`,
    });
  }
  onWarning(t`${problem}: it is left out.`);
  return { current };
}

/**
 * Reads a name of a comparison, a period (`2025-11`) or its first and last day (`2025-11-01..2025-11-21`).
 *
 * @returns `undefined` for `none`
 * @throws {ComandaError} `invalid_input` for anything else
 */
export function parseComparison(text: string): Comparison | undefined {
  if (text === "none") return undefined;
  const comparison = comparisons.find((name) => name === text);
  if (comparison) return comparison;
  const [, from, to] = /^(.+)\.\.(.+)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { from: canonicalDate(from), to: canonicalDate(to) };
  if (isPeriodName(text) || isDate(canonicalDate(text))) return { period: text };
  const names = [...comparisons, "none"];
  throw new ComandaError("invalid_input", t`There is no comparison "${text}".${suggestion(text, names)}`, {
    hint: t`Give --compare ${names.join(", ")}, a period (2025-11), or its days (2025-11-01..2025-11-21).`,
  });
}

/** @throws {ComandaError} `usage` where it is missing, `invalid_input` for another name or what can't go together */
export function parseDimension(
  text: string | undefined,
  dateField: DateField | undefined,
  option = "--by",
): Dimension {
  const hint = t`Give ${option} ${dimensions.join(", ")}.`;
  if (text === undefined) {
    throw new ComandaError("usage", t`The dimension to split the figures by is missing.`, { hint });
  }
  const dimension = dimensions.find((name) => name === text.replaceAll("-", "_"));
  if (dimension === undefined) {
    const meant = suggestion(text, dimensions);
    throw new ComandaError("invalid_input", t`There is no dimension "${text}".${meant}`, { hint });
  }
  if (hasDimension(dateField, dimension)) return dimension;
  throw new ComandaError("invalid_input", t`Sales by scheduled date can't be split by hour.`, {
    hint: t`Use ${option} day, or --date-field created_at.`,
  });
}
