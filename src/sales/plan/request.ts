/** A request is read from the words that were typed; here it gets the periods that it means in a store's zone. */
import { suggestion } from "../../shared/nearest.js";
import { t } from "../../shared/language.js";
import type { Filter } from "../../contract/filters.js";
import { summaryHistoryYears } from "../../contract/limits.js";
import { hasDimension } from "../../contract/summary.js";
import {
  dimensionNamed,
  dimensions,
  hasDates,
  type DateField,
  type Dimension,
} from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { resolveZone, type DayCount } from "../period/calendar.js";
import { comparisonPeriod, comparisons, type Comparison } from "../period/comparison.js";
import { startsTooEarly } from "../period/limits.js";
import { describePeriod, type Period } from "../period/period.js";
import { isPeriodName } from "../period/names.js";
import { resolvePeriod, type PeriodRequest } from "../period/resolve.js";
import type { Compared } from "../results.js";

export interface SalesRequest {
  readonly period: PeriodRequest;
  /** It goes out only where it was typed: the service's default is `created_at`. */
  readonly dateField: DateField | undefined;
  readonly filters: readonly Filter[];
  readonly comparison: Comparison | undefined;
  /** A comparison that reaches back too far is left out, rather than refused. */
  readonly comparisonIsOptional: boolean;
}

/** These say which orders count, and by which of their dates. */
export type OrderChoice = Pick<SalesRequest, "dateField" | "filters">;

/** A question is about the summary of a period, or its groups. */
export interface Question {
  readonly period: Period;
  /** Without a dimension it is about the summary. */
  readonly dimension?: Dimension | undefined;
  /** These filters are added to those of the request. */
  readonly filters?: readonly Filter[] | undefined;
  /** The filters of the request are left out. */
  readonly unfiltered?: boolean;
}

export type SummaryQuestion = Question & { readonly dimension?: undefined };
export type GroupsQuestion = Question & { readonly dimension: Dimension };

interface StoreClock extends DayCount {
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  /** Is told where the comparison is left out. */
  readonly onWarning: (message: string) => void;
}

/** @throws {ComandaError} `invalid_input` as {@link resolvePeriod}, and for a comparison that can't be asked for */
export function requestedPeriods(
  { period: request, dateField, comparison, comparisonIsOptional }: SalesRequest,
  { now, zone: name, dayStarts, onWarning }: StoreClock,
): Compared<Period> {
  const zone = resolveZone(name);
  // Dates have no hour.
  const days = { zone, dayStarts: hasDates(dateField) ? undefined : dayStarts };
  const current = resolvePeriod(request, { now, dateField, ...days });
  if (comparison === undefined) return { current };
  const previous = comparisonPeriod(current, comparison, { now, dateField });
  if (!startsTooEarly(previous, now)) return { current, previous };
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
  if (from !== undefined && to !== undefined) return { from, to };
  if (isPeriodName(text)) return { period: text };
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
  const dimension = dimensionNamed(text);
  if (dimension === undefined) {
    const question = suggestion(text, dimensions);
    throw new ComandaError("invalid_input", t`There is no dimension "${text}".${question}`, { hint });
  }
  if (hasDimension(dateField, dimension)) return dimension;
  throw new ComandaError("invalid_input", t`Sales by scheduled date can't be split by hour.`, {
    hint: t`Use ${option} day, or --date-field created_at.`,
  });
}
