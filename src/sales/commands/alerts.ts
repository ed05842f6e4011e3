/** `--alert` and `--baseline`: their options, and how a command ends when a rule holds. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { parseAlert, parseBaseline, type Alert, type AlertRule } from "../compare/alert-rules.js";
import { alertText, unjudgedText } from "../present/alerts.js";
import { answered, type SalesResult } from "../results.js";
import type { Output } from "../../terminal/index.js";
import { underHeading } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";

import { linesOf, missingStores } from "../ask/say-of-stores.js";
import type { SalesOptions } from "../ask/options.js";

export const alertOptions = underHeading("Alerts:", [
  {
    flags: "--alert <rule>",
    description: "exit code 11 when it holds, else quiet: 'revenue<1500', 'orders<-30%' (repeatable)",
    repeatable: true,
  },
  {
    flags: "--baseline <baseline>",
    description: "what a change in percent is against, instead of --compare: weekday-median:8",
  },
]);

export const alertHelp =
  "Alerts: --alert 'revenue<1500' compares orders, revenue or average with an amount by <, <=, > or >=; 'orders<-30%' a change in percent against --compare, or against --baseline weekday-median:8, the median of the same weekday over 8 weeks (one call more; of groups that aren't days, one for each week). When one holds, the figure and the reason are printed and the exit code is 11; else nothing is, so that cron mails alarms alone. With grouped, a group counts as 0 where it has no orders any more: it had some in the period that is compared, is usual on that weekday, or had some in the 4 weeks before (one call more). A store without any order was closed, and too little history is said; neither is an alarm. Where a filter leaves no order, one call more tells whether the store was closed.";

export interface Alerts {
  readonly rules: readonly AlertRule[];
  /** Weeks over which the median of a weekday is taken; absent where `--compare` says what figures are set against. */
  readonly weeks: number | undefined;
}

/** @throws {ComandaError} `invalid_input` for a wrong rule, `usage` for what can't go together */
export function parseAlerts(line: CommandLine, { comparison }: SalesOptions["request"]): Alerts {
  const rules = line.list("--alert").map(parseAlert);
  const baseline = line.text("--baseline");
  const weeks = baseline === undefined ? undefined : parseBaseline(baseline);
  if (weeks !== undefined && (rules.length === 0 || comparison !== undefined)) {
    throw new ComandaError("usage", t`--baseline goes with --alert, and not with --compare.`, {
      hint: "Write --alert 'revenue<-30%' --baseline weekday-median:8",
    });
  }
  const change = rules.find(({ limit }) => limit.kind === "percent");
  if (change && weeks === undefined && comparison === undefined) {
    throw new ComandaError(
      "usage",
      t`The alert "${change.text}" is about a change, but nothing is compared.`,
      {
        hint: t`Add --compare previous, or --baseline weekday-median:8`,
      },
    );
  }
  return { rules, weeks };
}

/** The same result with what became of the rules at each store. */
export function withAlerts<Figures>(
  result: SalesResult<Figures>,
  { rules }: Alerts,
  judgeAll: (figures: Figures) => readonly Alert[],
): SalesResult<Figures> {
  if (rules.length === 0) return result;
  const stores = result.stores.map((store) =>
    store.kind === "missing" ? store : { ...store, alerts: judgeAll(store.figures) },
  );
  return { ...result, stores };
}

/**
 * For people: the rules that hold, each with its figure; and, on stderr, what could not be judged.
 *
 * @returns whether that is all there is to print
 */
export function presentAlerts(result: SalesResult<unknown>, { rules }: Alerts, output: Output): boolean {
  if (rules.length === 0) return false;
  const all = answered(result).flatMap((of) => (of.alerts ?? []).map((alert) => ({ alert, of })));
  const unjudged = all.flatMap(({ alert, of }) =>
    alert.unjudged ? [{ store: of.store, say: (names: string) => unjudgedText(alert, of, names) }] : [],
  );
  for (const line of linesOf(unjudged)) output.notice(line);
  for (const { alert, of } of all)
    if (alert.holds && !alert.unjudged && isForPeople(output)) output.words(alertText(alert, of));
  return isForPeople(output);
}

function isForPeople({ format }: Output): boolean {
  return format === "table" || format === "markdown";
}

/** What ends a command with exit code 10 where a store gave no figures, and with 11 where a rule holds. */
export function missingOrAlert(result: SalesResult<unknown>): ComandaError | undefined {
  const alerts = answered(result).flatMap(({ alerts: storeAlerts = [] }) => storeAlerts);
  const held = [...new Set(alerts.filter(({ holds }) => holds).map(({ rule }) => rule.text))];
  const missing = missingStores(result);
  if (held.length === 0) return missing;
  return new ComandaError("alert_holds", t`An alert holds: ${held.join(", ")}.`, {
    ...(missing && { hint: missing.message }),
  });
}
