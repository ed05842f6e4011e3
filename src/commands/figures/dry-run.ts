/** The requests that `--dry-run` shows, and how long they take. */
import type { ComandaError } from "../../base/errors.js";
import { callsText } from "../../cli/notices.js";
import type { Output } from "../../cli/output.js";
import type { Column } from "../../cli/records.js";
import {
  missingStores,
  plannedRequests,
  type FiguresPlan,
  type PlannedRequests,
} from "../../core/figures.js";
import { t } from "../../languages/language.js";

/** @returns the failure of the stores without requests, which is also that of the figures */
export async function showRequests(output: Output, plan: FiguresPlan): Promise<ComandaError | undefined> {
  const document = plannedRequests(plan);
  if (output.json) output.value(document);
  else {
    const { calls, seconds, requests } = document;
    if (output.format === "table") output.words(callsText(calls, seconds));
    await output.records(columns, requests);
    output.notice(t`Nothing was sent (--dry-run).`);
  }
  return missingStores(plan.stores);
}

const columns: readonly Column<PlannedRequests["requests"][number]>[] = [
  { heading: "Store", name: "store" },
  { heading: "Request", name: "endpoint" },
  { heading: "Grouped by", name: "group_by" },
  { heading: "From", name: "from" },
  { heading: "To", name: "to" },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  { heading: "cached", name: "cached", text: ({ cached }) => (cached ? t`yes` : "") },
];
