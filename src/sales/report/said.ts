/** Compares the figures of an earlier report or answer with those of now. The file is pure. */
import type { DateField } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import {
  addChanges,
  changesBetween,
  changeSections,
  type Changes,
  type GroupsBySection,
} from "../ledger/changes.js";
import type { Period } from "../period/period.js";
import {
  answeringStores,
  oldestAge,
  type Age,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../results.js";
import { daysOf, type ReportData, type StoreData } from "./data.js";
import type { ReportFigures } from "./plan.js";

export interface EarlierFigures {
  readonly kind: "earlier";
  readonly store: string;
  /** Days are counted in this zone, an IANA name. */
  readonly zone: string;
  /** The oldest figure was asked for at this time, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly groups: GroupsBySection;
}

export interface ChangedFigures extends Changes {
  readonly period: Period;
  /** The oldest of the earlier figures was asked for at this time, in milliseconds since the epoch. */
  readonly saidAt: number;
  readonly age: Age;
}

export function figuresInReport({
  store,
  time_zone: zone,
  asked_at: askedAt,
  grouped,
}: StoreData): EarlierFigures {
  const groups = changeSections.flatMap((section): (readonly [typeof section, readonly Group[]])[] => {
    const groups = grouped[section]?.groups;
    return groups ? [[section, groups]] : [];
  });
  return { kind: "earlier", store, zone, askedAt: Date.parse(askedAt), groups: new Map(groups) };
}

/** @returns a missing store where nothing was known of it then, or only other days */
export function changesOf(
  earlier: EarlierFigures | undefined,
  store: StoreFigures<ReportFigures>,
): StoreResult<ChangedFigures> {
  const { figures, zone, age } = store;
  const missing = (...[code, message, options]: ConstructorParameters<typeof ComandaError>) =>
    ({ kind: "missing", store: store.store, error: new ComandaError(code, message, options) }) as const;
  if (!earlier) return missing("not_found", t`Nothing was said of ${store.store} then.`);
  if (earlier.zone !== zone) {
    const message = t`What was said then counts days in ${earlier.zone}, and now it is ${zone}.`;
    return missing("invalid_input", message, { hint: t`Add --tz ${earlier.zone}` });
  }
  const changes = changesBetween(earlier.groups, groupsOf(figures));
  if (!changes) return missing("not_found", t`No days of ${store.store} were known then.`);
  const { period } = figures.summary.current;
  return { ...store, figures: { ...changes, period, saidAt: earlier.askedAt, age } };
}

/**
 * Lists the changes since a page of the same question; a store is left out where the page has nothing of it, or other
 * days.
 */
export function changesSince(
  { date_field: field, filters: earlierFilters, stores }: ReportData,
  result: SalesResult<ReportFigures>,
  question: { readonly dateField: DateField | undefined; readonly filters: readonly string[] },
): readonly StoreFigures<ChangedFigures>[] {
  const { dateField = "created_at", filters } = question;
  if (field !== dateField || JSON.stringify(earlierFilters) !== JSON.stringify(filters)) return [];
  return answeringStores(result).flatMap((store) => {
    const days = daysOf(store.figures.summary.current.period);
    const earlier = stores.find(({ store: name }) => name === store.store);
    const isSame = (["from", "to", "time_zone", "day_starts"] as const).every(
      (name) => earlier?.[name] === days[name],
    );
    const changes = earlier && isSame ? changesOf(figuresInReport(earlier), store) : undefined;
    return changes?.kind === "figures" ? [changes] : [];
  });
}

export function addChangedFigures(all: readonly [ChangedFigures, ...ChangedFigures[]]): ChangedFigures {
  return {
    ...addChanges(all),
    period: all[0].period,
    saidAt: Math.min(...all.map((changes) => changes.saidAt)),
    age: oldestAge(all.map(({ age }) => age)),
  };
}

export function groupsOf({ sections }: ReportFigures): GroupsBySection {
  return new Map(
    changeSections.flatMap((section) => {
      const list = sections.get(section)?.current.figures;
      return list ? [[section, list.grouped.groups] as const] : [];
    }),
  );
}
