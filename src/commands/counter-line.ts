/** Reads a line of `comanda counter`. */
import { typedAmount } from "../api/money.js";
import type { StatusChange } from "../api/operations.js";
import { parseOrderId } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { orderIds } from "../cli/input.js";
import { t } from "../languages/language.js";

export const usage = [
  "Type one line for each action:",
  "  d 4711 bia 7.50  assign a driver with a fee and dispatch",
  "  d 4711           dispatch (the driver and the fee are optional)",
  "  a 4711 bia       assign a driver without dispatching",
  "  e 4711 4712      mark as delivered",
  "  f 4711 4712      finalize",
  "  c 4711 no dough  cancel with that reason, after confirmation",
  "  Tab              complete a driver's name, with the id",
  "  Enter            show today's figures",
  "  ? or help        list these actions",
  "  q or quit        quit",
].join("\n");

export interface OrderLine {
  readonly action: StatusChange | "assign";
  /** One id, except to deliver or finalize. */
  readonly orders: readonly string[];
  /** The id or name of the driver to assign first. */
  readonly driver?: string;
  /** The fee, as a decimal with a point. */
  readonly fee?: string;
  readonly reason?: string;
  /** The number after the order's id, which may be another order. */
  readonly number?: string | undefined;
}

const actions = new Map<string, OrderLine["action"]>([
  ["d", "dispatch"],
  ["a", "assign"],
  ["e", "deliver"],
  ["f", "finalize"],
  ["c", "cancel"],
]);

export function looksLikeLine(text: string): boolean {
  const [, key = ""] = /^(\w)\s+#?\d/.exec(text) ?? [];
  return actions.has(key.toLowerCase());
}

const howToList = () => t`To list the actions, type ?.`;

/** @throws {ComandaError} `invalid_input`, with what to type in its hint */
export function parseLine(line: string): OrderLine | { readonly action: "figures" | "help" | "quit" } {
  const [word = "", ...words] = line.trim().split(/\s+/);
  const key = word.toLowerCase();
  if (key === "") return { action: "figures" };
  if (/^(?:\?|help|ajuda)$/.test(key)) return { action: "help" };
  if (/^(?:q|quit|exit|sair)$/.test(key)) return { action: "quit" };
  const action = actions.get(key);
  if (action === undefined)
    throw new ComandaError("invalid_input", t`Unknown command ${`'${word}'`}.`, { hint: howToList() });
  if (words.length === 0)
    throw new ComandaError("invalid_input", t`The order's id is missing.`, { hint: howToList() });
  const isList = action === "deliver" || action === "finalize";
  const ids = isList ? words : words.slice(0, 1);
  const orders = orderIds(ids.entries(), (index) => t`argument ${index + 1}`);
  const rest = words.slice(ids.length);
  const text = rest.join(" ");
  if (action === "cancel") {
    const number = parseOrderId(rest[0]?.replace(/^#/, ""));
    return { action, orders, ...(text !== "" && { reason: text, number }) };
  }
  if (isList || (action === "dispatch" && text === "")) return { action, orders };
  return { action, orders, ...parseDriver(rest, `${word} ${words[0]}`) };
}

/** Reads a driver's id or name, and a fee, which has decimals so that it can't be mistaken for an id. */
function parseDriver(words: readonly string[], before: string): Pick<OrderLine, "driver" | "fee" | "number"> {
  const last = words.at(-1) ?? "";
  const hasFee = /^[\d.,]*[.,][\d.,]*$/.test(last) && /\d/.test(last);
  const fee = hasFee ? typedAmount(last) : undefined;
  if (hasFee && fee === undefined)
    throw new ComandaError("invalid_input", t`Invalid fee: "${last}". Nothing was sent.`, {
      hint: t`Use at most two decimals and no thousands separator, such as ${"7.50, 7,50, 0.00"}.`,
    });
  const named = hasFee ? words.slice(0, -1) : words;
  const driver = named.join(" ");
  if (driver === "")
    throw new ComandaError("invalid_input", t`The driver's id or name is missing. Nothing was sent.`, {
      hint: t`For example: ${`${before} bia`}`,
    });
  if (named.length > 1 && !hasFee && /^#?\d+$/.test(last)) {
    const name = named.slice(0, -1).join(" ");
    // If another number follows, the line of this hint would be rejected, too.
    const canHaveFee = /^#?\d+$|^[^\d.,]+$/.test(name);
    throw new ComandaError(
      "invalid_input",
      t`"${last}" may be a fee, an order, or part of a name. Nothing was sent.`,
      {
        hint: [
          canHaveFee && t`Enter a fee with decimals: ${`${before} ${name}`} ${last}.00`,
          t`For several orders, type one line for each.`,
          t`Tab completes a driver's name, with the id.`,
        ]
          .filter(Boolean)
          .join("\n"),
      },
    );
  }
  return { driver, ...(fee !== undefined && { fee }), number: parseOrderId(driver.replace(/^#/, "")) };
}
