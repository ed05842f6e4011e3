/** Reads an order from a file and from flags; the contract's schema says what is wrong with it. */
import { parseDocument } from "yaml";

import { isObject } from "../../api/basics.js";
import { check, newPrefilledOrderSchema } from "../../api/input.js";
import type { PrefilledOrderBody } from "../../api/models.js";
import type { Context } from "../../cli/context.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { readInput } from "../../cli/input.js";

export interface OrderFlags {
  readonly orderType?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly item?: readonly string[];
  readonly address?: readonly string[];
}

/**
 * Flags go before the file: customer and address field by field, the items as a whole.
 *
 * @param file `-` stands for stdin; undefined where the flags give the whole order
 * @throws {ComandaError} `invalid_input` with all that is wrong; as {@link readInput}
 */
export async function readOrder(
  context: Context,
  file: string | undefined,
  { orderType, customerName, customerPhone, item = [], address = [] }: OrderFlags,
): Promise<PrefilledOrderBody> {
  const exampleHint = t`A complete file to start from: comanda prefill --example`;
  let label = t`the flags`;
  let read: unknown = {};
  if (file !== undefined) {
    const pipeHint = t`Pipe it in: comanda prefill - < order.yaml`;
    const input = await readInput(context, file, { limit: 1, pipeHint });
    ({ label } = input);
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(input.bytes);
      // JSON is YAML, too.
      const document = parseDocument(text, { stringKeys: true, logLevel: "error" });
      const [fault] = [...document.errors, ...document.warnings];
      if (fault) throw fault;
      // An empty file counts as none.
      read = document.toJS() ?? {};
    } catch (error) {
      // Text that isn't UTF-8, aliases that stand for millions of values, or brackets too deep to follow, too.
      const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(":\n");
      throw new ComandaError("invalid_input", t`${label} can't be read: ${reason}`, { hint: exampleHint });
    }
  }
  const customer = {
    ...(customerName !== undefined && { name: customerName }),
    ...(customerPhone !== undefined && { phone: customerPhone }),
  };
  const typed = {
    ...(orderType !== undefined && { order_type: orderType }),
    ...(Object.keys(customer).length > 0 && { customer: onTopOf(read, "customer", customer) }),
    ...(item.length > 0 && { cart: item.map(itemOf) }),
    ...(address.length > 0 && {
      delivery_address: onTopOf(read, "delivery_address", Object.fromEntries(address.map(fieldOf))),
    }),
  };
  const order = isObject(read) ? { ...read, ...typed } : read;
  const checked = check(newPrefilledOrderSchema(), order, t`The order`);
  const isRight = (value: unknown): value is PrefilledOrderBody => value === order && checked.ok;
  if (isRight(order)) return order;
  const problems = checked.ok ? [] : checked.problems;
  const lines = problems.map(({ message, hint }) => [message, hint].filter(Boolean).join(" "));
  throw new ComandaError("invalid_input", t`The order in ${label} isn't right; nothing was sent.`, {
    hint: [...new Set(lines), exampleHint].join("\n"),
  });
}

function onTopOf(order: unknown, name: string, fields: Readonly<Record<string, string>>) {
  const before = isObject(order) ? order[name] : undefined;
  return isObject(before) ? { ...before, ...fields } : fields;
}

function fieldOf(text: string): readonly [name: string, value: string] {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name.trim() !== "") return [name.trim(), value];
  throw new ComandaError("invalid_input", t`--address takes key=value, not "${text}".`, {
    hint: t`For example: --address city=Recife`,
  });
}

/** Reads `<item_id>[x<quantity>][:observation]`. */
function itemOf(text: string) {
  const [, id, quantity = "1", note = ""] =
    /^(\d{1,15})(?:[x×](\d{1,15}))?(?::(.*))?$/isu.exec(text.trim()) ?? [];
  if (id === undefined)
    throw new ComandaError(
      "invalid_input",
      t`--item takes <item_id>[x<quantity>][:observation], not "${text}".`,
      { hint: t`For example: --item 3002x2:"no onion"` },
    );
  const observation = note.trim();
  return { item_id: Number(id), quantity: Number(quantity), ...(observation !== "" && { observation }) };
}
