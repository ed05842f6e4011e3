/** `summary --append`: the rows that a file lacks, asked for and added once; with `--update` those that were restated, too. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import { dateOrdinal, type PlacedGroup } from "../merge/group-identity.js";
import { addMetrics, type Metrics } from "../merge/sums.js";
import { groupedPlan, summaryPlan } from "../plan/plans.js";
import { askedPeriods } from "../plan/request.js";
import { resolveZone } from "../period/calendar.js";
import {
  assertSameDays,
  missingDays,
  presentDays,
  type FileChanges,
  type RowDays,
  type SalesFile,
  type SalesRow,
} from "../present/sales-file.js";
import { answered, orMissing, type MissingStore, type StoreFigures } from "../results.js";
import type { Output } from "../../terminal/index.js";
import type { OptionDescription } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";

import { readFile, writeRows } from "./append-file.js";
import { askStores } from "../ask/ask-stores.js";
import type { SalesOptions } from "../ask/options.js";
import type { OpenStore } from "../ask/stores.js";

export const appendOption: OptionDescription = {
  flags: "--append <file>",
  description: "add one CSV row for each store and day to a file, unless it is there",
};

export const updateOption: OptionDescription = {
  flags: "--update",
  description: "with --append: bring rows that are there up to date, too",
};

/** Where the figures go, and how. */
export interface AppendTarget {
  /** The file's name as it was typed. */
  readonly file: string;
  /** Are rows that are there brought up to date? */
  readonly update: boolean;
}

export const appendHelp =
  "--append adds to a CSV file what it lacks, one row for each store and day, and can be repeated: a day that is there is not added again, and the days between a store's last row and the period are filled, up to 400. A day without orders is a row of zeros. A row that is there is changed with --update alone, where a later answer says something else of its day. The columns day_starts and time_zone say how its days are counted: those of a store are all counted alike, and others are refused. The file is replaced whole, or stays as it was.";

/** What became of the file. */
export interface Appended {
  readonly kind: "appended";
  readonly changes: FileChanges;
  readonly stores: readonly (MissingStore | StoreRows)[];
}

interface StoreRows {
  readonly kind: "figures";
  readonly rows: readonly SalesRow[];
}

/** The most days that are filled at once. */
const mostDays = 400;

/** The file has no column that tells of these. */
const others = [
  ...["--filter", "--net", "--date-field", "--compare", "--alert", "--baseline", "--canceled"],
  ...["--excel", "--details", "--no-header"],
];

/** @throws {ComandaError} `usage` for what can't go into such a file */
export function parseAppend(line: CommandLine): AppendTarget | undefined {
  const [file, update] = [line.text("--append"), line.flag("--update")];
  if (file === undefined) {
    if (!update) return undefined;
    throw new ComandaError("usage", t`--update goes with --append.`, {
      hint: t`For example: --append sales.csv --update`,
    });
  }
  if (file === "" || file === "-") {
    throw new ComandaError("usage", t`--append takes the name of a file.`, {
      hint: t`For example: --append sales.csv`,
    });
  }
  const isGiven = (option: string) =>
    line.flag(option) || line.text(option) !== undefined || line.list(option).length > 0;
  const { format, dryRun } = line.globals;
  const flag =
    others.find(isGiven) ??
    (format === "table" ? undefined : `--format ${format}`) ??
    (dryRun ? "--dry-run" : undefined);
  if (flag === undefined) return { file, update };
  throw new ComandaError("usage", t`${flag} doesn't go with --append.`, {
    hint: t`The file's columns are always the same: leave out one of the two.`,
  });
}

/** @throws {ComandaError} `invalid_input` for a file or a period that can't be used; where one store was asked for, its trouble */
export async function appendSales(
  machine: Machine,
  { file, update }: AppendTarget,
  options: SalesOptions,
): Promise<Appended> {
  const { context } = machine;
  const salesFile = await readFile(context.system, file);
  const { openStores } = await import("../ask/stores.js");
  const opened = await openStores(machine, { ...options, isAnnounced: () => true });
  await opened.close();
  const stores: (MissingStore | StoreRows)[] = [];
  for (const store of opened.stores) {
    if (store.kind === "missing") {
      stores.push(store);
      continue;
    }
    const known = { store, known: salesFile, update };
    const named = { ...options, stores: [store.name], allStores: false };
    stores.push(
      opened.areSeveral
        ? await orMissing(store.name, context.signal, () => rowsOf(machine, named, known))
        : await rowsOf(machine, options, known),
    );
  }
  const rows = stores.flatMap((store) => (store.kind === "figures" ? store.rows : []));
  const changes =
    rows.length === 0 ? { added: [], updated: [] } : await writeRows(machine, file, rows, { update });
  return { kind: "appended", changes, stores };
}

export function presentAppended(
  { changes: { added, updated } }: Appended,
  { file }: AppendTarget,
  output: Output,
): void {
  const rows = added.length;
  if (rows > 0 || updated.length === 0)
    output.heading(
      rows === 0
        ? t`${file} has it all already.`
        : plural(rows, {
            one: t`1 row was added to ${file}.`,
            other: t`${rows} rows were added to ${file}.`,
          }),
    );
  // Under cron, too: somebody may have gone by these.
  if (updated.length > 0)
    output.notice(
      t`Brought up to date in ${file}: ${updated.map(({ store, from }) => `${store} ${from}`).join(", ")}.`,
    );
}

interface Lack {
  readonly store: OpenStore;
  readonly known: SalesFile;
  readonly update: boolean;
}

async function rowsOf(
  machine: Machine,
  options: SalesOptions,
  { store, known: file, update }: Lack,
): Promise<StoreRows> {
  const { zone, dayStarts = "00:00" } = store.preferences;
  const rule: DayRule = { time_zone: resolveZone(zone), day_starts: dayStarts };
  assertSameDays(file, { store: store.name, ...rule });
  const period = askedDays(machine, options, store);
  const present = update ? presentDays(file, store.name, period) : [];
  const days = [...missingDays(file, store.name, period), ...present].toSorted();
  if (days.length > mostDays) {
    throw new ComandaError(
      "invalid_input",
      update
        ? t`These are ${days.length} days of ${store.name}; at most ${mostDays} are asked at once.`
        : t`The file lacks ${days.length} days of ${store.name}; at most ${mostDays} are added at once.`,
      { hint: t`Begin with an earlier end: --from ${days[0] ?? ""} --to ${days[mostDays - 1] ?? ""}` },
    );
  }
  return { kind: "figures", rows: days.length === 0 ? [] : await askDays(machine, options, { days, rule }) };
}

/** @returns the first day and the last one of the period */
function askedDays({ context, output }: Machine, { request }: SalesOptions, { preferences }: OpenStore) {
  const { current } = askedPeriods(request, {
    ...preferences,
    now: context.clock.now(),
    onWarning: (message) => {
      output.warnOnce(message);
    },
  });
  const { kind, from, to } = current.period;
  if (kind === "days") return [from.date, to.date] as const;
  throw new ComandaError("invalid_input", t`--append takes whole days that are over.`, {
    hint: t`Give --period yesterday or last-week, say.`,
  });
}

type DayRule = Pick<RowDays, "time_zone" | "day_starts">;

/** One day as `summary` asks for it; several in one question by day. @param days in time's order, at least one */
async function askDays(
  machine: Machine,
  options: SalesOptions,
  { days, rule }: { readonly days: readonly string[]; readonly rule: DayRule },
): Promise<readonly SalesRow[]> {
  const period = { period: undefined, from: days[0], to: days.at(-1), includeToday: false };
  const dayOptions = { ...options, request: { ...options.request, period } };
  if (days.length === 1) {
    const result = await askStores(machine, "summary", dayOptions, summaryPlan(dayOptions.request, "never"));
    return answered(result).flatMap((store) =>
      days.map((day) => rowOf(store, { day, rule }, store.figures.current.figures)),
    );
  }
  const result = await askStores(machine, "summary", dayOptions, groupedPlan("day", dayOptions.request));
  return answered(result).flatMap((store) => {
    const byDay = metricsByDay(store.figures.current.figures.placed, [days[0], days.at(-1)]);
    return days.map((day) => rowOf(store, { day, rule }, byDay(day)));
  });
}

/** @throws {ComandaError} `unexpected_answer` where it isn't certain which day a group is of */
function metricsByDay(
  groups: readonly PlacedGroup[],
  [first = "", last = ""]: readonly (string | undefined)[],
): (day: string) => Metrics {
  const ordinal = (day: string) => dateOrdinal(day, "day") ?? NaN;
  const isInside = (placed: PlacedGroup) =>
    placed.ordinal !== undefined && placed.ordinal >= ordinal(first) && placed.ordinal <= ordinal(last);
  const other = groups.find((placed) => !isInside(placed));
  if (other) {
    throw new ComandaError(
      "unexpected_answer",
      t`The service gave figures of ${String(other.group.key)} for ${first} to ${last}: nothing was added.`,
      { hint: t`It may count days in another time zone. Give the store's own: --tz <zone>` },
    );
  }
  return (day) =>
    addMetrics(groups.flatMap((placed) => (placed.ordinal === ordinal(day) ? [placed.group] : [])));
}

function rowOf(
  { store, display, age }: StoreFigures<unknown>,
  { day, rule }: { readonly day: string; readonly rule: DayRule },
  { total_order_count, total_revenue, average_order_value }: Metrics,
): SalesRow {
  return {
    store,
    from: day,
    to: day,
    ...rule,
    currency: display.currency,
    total_order_count,
    total_revenue,
    average_order_value,
    asked_at: new Date(age.askedAt).toISOString(),
  };
}
