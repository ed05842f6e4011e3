/** Reads the flags of a simple order into the fields of section 4.9, and puts them over those of a file. */
import { isObject } from "../../api/json.js";
import { t } from "../../languages/language.js";

import { fieldName, type Fault, type FieldPath } from "./check-order.js";

interface FlagField {
  /** Where the field lies in the order: a name, or the names of its group and of itself. */
  readonly path: readonly [name: string] | readonly [group: string, name: string];
  /** `undefined` removes the field, even if a file has it. */
  readonly value: unknown;
  /** The flag, for messages. */
  readonly flag: string;
}

export interface FlagFields {
  readonly fields: readonly FlagField[];
  readonly faults: readonly Fault[];
  /** The items as they were typed. */
  readonly item: readonly string[];
}

export interface FlagOptions {
  readonly orderType?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly item?: readonly string[];
  readonly address?: readonly string[];
}

export function readFlags(options: FlagOptions): FlagFields {
  const faults: Fault[] = [];
  const texts = [
    { path: ["order_type"], flag: "--order-type", value: options.orderType },
    { path: ["customer", "name"], flag: "--customer-name", value: options.customerName },
    { path: ["customer", "phone"], flag: "--customer-phone", value: options.customerPhone },
  ] as const;
  const { item = [], address = [] } = options;
  const cart = item.map((text) => readItem(text, faults));
  const fields: readonly FlagField[] = [
    ...texts.filter(({ value }) => value !== undefined),
    ...(cart.length > 0 ? [{ path: ["cart"] as const, value: cart, flag: "--item" }] : []),
    ...readAddress(address, faults),
  ];
  return { fields, faults, item };
}

/** Reads `<item_id>[x<quantity>][:observation]`. */
function readItem(text: string, faults: Fault[]) {
  const match = /^(\d{1,15})(?:[x×](\d{1,15}))?(?::(.*))?$/isu.exec(text.trim());
  if (!match) {
    const form = t`must be <item_id>[x<quantity>][:observation], for example 3002x2:"no onion"`;
    faults.push({ place: `--item ${text}`, text: form });
    // The fault is recorded, so this value must not cause another one.
    return { item_id: 1 };
  }
  const [, id, quantity = "1", observation = ""] = match;
  const note = observation.trim();
  return { item_id: Number(id), quantity: Number(quantity), ...(note !== "" && { observation: note }) };
}

/** Reads `key=value`; an empty value removes the field. */
function readAddress(texts: readonly string[], faults: Fault[]): readonly FlagField[] {
  const fields: FlagField[] = [];
  for (const text of texts) {
    const flag = `--address ${text}`;
    const [, key = "", value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const name = key.trim();
    if (name === "") faults.push({ place: flag, text: t`must be key=value, for example city=Recife` });
    else if (fields.some(({ path }) => path[1] === name))
      faults.push({ place: flag, text: t`${name} is there twice` });
    else fields.push({ path: ["delivery_address", name], value: value === "" ? undefined : value, flag });
  }
  return fields;
}

/** Flags go before the file: customer and address field by field, the cart as a whole. */
export function overlay(file: unknown, flags: FlagFields): unknown {
  return flags.fields.reduce<unknown>(
    // An empty file counts as none.
    (order, { path: [first, second], value }) => {
      const holder = order ?? {};
      // What is no group of fields stays, so that the check finds it.
      if (!isObject(holder)) return holder;
      if (second === undefined) return { ...holder, [first]: value };
      const group = holder[first] ?? {};
      if (!isObject(group)) return holder;
      const others = Object.entries(group).filter(([name]) => name !== second);
      const fields = value === undefined ? others : [...others, [second, value] as const];
      return { ...holder, [first]: Object.fromEntries(fields) };
    },
    file,
  );
}

/** Gives the flag that a field came from, or else its place in the file. */
export function locator(
  { fields, item }: FlagFields,
  inFile: ((path: FieldPath) => string) | undefined,
): (path: FieldPath) => string {
  return (path) => {
    const [first, index] = path;
    if (first === "cart" && item.length > 0)
      return typeof index === "number" ? `--item ${item[index] ?? ""}` : "--item";
    const field = fields.find((candidate) => fieldName(candidate.path) === fieldName(path));
    if (field) return field.flag;
    return inFile?.(path) ?? (first === "delivery_address" ? "--address" : "flags");
  };
}
