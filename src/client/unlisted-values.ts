/** Filter values that the API doesn't list and no answer has shown. Most are slips, and a slip selects no order. */
import { type Filter, type FilterField, filterFields, filterParameters } from "../api/filters.js";
import { t } from "../languages/language.js";
import { suggestion } from "../api/nearest.js";
import { callback } from "./call/callback.js";
import type { CallObserver, ObservedCall } from "./call/observer.js";

export interface UnlistedValue {
  readonly field: FilterField;
  readonly value: string;
}

/** Looks at the fields whose values section 4.8 lists without closing the list. */
export function unlistedValues(filters: readonly Filter[]): readonly UnlistedValue[] {
  return filters.flatMap(({ field, values }) => {
    const listed = listOf(field);
    if (listed === undefined) return [];
    return values.flatMap((value) => (listed.includes(value) ? [] : [{ field, value }]));
  });
}

function listOf(field: FilterField): readonly string[] | undefined {
  const { values } = filterFields[field];
  return values.kind === "open" ? values.values : undefined;
}

/** @param shown the values of the field that answers have shown */
export function describeUnlisted({ field, value }: UnlistedValue, shown: ReadonlySet<string>): string {
  const meant = suggestion(value, [...(listOf(field) ?? []), ...shown]);
  return t`The API doesn't list "${value}" as ${field}, and no answer has shown it: it may select no order.${meant}`;
}

/** Holds what a client's calls ask for against what its answers have shown. */
export interface FilterWatch {
  /** It says so before the call, however that was spelled. */
  readonly observer: CallObserver;
  /** An answer has shown these values, whatever their type. */
  shows(field: string, values: Iterable<unknown>): void;
}

export function watchFilters(onWarning: (message: string) => void): FilterWatch {
  const shown = new Map<string, Set<string>>();
  const begins = ({ url }: Pick<ObservedCall, "url">) => {
    for (const unlisted of unlistedValues(filtersIn(url))) {
      const values = shown.get(unlisted.field) ?? new Set();
      if (values.has(unlisted.value)) continue;
      callback("onWarning", () => {
        onWarning(describeUnlisted(unlisted, values));
      });
    }
  };
  return {
    observer: { begins },
    shows(field, values) {
      const texts = shown.get(field) ?? new Set();
      for (const value of values) if (typeof value === "string") texts.add(value);
      shown.set(field, texts);
    },
  };
}

function filtersIn(url: string): readonly Filter[] {
  return [...new URL(url).searchParams].flatMap(([name, value]) => {
    const filter = filterParameters.get(name);
    return filter ? [{ ...filter, values: [value] }] : [];
  });
}
