/** What `summary` and `grouped` share: options, asking with a baseline and alerts, `--dry-run`, and what is printed. */
import type { Alert } from "../compare/alert-rules.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupList } from "../merge/groups.js";
import type { Metrics } from "../merge/sums.js";
import { withAlertBasis } from "../plan/alert-basis.js";
import type { Plan } from "../plan/plans.js";
import type { Compared, PeriodFigures, SalesResult } from "../results.js";
import type { ComandaError } from "../../shared/errors.js";
import type { Output } from "../../terminal/index.js";
import type { OptionDescription } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";

import {
  alertHelp,
  alertOptions,
  missingOrAlert,
  parseAlerts,
  presentAlerts,
  withAlerts,
  type Alerts,
} from "./alerts.js";
import { askStores } from "../ask/ask-stores.js";
import { planCalls, presentPlan, type CallPlan } from "../ask/call-plan.js";
import { sayKept } from "../ask/say-of-stores.js";
import {
  csvOptions,
  parseSalesOptions,
  periodHelp,
  salesOptions,
  type SalesOptions,
} from "../ask/options.js";

export interface FiguresOptions extends SalesOptions {
  readonly alerts: Alerts;
  /** Is nothing asked, and only said what would be? */
  readonly dryRun?: boolean;
}

export type Found<Figures> = SalesResult<Figures> | ({ readonly kind: "plan" } & CallPlan);

export const figuresTakes = ["store", "allStores", "format", "workbook", "dryRun"] as const;

/** @param lines the paragraphs of the one command */
export function figuresHelp(...lines: readonly string[]): string {
  return [
    ...lines,
    "--dry-run says which calls go out, which answers are kept, and how long it takes, and asks nothing.",
    alertHelp,
    periodHelp,
  ].join("\n\n");
}

/** @param options the options of the one command */
export function figuresOptions(...options: readonly OptionDescription[]): readonly OptionDescription[] {
  return [...salesOptions(), ...options, ...alertOptions, ...csvOptions];
}

/** @throws {ComandaError} as `parseSalesOptions` and `parseAlerts` */
export function parseFigures(line: CommandLine): FiguresOptions {
  const sales = parseSalesOptions(line);
  return { ...sales, alerts: parseAlerts(line, sales.request), dryRun: line.globals.dryRun };
}

export interface Asking<Figures> {
  readonly label: string;
  readonly plan: Plan<Figures>;
  /** What the figures are split by; absent for a summary. */
  readonly dimension?: Dimension;
  readonly judge: (figures: Figures) => readonly Alert[];
  /** What is shown in place of what was answered. */
  readonly shown?: ((result: SalesResult<Figures>) => SalesResult<Figures>) | undefined;
}

/** @throws {ComandaError} as `askStores` */
export async function askFigures<Figures extends Metrics | GroupList>(
  machine: Machine,
  options: FiguresOptions,
  { label, plan, dimension, judge, shown = (result) => result }: Asking<Compared<PeriodFigures<Figures>>>,
): Promise<Found<Compared<PeriodFigures<Figures>>>> {
  const { alerts, request, dryRun = false } = options;
  const now = machine.context.clock.now();
  const whole = withAlertBasis(plan, { ...request, ...alerts, dimension, now });
  if (dryRun) return { kind: "plan", ...(await planCalls(machine, options, whole)) };
  return withAlerts(shown(await askStores(machine, label, options, whole)), alerts, judge);
}

/** @param present not called where a plan or an alert is all there is to print */
export async function presentFound<Figures>(
  sales: Found<Figures>,
  output: Output,
  { alerts }: FiguresOptions,
  present: (result: SalesResult<Figures>) => Promise<void>,
): Promise<void> {
  if (sales.kind === "plan") await presentPlan(sales, output);
  else if (!presentAlerts(sales, alerts, output)) {
    sayKept(output, sales);
    await present(sales);
  }
}

export function failureOf(result: Found<unknown>): ComandaError | undefined {
  return result.kind === "plan" ? undefined : missingOrAlert(result);
}
