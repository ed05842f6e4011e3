/** `--dry-run` of what asks for sales figures: the calls that would go out, those that are kept, and how long it takes. */
import { plural, t } from "../../shared/language.js";
import { questionOf } from "../../state/ledger/entry.js";
import type { Column, Output } from "../../terminal/index.js";

import type { CallPlan, StoreRequest } from "./ask-stores.js";
import { duration } from "./progress.js";

/** What one command says of its plan beside that. */
interface PlanNotes {
  /** Sentences behind the first one, for people. */
  readonly lines?: readonly string[];
  /** Members of the JSON form. */
  readonly members?: object;
}

export async function presentPlan(
  plan: CallPlan,
  output: Output,
  { lines = [], members = {} }: PlanNotes = {},
): Promise<void> {
  const rows = plan.requests.map(rowOf);
  if (output.json) {
    output.value({ ...planShape(plan), ...members, requests: rows });
    return;
  }
  if (output.format === "table") for (const line of [callsText(plan), ...lines]) output.line(line);
  await output.records(columns, rows);
  output.notice(t`Nothing was asked (--dry-run).`);
}

/** `seconds` is null where comanda doesn't count calls. */
export function planShape({ calls, waitMs }: CallPlan): object {
  return { calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000) };
}

export function callsText({ calls, waitMs, estimated }: CallPlan): string {
  if (calls === 0) return t`0 calls: all of it is kept.`;
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  const about = estimated ? t`about ${count}` : count;
  if (waitMs === undefined)
    return t`${about}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`;
  return waitMs === 0 ? t`${about}: no wait.` : t`${about}: about ${duration(waitMs)}.`;
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
  { heading: "Kept", name: "kept", cell: ({ kept }) => kept, inTable: ({ kept }) => (kept ? t`yes` : t`no`) },
];
