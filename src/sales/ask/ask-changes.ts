/** What was said of sales figures, on a day or in a report, and what is said of them now: of each store the changes. */
import { changeSections } from "../ledger/changes.js";
import { totalsOf } from "../merge/stores.js";
import type { Plan } from "../plan/plans.js";
import { withoutRestated } from "../report/ask.js";
import { addChangedFigures, changesOf, groupsOf, type ChangedFigures, type Said } from "../report/said.js";
import { reportPlan, type ReportFigures, type ReportRequest } from "../report/plan.js";
import type { SalesResult, StoreResult } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";
import { askStores } from "./ask-stores.js";
import type { FreshnessOption } from "./freshness-options.js";
import type { SalesOptions } from "./options.js";

export type AskChangesOptions = Omit<SalesOptions, "csv">;

/** What was known then, by the answers that are kept on this machine. Nothing is asked. */
export async function saidAt(
  machine: Machine,
  options: AskChangesOptions,
  freshness: FreshnessOption,
): Promise<readonly (Said | Extract<StoreResult<never>, { kind: "missing" }>)[]> {
  const { request } = options;
  const kept: Plan<ReportFigures> = {
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
  const { stores } = await askStores(machine, "changes", { ...options, freshness }, kept);
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
 * @param then what was said of each store
 * @throws {ComandaError} as `askStores`
 */
export async function askChanges(
  machine: Machine,
  options: AskChangesOptions,
  then: readonly (Said | Extract<StoreResult<never>, { kind: "missing" }>)[],
): Promise<SalesResult<ChangedFigures>> {
  const said = then.filter((store): store is Said => !("kind" in store));
  const sections = changeSections.filter((section) => said.some(({ groups }) => groups.has(section)));
  const now = await askStores(machine, "changes", options, changesPlan({ ...options.request, sections }));
  const stores = now.stores.map((store): StoreResult<ChangedFigures> => {
    if (store.kind === "missing") return store;
    const before = then.find(({ store: name }) => name === store.store);
    if (before && "kind" in before) return before;
    return changesOf(before, store);
  });
  const [first, ...others] = stores;
  if (!now.areSeveral && first?.kind === "missing" && others.length === 0) throw first.error;
  return { ...now, stores, totals: now.areSeveral ? totalsOf({ stores }, addChangedFigures) : [] };
}

/** What has been restated is what the changes tell. */
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
