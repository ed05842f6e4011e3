/** Reads a line at the counter: a key, an order's id, and a driver, a fee or a reason. */
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { parseOrderIds } from "../orders/order-ids.js";

export interface TypedChange {
  readonly order: string;
  /** Absent where a driver alone is assigned. */
  readonly action: StatusChange | undefined;
  /** The id of a driver, or a name or its beginning. */
  readonly driver: string | undefined;
  /** The fee as it was typed; without it the fee stays as it is. */
  readonly fee: string | undefined;
  /** Kept with an order that is canceled. */
  readonly reason: string | undefined;
}

export type TypedLine =
  | { readonly kind: "nothing" }
  | { readonly kind: "leave" }
  | { readonly kind: "take back" }
  /** The line is an id alone, so the person has to be asked for the change. */
  | { readonly kind: "which"; readonly order: string }
  | ({ readonly kind: "change" } & TypedChange);

type Action = StatusChange | "assign";

/** A person types a key, or the whole word. */
const actionsByWord: Readonly<Record<string, Action>> = {
  ...{ d: "dispatch", dispatch: "dispatch", despachar: "dispatch" },
  ...{ e: "deliver", deliver: "deliver", entregar: "deliver" },
  ...{ f: "finalize", finalize: "finalize", finalizar: "finalize" },
  ...{ c: "cancel", cancel: "cancel", cancelar: "cancel" },
  ...{ assign: "assign", atribuir: "assign" },
};

function actionNamed(word: string): Action | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(actionsByWord, name) ? actionsByWord[name] : undefined;
}

/** @throws {ComandaError} `usage` or `invalid_input` for a line that can't be read */
export function parseLine(text: string): TypedLine {
  const line = text.trim().replace(/^([defc])(?=\d)/i, "$1 ");
  if (line === "") return { kind: "nothing" };
  if (/^q$/i.test(line)) return { kind: "leave" };
  if (/^u$/i.test(line)) return { kind: "take back" };
  const [first, afterFirst] = firstWord(line);
  const action = actionNamed(first);
  const [order, afterOrder] = action === undefined ? [first, afterFirst] : firstWord(afterFirst);
  if (order === "") throw missingId(first);
  checkOrder(order);
  if (action !== undefined) return changeOf(order, action, afterOrder);
  if (afterOrder === "") return { kind: "which", order };
  const [second, afterSecond] = firstWord(afterOrder);
  const secondAction = actionNamed(second);
  return secondAction === undefined
    ? changeOf(order, "assign", afterOrder)
    : changeOf(order, secondAction, afterSecond);
}

function firstWord(line: string): readonly [word: string, rest: string] {
  const [word = ""] = /^\S*/.exec(line) ?? [];
  return [word, line.slice(word.length).trim()];
}

/** @param rest the reason of a cancel, and the driver of any other change */
function changeOf(order: string, action: Action, rest: string): TypedLine {
  // A person who is asked for the change may type the id once more.
  const text = rest === order || rest === "" ? undefined : rest;
  if (action === "cancel")
    return { kind: "change", order, action: "cancel", ...driverIn(undefined), reason: text };
  if (action === "assign") {
    if (text === undefined) throw new ComandaError("usage", t`Which driver? ${order} and an id or a name.`);
    return { kind: "change", order, action: undefined, ...driverIn(text), reason: undefined };
  }
  return { kind: "change", order, action, ...driverIn(text), reason: undefined };
}

/** `bia 7,50` has a fee, but a number alone is a driver's id. */
function driverIn(text: string | undefined): Pick<TypedChange, "driver" | "fee"> {
  const [, driver = text, fee] = /^(.*\S)\s+(\d+(?:[.,]\d{1,2})?)$/.exec(text ?? "") ?? [];
  return { driver, fee };
}

function missingId(key: string): ComandaError {
  return new ComandaError("usage", t`An order's id is missing: ${key} 4711`);
}

/** A store sees ids that are numbers, so a word without a digit is a slip. */
function checkOrder(word: string): void {
  if (/\d/.test(word)) parseOrderIds([word]);
  else throw new ComandaError("usage", t`"${word}" is no order's id. A line is a key and an id: d 4711`);
}
