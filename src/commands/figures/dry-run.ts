/** `--dry-run` of a command that asks for figures shows the calls that would go out, those that are kept, and how long it takes. */
import { plural, t } from "../../languages/language.js";
import type { Output } from "../../cli/output.js";
import type { Column } from "../../cli/column.js";
import type { Context } from "../../cli/context.js";
import { filterTexts, type PlannedRequest } from "../../sales/ask.js";
import type { SalesRequest } from "./options.js";
import { duration, expectedCalls, longestWait, type ExpectedCalls } from "./progress.js";
import { periodsFor, plannedOf, withStores, type OpenStore, type SalesQuestion } from "./stores.js";

interface CallPlan {
  readonly calls: number;
  /** In milliseconds; `undefined` where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
  /** Requests whose answers are kept are among them. */
  readonly requests: readonly RequestRow[];
}

export async function showCalls(
  context: Context,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): Promise<void> {
  const plan = await withStores(context, { ...request, label: "" }, async (stores) => {
    const planned: StorePlan[] = [];
    for (const store of stores) {
      if ("error" in store) continue;
      const requests = await plannedOf(store, periodsFor(store, request, questions), questions);
      planned.push({ store, requests });
    }
    return planOf(planned);
  });
  await showPlan(plan, context.output);
}

export interface StorePlan {
  readonly store: OpenStore;
  readonly requests: readonly PlannedRequest[];
}

export async function planOf(planned: readonly StorePlan[]): Promise<CallPlan> {
  const expected: ExpectedCalls[] = [];
  for (const { store, requests } of planned) expected.push(...(await expectedCalls(store.limit, requests)));
  return {
    calls: expected.reduce((sum, { calls }) => sum + calls, 0),
    waitMs: longestWait(expected),
    requests: planned.flatMap(({ store, requests }) => requests.map((request) => requestRow(store, request))),
  };
}

export async function showPlan(plan: CallPlan, output: Output): Promise<void> {
  const { calls, waitMs, requests } = plan;
  if (output.json) {
    output.value({ calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000), requests });
    return;
  }
  if (output.format === "table") output.words(callsText(plan));
  await output.records(columns, requests);
  output.notice(t`Nothing was asked (--dry-run).`);
}

function callsText({ calls, waitMs }: CallPlan): string {
  if (calls === 0) return t`0 calls: all of it is kept.`;
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  if (waitMs === undefined)
    return t`${count}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`;
  return waitMs === 0 ? t`${count}: no wait.` : t`${count}: about ${duration(waitMs)}.`;
}

/** Scripts rely on these fields. */
type RequestRow = ReturnType<typeof requestRow>;

function requestRow({ store, asking }: OpenStore, { by, window, kept }: PlannedRequest) {
  return {
    store,
    endpoint: by === undefined ? "summary" : "grouped",
    group_by: by ?? null,
    from: window.start,
    to: window.end,
    date_field: asking.dateField ?? "created_at",
    filters: filterTexts(asking.filters),
    kept,
  };
}

const columns: readonly Column<RequestRow>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Endpoint", name: "endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "By", name: "group_by", cell: (row) => row.group_by },
  { heading: "From", name: "from", cell: ({ from }) => from },
  { heading: "To", name: "to", cell: ({ to }) => to },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  {
    heading: "Kept",
    name: "kept",
    cell: ({ kept }) => kept,
    tableText: ({ kept }) => (kept ? t`yes` : t`no`),
  },
];
