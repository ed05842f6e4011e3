/** `summary` and `grouped` share their options, asking with a baseline and alerts, `--dry-run`, and the printing. */
import type { Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Output } from "../../terminal/index.js";
import { underHeading, type OptionDescription } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";
import { parseAlert, parseBaseline, type Alert, type AlertRule } from "../compare/alert-rules.js";
import type { GroupList } from "../merge/groups.js";
import type { Metrics } from "../merge/sums.js";
import { withAlertBasis } from "../plan/alert-basis.js";
import type { Plan } from "../plan/plans.js";
import { alertText, unjudgedText } from "../present/alerts.js";
import {
  answeringStores,
  mapFigures,
  type Compared,
  type PeriodFigures,
  type SalesResult,
} from "../results.js";
import { askStores } from "../ask/ask-stores.js";
import { planCalls, presentPlan, type CallPlan } from "../ask/call-plan.js";
import { parseSalesOptions, periodHelp, salesOptions, type SalesOptions } from "../ask/options.js";
import { linesOf, missingStores, sayKept } from "../ask/say-of-stores.js";

const alertOptions = underHeading("Alerts:", [
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

const alertHelp =
  "Alerts: --alert 'revenue<1500' compares orders, revenue or average with an amount by <, <=, > or >=; 'orders<-30%' a change in percent against --compare, or against --baseline weekday-median:8, the median of the same weekday over 8 weeks (one call more; of groups that aren't days, one for each week). When one holds, the figure and the reason are printed and the exit code is 11; else nothing is, so that cron mails alarms alone. With grouped, a group counts as 0 where it has no orders any more: it had some in the period that is compared, is usual on that weekday, or had some in the 4 weeks before (one call more). A store without any order was closed, and too little history is said; neither is an alarm. Where a filter leaves no order, one call more tells whether the store was closed.";

export interface Alerts {
  readonly rules: readonly AlertRule[];
  /** The median of a weekday is taken over this many weeks; absent where figures are compared by `--compare`. */
  readonly weeks: number | undefined;
}

/** @throws {ComandaError} `invalid_input` for a wrong rule, `usage` for options that can't go together */
function parseAlerts(line: CommandLine, { comparison }: SalesOptions["request"]): Alerts {
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

export interface FiguresOptions extends SalesOptions {
  readonly alerts: Alerts;
  readonly dryRun?: boolean;
}

export type FiguresResult<Figures> = SalesResult<Figures> | CallPlan;

export const figuresTakes = ["store", "allStores", "format", "dryRun"] as const;

export function figuresHelp(...lines: readonly string[]): string {
  return [
    ...lines,
    "--dry-run says which calls go out, which answers are kept, and how long it takes, and asks nothing.",
    alertHelp,
    periodHelp,
  ].join("\n\n");
}

export function figuresOptions(...options: readonly OptionDescription[]): readonly OptionDescription[] {
  return [...salesOptions(), ...options, ...alertOptions];
}

/** @throws {ComandaError} as `parseSalesOptions` and `parseAlerts` */
export function parseFigures(line: CommandLine): FiguresOptions {
  const sales = parseSalesOptions(line);
  return { ...sales, alerts: parseAlerts(line, sales.request), dryRun: line.globals.dryRun };
}

interface FiguresQuestion<Figures> {
  readonly plan: Plan<Figures>;
  readonly dimension?: Dimension;
  /** Changes the answers before they are judged and shown. */
  readonly transform?: (figures: Figures) => Figures;
  readonly judge: (figures: Figures) => readonly Alert[];
}

/**
 * Asks all stores, or plans the calls for `--dry-run`.
 *
 * @param label names the command in the progress bar
 * @throws {ComandaError} as `askStores`
 */
export async function askFigures<Figures extends Metrics | GroupList>(
  machine: Machine,
  label: string,
  options: FiguresOptions,
  {
    plan,
    dimension,
    transform = (figures) => figures,
    judge,
  }: FiguresQuestion<Compared<PeriodFigures<Figures>>>,
): Promise<FiguresResult<Compared<PeriodFigures<Figures>>>> {
  const { alerts, request, dryRun = false } = options;
  const now = machine.context.clock.now();
  const planWithBasis = withAlertBasis(plan, { ...request, ...alerts, dimension, now });
  if (dryRun) return planCalls(machine, options, planWithBasis);
  const result = mapFigures(await askStores(machine, label, options, planWithBasis), transform);
  if (alerts.rules.length === 0) return result;
  const stores = result.stores.map((store) =>
    store.kind === "missing" ? store : { ...store, alerts: judge(store.figures) },
  );
  return { ...result, stores };
}

/** @param present is not called where a plan or an alert is all there is to print */
export async function presentFigures<Figures>(
  sales: FiguresResult<Figures>,
  output: Output,
  { alerts: { rules } }: FiguresOptions,
  present: (result: SalesResult<Figures>) => Promise<void>,
): Promise<void> {
  if (sales.kind === "plan") {
    await presentPlan(sales, output);
    return;
  }
  const isForPeople = output.format === "table" || output.format === "markdown";
  presentAlerts(sales, output, isForPeople);
  if (rules.length > 0 && isForPeople) return;
  sayKept(output, sales);
  await present(sales);
}

/** Prints the rules that hold, for people, each with its figure; stderr gets those that could not be judged. */
function presentAlerts(result: SalesResult<unknown>, output: Output, isForPeople: boolean): void {
  const alerts = answeringStores(result).flatMap((store) =>
    (store.alerts ?? []).map((alert) => ({ alert, store })),
  );
  const unjudged = alerts.flatMap(({ alert, store }) =>
    alert.unjudged ? [{ store: store.store, say: (names: string) => unjudgedText(alert, store, names) }] : [],
  );
  for (const line of linesOf(unjudged)) output.notice(line);
  for (const { alert, store } of alerts)
    if (alert.holds && !alert.unjudged && isForPeople) output.words(alertText(alert, store));
}

/** Ends a command with exit code 10 where a store gave no figures, and with 11 where a rule holds. */
export function failureOf(result: FiguresResult<unknown>): ComandaError | undefined {
  if (result.kind === "plan") return undefined;
  const alerts = answeringStores(result).flatMap(({ alerts: storeAlerts = [] }) => storeAlerts);
  const heldRules = [...new Set(alerts.filter(({ holds }) => holds).map(({ rule }) => rule.text))];
  const missing = missingStores(result);
  if (heldRules.length === 0) return missing;
  return new ComandaError("alert_holds", t`An alert holds: ${heldRules.join(", ")}.`, {
    ...(missing && { hint: missing.message }),
  });
}
