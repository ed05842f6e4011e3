/**
 * `summary --append` asks for the rows that a file lacks and adds them; with `--update` it also changes those that
 * were restated. The file is whole at every moment: as it was, or with all rows.
 */
import path from "node:path";

import { readText, statIfThere } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import { fileErrorReason } from "../../shared/whole-file.js";
import { dateOrdinal } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addMetrics } from "../merge/sums.js";
import type { Plan } from "../plan/plans.js";
import type { SalesRequest } from "../plan/request.js";
import { resolveZone } from "../period/calendar.js";
import { resolvePeriod } from "../period/resolve.js";
import {
  assertSameDays,
  daysToAsk,
  fileChanges,
  readSalesFile,
  withRows,
  type FileChanges,
  type SalesFile,
  type SalesRow,
} from "../present/sales-file.js";
import { answeringStores, type Aged, type MissingStore, type StoreFigures } from "../results.js";
import type { Output } from "../../terminal/index.js";
import type { OptionDescription } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";
import { askStores } from "../ask/ask-stores.js";
import type { SalesOptions } from "../ask/options.js";
import { manyNames } from "../ask/say-of-stores.js";
import type { OpenStore } from "../ask/stores.js";
import { writeError, writeFigures } from "./figures-file.js";

export const appendOptions: readonly OptionDescription[] = [
  {
    flags: "--append <file>",
    description: "add one CSV row for each store and day to a file, unless it is there",
  },
  { flags: "--update", description: "with --append: bring rows that are there up to date, too" },
];

export interface AppendTarget {
  /** The file's name stays as it was typed. */
  readonly file: string;
  readonly update: boolean;
}

export const appendHelp =
  "--append adds to a CSV file what it lacks, one row for each store and day, and can be repeated: a day that is there is not added again, and the days between a store's last row and the period are filled. A day without orders is a row of zeros. A row that is there is changed with --update alone, where a later answer says something else of its day. The columns day_starts and time_zone say how its days are counted: those of a store are all counted alike, and others are refused. The file is replaced whole, or stays as it was.";

export interface Appended {
  readonly kind: "appended";
  readonly changes: FileChanges;
  readonly stores: readonly (MissingStore | { readonly kind: "figures" })[];
}

/** The file has no column that would tell of these options. */
const conflictingOptions = "--filter --net --date-field --compare --alert --baseline".split(" ");

/** @throws {ComandaError} `usage` for what can't go into such a file */
export function parseAppend(line: CommandLine): AppendTarget | undefined {
  const [file, update] = [line.text("--append"), line.flag("--update")];
  if (file === undefined && !update) return undefined;
  if (file === undefined || file === "" || file === "-") {
    throw new ComandaError("usage", t`--append takes the name of a file.`, {
      hint: t`For example: --append sales.csv`,
    });
  }
  const isSet = (option: string) =>
    line.flag(option) || line.text(option) !== undefined || line.list(option).length > 0;
  const { format, dryRun } = line.globals;
  const flag =
    conflictingOptions.find(isSet) ??
    (format === "table" ? undefined : `--format ${format}`) ??
    (dryRun ? "--dry-run" : undefined);
  if (flag === undefined) return { file, update };
  throw new ComandaError("usage", t`${flag} doesn't go with --append.`, {
    hint: t`The file's columns are always the same: leave out one of the two.`,
  });
}

/** These days of a store are asked for, and counted by this rule. */
interface MissingDays {
  readonly days: readonly string[];
  readonly rule: Pick<SalesRow, "time_zone" | "day_starts">;
}

/**
 * @throws {ComandaError} `invalid_input` for a file or a period that can't be used; where one store was asked for,
 * its failure
 */
export async function appendSales(
  machine: Machine,
  { file, update }: AppendTarget,
  options: SalesOptions,
): Promise<Appended> {
  const salesFile = await readFile(machine, file);
  const missingDays = new Map<string, MissingDays>();
  const requestOf = (store: OpenStore): SalesRequest | undefined => {
    const missing = findMissingDays(machine, options, { store, file: salesFile, update });
    missingDays.set(store.name, missing);
    const [from, to] = [missing.days[0], missing.days.at(-1)];
    return from === undefined ? undefined : { ...options.request, period: { from, to } };
  };
  const { stores } = await askStores(machine, "summary", { ...options, requestOf }, daysPlan);
  const rows = answeringStores({ stores }).flatMap((store) => {
    const missing = missingDays.get(store.store);
    return missing ? rowsOf(store, missing) : [];
  });
  const changes =
    rows.length === 0 ? { added: [], updated: [] } : await writeRows(machine, { file, update }, rows);
  const complete = [...missingDays.values()].filter(({ days }) => days.length === 0);
  return {
    kind: "appended",
    changes,
    stores: [...stores, ...complete.map(() => ({ kind: "figures" }) as const)],
  };
}

export function presentAppended(
  { changes: { added, updated } }: Appended,
  { file }: AppendTarget,
  output: Output,
): void {
  const rows = added.length;
  if (rows === 0 && updated.length === 0) output.heading(t`${file} has it all already.`);
  if (rows > 0)
    output.heading(
      plural(rows, { one: t`1 row was added to ${file}.`, other: t`${rows} rows were added to ${file}.` }),
    );
  // This is said under cron, too: somebody may have relied on the old figures.
  if (updated.length > 0)
    output.notice(
      t`Brought up to date in ${file}: ${manyNames(updated.map(({ store, from }) => `${store} ${from}`))}.`,
    );
}

/** @throws {ComandaError} `invalid_input` for days that can't go into the file, or are too many */
function findMissingDays(
  { context }: Machine,
  { request }: SalesOptions,
  { store, file, update }: { readonly store: OpenStore; readonly file: SalesFile; readonly update: boolean },
): MissingDays {
  const { zone, dayStarts } = store.preferences;
  const rule = { time_zone: resolveZone(zone), day_starts: dayStarts ?? "00:00" };
  assertSameDays(file, { store: store.name, ...rule });
  const { kind, from, to } = resolvePeriod(request.period, { now: context.clock.now(), zone, dayStarts });
  if (kind !== "days") {
    throw new ComandaError("invalid_input", t`--append takes whole days that are over.`, {
      hint: t`Give --period yesterday or last-week, say.`,
    });
  }
  return { days: daysToAsk(file, store.name, { period: [from.date, to.date], update }), rule };
}

const daysPlan: Plan<Aged<GroupList>> = {
  questions: ({ current }) => [{ period: current, dimension: "day" }],
  async fetch(calls, { current }, signal) {
    const { figures, age } = await calls.grouped({ period: current, dimension: "day" }, signal);
    const { from, to } = current;
    const [first, last] = [ordinalOf(from.date), ordinalOf(to.date)];
    const isInside = ({ ordinal = NaN }) => ordinal >= first && ordinal <= last;
    const outside = figures.placed.find((placed) => !isInside(placed));
    if (!outside) return { figures, age };
    throw new ComandaError(
      "unexpected_answer",
      t`The service gave figures of ${String(outside.group.key)} for ${from.date} to ${to.date}: nothing was added.`,
      { hint: t`It may count days in another time zone. Give the store's own: --tz <zone>` },
    );
  },
  age: ({ age }) => age,
  // Each row is of one store, so nothing shows their sum.
  add: ([first]) => first,
};

function ordinalOf(day: string): number {
  return dateOrdinal(day, "day") ?? NaN;
}

function rowsOf(
  { store, display, figures }: StoreFigures<Aged<GroupList>>,
  { days, rule }: MissingDays,
): readonly SalesRow[] {
  return days.map((day) => {
    const groups = figures.figures.placed.filter(({ ordinal }) => ordinal === ordinalOf(day));
    const sum = addMetrics(groups.map(({ group }) => group));
    return {
      ...{ store, from: day, to: day, ...rule, currency: display.currency ?? "" },
      total_order_count: String(sum.total_order_count),
      total_revenue: sum.total_revenue.toFixed(2),
      average_order_value: sum.average_order_value.toFixed(2),
      asked_at: new Date(figures.age.askedAt).toISOString(),
    };
  });
}

/**
 * Writes the rows. One run at a time does so on this machine, whatever name each has for the file, and reads first
 * what another has written meanwhile.
 *
 * @returns the rows that were written
 */
async function writeRows(
  machine: Machine,
  { file, update }: AppendTarget,
  rows: readonly SalesRow[],
): Promise<FileChanges> {
  const { withLease } = await machine.state();
  return withLease("sales-file", async (lease) => {
    const salesFile = await readFile(machine, file);
    const changes = fileChanges(salesFile, rows, { update });
    if (changes.added.length === 0 && changes.updated.length === 0) return changes;
    const text = await withRows(salesFile, changes);
    lease.assertHeld();
    writeFigures(machine.context, file, text);
    return changes;
  });
}

/** @throws {ComandaError} `invalid_input` where it is no file, or none of this kind */
async function readFile({ context: { system } }: Machine, file: string): Promise<SalesFile> {
  const { disk } = system;
  const absolutePath = path.resolve(file);
  const stats = statIfThere(disk, absolutePath);
  if (stats && !stats.isFile()) {
    throw new ComandaError("invalid_input", t`${file} is a folder, a device or a pipe.`, {
      hint: t`--append takes the name of a file.`,
    });
  }
  let text: string;
  try {
    disk.accessFolder(path.dirname(absolutePath));
    text = stats ? readText(disk, absolutePath) : "";
  } catch (error) {
    throw writeError(file, fileErrorReason(error));
  }
  return readSalesFile(file, text);
}
