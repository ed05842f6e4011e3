/** What is asked of stores and what comes back: of one store or several, of one period or two that are compared. */
import type { Summary } from "../contract/models.js";
import { ComandaError } from "../shared/errors.js";
import type { Restatement } from "./ledger/restatements.js";
import type { Alert } from "./compare/alert-rules.js";
import type { GroupList } from "./merge/groups.js";
import type { Metrics } from "./merge/sums.js";
import type { Period } from "./period/period.js";

/** What there is of one period, or of two that are compared. */
export interface Compared<Value> {
  readonly current: Value;
  readonly previous?: Value | undefined;
}

export interface Age {
  /** When the oldest of the answers was asked for (milliseconds since the epoch). */
  readonly askedAt: number;
  readonly kept: boolean;
  /** What has changed since the answers before; absent where nothing has. */
  readonly restated?: readonly Restatement[];
}

export interface Aged<Figures> {
  readonly figures: Figures;
  readonly age: Age;
}

/** Figures that were put together of several answers are as old as the oldest. */
export function oldest(ages: readonly Age[]): Age {
  const restated = ages.flatMap((age) => age.restated ?? []);
  return {
    askedAt: Math.min(...ages.map(({ askedAt }) => askedAt)),
    kept: ages.some(({ kept }) => kept),
    ...(restated.length > 0 && { restated }),
  };
}

/** How many of the orders are canceled, and how much of the revenue. */
export type Canceled = Pick<Summary, "total_order_count" | "total_revenue">;

export interface PeriodFigures<Figures> {
  readonly period: Period;
  readonly figures: Figures;
  readonly age: Age;
  /** `null` where it isn't known. */
  readonly canceled: Canceled | null;
  /** Its days, where they are known: of a period that another is compared with they tell what of the change is calendar. */
  readonly byDay?: GroupList | undefined;
  readonly basis?: AlertBasis;
}

/** What tells, beside a period's figures, whether an alert of them holds. */
export interface AlertBasis {
  /** The days of the weeks before, by day: a weekday's median is taken of them. */
  readonly days?: GroupList;
  /** The same weekday of each week before, split as the figures are: so is the median of a group. */
  readonly weekdays?: readonly GroupList[];
  /** The groups that there were lately, where nothing else tells which there are. */
  readonly before?: GroupList;
  /** All orders of the period, split as the figures are where these are of days, where the filters leave none. */
  readonly unfiltered?: Metrics | GroupList | "not kept";
}

export interface Display {
  /** BCP 47. */
  readonly locale: string;
  /** ISO 4217. */
  readonly currency: string | undefined;
}

export interface StoreFigures<Figures> {
  readonly kind: "figures";
  readonly store: string;
  readonly figures: Figures;
  /** The periods in words, for a notice. */
  readonly window: string;
  readonly age: Age;
  /** IANA name: the zone in which its days were counted. */
  readonly zone: string;
  readonly display: Display;
  readonly alerts?: readonly Alert[];
}

/** A store that was asked for and gave no figures. */
export interface MissingStore {
  readonly kind: "missing";
  readonly store: string;
  readonly error: ComandaError;
}

export type StoreResult<Figures> = StoreFigures<Figures> | MissingStore;

/** The figures of all stores that answered and count in one currency, added up. */
export interface StoresTotal<Figures> {
  readonly figures: Figures;
  readonly covered: readonly string[];
  /** The zones in which their days were counted, each once. */
  readonly zones: readonly string[];
  /** How the first store shows its figures. */
  readonly display: Display;
}

/**
 * What a command found. Where several stores were asked for, the result speaks of stores even if this machine knows
 * but one, so that a script gets the same form every day.
 */
export interface SalesResult<Figures> {
  readonly kind: "result";
  readonly areSeveral: boolean;
  readonly stores: readonly StoreResult<Figures>[];
  /** One for each currency, since amounts of different ones can't be added up; none where no store answered. */
  readonly totals: readonly StoresTotal<Figures>[];
}

export function periodsOf<Value>({ current, previous }: Compared<Value>): readonly Value[] {
  return previous === undefined ? [current] : [current, previous];
}

/** The stores with credentials. */
export function openOf<Store extends { readonly kind: "open" }>({
  stores,
}: {
  readonly stores: readonly (Store | MissingStore)[];
}): readonly Store[] {
  return stores.flatMap((store) => (store.kind === "missing" ? [] : [store]));
}

export function answered<Figures>({
  stores,
}: Pick<SalesResult<Figures>, "stores">): readonly StoreFigures<Figures>[] {
  return stores.filter((store) => store.kind === "figures");
}

export function mapFigures<From, To>(
  result: SalesResult<From>,
  change: (figures: From, display: Display) => To,
): SalesResult<To> {
  const changed = <Part extends { readonly figures: From; readonly display: Display }>(part: Part) => ({
    ...part,
    figures: change(part.figures, part.display),
  });
  return {
    ...result,
    stores: result.stores.map((store) => (store.kind === "missing" ? store : changed(store))),
    totals: result.totals.map(changed),
  };
}

/** Gives what the work gives, or why it failed: the other stores' figures are shown all the same. */
export async function orMissing<Result>(
  store: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | MissingStore> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !(error instanceof ComandaError)) throw error;
    return { kind: "missing", store, error };
  }
}
