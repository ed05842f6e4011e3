/** Reads a line at the counter: a key, an order's id, and a driver, a fee or a reason. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { OrderAction } from "../orders/actions.js";
import { parseOrderIds } from "../orders/order-ids.js";

export interface TypedChange {
  readonly order: string;
  /** `assign` changes the driver alone. */
  readonly action: OrderAction;
  /** The id of a driver, or a name or its beginning. */
  readonly driver?: string | undefined;
  /** The fee as it was typed; without it the fee stays as it is. */
  readonly fee?: string | undefined;
  /** Kept with an order that is canceled. */
  readonly reason?: string | undefined;
}

export type TypedLine =
  | { readonly kind: "nothing" | "leave" }
  | { readonly kind: "take back" }
  /** The line is an id alone, so the person has to be asked for the change. */
  | { readonly kind: "which"; readonly order: string }
  | ({ readonly kind: "change" } & TypedChange);

/** A person types a key, or the whole word. */
const actionsByWord: ReadonlyMap<string, OrderAction> = new Map([
  ...(["d", "dispatch", "despachar"] as const).map((word) => [word, "dispatch"] as const),
  ...(["e", "deliver", "entregar"] as const).map((word) => [word, "deliver"] as const),
  ...(["f", "finalize", "finalizar"] as const).map((word) => [word, "finalize"] as const),
  ...(["c", "cancel", "cancelar"] as const).map((word) => [word, "cancel"] as const),
  ...(["assign", "atribuir"] as const).map((word) => [word, "assign"] as const),
]);

/** @throws {ComandaError} `usage` or `invalid_input` for a line that can't be read */
export function parseLine(text: string): TypedLine {
  const line = text.trim().replace(/^([defc])(?=\d)/i, "$1 ");
  if (line === "") return { kind: "nothing" };
  if (/^q$/i.test(line)) return { kind: "leave" };
  if (/^u$/i.test(line)) return { kind: "take back" };
  const [first, afterFirst] = firstWord(line);
  const action = actionsByWord.get(first.toLowerCase());
  const [order, rest] = action === undefined ? [first, afterFirst] : firstWord(afterFirst);
  if (order === "") throw new ComandaError("usage", t`An order's id is missing: ${first} 4711`);
  // A store sees ids that are numbers, so a word without a digit is a slip.
  if (!/\d/.test(order))
    throw new ComandaError("usage", t`"${order}" is no order's id. A line is a key and an id: d 4711`);
  parseOrderIds([order]);
  if (action !== undefined) return changeOf(order, action, rest);
  if (rest === "") return { kind: "which", order };
  const [second, afterSecond] = firstWord(rest);
  const secondAction = actionsByWord.get(second.toLowerCase());
  return secondAction === undefined
    ? changeOf(order, "assign", rest)
    : changeOf(order, secondAction, afterSecond);
}

function firstWord(line: string): readonly [word: string, rest: string] {
  const [word = ""] = /^\S*/.exec(line) ?? [];
  return [word, line.slice(word.length).trim()];
}

/** @param rest the reason of a cancel, and the driver of any other change */
function changeOf(order: string, action: OrderAction, rest: string): TypedLine {
  // A person who is asked for the change may type the id once more.
  const text = rest === order || rest === "" ? undefined : rest;
  if (action === "assign" && text === undefined)
    throw new ComandaError("usage", t`Which driver? ${order} and an id or a name.`);
  if (text === undefined) return { kind: "change", order, action };
  if (action === "cancel") return { kind: "change", order, action, reason: text };
  // `bia 7,50` has a fee, but a number alone is a driver's id.
  const [, driver = text, fee] = /^(.*\S)\s+(\d+(?:[.,]\d{1,2})?)$/.exec(text) ?? [];
  return { kind: "change", order, action, driver, fee };
}
