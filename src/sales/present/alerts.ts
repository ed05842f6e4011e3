/** Writes the outcome of `--alert` rules, in words and in JSON. */
import type { Alert } from "../compare/alert-rules.js";
import type { StoreFigures } from "../results.js";
import { localLabels } from "./labels.js";
import { createNumberFormat } from "./number-format.js";
import { t, translated } from "../../shared/language.js";

/**
 * Makes `{"rule", "holds", "value", "baseline"}`; alerts of groups have their key and label too. `per_day` marks
 * averages of a day, and `reason` says why a rule wasn't judged.
 */
export function alertShape({ rule, holds, value, baseline, group, perDay, unjudged }: Alert): object {
  return {
    ...{ rule: rule.text, ...group, holds, value, baseline },
    ...(perDay && { per_day: true }),
    ...(unjudged && { reason: unjudged }),
  };
}

/**
 * Writes the figure and the reason for a rule that holds: `centro, 2026-11-19 (UTC): revenue is 1,200.00, against
 * 1,800.00 (-33.3%): revenue<-30%`.
 */
export function alertText(alert: Alert, figures: StoreFigures<unknown>): string {
  const { store, window, display } = figures;
  const { rule, value, baseline, perDay } = alert;
  const format = createNumberFormat(display);
  const formatFigure = rule.figure === "orders" ? format.count : format.amount;
  const show = (figure: number) => (perDay ? t`${formatFigure(figure)} a day` : formatFigure(figure));
  const change =
    baseline === null
      ? ""
      : t`, against ${show(baseline)} (${format.percentChange(baseline > 0 ? (value / baseline - 1) * 100 : null)})`;
  return t`${store}, ${window}${groupText(alert, figures)}: ${translated(rule.figure)} is ${show(value)}${change}: ${rule.text}`;
}

/**
 * Says why a rule could not be judged.
 *
 * @param stores are those of which that is true
 */
export function unjudgedText(alert: Alert, figures: StoreFigures<unknown>, stores: string): string {
  const { rule, unjudged = "closed" } = alert;
  const reason = {
    closed: t`no orders, so it was closed`,
    "not kept": t`no orders, and nothing that is kept tells whether it was closed`,
    "no average": t`no orders, so there is no average`,
    "too little history": t`too little history to compare with`,
    part: t`only a part of it lies in the period, or in the one before`,
    days: t`it can't be told how many of its days each period has`,
  }[unjudged];
  return t`${stores}${groupText(alert, figures)}: ${reason}; "${rule.text}" is not judged.`;
}

/**
 * Names a group as tables do. Two drivers of one name are told apart by the other groups that the rule was judged
 * for.
 */
function groupText(
  { group, dimension, rule }: Alert,
  { alerts = [], display: { locale } }: StoreFigures<unknown>,
): string {
  if (group === undefined || dimension === undefined) return "";
  const groups = alerts.flatMap((alert) => (alert.rule === rule && alert.group ? [alert.group] : []));
  const labels = localLabels(groups, { dimension, locale, weekdays: "long" });
  return `, ${labels[groups.indexOf(group)] ?? ""}`;
}
