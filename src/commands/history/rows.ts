/** Shows rows of the journal in every format. */
import type { Column } from "../../cli/column.js";
import type { Output } from "../../cli/output.js";
import { renderRecords } from "../../cli/records.js";
import { ComandaError } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import { localTime } from "../../languages/local-time.js";
import type { HistoryRow } from "../../state/journal.js";
import type { Settings } from "../../state/settings.js";
import type { State } from "../../state/state.js";
import { toneOfOutcome } from "../outcomes.js";

/** Rows in pages, the newest first. */
export type HistoryPages = AsyncIterable<readonly HistoryRow[]>;

/**
 * Between two pages the program can notice a signal, or that the reader of its output has gone, as `head` does after a few
 * lines: then no further page is read.
 */
export async function* untilAborted(pages: HistoryPages, signal: AbortSignal): HistoryPages {
  for await (const page of pages) {
    yield page;
    await new Promise((resolve) => setImmediate(resolve));
    if (!signal.aborted) continue;
    if (signal.reason instanceof ComandaError && signal.reason.code === "output_closed") return;
    throw signal.reason;
  }
}

/**
 * @param stores have the zones of their times
 * @returns how many rows there were
 */
export async function presentRows(
  pages: HistoryPages,
  output: Output,
  stores: Settings["stores"],
): Promise<number> {
  const columns = [timeColumn(stores), ...otherColumns];
  if (output.format === "table" || output.format === "markdown") return presentTables(pages, output, columns);
  let count = 0;
  for await (const page of pages) {
    if (output.json) for (const row of page) output.jsonLine(historyJson(row));
    else await output.records(columns, page, { header: count === 0 });
    count += page.length;
  }
  if (count === 0 && !output.json) await output.records(columns, []);
  return count;
}

/** The width of a table's columns is known with its last row, so each page becomes a table of its own. */
async function presentTables(
  pages: HistoryPages,
  output: Output,
  columns: readonly Column<HistoryRow>[],
): Promise<number> {
  let count = 0;
  let first: readonly HistoryRow[] | undefined;
  const write = async (page: readonly HistoryRow[]) =>
    output.text(await renderRecords(output.format, columns, page, { view: output.view }));
  for await (const page of pages) {
    if (count === 0) first = page;
    else {
      if (first) await write(first);
      first = undefined;
      await write(page);
    }
    count += page.length;
  }
  if (first) await output.records(columns, first);
  else if (count === 0 && output.format === "table") output.notice(t`The journal has nothing of that.`);
  else if (count === 0) await output.records(columns, []);
  return count;
}

/** Scripts rely on this form. */
export function historyJson({ user, settled, ...row }: HistoryRow) {
  const { at, store, environment, operation, order_id } = row;
  const { outcome, http_status, code, attempts, evidence, service_code } = row;
  return {
    ...{ at, store, environment, operation, order_id, arguments: row.arguments },
    ...{ outcome, http_status, code, attempts, evidence, actor: user, service_code },
    ...(settled && { settled }),
  };
}

function timeColumn(stores: Settings["stores"]): Column<HistoryRow> {
  return {
    heading: "When",
    name: "at",
    cell: ({ at }) => at,
    tableText: (row) => timeOf(row, stores),
  };
}

/** Without settings that can be read, times are in this machine's zone: what was sent is shown all the same. */
export async function knownStores({ settings }: State): Promise<Settings["stores"]> {
  try {
    return (await settings.read()).stores;
  } catch (error) {
    if (error instanceof ComandaError) return undefined;
    throw error;
  }
}

/** The time of a write, in the zone of its store. */
export function timeOf({ at, store }: HistoryRow, stores: Settings["stores"]): string {
  return localTime(Date.parse(at), stores?.[store ?? ""]?.time_zone);
}

const otherColumns: readonly Column<HistoryRow>[] = [
  { heading: "Store", name: "store", dropOrder: 6, cell: ({ store }) => store },
  { heading: "Environment", name: "environment", dropOrder: 5, cell: ({ environment }) => environment },
  { heading: "Operation", name: "operation", cell: ({ operation }) => operation, isWord: true },
  { heading: "Order", name: "order_id", cell: (row) => row.order_id },
  {
    heading: "With",
    name: "arguments",
    cell: (row) => argumentsText(row.arguments),
    tableText: (row) => argumentsText(row.arguments, translated),
  },
  { heading: "Outcome", name: "outcome", cell: ({ outcome }) => outcome, isWord: true, tone: toneOfOutcome },
  { heading: "HTTP", name: "http_status", dropOrder: 3, cell: (row) => row.http_status },
  { heading: "Code", name: "code", dropOrder: 4, cell: ({ code }) => code },
  { heading: "Service code", name: "service_code", dropOrder: 1, cell: (row) => row.service_code },
  { heading: "Attempts", name: "attempts", dropOrder: 2, align: "right", cell: ({ attempts }) => attempts },
  { heading: "By", name: "actor", cell: ({ user }) => user },
  {
    heading: "Settled",
    name: "settled",
    dropOrder: 7,
    cell: ({ settled }) => settled?.outcome ?? null,
    tableText: ({ settled }) =>
      settled ? [`${translated(settled.outcome)} (${settled.by})`, settled.note ?? []].flat().join(": ") : "",
  },
];

function argumentsText(args: HistoryRow["arguments"], wordFor = (name: string) => name): string {
  return Object.entries(args)
    .map(([name, value]) => `${wordFor(name)}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
