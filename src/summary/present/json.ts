/** What `--json` prints: a stable interface (DESIGN.md, section 3, "Output"). */
import type { GroupedSummary, Summary } from "../../contract/summary.js";
import type { GroupChange, MetricsChange } from "../compare/metrics.js";
import type { Period } from "../period/period.js";
import type { Rest } from "./ranking.js";
import type { StoreResult, StoresTotal } from "../merge/stores.js";

export interface PeriodShape {
  readonly label: string;
  /** Date-times with offset, as they were asked for; dates where sales are counted by scheduled date. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** `summary`: the API's Summary object. */
export type SummaryShape = Summary;

/** `grouped`. `rest` is there with `--top`, where groups were left out and their sum was asked for. */
export type GroupedShape = GroupedSummary & { readonly rest?: Rest };

/** `change` of a grouped comparison. */
export interface GroupsChangeShape {
  readonly group_by: string;
  readonly groups: readonly GroupChange[];
}

export interface ComparisonShape<Figures, Changed> {
  readonly current: Figures & { readonly period: PeriodShape };
  readonly previous: Figures & { readonly period: PeriodShape };
  readonly change: Changed;
}

export type SummaryComparisonShape = ComparisonShape<SummaryShape, MetricsChange>;
export type GroupedComparisonShape = ComparisonShape<GroupedShape, GroupsChangeShape>;

export interface StoreErrorShape {
  readonly store: string;
  readonly error: { readonly exit_code: number; readonly code: string; readonly message: string };
}

/** Several stores. `total` covers `stores` of them, and is null where no store answered. */
export interface StoresShape<Figures, Total = Figures> {
  readonly stores: readonly ((Figures & { readonly store: string }) | StoreErrorShape)[];
  readonly total: (Total & { readonly stores: readonly string[] }) | null;
}

export function periodShape({ label, from, to, zone }: Period, dateField?: string): PeriodShape {
  const dated = dateField === "scheduled_date";
  return { label, from: dated ? from.date : from.sent, to: dated ? to.date : to.sent, zone };
}

export function groupedShape(grouped: GroupedSummary, rest: Rest | null = null): GroupedShape {
  return rest === null ? grouped : { ...grouped, rest };
}

export function comparisonShape<Figures extends object, Changed>(
  current: { readonly period: PeriodShape; readonly figures: Figures },
  previous: { readonly period: PeriodShape; readonly figures: Figures },
  change: Changed,
): ComparisonShape<Figures, Changed> {
  return {
    current: { period: current.period, ...current.figures },
    previous: { period: previous.period, ...previous.figures },
    change,
  };
}

export function storesShape<Figures extends object, Total extends object = Figures>(
  results: readonly StoreResult<Figures>[],
  total: StoresTotal<Total> | null,
): StoresShape<Figures, Total> {
  return {
    stores: results.map((one) =>
      "error" in one ? storeError(one.store, one.error) : { store: one.store, ...one.figures },
    ),
    total: total && { stores: total.covered, ...total.figures },
  };
}

function storeError(
  store: string,
  { exitCode, code, message }: { readonly exitCode: number; readonly code: string; readonly message: string },
): StoreErrorShape {
  return { store, error: { exit_code: exitCode, code, message } };
}
