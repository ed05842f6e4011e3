/** `comanda summary` shows the orders, revenue and average of a period. */
import { ComandaError } from "../../base/errors.js";
import { contradiction, invalidValue } from "../../base/fields.js";
import { collect, type Command } from "../../cli/command.js";
import { withoutProgress, type Context } from "../../cli/context.js";
import { readers } from "../../cli/records.js";
import { fetchPlanned, planFigures, type FiguresRequest, type FiguresResult } from "../../core/figures.js";
import { plural, t, translated } from "../../languages/language.js";
import { parseAlert } from "../../sales/alert.js";
import { figures } from "../../sales/figures.js";
import { describeAge, describePeriod } from "../../sales/period.js";
import { numberFormat } from "../../views/amounts.js";
import { ageOf, countedText, showFigures, storesWithFigures } from "../../views/figures.js";
import { showRequests } from "./dry-run.js";
import { takeFiguresOptions } from "./options.js";

interface SummaryOptions extends FiguresRequest {
  readonly alert?: readonly string[];
  readonly append?: string;
}

export default function summary(command: Command): void {
  takeFiguresOptions(command)
    .option("--alert <rule>", "exit with code 11 if this rule holds (repeatable)", collect)
    .option("--append <file>", "append a line to a CSV file")
    .takes("store", "allStores", "format", "dryRun")
    .examples(
      "summary --period last-week --compare previous --all-stores",
      "summary --alert 'orders<-30%' --compare week",
    )
    .does(showSummary);
}

/** Shows the figures that the options name, by default yesterday's. */
export async function showSummary(context: Context, options: SummaryOptions) {
  const { output } = context;
  const alerts = options.alert?.map(parseAlert);
  const change = alerts?.find(({ isPercent }) => isPercent);
  if (change && options.compare === undefined)
    throw new ComandaError("usage", t`${"--compare"} is missing.`, {
      hint: t`The alert rule "${change.text}" requires a comparison, such as --compare week.`,
    });
  const { append } = options;
  if (append === "") throw invalidValue("append", append, {});
  // A line of the file has no columns for a comparison.
  if (append !== undefined && options.compare !== undefined) throw contradiction("--append", "--compare");
  const workspace = alerts ? withoutProgress(context) : context.workspace;
  const plan = await planFigures(workspace, context.options, { ...options, alerts }, [{}]);
  if (context.options.dryRun) return showRequests(output, plan);
  const [result] = await fetchPlanned(plan);
  if (!result) return undefined;
  const isTable = output.format === "table";
  let notAdded: ComandaError | undefined;
  if (append !== undefined && storesWithFigures(result).length > 0) {
    const { appendFigures } = await import("./append.js");
    try {
      const { added, differ } = await appendFigures(append, result);
      const words = plural(added, {
        one: t`Added 1 line to ${append}.`,
        other: t`Added ${added} lines to ${append}.`,
      });
      // A program that reads another format gets the figures themselves.
      if (differ) output.warn(t`${append} already has a row for this period and query, with other figures.`);
      else if (added === 0 && isTable) output.sentence(t`${append} already contains these figures.`);
      if (added > 0 && isTable) output.sentence(words);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      notAdded = error;
    }
  }
  const isAlarm = alerts !== undefined && readers[output.format] === "person";
  if (!isAlarm && (append === undefined || !isTable)) await showFigures(output, result);
  // JSON contains them with the figures; CSV has no column for them.
  for (const sentence of alerts && !output.json ? alertSentences(result) : [])
    if (isAlarm) output.words(sentence);
    else output.warn(sentence);
  // The alert's error replaces the one that names stores without figures. JSON contains both.
  if (result.failure?.code === "alert_holds" && !output.json)
    for (const store of result.stores)
      if ("error" in store) output.warn(t`${store.store}: no figures. ${store.error.message}`);
  if (!notAdded) return result.failure;
  if (result.failure?.code !== "alert_holds") return notAdded;
  output.warn(notAdded.message);
  return result.failure;
}

function alertSentences({ alerts = [], query, stores }: FiguresResult): readonly string[] {
  return alerts.flatMap(({ rule, store, holds, value, baseline }) => {
    const figuresOf = stores.find((each) => each.store === store);
    if (!holds || !figuresOf || "error" in figuresOf) return [];
    const { show } = figures[rule.figure];
    const format = numberFormat(figuresOf);
    const percent = baseline === null || baseline === 0 ? null : (value / baseline - 1) * 100;
    const against =
      baseline === null ? "" : `${t`, compared with ${format[show](baseline)}`} (${format.change(percent)})`;
    const { period } = figuresOf.current;
    const age = describeAge(ageOf(figuresOf), period.zone);
    const counted = `${describePeriod(period)}, ${age}${countedText(query)}`;
    return t`${store}, ${counted}: ${translated(rule.figure)} ${format[show](value)}${against} (rule: ${rule.text})`;
  });
}
