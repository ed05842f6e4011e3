/** Results hold what stores answered: one store or several, one period or two that are compared. */
import type { Summary } from "../contract/models.js";
import { ComandaError } from "../shared/errors.js";
import type { Restatement } from "./ledger/restatements.js";
import type { Alert } from "./compare/alert-rules.js";
import type { GroupList } from "./merge/groups.js";
import type { Metrics } from "./merge/sums.js";
import type { Period } from "./period/period.js";

export interface Compared<Value> {
  readonly current: Value;
  readonly previous?: Value | undefined;
}

export interface Age {
  /** The oldest of the answers was asked for at this time, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly kept: boolean;
  /** These figures have changed since the answers before; absent where none have. */
  readonly restated?: readonly Restatement[];
}

export interface Aged<Figures> {
  readonly figures: Figures;
  readonly age: Age;
}

/** Gives the age of figures that were put together of several answers: they are as old as the oldest. */
export function oldestAge(ages: readonly Age[]): Age {
  const restated = ages.flatMap((age) => age.restated ?? []);
  return {
    askedAt: Math.min(...ages.map(({ askedAt }) => askedAt)),
    kept: ages.some(({ kept }) => kept),
    ...(restated.length > 0 && { restated }),
  };
}

export type Canceled = Pick<Summary, "total_order_count" | "total_revenue">;

export interface PeriodFigures<Figures> {
  readonly period: Period;
  readonly figures: Figures;
  readonly age: Age;
  /** It is `null` where it isn't known. */
  readonly canceled: Canceled | null;
  /** The period's days, where they are known, tell how much of a change against it is the calendar's. */
  readonly byDay?: GroupList | undefined;
  readonly basis?: AlertBasis;
}

/** An alert is judged by this beside a period's figures. */
export interface AlertBasis {
  /** A weekday's median is taken of these days of the weeks before. */
  readonly days?: GroupList | undefined;
  /** A group's median is taken of the same weekday of each week before, split as the figures are. */
  readonly weekdays?: readonly GroupList[] | undefined;
  /** Lately there were these groups; absent where something else tells which there are. */
  readonly before?: GroupList | undefined;
  /**
   * The filters leave no order, so all orders of the period tell whether the store was open. They are split as the
   * figures are where these are of days.
   */
  readonly unfiltered?: Metrics | GroupList | "not kept" | undefined;
}

export interface Display {
  /** The tag is one of BCP 47. */
  readonly locale: string;
  /** The code is one of ISO 4217. */
  readonly currency: string | undefined;
}

export interface StoreFigures<Figures> {
  readonly kind: "figures";
  readonly store: string;
  readonly figures: Figures;
  /** A notice names the periods in these words. */
  readonly window: string;
  readonly age: Age;
  /** Days were counted in this zone, an IANA name. */
  readonly zone: string;
  readonly display: Display;
  readonly alerts?: readonly Alert[];
}

/** This store was asked for and gave no figures. */
export interface MissingStore {
  readonly kind: "missing";
  readonly store: string;
  readonly error: ComandaError;
}

export type StoreResult<Figures> = StoreFigures<Figures> | MissingStore;

/** The figures of all stores that answered in one currency are added up. */
export interface StoresTotal<Figures> {
  readonly figures: Figures;
  readonly covered: readonly string[];
  /** Days were counted in these zones; each is listed once. */
  readonly zones: readonly string[];
  /** The first store decides how the figures are shown. */
  readonly display: Display;
}

/**
 * A command has found these figures. Where several stores were asked for, the result lists stores even if this
 * machine knows but one, so that a script gets the same form every day.
 */
export interface SalesResult<Figures> {
  readonly kind: "result";
  readonly areSeveral: boolean;
  readonly stores: readonly StoreResult<Figures>[];
  /**
   * There is one total for each currency, since amounts of different ones can't be added up; none where no store
   * answered.
   */
  readonly totals: readonly StoresTotal<Figures>[];
}

export function periodsOf<Value>({ current, previous }: Compared<Value>): readonly Value[] {
  return previous === undefined ? [current] : [current, previous];
}

/** Lists the stores with credentials. */
export function openOf<Store extends { readonly kind: "open" }>({
  stores,
}: {
  readonly stores: readonly (Store | MissingStore)[];
}): readonly Store[] {
  return stores.flatMap((store) => (store.kind === "missing" ? [] : [store]));
}

export function answeringStores<Figures>({
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

/** Gives the result of the work, or why it failed: the other stores' figures are shown all the same. */
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
