/** The file that `summary --append` adds to: CSV with one header, and one row for each store and day. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { parseCsv, renderRecords, type Column } from "../../terminal/index.js";
import type { Metrics } from "../merge/sums.js";
import { isDate, parseDate } from "../period/calendar.js";

export interface SalesRow extends Metrics {
  readonly store: string;
  /** YYYY-MM-DD. */
  readonly from: string;
  /** YYYY-MM-DD, included. */
  readonly to: string;
  readonly time_zone: string;
  /** ISO 4217; `undefined` where nobody said it. */
  readonly currency: string | undefined;
  /** ISO 8601. */
  readonly asked_at: string;
}

/** What tells a row from the others. */
export type RowKey = Pick<SalesRow, "store" | "from" | "to">;

export interface SalesFile {
  /** As it lies on the disk; empty where there is no file yet. */
  readonly text: string;
  readonly keys: readonly RowKey[];
}

const columns: readonly Column<SalesRow>[] = [
  { heading: "store", cell: ({ store }) => store, asIs: true },
  { heading: "from", cell: ({ from }) => from, asIs: true },
  { heading: "to", cell: ({ to }) => to, asIs: true },
  { heading: "time_zone", cell: ({ time_zone }) => time_zone, asIs: true },
  { heading: "currency", cell: ({ currency }) => currency ?? null, asIs: true },
  { heading: "total_order_count", cell: (row) => row.total_order_count },
  { heading: "total_revenue", cell: (row) => row.total_revenue },
  { heading: "average_order_value", cell: (row) => row.average_order_value },
  { heading: "asked_at", cell: (row) => row.asked_at, asIs: true },
];
const header = columns.map(({ heading }) => heading);

/**
 * @param name for messages
 * @throws {ComandaError} `invalid_input` for anything but what `--append` writes
 */
export async function readSalesFile(name: string, text: string): Promise<SalesFile> {
  if (text === "") return { text, keys: [] };
  const records = await parseCsv(text);
  if (records?.[0]?.join() !== header.join()) {
    throw new ComandaError("invalid_input", t`${name} doesn't begin with the header that --append writes.`, {
      hint: t`It is left as it is. Give another file, or one that begins with ${header.join()}`,
    });
  }
  return { text, keys: records.slice(1).map((record, index) => keyOf(name, record, index + 1)) };
}

/** @param place of the row, from 1 */
function keyOf(name: string, record: readonly string[], place: number): RowKey {
  const [store = "", from = "", to = ""] = record;
  if (record.length === header.length && store !== "" && isDate(from) && isDate(to)) {
    return { store, from, to };
  }
  throw new ComandaError("invalid_input", t`Row ${place} of ${name} is not one that --append writes.`, {
    hint: t`The file is left as it is. Mend the row or remove it, then try again.`,
  });
}

/**
 * The days of a period that a store has no row for. They begin after its last row, where this lies before the period.
 *
 * @param first YYYY-MM-DD
 * @param last YYYY-MM-DD, included
 */
export function missingDays(
  { keys }: Pick<SalesFile, "keys">,
  store: string,
  [first, last]: readonly [first: string, last: string],
): readonly string[] {
  const known = new Set(keys.flatMap((key) => (key.store === store && key.from === key.to ? [key.to] : [])));
  const latest = [...known].toSorted().at(-1);
  const begin =
    latest !== undefined && latest < first ? parseDate(latest).add({ days: 1 }) : parseDate(first);
  const count = begin.until(parseDate(last), { largestUnit: "day" }).days + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    begin.add({ days: index }).toString(),
  ).filter((day) => !known.has(day));
}

/** Those whose key the file doesn't have. */
export function newRows({ keys }: Pick<SalesFile, "keys">, rows: readonly SalesRow[]): readonly SalesRow[] {
  const known = new Set(keys.map(textOfKey));
  return rows.filter((row) => !known.has(textOfKey(row)));
}

function textOfKey({ store, from, to }: RowKey): string {
  return [store, from, to].join("\n");
}

/** The whole file with these rows at its end; its line ends are kept. */
export async function withRows(
  { text }: Pick<SalesFile, "text">,
  rows: readonly SalesRow[],
): Promise<string> {
  const isNew = text === "";
  const added = await renderRecords("csv", columns, rows, { header: isNew });
  const lineEnd = isNew || text.includes("\r\n") ? "\r\n" : "\n";
  const before = isNew || text.endsWith("\n") ? text : `${text}${lineEnd}`;
  return `${before}${added.replaceAll("\r\n", lineEnd)}`;
}
