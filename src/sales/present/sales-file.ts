/** `summary --append` adds to this file: CSV with one header, and one row for each store and day. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { parseCsv, renderRecords } from "../../terminal/index.js";
import { daysBetween, isDate, parseDate } from "../period/calendar.js";

const header = [
  // The day is written YYYY-MM-DD; `to` is included.
  ...(["store", "from", "to"] as const),
  // The days of a store are all counted alike.
  ...(["time_zone", "day_starts"] as const),
  ...(["currency", "total_order_count", "total_revenue", "average_order_value", "asked_at"] as const),
] as const;

/** Every cell is a text, as it stands in the file. */
export type SalesRow = Readonly<Record<(typeof header)[number], string>>;

export interface SalesFile {
  /** The file's name stays as it was typed, for messages. */
  readonly name: string;
  /** The text is that on the disk. It is empty where there is no file yet. */
  readonly text: string;
  readonly rows: readonly SalesRow[];
}

/**
 * @param name is for messages
 * @throws {ComandaError} `invalid_input` for anything but what `--append` writes
 */
export async function readSalesFile(name: string, text: string): Promise<SalesFile> {
  if (text === "") return { name, text, rows: [] };
  const [first, ...records] = (await parseCsv(text)) ?? [];
  if (first?.join() !== header.join()) {
    throw new ComandaError("invalid_input", t`${name} doesn't begin with the header that --append writes.`, {
      hint: t`It is left as it is. Give another file, or one that begins with ${header.join()}`,
    });
  }
  const rows = records.map((record, index) => {
    const [store = "", from = "", to = "", time_zone = "", day_starts = "", ...figures] = record;
    const [currency = "", orders = "", revenue = "", average = "", asked_at = ""] = figures;
    if (record.length === header.length && store !== "" && isDate(from) && isDate(to)) {
      const metrics = { total_order_count: orders, total_revenue: revenue, average_order_value: average };
      return { store, from, to, time_zone, day_starts, currency, ...metrics, asked_at };
    }
    throw new ComandaError("invalid_input", t`Row ${index + 1} of ${name} is not one that --append writes.`, {
      hint: t`The file is left as it is. Mend the row or remove it, then try again.`,
    });
  });
  return { name, text, rows };
}

/**
 * Refuses days that start at another time, or in another zone: they would leave out the orders between them, or count
 * them twice.
 *
 * @throws {ComandaError} `invalid_input` where the file has such rows of the store
 */
export function assertSameDays(
  { name, rows }: Pick<SalesFile, "name" | "rows">,
  { store, time_zone: zone, day_starts: starts }: Pick<SalesRow, "store" | "time_zone" | "day_starts">,
): void {
  const conflict = rows.find(
    (row) => row.store === store && (row.time_zone !== zone || row.day_starts !== starts),
  );
  if (conflict === undefined) return;
  throw new ComandaError(
    "invalid_input",
    t`The days of ${store} in ${name} start at ${conflict.day_starts} in ${conflict.time_zone}, those to be added at ${starts} in ${zone}.`,
    { hint: t`Give --day-starts ${conflict.day_starts} --tz ${conflict.time_zone}, or another file.` },
  );
}

/**
 * Lists the days of a period that a store has no row for; with `update`, those too that it has. They begin after its
 * last row, where this lies before the period.
 *
 * @param period is its first day and its last one, YYYY-MM-DD
 */
export function daysToAsk(
  { rows }: Pick<SalesFile, "rows">,
  store: string,
  { period: [first, last], update }: { readonly period: readonly [string, string]; readonly update: boolean },
): readonly string[] {
  const days = new Set(rows.flatMap((row) => (row.store === store && row.from === row.to ? [row.to] : [])));
  const latest = [...days].toSorted().at(-1);
  const begin =
    latest !== undefined && latest < first ? parseDate(latest).add({ days: 1 }) : parseDate(first);
  const count = daysBetween(begin, parseDate(last)) + 1;
  return Array.from({ length: count }, (_, index) => begin.add({ days: index }).toString()).filter(
    (day) => update || !days.has(day),
  );
}

export interface FileChanges {
  /** The file doesn't have the store and days of these rows. */
  readonly added: readonly SalesRow[];
  /** These rows differ from the file's, and were asked for later. */
  readonly updated: readonly SalesRow[];
}

/** @throws {ComandaError} as {@link assertSameDays} */
export function fileChanges(
  file: Pick<SalesFile, "name" | "rows">,
  rows: readonly SalesRow[],
  { update }: { readonly update: boolean },
): FileChanges {
  const rowsInFile = new Map(file.rows.map((row) => [keyOf(row), row]));
  for (const row of rows) assertSameDays(file, row);
  return {
    added: rows.filter((row) => !rowsInFile.has(keyOf(row))),
    updated: rows.filter((row) => {
      const inFile = rowsInFile.get(keyOf(row));
      return update && inFile !== undefined && isRestated(inFile, row);
    }),
  };
}

/** The run that asked last has the last word, whichever writes last. */
function isRestated(inFile: SalesRow, row: SalesRow): boolean {
  const isSame = (["total_order_count", "total_revenue", "average_order_value"] as const).every(
    (name) => Number(inFile[name]) === Number(row[name]),
  );
  return !isSame && !(Date.parse(inFile.asked_at) > Date.parse(row.asked_at));
}

function keyOf({ store, from, to }: SalesRow): string {
  return JSON.stringify([store, from, to]);
}

/** Makes the whole file with new rows at its end, and restated ones where they stood; its line ends are kept. */
export async function withRows(
  { text, rows }: Pick<SalesFile, "text" | "rows">,
  { added, updated }: FileChanges,
): Promise<string> {
  const updates = new Map(updated.map((row) => [keyOf(row), row]));
  const columns = header.map((name) => ({ heading: name, cell: (row: SalesRow) => row[name] || null }));
  const all = [...rows.map((row) => updates.get(keyOf(row)) ?? row), ...added];
  const csv = await renderRecords("csv", columns, all);
  const byteOrderMark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return byteOrderMark + (text === "" || text.includes("\r\n") ? csv : csv.replaceAll("\r\n", "\n"));
}
