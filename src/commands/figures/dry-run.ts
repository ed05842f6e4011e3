/** `--dry-run` of a command that asks for figures shows the calls that would go out, those that are kept, and how long it takes. */
import type { Column } from "../../cli/records.js";
import type { Output } from "../../cli/output.js";
import { plural, t } from "../../languages/language.js";
import { filterTexts, type PlannedRequest } from "../../sales/ask.js";
import type { MissingStore } from "../../sales/figures.js";

import { duration, type OpenStore, type PlannedStore } from "./stores.js";

/** @param stores those that gave none take no calls */
export async function showPlan(
  output: Output,
  stores: readonly (PlannedStore | MissingStore)[],
): Promise<void> {
  const plans = stores.flatMap((store) => ("error" in store ? [] : store));
  const requests = plans.flatMap(({ store, requests }) =>
    requests.map((request) => requestRow(store, request)),
  );
  const calls = plans.reduce((sum, plan) => sum + plan.calls, 0);
  const waits = plans.map(({ waitMs }) => waitMs);
  const waitMs = waits.includes(undefined) ? undefined : Math.max(0, ...waits.map((ms) => ms ?? 0));
  if (output.json) {
    output.value({ calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000), requests });
    return;
  }
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  if (output.format === "table")
    output.words(
      calls === 0
        ? t`0 calls: all of it is kept.`
        : waitMs === undefined
          ? t`${count}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`
          : waitMs === 0
            ? t`${count}: no wait.`
            : t`${count}: about ${duration(waitMs)}.`,
    );
  await output.records(columns, requests);
  output.notice(t`Nothing was asked (--dry-run).`);
}

/** Scripts rely on these fields. */
type RequestRow = ReturnType<typeof requestRow>;

function requestRow({ connection, asking }: OpenStore, { by, window, known }: PlannedRequest) {
  return {
    store: connection.label,
    endpoint: by === undefined ? "summary" : "grouped",
    group_by: by ?? null,
    from: window.start,
    to: window.end,
    date_field: asking.dateField ?? "created_at",
    filters: filterTexts(asking.filters),
    kept: known !== undefined,
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
