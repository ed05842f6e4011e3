/** Asks each chosen store for its sales figures, within its own limits. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { totalsOf } from "../merge/stores.js";
import { describePrevious } from "../period/comparison.js";
import { describeMoment, describePeriod, type Period } from "../period/period.js";
import type { Plan } from "../plan/plans.js";
import {
  orMissing,
  type Compared,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../results.js";
import type { Machine } from "../../toolkit/machine.js";

import { withInquiries, type AskingOptions, type Inquiry } from "./inquiries.js";
import { sayGuessedZones, sayRestated, sayWindows } from "./say-of-stores.js";

/**
 * @param label names the command in the progress bar
 * @throws {ComandaError} what is wrong with the request, before any call; and, where one store was asked for, what
 * went wrong with it
 */
export async function askStores<Figures>(
  machine: Machine,
  label: string,
  options: AskingOptions,
  plan: Plan<Figures>,
  onPartialResult?: OnPartialResult<Figures>,
): Promise<SalesResult<Figures>> {
  const { context, output } = machine;
  const { signal } = context;
  return withInquiries(machine, label, options, async ({ areSeveral, stores: asked, progress }) => {
    const resultOf = (stores: readonly StoreResult<Figures>[]): SalesResult<Figures> => ({
      kind: "result",
      ...{ areSeveral, stores },
      totals: areSeveral ? totalsOf({ stores }, (figures) => plan.add(figures)) : [],
    });
    const inquiries = asked.filter((store) => store.kind === "inquiry");
    const expectedCalls = inquiries.map(async ({ expected, periods, calls }) =>
      expected(await plan.questions(periods, calls)),
    );
    progress.begin((await Promise.all(expectedCalls)).flat());
    const results: (StoreResult<Figures> | undefined)[] = asked.map(() => undefined);
    const stores = await Promise.all(
      asked.map(async (inquiry, place) => {
        if (inquiry.kind === "missing") return (results[place] = inquiry);
        const onPartialFigures = async (figures: StoreFigures<Figures>) => {
          results[place] = figures;
          const ready = results.filter((result) => result !== undefined);
          if (ready.length === asked.length) await onPartialResult?.(resultOf(ready), progress.endsAt());
        };
        const ask = () => figuresOf(inquiry, plan, signal, onPartialResult && onPartialFigures);
        return (results[place] = await (areSeveral ? orMissing(inquiry.store.name, signal, ask) : ask()));
      }),
    );
    const result = resultOf(stores);
    sayGuessedZones(
      output,
      inquiries.map(({ store }) => store),
    );
    sayWindows(output, result);
    sayRestated(output, result, context.clock.now());
    return result;
  });
}

/**
 * Is called before a wait with what there is already, once every store has something.
 *
 * @param endsAt is when the rest will be there, in milliseconds since the epoch
 */
export type OnPartialResult<Figures> = (result: SalesResult<Figures>, endsAt: number) => Promise<void>;

/** Asks for a store's figures. Where one call fails, those beside it are given up rather than waited for. */
async function figuresOf<Figures>(
  { store, periods, calls }: Inquiry,
  plan: Plan<Figures>,
  signal: AbortSignal,
  onPartialFigures?: (figures: StoreFigures<Figures>) => Promise<void>,
): Promise<StoreFigures<Figures>> {
  const storeFigures = (figures: Figures): StoreFigures<Figures> => {
    const { zone, display } = store.preferences;
    const age = plan.age(figures);
    const window = `${windowOf(periods)}${age.kept ? t`, as of ${describeMoment(age.askedAt, zone)}` : ""}`;
    return { kind: "figures", store: store.name, figures, window, age, zone, display };
  };
  const controller = new AbortController();
  try {
    await calls.assertAnswerable(await plan.questions(periods, calls));
    const onPartialFetch =
      onPartialFigures && ((figures: Figures) => onPartialFigures(storeFigures(figures)));
    return storeFigures(
      await plan.fetch(calls, periods, AbortSignal.any([signal, controller.signal]), onPartialFetch),
    );
  } finally {
    controller.abort(new ComandaError("interrupted", t`Another call for the same figures failed.`));
  }
}

function windowOf({ current, previous }: Compared<Period>): string {
  const window = describePeriod(current);
  if (!previous) return window;
  return t`${window}, compared with ${describePrevious(previous, current)}`;
}
