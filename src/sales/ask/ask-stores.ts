/** Asks every store that was named for its sales figures, each within its own limits. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { totalsOf } from "../merge/stores.js";
import { describePrevious } from "../period/comparison.js";
import { describeMoment, describePeriod } from "../period/period.js";
import type { Plan } from "../plan/plans.js";
import type { PeriodSpan } from "../plan/request.js";
import {
  storesOf,
  type Compared,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../results.js";
import type { Machine } from "../../toolkit/machine.js";

import { expectedCalls, openInquiries, type Inquiry } from "./inquiries.js";
import type { SalesOptions } from "./options.js";
import { salesProgress, type SalesProgress } from "./progress.js";
import { sayGuessedZones, sayRestated, sayWindows } from "./say-of-stores.js";

/**
 * @param label what the progress bar says of the command
 * @throws {ComandaError} what is wrong with the request, before any call; and, where one store was asked for, what
 *   went wrong with it
 */
export async function askStores<Figures>(
  machine: Machine,
  label: string,
  options: Omit<SalesOptions, "csv">,
  plan: Plan<Figures>,
  onSoFar?: OnSoFar<Figures>,
): Promise<SalesResult<Figures>> {
  const { context, output } = machine;
  const progress = salesProgress(machine, label);
  const { opened, inquire } = await openInquiries(machine, options, plan, progress);
  const soFar = onSoFar && (async (result: SalesResult<Figures>) => onSoFar(result, progress.endsAt()));
  try {
    const result =
      opened.kind === "one store"
        ? await askOne(inquire(opened.store), { plan, progress, signal: context.signal, soFar })
        : await askAll(
            opened.stores.map((store) => (store.kind === "missing" ? store : inquire(store))),
            { plan, progress, signal: context.signal, soFar },
          );
    sayGuessedZones(output, opened);
    sayWindows(output, storesOf(result));
    sayRestated(output, storesOf(result), context.clock.now());
    return result;
  } finally {
    progress.end();
    await opened.close();
  }
}

/**
 * Told before a wait what there is already, once every store has something.
 *
 * @param endsAt when the rest will be there, milliseconds since the epoch
 */
export type OnSoFar<Figures> = (result: SalesResult<Figures>, endsAt: number) => Promise<void>;

interface Asking<Figures> {
  readonly plan: Plan<Figures>;
  readonly progress: SalesProgress;
  readonly signal: AbortSignal;
  readonly soFar: ((result: SalesResult<Figures>) => Promise<void>) | undefined;
}

async function askOne<Figures>(
  inquiry: Inquiry<Figures>,
  { progress, signal, soFar }: Asking<Figures>,
): Promise<SalesResult<Figures>> {
  progress.begin(await expectedCalls(inquiry));
  const tell = soFar && ((store: StoreFigures<Figures>) => soFar({ kind: "one store", store }));
  return { kind: "one store", store: await figuresOf(inquiry, signal, tell) };
}

async function askAll<Figures>(
  all: readonly (Inquiry<Figures> | MissingStore)[],
  { plan, progress, signal, soFar }: Asking<Figures>,
): Promise<SalesResult<Figures>> {
  const inquiries = all.filter((store) => store.kind === "inquiry");
  progress.begin((await Promise.all(inquiries.map(expectedCalls))).flat());
  const together = (stores: readonly StoreResult<Figures>[]): SalesResult<Figures> => ({
    kind: "several stores",
    stores,
    totals: totalsOf(stores, (figures) => plan.add(figures)),
  });
  const results = new Map<number, StoreResult<Figures>>();
  const learn = async (place: number, result: StoreResult<Figures>, isAll: boolean) => {
    results.set(place, result);
    if (!isAll && results.size === all.length) await soFar?.(together(inOrder(results)));
    return result;
  };
  const stores = await Promise.all(
    all.map(async (store, place) => {
      if (store.kind === "missing") return learn(place, store, true);
      const tell = async (figures: StoreFigures<Figures>) => {
        await learn(place, figures, false);
      };
      return learn(place, await figuresOrReason(store, signal, soFar && tell), true);
    }),
  );
  return together(stores);
}

function inOrder<One>(places: ReadonlyMap<number, One>): readonly One[] {
  return [...places].toSorted(([a], [b]) => a - b).map(([, value]) => value);
}

/** Asks for a store's figures. Where one call fails, those beside it are given up rather than waited for. */
async function figuresOf<Figures>(
  { store, plan, spans, calls }: Inquiry<Figures>,
  signal: AbortSignal,
  soFar?: (figures: StoreFigures<Figures>) => Promise<void>,
): Promise<StoreFigures<Figures>> {
  const storeFigures = (figures: Figures): StoreFigures<Figures> => {
    const { zone, display } = store.preferences;
    const age = plan.age(figures);
    const window = `${windowOf(spans)}${age.kept ? t`, as of ${describeMoment(age.askedAt, zone)}` : ""}`;
    return { kind: "figures", store: store.name, figures, window, age, zone, display };
  };
  const controller = new AbortController();
  try {
    await calls.assertAnswerable(await plan.questions(spans, calls));
    const tell = soFar && ((figures: Figures) => soFar(storeFigures(figures)));
    return storeFigures(await plan.fetch(calls, spans, AbortSignal.any([signal, controller.signal]), tell));
  } finally {
    controller.abort(new ComandaError("interrupted", t`Another call for the same figures failed.`));
  }
}

/** Gives a store's figures, or why it failed: the other stores' figures are shown all the same. */
async function figuresOrReason<Figures>(
  inquiry: Inquiry<Figures>,
  signal: AbortSignal,
  soFar?: (figures: StoreFigures<Figures>) => Promise<void>,
): Promise<StoreResult<Figures>> {
  try {
    return await figuresOf(inquiry, signal, soFar);
  } catch (error) {
    if (signal.aborted || !(error instanceof ComandaError)) throw error;
    return { kind: "missing", store: inquiry.store.name, error };
  }
}

function windowOf(spans: Compared<PeriodSpan>): string {
  const current = describePeriod(spans.current.period);
  if (spans.kind === "plain") return current;
  return t`${current}, compared with ${describePrevious(spans.previous.period, spans.current.period)}`;
}
