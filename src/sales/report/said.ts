/** What was said of sales figures, and the changes since. Pure. */
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

export interface Said {
  readonly store: string;
  /** IANA name: in whose days it was counted. */
  readonly zone: string;
  /** When the oldest of it was asked for, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly groups: GroupsBySection;
}

export interface ChangedFigures extends Changes {
  readonly period: Period;
  /** When the oldest of what was said was asked for, in milliseconds since the epoch. */
  readonly saidAt: number;
  readonly age: Age;
}

export function saidIn({ store, time_zone: zone, asked_at: askedAt, grouped }: StoreData): Said {
  const groups = changeSections.flatMap((section): (readonly [typeof section, readonly Group[]])[] => {
    const groups = grouped[section]?.groups;
    return groups ? [[section, groups]] : [];
  });
  return { store, zone, askedAt: Date.parse(askedAt), groups: new Map(groups) };
}

/** @returns a store that is missing where nothing was said of it then, or of other days */
export function changesOf(
  said: Said | undefined,
  store: StoreFigures<ReportFigures>,
): StoreResult<ChangedFigures> {
  const { figures, zone, age } = store;
  const missing = (error: ComandaError) => ({ kind: "missing", store: store.store, error }) as const;
  if (!said) return missing(new ComandaError("not_found", t`Nothing was said of ${store.store} then.`));
  if (said.zone !== zone) {
    return missing(
      new ComandaError(
        "invalid_input",
        t`What was said then counts days in ${said.zone}, and now it is ${zone}.`,
        {
          hint: t`Add --tz ${said.zone}`,
        },
      ),
    );
  }
  const changes = changesBetween(said.groups, groupsOf(figures));
  if (!changes) return missing(new ComandaError("not_found", t`No days of ${store.store} were known then.`));
  const { period } = figures.summary.current;
  return { ...store, figures: { ...changes, period, saidAt: said.askedAt, age } };
}

/** The changes since a page of the same question; none of a store that it says nothing of, or of other days. */
export function changesSince(
  { date_field: field, filters: typed, stores }: ReportData,
  result: SalesResult<ReportFigures>,
  {
    dateField = "created_at",
    filters,
  }: { readonly dateField: DateField | undefined; readonly filters: readonly string[] },
): readonly StoreFigures<ChangedFigures>[] {
  if (field !== dateField || JSON.stringify(typed) !== JSON.stringify(filters)) return [];
  return answeringStores(result).flatMap((store) => {
    const then = stores.find(({ store: name }) => name === store.store);
    if (!then || !isSameDays(then, store.figures)) return [];
    const changes = changesOf(saidIn(then), store);
    return changes.kind === "figures" ? [changes] : [];
  });
}

function isSameDays(then: StoreData, { summary }: ReportFigures): boolean {
  const { from, to, time_zone: zone, day_starts: starts } = daysOf(summary.current.period);
  return then.from === from && then.to === to && then.time_zone === zone && then.day_starts === starts;
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
