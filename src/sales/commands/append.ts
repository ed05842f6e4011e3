/**
 * `summary --append` asks for the rows that a file lacks and adds them; with `--update` it also changes those that
 * were restated.
 */
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import { dateOrdinal } from "../merge/calendar-forms.js";
import type { PlacedGroup } from "../merge/group-identity.js";
import { addMetrics, type Metrics } from "../merge/sums.js";
import type { Plan } from "../plan/plans.js";
import { requestedPeriods, type SalesRequest } from "../plan/request.js";
import type { Period } from "../period/period.js";
import { resolveZone } from "../period/calendar.js";
import {
  assertSameDays,
  daysToAsk,
  type FileChanges,
  type RowDays,
  type SalesFile,
  type SalesRow,
} from "../present/sales-file.js";
import { answeringStores, type Age, type MissingStore, type StoreFigures } from "../results.js";
import type { Output } from "../../terminal/index.js";
import type { OptionDescription } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";

import { readFile, writeRows } from "./append-file.js";
import { askStores } from "../ask/ask-stores.js";
import type { SalesOptions } from "../ask/options.js";
import { manyNames } from "../ask/say-of-stores.js";
import type { OpenStore } from "../ask/stores.js";

export const appendOption: OptionDescription = {
  flags: "--append <file>",
  description: "add one CSV row for each store and day to a file, unless it is there",
};

export const updateOption: OptionDescription = {
  flags: "--update",
  description: "with --append: bring rows that are there up to date, too",
};

export interface AppendTarget {
  /** The file's name stays as it was typed. */
  readonly file: string;
  readonly update: boolean;
}

export const appendHelp =
  "--append adds to a CSV file what it lacks, one row for each store and day, and can be repeated: a day that is there is not added again, and the days between a store's last row and the period are filled, up to 400. A day without orders is a row of zeros. A row that is there is changed with --update alone, where a later answer says something else of its day. The columns day_starts and time_zone say how its days are counted: those of a store are all counted alike, and others are refused. The file is replaced whole, or stays as it was.";

export interface Appended {
  readonly kind: "appended";
  readonly changes: FileChanges;
  readonly stores: readonly (MissingStore | { readonly kind: "figures" })[];
}

const maxDays = 400;

/** The file has no column that would tell of these options. */
const conflictingOptions = [
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

/**
 * @throws {ComandaError} `invalid_input` for a file or a period that can't be used; where one store was asked for,
 * its failure
 */
export async function appendSales(
  machine: Machine,
  { file, update }: AppendTarget,
  options: SalesOptions,
): Promise<Appended> {
  const salesFile = await readFile(machine.context.system, file);
  const missingDays = new Map<string, MissingDays>();
  const requestOf = (store: OpenStore): SalesRequest | undefined => {
    const missing = findMissingDays(machine, options, { store, file: salesFile, update });
    missingDays.set(store.name, missing);
    const [from, to] = [missing.days[0], missing.days.at(-1)];
    const period = { period: undefined, from, to };
    return from === undefined ? undefined : { ...options.request, period };
  };
  const { stores } = await askStores(machine, "summary", { ...options, requestOf }, daysPlan);
  const rows = answeringStores({ stores }).flatMap((store) => {
    const { days, rule } = missingDays.get(store.store) ?? { days: [] };
    return rule ? days.map((day) => rowOf(store, { day, rule })) : [];
  });
  const changes =
    rows.length === 0 ? { added: [], updated: [] } : await writeRows(machine, file, rows, { update });
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
  if (rows > 0 || updated.length === 0)
    output.heading(
      rows === 0
        ? t`${file} has it all already.`
        : plural(rows, {
            one: t`1 row was added to ${file}.`,
            other: t`${rows} rows were added to ${file}.`,
          }),
    );
  // This is said under cron, too: somebody may have relied on the old figures.
  if (updated.length > 0)
    output.notice(
      t`Brought up to date in ${file}: ${manyNames(updated.map(({ store, from }) => `${store} ${from}`))}.`,
    );
}

/** These days of a store are asked for, and counted by this rule. */
interface MissingDays {
  readonly days: readonly string[];
  readonly rule: DayRule;
}

type DayRule = Pick<RowDays, "time_zone" | "day_starts">;

/** @throws {ComandaError} `invalid_input` for days that can't go into the file, or are too many */
function findMissingDays(
  machine: Machine,
  options: SalesOptions,
  { store, file, update }: { readonly store: OpenStore; readonly file: SalesFile; readonly update: boolean },
): MissingDays {
  const { zone, dayStarts = "00:00" } = store.preferences;
  const rule: DayRule = { time_zone: resolveZone(zone), day_starts: dayStarts };
  assertSameDays(file, { store: store.name, ...rule });
  const period = daysOfPeriod(machine, options, store);
  const days = daysToAsk(file, store.name, { period, update });
  if (days.length <= maxDays) return { days, rule };
  throw new ComandaError(
    "invalid_input",
    update
      ? t`These are ${days.length} days of ${store.name}; at most ${maxDays} are asked at once.`
      : t`The file lacks ${days.length} days of ${store.name}; at most ${maxDays} are added at once.`,
    { hint: t`Begin with an earlier end: --from ${days[0] ?? ""} --to ${days[maxDays - 1] ?? ""}` },
  );
}

/** @returns its first day and its last */
function daysOfPeriod({ context, output }: Machine, { request }: SalesOptions, { preferences }: OpenStore) {
  const { current } = requestedPeriods(request, {
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

interface Days {
  readonly byDay: (day: string) => Metrics;
  readonly age: Age;
}

/** Asks for one day as `summary` does, and for several in one question by day. */
const daysPlan: Plan<Days> = {
  questions: ({ current }) => [{ span: current, dimension: isOneDay(current.period) ? undefined : "day" }],
  async fetch(calls, { current }, signal) {
    const { from, to } = current.period;
    if (isOneDay(current.period)) {
      const { figures, age } = await calls.summary(current, signal);
      return { byDay: () => figures, age };
    }
    const { figures, age } = await calls.grouped(current, "day", signal);
    return { byDay: metricsByDay(figures.placed, [from.date, to.date]), age };
  },
  age: ({ age }) => age,
  // Each row is of one store, so nothing shows their sum.
  add: ([first]) => first,
};

function isOneDay({ from, to }: Period): boolean {
  return from.date === to.date;
}

/**
 * Makes a function that finds the figures of a day.
 *
 * @throws {ComandaError} `unexpected_answer` where it isn't certain which day a group is of
 */
function metricsByDay(
  groups: readonly PlacedGroup[],
  [first, last]: readonly [first: string, last: string],
): (day: string) => Metrics {
  const ordinal = (day: string) => dateOrdinal(day, "day") ?? NaN;
  const isInside = (placed: PlacedGroup) =>
    placed.ordinal !== undefined && placed.ordinal >= ordinal(first) && placed.ordinal <= ordinal(last);
  const groupOutside = groups.find((placed) => !isInside(placed));
  if (groupOutside) {
    throw new ComandaError(
      "unexpected_answer",
      t`The service gave figures of ${String(groupOutside.group.key)} for ${first} to ${last}: nothing was added.`,
      { hint: t`It may count days in another time zone. Give the store's own: --tz <zone>` },
    );
  }
  return (day) =>
    addMetrics(groups.flatMap((placed) => (placed.ordinal === ordinal(day) ? [placed.group] : [])));
}

function rowOf(
  { store, display, figures: { byDay, age } }: StoreFigures<Days>,
  { day, rule }: { readonly day: string; readonly rule: DayRule },
): SalesRow {
  const { total_order_count, total_revenue, average_order_value } = byDay(day);
  return {
    ...{ store, from: day, to: day },
    ...rule,
    currency: display.currency,
    ...{ total_order_count, total_revenue, average_order_value },
    asked_at: new Date(age.askedAt).toISOString(),
  };
}
