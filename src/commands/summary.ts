/** `comanda summary` gives orders, revenue and average of a period. */
import { collect, type Command, endWith } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { ComandaError } from "../client/errors.js";
import { plural, t } from "../languages/language.js";
import { alertFailure, judgeAlerts, parseAlert } from "../sales/alert.js";
import { appendSales } from "../sales/append.js";
import { renderSales } from "../sales/render/render.js";

import {
  askStores,
  missingStores,
  salesRequest,
  takeFiguresOptions,
  type FiguresOptions,
} from "./figures.js";

interface SummaryOptions extends FiguresOptions {
  readonly alert?: readonly string[];
  readonly append?: string;
}

export function summary(command: Command): void {
  takeFiguresOptions(command)
    .option("--alert <rule>", "exit code 11 when it holds: 'orders<-30%' (repeatable)", collect)
    .option("--append <file>", "add a line to a CSV file: one file for one question")
    .takes("store", "allStores", "format", "dryRun")
    .examples(
      "summary --period last-week --compare previous --all-stores",
      "summary --alert 'orders<-30%' --compare week",
    )
    .does(showSummary);
}

async function showSummary(context: Context, options: SummaryOptions): Promise<void> {
  const { output } = context;
  const request = salesRequest(context, options);
  const rules = (options.alert ?? []).map(parseAlert);
  const change = rules.find(({ isPercent }) => isPercent);
  if (change && request.comparison === undefined)
    throw new ComandaError(
      "usage",
      t`The alert "${change.text}" is about a change, but nothing is compared.`,
      { hint: t`Add --compare previous, or --compare week.` },
    );
  const { append } = options;
  if (append !== undefined) {
    // A line of the file doesn't say of which orders it is, so a second question would pass for the first.
    const { filter, net, dateField, compare } = options;
    const others = { "--filter": filter, "--net": net, "--date-field": dateField, "--compare": compare };
    for (const [flag, value] of Object.entries(others))
      if (value !== undefined)
        throw new ComandaError(
          "usage",
          t`--append goes without ${flag}: a line is of all orders of a period.`,
          {
            hint: t`Leave out one of the two.`,
          },
        );
  }
  const questions = [{ by: undefined, isCompared: true }];
  const [sales] = (await askStores(context, "summary", request, questions)) ?? [];
  if (!sales) return;
  const alerts = rules.length > 0 ? judgeAlerts(rules, sales) : undefined;
  if (append !== undefined) {
    const appended = await appendSales(append, sales);
    const lines = plural(appended, { one: t`1 line`, other: t`${appended} lines` });
    output.sentence(
      appended === 0
        ? t`${append} has a line of this store and period already.`
        : t`Added to ${append}: ${lines}.`,
    );
  } else if (alerts && (output.format === "table" || output.format === "markdown")) {
    for (const { holds, text } of alerts) if (holds === true) output.words(text);
  } else await renderSales(sales, output, { dateField: request.dateField, alerts });
  const held = alerts && alertFailure(alerts);
  // The alert of one store doesn't hide that another gave no figures; JSON has both.
  if (held && !output.json)
    for (const store of sales.stores)
      if ("error" in store) output.warn(t`${store.store}: no figures. ${store.error.message}`);
  endWith(context, held ?? missingStores(sales.stores));
}
