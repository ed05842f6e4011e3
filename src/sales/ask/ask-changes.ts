/** Compares earlier figures of each store, from a day or from a report, with those of now. */
import { changeSections } from "../ledger/changes.js";
import { totalsOf } from "../merge/stores.js";
import type { Plan } from "../plan/plans.js";
import { withoutRestated } from "../report/ask.js";
import {
  addChangedFigures,
  changesOf,
  groupsOf,
  type ChangedFigures,
  type EarlierFigures,
} from "../report/said.js";
import { reportPlan, type ReportFigures, type ReportRequest } from "../report/plan.js";
import type { SalesResult, StoreResult } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";
import { askStores } from "./ask-stores.js";
import type { FreshnessOption } from "./freshness-options.js";
import type { SalesOptions } from "./options.js";

export type AskChangesOptions = Omit<SalesOptions, "csv">;

/** Gives the figures as they were known then, by the answers that are kept on this machine. Nothing is asked. */
export async function earlierFigures(
  machine: Machine,
  options: AskChangesOptions,
  freshness: FreshnessOption,
): Promise<readonly (EarlierFigures | Extract<StoreResult<never>, { kind: "missing" }>)[]> {
  const { request } = options;
  const keptPlan: Plan<ReportFigures> = {
    ...changesPlan(request),
    questions: ({ current }) => [{ span: current, dimension: "day" }],
    async fetch(calls, spans, signal) {
      const counts = await Promise.all(
        changeSections.map((dimension) => calls.count([{ span: spans.current, dimension }])),
      );
      const sections = changeSections.filter((section, index) => section === "day" || counts[index] === 0);
      return changesPlan({ ...request, sections }).fetch(calls, spans, signal);
    },
  };
  const { stores } = await askStores(machine, "changes", { ...options, freshness }, keptPlan);
  return stores.map((store) =>
    store.kind === "missing"
      ? store
      : {
          ...{ store: store.store, zone: store.zone },
          askedAt: store.age.askedAt,
          groups: groupsOf(store.figures),
        },
  );
}

/**
 * Asks for the figures of now and compares them with the earlier ones of each store.
 *
 * @throws {ComandaError} as `askStores`
 */
export async function askChanges(
  machine: Machine,
  options: AskChangesOptions,
  earlier: readonly (EarlierFigures | Extract<StoreResult<never>, { kind: "missing" }>)[],
): Promise<SalesResult<ChangedFigures>> {
  const knownStores = earlier.filter((store): store is EarlierFigures => !("kind" in store));
  const sections = changeSections.filter((section) => knownStores.some(({ groups }) => groups.has(section)));
  const now = await askStores(machine, "changes", options, changesPlan({ ...options.request, sections }));
  const stores = now.stores.map((store): StoreResult<ChangedFigures> => {
    if (store.kind === "missing") return store;
    const before = earlier.find(({ store: name }) => name === store.store);
    if (before && "kind" in before) return before;
    return changesOf(before, store);
  });
  const [first, ...others] = stores;
  if (!now.areSeveral && first?.kind === "missing" && others.length === 0) throw first.error;
  return { ...now, stores, totals: now.areSeveral ? totalsOf({ stores }, addChangedFigures) : [] };
}

/** The changes themselves tell what has been restated, so the age leaves it out. */
function changesPlan(
  request: Pick<ReportRequest, "dateField" | "filters" | "sections">,
): Plan<ReportFigures> {
  const plan = reportPlan({
    sections: changeSections,
    ...request,
    compareSections: false,
    heatmap: false,
    keys: false,
  });
  return { ...plan, age: ({ age }) => withoutRestated(age) };
}
