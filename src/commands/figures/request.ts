/** From the options as typed to what is asked for; everything that is wrong with them is said before any call. */
import type { Filter } from "../../contract/filters.js";
import { dimensions, type DateField, type Dimension } from "../../contract/summary.js";
import { suggestion } from "../../basics/nearest.js";
import { ComandaError } from "../../errors/index.js";
import { comparisonPeriod, parseComparison, type Comparison } from "../../summary/period/comparison.js";
import { parseFilters } from "../../summary/plan/filters.js";
import type { Period } from "../../summary/period/period.js";
import { resolvePeriod, type PeriodRequest } from "../../summary/period/resolve.js";
import { splitPeriod, type Window } from "../../summary/period/windows.js";

import type { FiguresOptions } from "./options.js";
import type { Preferences } from "./preferences.js";

export interface FiguresRequest {
  readonly period: PeriodRequest;
  readonly dateField: DateField | undefined;
  readonly filters: readonly Filter[];
  readonly comparison: Comparison | undefined;
  readonly fresh: boolean;
}

/** A period with the windows that the service is asked for. */
export interface AskedPeriod {
  readonly period: Period;
  readonly windows: readonly Window[];
}

/** The periods in one store's zone. */
export interface AskedPeriods {
  readonly current: AskedPeriod;
  readonly previous: AskedPeriod | undefined;
}

/** @throws {ComandaError} `invalid_input` for a filter or comparison that there isn't */
export function parseRequest(options: FiguresOptions, usualPeriod: string): FiguresRequest {
  const { period, from, to, includeToday, dateField, filter = [], compare, fresh = false } = options;
  const none = period === undefined && from === undefined && to === undefined;
  return {
    period: { period: none ? usualPeriod : period, from, to, includeToday },
    dateField,
    filters: parseFilters(filter),
    comparison: compare === undefined ? undefined : parseComparison(compare),
    fresh,
  };
}

/** @throws {ComandaError} `invalid_input` as {@link resolvePeriod} and {@link comparisonPeriod} */
export function askedPeriods(
  { period: request, dateField, comparison }: FiguresRequest,
  {
    now,
    preferences: { zone, storeZone },
  }: { readonly now: number; readonly preferences: Pick<Preferences, "zone" | "storeZone"> },
): AskedPeriods {
  const period = resolvePeriod(request, { now, zone, dateField });
  const split = { dateField, storeZone };
  const before = comparison && comparisonPeriod(period, comparison, { now, dateField });
  return {
    current: { period, windows: splitPeriod(period, split) },
    previous: before && { period: before, windows: splitPeriod(before, split) },
  };
}

/** @throws {ComandaError} `usage` where it is missing, `invalid_input` for another name or what can't go together */
export function parseDimension(text: string | undefined, dateField: DateField | undefined): Dimension {
  const hint = `Give --by ${dimensions.join(", ")}.`;
  if (text === undefined) {
    throw new ComandaError("usage", "The dimension to split the figures by is missing.", { hint });
  }
  const found = dimensions.find((name) => name === text.replaceAll("-", "_"));
  if (found === undefined) {
    const meant = suggestion(text, dimensions);
    throw new ComandaError("invalid_input", `There is no dimension "${text}".${meant}`, { hint });
  }
  if (found === "hour" && dateField === "scheduled_date") {
    throw new ComandaError("invalid_input", "Sales by scheduled date can't be split by hour.", {
      hint: "Use --by day, or --date-field created_at.",
    });
  }
  return found;
}
