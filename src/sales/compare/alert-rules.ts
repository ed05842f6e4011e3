/** People type the rules of `--alert`, such as `revenue<1500` or `orders<-30%`, and `--baseline`. */
import { parseAmount, typedAmount } from "../../contract/money.js";
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";

const figures = ["orders", "revenue", "average"] as const;
export type AlertFigure = (typeof figures)[number];

const operators = ["<=", ">=", "<", ">"] as const;

export interface AlertRule {
  /** The text stays as it was typed. */
  readonly text: string;
  readonly figure: AlertFigure;
  readonly operator: (typeof operators)[number];
  /** A percentage is that of the change against the baseline. */
  readonly limit: { readonly kind: "amount" | "percent"; readonly hundredths: number };
}

export interface Alert {
  readonly rule: AlertRule;
  readonly holds: boolean;
  readonly value: number;
  readonly baseline: number | null;
  /** The alert is about this group, where the figures are split. */
  readonly group?: Pick<Group, "key" | "label">;
  readonly dimension?: Dimension;
  readonly perDay?: true;
  readonly unjudged?: "closed" | "not kept" | "no average" | "too little history" | "part" | "days";
}

const grammar = /^\s*(\w+)\s*(<=|>=|<|>)\s*([+-]?)(\d[\d.,]*)\s*(%?)\s*$/;

const grammarHint =
  "Write orders, revenue or average, then <, <=, > or >=, then an amount or a change in percent: 'revenue<1500', 'orders>=-30%'.";

/** @throws {ComandaError} `invalid_input` for another figure, operator or value, with the allowed ones */
export function parseAlert(text: string): AlertRule {
  const [, name, symbol, sign, digits = "", percent] = grammar.exec(text) ?? [];
  const figure = figures.find((figure) => figure === name);
  const operator = operators.find((operator) => operator === symbol);
  const amount = typedAmount(digits);
  const hundredths = amount === undefined ? undefined : parseAmount(amount);
  if (figure === undefined || operator === undefined || hundredths === undefined) throw ruleError(text);
  if (percent === "%") {
    const signed = sign === "-" ? -hundredths : hundredths;
    return { text, figure, operator, limit: { kind: "percent", hundredths: signed } };
  }
  const isWhole = figure !== "orders" || hundredths % 100 === 0;
  if (sign !== "" || !isWhole) throw ruleError(text);
  return { text, figure, operator, limit: { kind: "amount", hundredths } };
}

function ruleError(text: string): ComandaError {
  return new ComandaError("invalid_input", t`"${text}" is no alert.`, { hint: translated(grammarHint) });
}

/**
 * @param text is, for example, `weekday-median:8`
 * @returns the number of weeks
 * @throws {ComandaError} `invalid_input` for anything else
 */
export function parseBaseline(text: string): number {
  const weeks = Number(/^weekday-median:(\d{1,2})$/.exec(text)?.[1] ?? 0);
  if (weeks >= 2 && weeks <= 25) return weeks;
  throw new ComandaError("invalid_input", t`There is no baseline "${text}".`, {
    hint: t`Give --baseline weekday-median:8, with any number of weeks from 2 to 25.`,
  });
}
