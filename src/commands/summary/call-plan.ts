/** `--dry-run` of what asks for sales figures: the calls that would go out, those that are kept, and how long it takes. */
import { plural, t } from "../../shared/language.js";
import { questionOf } from "../../state/ledger/entry.js";
import type { Column, Output } from "../../terminal/index.js";

import type { CallPlan, StoreRequest } from "./ask-stores.js";
import { duration } from "./progress.js";

export async function presentPlan(plan: CallPlan, output: Output): Promise<void> {
  const rows = plan.requests.map(rowOf);
  if (output.json) {
    output.value({ calls: plan.calls, seconds: Math.ceil(plan.waitMs / 1_000), requests: rows });
    return;
  }
  if (output.format === "table") output.line(headOf(plan));
  await output.records(columns, rows);
  output.notice(t`Nothing was asked (--dry-run).`);
}

function headOf({ calls, waitMs }: CallPlan): string {
  if (calls === 0) return t`0 calls: all of it is kept.`;
  if (waitMs === 0) return plural(calls, { one: t`1 call: no wait.`, other: t`${calls} calls: no wait.` });
  return t`${calls} calls: about ${duration(waitMs)}.`;
}

/** What scripts rely on. */
type Row = ReturnType<typeof rowOf>;

function rowOf({ store, query, kept }: StoreRequest) {
  const { dimension, ...question } = questionOf(query);
  return {
    store,
    endpoint: dimension === null ? "summary" : "grouped",
    group_by: dimension,
    ...question,
    kept,
  };
}

const columns: readonly Column<Row>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Endpoint", name: "endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "By", name: "group_by", cell: (row) => row.group_by },
  { heading: "From", name: "from", cell: ({ from }) => from },
  { heading: "To", name: "to", cell: ({ to }) => to },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  { heading: "Kept", name: "kept", cell: ({ kept }) => kept },
];
