/** `comanda summary` gives orders, revenue and average of a period. */
import { ComandaError } from "../client/errors.js";
import { plural, t } from "../languages/language.js";
import { alertFailure, judgeAlerts, parseAlert, type Alert, type AlertRule } from "../sales/alert.js";
import { appendSales } from "../sales/append.js";
import { planCalls, presentPlan, type CallPlan } from "../sales/dry-run.js";
import type { SalesResult } from "../sales/figures.js";
import { figuresOptions, parseSalesRequest, type SalesRequest } from "../sales/options.js";
import { renderSales } from "../sales/render/render.js";
import { askStores, missingStores } from "../sales/stores.js";
import type { Command } from "../toolkit/command.js";

export interface SummaryOptions extends SalesRequest {
  readonly rules: readonly AlertRule[];
  /** The file that the figures are added to. */
  readonly append: string | undefined;
}

interface Answered {
  readonly kind: "figures";
  readonly sales: SalesResult;
  readonly alerts: readonly Alert[];
  /** So many lines were added to the file. */
  readonly appended: number | undefined;
}

const questions = [{ by: undefined, isCompared: true }] as const;

export const summary: Command<SummaryOptions, Answered | CallPlan> = {
  description: {
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    options: [
      ...figuresOptions,
      {
        flags: "--alert <rule>",
        description: "exit code 11 when it holds: 'orders<-30%' (repeatable)",
        repeatable: true,
      },
      { flags: "--append <file>", description: "add the figures to a CSV file" },
    ],
    takes: ["store", "allStores", "format", "dryRun"],
    examples: [
      "summary --period last-week --compare previous --all-stores",
      "summary --alert 'orders<-30%' --compare week",
    ],
  },
  parse(line) {
    const request = parseSalesRequest(line);
    const rules = line.list("--alert").map(parseAlert);
    const change = rules.find(({ isPercent }) => isPercent);
    if (change && request.comparison === undefined) {
      throw new ComandaError(
        "usage",
        t`The alert "${change.text}" is about a change, but nothing is compared.`,
        {
          hint: t`Add --compare previous, or --compare week.`,
        },
      );
    }
    const append = line.text("--append");
    if (append !== undefined && request.comparison !== undefined) {
      throw new ComandaError("usage", t`--append goes without --compare: a line is of one period.`, {
        hint: t`Leave out one of the two.`,
      });
    }
    return { ...request, rules, append };
  },
  async run(machine, { rules, append, ...request }) {
    if (request.dryRun) return planCalls(machine, request, questions);
    const [sales] = await askStores(machine, "summary", request, questions);
    if (!sales) throw new RangeError("one question has one answer");
    const appended = append === undefined ? undefined : await appendSales(append, sales);
    return { kind: "figures", sales, alerts: judgeAlerts(rules, sales), appended };
  },
  async present(result, output, { rules, dateField, append = "" }) {
    if (result.kind === "plan") {
      await presentPlan(result, output);
      return;
    }
    const { sales, alerts, appended } = result;
    const isForPeople = output.format === "table" || output.format === "markdown";
    if (appended !== undefined) {
      const lines = plural(appended, { one: t`1 line`, other: t`${appended} lines` });
      output.sentence(
        appended === 0 ? t`${append} has these figures already.` : t`Added to ${append}: ${lines}.`,
      );
    } else if (rules.length > 0 && isForPeople)
      for (const { holds, text } of alerts) {
        if (holds === true) output.words(text);
      }
    else await renderSales(sales, output, { dateField, ...(rules.length > 0 && { alerts }) });
  },
  failure(result) {
    if (result.kind === "plan") return undefined;
    return alertFailure(result.alerts) ?? missingStores(result.sales.stores);
  },
};
