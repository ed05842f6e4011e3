/** Judges rules such as `orders<50`, or `revenue<-30%` for a change. If cron runs it, its mail is the alarm. */
import { averageCents, parseAmount, typedAmount } from "../api/money.js";
import { ComandaError } from "../base/errors.js";
import { invalidValue } from "../base/fields.js";
import { t } from "../languages/language.js";
import { figures, metricsOf, type Row } from "./figures.js";

export interface AlertRule {
  /** The rule as typed. */
  readonly text: string;
  readonly figure: keyof typeof figures;
  readonly operator: string;
  /** Whether the value is a change in percent from the previous period. */
  readonly isPercent: boolean;
  readonly hundredths: number;
}

/** A rule, judged for one store. */
export interface Alert {
  readonly rule: AlertRule;
  readonly store: string;
  /** Null if there is nothing to compare with, which is an error. */
  readonly holds: boolean | null;
  readonly value: number;
  readonly baseline: number | null;
}

const grammar = /^\s*(orders|revenue|average)\s*(<=|>=|<|>)\s*([+-]?)(\d[\d.,]*)\s*(%?)\s*$/;

/** @throws {ComandaError} `invalid_input` for another figure, operator or value */
export function parseAlert(text: string): AlertRule {
  const [, name, operator = "", sign, digits = "", percent] = grammar.exec(text) ?? [];
  const amount = typedAmount(digits);
  const hundredths = amount === undefined ? undefined : parseAmount(amount);
  const isPercent = percent === "%";
  const figure = name === "orders" || name === "revenue" || name === "average" ? name : undefined;
  const isPart = figure === "orders" && !isPercent && (hundredths ?? 0) % 100 !== 0;
  if (figure === undefined || hundredths === undefined || isPart || (!isPercent && sign !== "")) {
    throw invalidValue("alert", text, {
      hint: t`Use orders, revenue or average, then <, <=, > or >=, then an amount or a change in percent: 'revenue<1500', 'orders<-30%'.`,
    });
  }
  return { text, figure, operator, isPercent, hundredths: sign === "-" ? -hundredths : hundredths };
}

/** Evaluates a rule for a store's summary, including a store without orders. */
export function judgeAlert(rule: AlertRule, store: string, current: Row, previous: Row | undefined): Alert {
  const { name } = figures[rule.figure];
  return {
    rule,
    store,
    value: metricsOf(current)[name],
    baseline: previous ? metricsOf(previous)[name] : null,
    holds: isTrue(rule, hundredthsOf(rule, current), previous && hundredthsOf(rule, previous)),
  };
}

function hundredthsOf({ figure }: AlertRule, { orders, revenue }: Row): number {
  if (figure === "orders") return orders * 100;
  return figure === "revenue" ? revenue : averageCents(revenue, orders);
}

/** Compares integers, so that rounding can't decide. Returns null if there is nothing to calculate a percentage of. */
function isTrue(
  { operator, isPercent, hundredths }: AlertRule,
  value: number,
  baseline: number | undefined,
): boolean | null {
  if (isPercent && !baseline) return null;
  const [left, right] = isPercent
    ? [BigInt(value) * 10_000n, BigInt(baseline ?? 0) * BigInt(10_000 + hundredths)]
    : [BigInt(value), BigInt(hundredths)];
  if (left === right) return operator.endsWith("=");
  return operator.startsWith("<") ? left < right : left > right;
}

/**
 * Returns the command's error: exit code 11 if a rule holds, otherwise 2 if one can't be evaluated, because exit code 0 would
 * mean that none holds.
 */
export function alertFailure(alerts: readonly Alert[]): ComandaError | undefined {
  const held = new Set(alerts.filter(({ holds }) => holds).map(({ rule }) => rule.text));
  const open = alerts
    .filter(({ holds }) => holds === null)
    .map(
      ({ store, rule }) =>
        t`${store}: the previous figure is 0, so this alert can't be evaluated: ${rule.text}`,
    );
  if (held.size > 0) {
    const hint = open.length > 0 ? { hint: open.join("\n") } : {};
    return new ComandaError("alert_holds", t`Alert: ${[...held].join(", ")}.`, hint);
  }
  return open.length > 0 ? new ComandaError("invalid_input", open.join("\n")) : undefined;
}
