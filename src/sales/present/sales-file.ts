/** `summary --append` adds to this file: CSV with one header, and one row for each store and day. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { parseCsv, renderRecords, type Column } from "../../terminal/index.js";
import type { Metrics } from "../merge/sums.js";
import { daysBetween, isDate, parseDate } from "../period/calendar.js";

export interface SalesRow extends Metrics {
  readonly store: string;
  /** The day is written YYYY-MM-DD. */
  readonly from: string;
  /** The day is written YYYY-MM-DD, and is included. */
  readonly to: string;
  readonly time_zone: string;
  /** The time is HH:MM; 00:00 for days from midnight. */
  readonly day_starts: string;
  /** The code is one of ISO 4217; `undefined` where nobody said it. */
  readonly currency: string | undefined;
  /** The time is written in ISO 8601. */
  readonly asked_at: string;
}

/** These fields tell a row from the others, and say how its days are counted. */
export type RowDays = Pick<SalesRow, "store" | "from" | "to" | "time_zone" | "day_starts">;

export interface SalesFile {
  /** The file's name stays as it was typed, for messages. */
  readonly name: string;
  /** The text is that on the disk. It is empty where there is no file yet. */
  readonly text: string;
  readonly rows: readonly FileRow[];
}

export interface FileRow extends RowDays {
  /** Orders, revenue, average, currency, and the time when they were asked for stay as they stand in the file. */
  readonly figures: readonly string[];
}

const columns: readonly Column<SalesRow>[] = [
  { heading: "store", cell: ({ store }) => store },
  { heading: "from", cell: ({ from }) => from },
  { heading: "to", cell: ({ to }) => to },
  { heading: "time_zone", cell: ({ time_zone }) => time_zone },
  { heading: "day_starts", cell: ({ day_starts }) => day_starts },
  { heading: "currency", cell: ({ currency }) => currency ?? null },
  { heading: "total_order_count", cell: (row) => row.total_order_count },
  { heading: "total_revenue", type: "money", cell: (row) => row.total_revenue },
  { heading: "average_order_value", type: "money", cell: (row) => row.average_order_value },
  { heading: "asked_at", cell: (row) => row.asked_at },
];
const header = columns.map(({ heading }) => heading);

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
  return { name, text, rows: records.map((record, index) => daysOf(name, record, index + 1)) };
}

/** @param place counts rows from 1 */
function daysOf(name: string, record: readonly string[], place: number): FileRow {
  const [store = "", from = "", to = "", time_zone = "", day_starts = "", ...figures] = record;
  const isOneLine = !record.some((cell) => /[\r\n]/.test(cell));
  if (record.length === header.length && isOneLine && store !== "" && isDate(from) && isDate(to)) {
    return { store, from, to, time_zone, day_starts, figures };
  }
  throw new ComandaError("invalid_input", t`Row ${place} of ${name} is not one that --append writes.`, {
    hint: t`The file is left as it is. Mend the row or remove it, then try again.`,
  });
}

/**
 * Refuses days that start at another time, or in another zone: they would leave out the orders between them, or count
 * them twice.
 *
 * @throws {ComandaError} `invalid_input` where the file has such rows of the store
 */
export function assertSameDays(
  { name, rows }: Pick<SalesFile, "name" | "rows">,
  days: Pick<RowDays, "store" | "time_zone" | "day_starts">,
): void {
  const { store, time_zone: zone, day_starts: starts } = days;
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
export function fileChanges(file: Pick<SalesFile, "name" | "rows">, rows: readonly SalesRow[]): FileChanges {
  const rowsInFile = new Map(file.rows.map((row) => [textOfKey(row), row]));
  for (const row of rows) assertSameDays(file, row);
  return {
    added: rows.filter((row) => !rowsInFile.has(textOfKey(row))),
    updated: rows.filter((row) => {
      const inFile = rowsInFile.get(textOfKey(row));
      return inFile !== undefined && isRestated(inFile, row);
    }),
  };
}

/** The run that asked last has the last word, whichever writes last. */
function isRestated({ figures }: FileRow, row: SalesRow): boolean {
  const [, orders, revenue, average, askedAt = ""] = figures;
  const isSame =
    Number(orders) === row.total_order_count &&
    Number(revenue) === row.total_revenue &&
    Number(average) === row.average_order_value;
  return !isSame && !(Date.parse(askedAt) > Date.parse(row.asked_at));
}

function textOfKey({ store, from, to }: Pick<SalesRow, "store" | "from" | "to">): string {
  return [store, from, to].join("\n");
}

/**
 * Makes the whole file with new rows at its end, and restated ones where they stood; line ends and all other rows are
 * kept.
 */
export async function withRows(
  { text, rows }: Pick<SalesFile, "text" | "rows">,
  { added, updated }: FileChanges,
): Promise<string> {
  const isNew = text === "";
  const lineEnd = isNew || text.includes("\r\n") ? "\r\n" : "\n";
  const renderRows = async (newRows: readonly SalesRow[], header: boolean) =>
    (await renderRecords("csv", columns, newRows, { header })).replaceAll("\r\n", lineEnd);
  const before = isNew || text.endsWith("\n") ? text : `${text}${lineEnd}`;
  const lines = before.split(/(?<=\n)/);
  const places = new Map(rows.map((row, index) => [textOfKey(row), index + 1]));
  for (const row of updated) lines[places.get(textOfKey(row)) ?? 0] = await renderRows([row], false);
  return `${lines.join("")}${await renderRows(added, isNew)}`;
}
