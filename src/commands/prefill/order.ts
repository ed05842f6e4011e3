/** Reads an order from a file and from flags; the contract's schema says what is wrong with it. */
import { LineCounter, parseDocument } from "yaml";

import { check, newPrefilledOrderSchema } from "../../api/input.js";
import { isObject } from "../../api/basics.js";
import type { PrefilledOrderBody } from "../../api/models.js";
import type { Context } from "../../cli/context.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { readInput } from "../input.js";

export interface OrderFlags {
  readonly orderType?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly item?: readonly string[];
  readonly address?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const maxOrderBytes = 1024 * 1024;

/**
 * Flags go before the file: customer and address field by field, the items as a whole.
 *
 * @param file `-` stands for stdin; undefined where the flags give the whole order
 * @throws {ComandaError} `invalid_input` with all that is wrong; as {@link readInput}
 */
export async function readOrder(
  context: Context,
  file: string | undefined,
  flags: OrderFlags,
): Promise<PrefilledOrderBody> {
  const typed = fieldsOf(flags);
  const { label, value } =
    file === undefined ? { label: t`the flags`, value: {} } : await readFile(context, file);
  // An empty file counts as none.
  const order = isObject(value) ? withFlags(value, typed) : (value ?? typed);
  refuseUnlessOrder(order, label);
  return order;
}

async function readFile(context: Context, file: string): Promise<{ label: string; value: unknown }> {
  const pipeHint = t`Pipe it in: comanda prefill - < order.yaml`;
  const { bytes, label } = await readInput(context, file, { limit: maxOrderBytes, pipeHint });
  const lineCounter = new LineCounter();
  const unreadable = (place: string, reason: string) =>
    new ComandaError("invalid_input", t`${place} can't be read: ${reason}`, { hint: exampleHint() });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // JSON is YAML, too.
    const document = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      stringKeys: true,
      logLevel: "error",
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (!fault) return { label, value: document.toJS() };
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    throw unreadable(`${label}:${line}:${col}`, fault.message);
  } catch (error) {
    if (error instanceof ComandaError) throw error;
    // Text that isn't UTF-8, aliases that stand for millions of values, or brackets too deep to follow.
    throw unreadable(label, error instanceof Error ? error.message : String(error));
  }
}

function exampleHint(): string {
  return t`A complete file to start from: comanda prefill --example`;
}

/** @throws {ComandaError} `invalid_input` with all that the schema finds wrong */
function refuseUnlessOrder(value: unknown, label: string): asserts value is PrefilledOrderBody {
  const checked = check(newPrefilledOrderSchema(), value, t`The order`);
  if (checked.ok) return;
  const lines = checked.problems.map(({ message, hint }) => [message, hint].filter(Boolean).join(" "));
  throw new ComandaError("invalid_input", t`The order in ${label} isn't right; nothing was sent.`, {
    hint: [...new Set(lines), exampleHint()].join("\n"),
  });
}

function withFlags(order: Fields, typed: Fields): Fields {
  const groups = ["customer", "delivery_address"].flatMap((name) => {
    const [before, after] = [order[name], typed[name]];
    return isObject(before) && isObject(after) ? [[name, { ...before, ...after }] as const] : [];
  });
  return { ...order, ...typed, ...Object.fromEntries(groups) };
}

/** What the flags say, by the names of section 4.9. */
function fieldsOf({ orderType, customerName, customerPhone, item = [], address = [] }: OrderFlags): Fields {
  const customer = {
    ...(customerName !== undefined && { name: customerName }),
    ...(customerPhone !== undefined && { phone: customerPhone }),
  };
  const addressFields = address.map((text) => {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name.trim() !== "") return [name.trim(), value] as const;
    throw new ComandaError("invalid_input", t`--address takes key=value, not "${text}".`, {
      hint: t`For example: --address city=Recife`,
    });
  });
  return {
    ...(orderType !== undefined && { order_type: orderType }),
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(item.length > 0 && { cart: item.map(itemOf) }),
    ...(address.length > 0 && { delivery_address: Object.fromEntries(addressFields) }),
  };
}

/** Reads `<item_id>[x<quantity>][:observation]`. */
function itemOf(text: string): Fields {
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
