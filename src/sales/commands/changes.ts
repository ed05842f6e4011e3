/** `comanda changes` compares earlier figures of sales with those of now. */
import { ComandaError } from "../../shared/errors.js";
import { openFlags, readText } from "../../shared/disk.js";
import { plural, t, translated } from "../../shared/language.js";
import { fileErrorReason } from "../../shared/whole-file.js";
import type { Output } from "../../terminal/index.js";
import type { Command } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";
import { askChanges, earlierFigures } from "../ask/ask-changes.js";
import { figuresInReport, type ChangedFigures } from "../report/said.js";
import { isMoment } from "../ask/freshness-options.js";
import { parseSalesOptions, periodHelpAlone, salesOptions, type SalesOptions } from "../ask/options.js";
import { missingStores } from "../ask/say-of-stores.js";
import { readReportData, type ReportData } from "../report/data.js";
import { dayNamed } from "../period/names.js";
import { machineZone, parseDate, zonedNow } from "../period/calendar.js";
import { describeMoment } from "../period/period.js";
import { parseFilters } from "../plan/filters.js";
import { changeColumns, changeRows, changesCsv, changesShape } from "../present/changes-table.js";
import { resultShape } from "../present/json.js";
import { createNumberFormat } from "../present/number-format.js";
import { answeringStores, type SalesResult } from "../results.js";

export interface ChangesOptions extends SalesOptions {
  /** The text is a day or a moment, or names the page of a report. */
  readonly since: { readonly kind: "moment" | "file"; readonly text: string };
  readonly isPeriodNamed: boolean;
}

export type ChangesResult = SalesResult<ChangedFigures>;

/** A report has its own values of these options. */
const reportOptions = ["--period", "--from", "--to", "--filter", "--date-field", "--day-starts"] as const;

export const changes: Command<ChangesOptions, ChangesResult> = {
  description: {
    usage: "changes",
    summary: "what was said of sales, and what has changed since",
    description: [
      "Orders are canceled, edited and settled after the day that they belong to. This sets the figures that were known on a day, or that a report's page carries, beside those of now, and lists each day, channel and status whose figures are others: what was said and the changes are what is said now, to the cent.",
      "--since takes a day, as --as-of does: what was known by its end. Without a period it is the month before that day. Or it takes the page of a report, which knows its own stores, period and filters. What was known then comes from the answers that are kept on this machine, and from the page; the service is asked for the figures of now, in three calls (--offline and --max-age take kept ones).",
      "Channels and statuses are listed where they were known then and agree with the days. Ends with 5 where the days weren't known.",
      periodHelpAlone,
    ].join("\n\n"),
    options: [
      {
        flags: "--since <when>",
        description: "the day until which it was said, or a report's page (required)",
      },
      ...salesOptions("the month before --since").filter(
        ({ flags }) =>
          !["--compare", "--max-age", "--fresh", "--as-of"].some((other) => flags.startsWith(other)),
      ),
      {
        flags: "--max-age <duration>",
        description: "of now, take what is kept and younger (default: ask in any case)",
      },
    ],
    takes: ["store", "allStores", "format"],
    examples: [
      "changes --since 2026-11-01",
      "changes --since last-month --period 2026-09 --json",
      "changes --since report-2026-10.html",
      "changes --since report-2026-10.html --format csv",
    ],
  },
  parse(line) {
    const text = line.text("--since");
    if (text === undefined) {
      throw new ComandaError("usage", t`--since is missing: since when, or since which report?`, {
        hint: t`Give a day, comanda changes --since 2026-11-01, or the page of a report.`,
      });
    }
    const kind = isMoment(text) ? "moment" : "file";
    if (kind === "file") refuseBesideReport(line);
    const sales = parseSalesOptions(line);
    const { freshness } = sales;
    return {
      ...sales,
      // A kept answer may be the very one that was known then, so the service is asked.
      freshness:
        freshness.kind === "usual" && freshness.maxAgeMs === undefined ? { kind: "fresh" } : freshness,
      since: { kind, text },
      isPeriodNamed: ["--period", "--from", "--to"].some((flag) => line.text(flag) !== undefined),
    };
  },
  async run(machine, options) {
    const { since } = options;
    if (since.kind === "file") {
      const data = reportIn(machine, since.text);
      return askChanges(machine, optionsOfReport(data, options), data.stores.map(figuresInReport));
    }
    const question = { ...options, request: { ...options.request, period: periodOf(machine, options) } };
    return askChanges(machine, question, await earlierFigures(machine, question, since.text));
  },
  async present(result, output, { request: { dateField } }) {
    if (output.json) {
      output.value(resultShape(result, dateField, changesShape));
      return;
    }
    const rows = changeRows(result);
    if (output.format === "csv") output.text(await changesCsv(result, rows));
    else if (rows.length > 0) await output.records(changeColumns(result), rows);
    sayTotals(result, output);
  },
  failure: missingStores,
};

function refuseBesideReport(line: CommandLine): void {
  const conflict = reportOptions.find((flag) => line.text(flag) !== undefined || line.list(flag).length > 0);
  if (conflict === undefined) return;
  throw new ComandaError("usage", t`${conflict} doesn't go with a report: it has its own.`, {
    hint: t`Leave it out, or give a day: comanda changes --since 2026-11-01`,
  });
}

/** Finds the period: by default the month before the day that is meant. */
function periodOf({ context }: Machine, { since, isPeriodNamed, request, presentation }: ChangesOptions) {
  if (isPeriodNamed) return request.period;
  const now = zonedNow(context.clock.now(), presentation.time_zone ?? machineZone());
  const before = parseDate(dayNamed(since.text, "last", now).slice(0, 10)).subtract({ months: 1 });
  return { period: before.toString().slice(0, 7) };
}

/** @throws {ComandaError} `invalid_input` where it can't be read, or is no page of a whole report */
function reportIn({ context: { system } }: Machine, file: string): ReportData {
  const hint = t`Give a day, 2026-11-01, or the page of a report of comanda's.`;
  let page: string;
  try {
    // A pipe without a writer isn't waited for.
    page = readText(system.disk, file, openFlags.read | openFlags.unwaiting);
  } catch (error) {
    const message = t`${file} can't be read: ${fileErrorReason(error)}.`;
    throw new ComandaError("invalid_input", message, { hint, cause: error });
  }
  const data = readReportData(page);
  if (data) return data;
  throw new ComandaError("invalid_input", t`${file} is no report that carries its figures.`, { hint });
}

function optionsOfReport(
  { stores, date_field: dateField, filters }: ReportData,
  options: ChangesOptions,
): ChangesOptions {
  const [first] = stores;
  const { from, to } = first ?? { from: undefined, to: undefined };
  const zones = new Set(stores.map(({ time_zone: zone }) => zone));
  const isNamed = options.stores.length > 0 || options.allStores;
  return {
    ...options,
    stores: isNamed ? options.stores : stores.map(({ store }) => store),
    request: {
      ...options.request,
      period: { from, to },
      dateField: dateField === "created_at" ? undefined : dateField,
      filters: parseFilters(filters),
    },
    presentation: {
      ...options.presentation,
      // Stores in several zones keep their own.
      ...(zones.size === 1 && { time_zone: options.presentation.time_zone ?? first?.time_zone }),
      day_starts: first?.day_starts ?? "00:00",
    },
  };
}

function sayTotals(result: ChangesResult, output: Output): void {
  for (const { store, figures, display, zone } of answeringStores(result)) {
    const format = createNumberFormat(display);
    const { before, now, saidAt: knownAt, sections } = figures;
    const textOf = ({ total_order_count: orders, total_revenue: revenue }: typeof now) =>
      plural(orders, {
        one: t`1 order, ${format.amount(revenue)}`,
        other: t`${format.count(orders)} orders, ${format.amount(revenue)}`,
      });
    const moment = describeMoment(knownAt, zone);
    const text =
      sections.get("day")?.length === 0
        ? t`Nothing has changed since ${moment}: ${textOf(now)}.`
        : t`As of ${moment}: ${textOf(before)}. Now: ${textOf(now)}.`;
    const line = result.areSeveral ? `${store}: ${text}` : text;
    if (output.format === "table") output.sentence(line);
    else output.notice(line);
    const missingSections = (["sales_channel", "status"] as const).filter(
      (section) => !sections.has(section),
    );
    if (missingSections.length > 0) {
      const names = missingSections.map((section) => translated(section)).join(", ");
      output.notice(
        t`Nothing is listed by ${names}: what was known then isn't split so, or doesn't agree with the days.`,
      );
    }
  }
}
