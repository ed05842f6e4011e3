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
import type { MissingStore, SalesResult, StoreResult } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";
import { askStores, type AskingOptions } from "./ask-stores.js";

/**
 * Gives the figures as they were known then, by the answers that are kept on this machine. Nothing is asked.
 *
 * @param date is as `--as-of` takes it
 */
export async function earlierFigures(
  machine: Machine,
  options: AskingOptions,
  date: string,
): Promise<readonly (EarlierFigures | MissingStore)[]> {
  const { request } = options;
  const keptPlan: Plan<ReportFigures> = {
    ...changesPlan(request),
    questions: ({ current }) => [{ period: current, dimension: "day" }],
    async fetch(calls, periods, signal) {
      const counts = await Promise.all(
        changeSections.map((dimension) => calls.count([{ period: periods.current, dimension }])),
      );
      const sections = changeSections.filter((section, index) => section === "day" || counts[index] === 0);
      return changesPlan({ ...request, sections }).fetch(calls, periods, signal);
    },
  };
  const known: AskingOptions = { ...options, freshness: { kind: "as of", date } };
  const { stores } = await askStores(machine, "changes", known, keptPlan);
  return stores.map((found) => {
    if (found.kind === "missing") return found;
    const { store, zone, age, figures } = found;
    return { kind: "earlier", store, zone, askedAt: age.askedAt, groups: groupsOf(figures) };
  });
}

/**
 * Asks for the figures of now and compares them with the earlier ones of each store.
 *
 * @throws {ComandaError} as `askStores`
 */
export async function askChanges(
  machine: Machine,
  options: AskingOptions,
  earlier: readonly (EarlierFigures | MissingStore)[],
): Promise<SalesResult<ChangedFigures>> {
  const sections = changeSections.filter((section) =>
    earlier.some((store) => store.kind === "earlier" && store.groups.has(section)),
  );
  const now = await askStores(machine, "changes", options, changesPlan({ ...options.request, sections }));
  const stores = now.stores.map((store): StoreResult<ChangedFigures> => {
    const before = earlier.find(({ store: name }) => name === store.store);
    if (store.kind === "missing") return store;
    return before?.kind === "missing" ? before : changesOf(before, store);
  });
  const [first] = stores;
  if (!now.areSeveral && first?.kind === "missing") throw first.error;
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
