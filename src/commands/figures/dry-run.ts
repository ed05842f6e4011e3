/** The requests that `--dry-run` shows, and how long they take. */
import { callsText } from "../../cli/notices.js";
import type { Output } from "../../cli/output.js";
import type { Column } from "../../cli/records.js";
import type { PlannedRequests } from "../../core/figures.js";
import { t } from "../../languages/language.js";

export async function showRequests(output: Output, document: PlannedRequests): Promise<undefined> {
  if (output.json) {
    output.value(document);
    return;
  }
  const { calls, seconds, requests } = document;
  if (output.format === "table") output.words(callsText(calls, seconds));
  await output.records(columns, requests);
  output.notice(t`Nothing was sent (--dry-run).`);
}

const columns: readonly Column<PlannedRequests["requests"][number]>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Endpoint", name: "endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "By", name: "group_by", cell: (row) => row.group_by },
  { heading: "From", name: "from", cell: ({ from }) => from },
  { heading: "To", name: "to", cell: ({ to }) => to },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  {
    heading: "cached",
    name: "cached",
    cell: ({ cached }) => cached,
    text: ({ cached }) => (cached ? t`yes` : ""),
  },
];
