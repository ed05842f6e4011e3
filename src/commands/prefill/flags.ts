/** Reads the flags of a simple order into the fields of section 4.9, and puts them over those of a file. */
import { isObject } from "../../shared/json.js";
import { t } from "../../shared/language.js";
import { fieldName, type Fault, type FieldPath } from "./fault.js";

export interface OrderFlags {
  readonly orderType?: string | undefined;
  readonly customerName?: string | undefined;
  readonly customerPhone?: string | undefined;
  /** `<item_id>[x<quantity>][:observation]` */
  readonly item?: readonly string[];
  /** `key=value` */
  readonly address?: readonly string[];
}

export interface FlagFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
  /** The flag that each field came from, by the field's name. */
  readonly origins: ReadonlyMap<string, string>;
}

export function hasOrderFlags({ item = [], address = [], ...texts }: OrderFlags): boolean {
  return item.length > 0 || address.length > 0 || Object.values(texts).some((text) => text !== undefined);
}

export function readFlags({ item = [], address = [], ...flags }: OrderFlags): FlagFields {
  const faults: Fault[] = [];
  const origins = new Map<string, string>();
  const fields: Record<string, unknown> = {};
  const customer: Record<string, string> = {};
  if (flags.orderType !== undefined) {
    fields["order_type"] = flags.orderType;
    origins.set("order_type", "--order-type");
  }
  for (const [field, flag, value] of [
    ["name", "--customer-name", flags.customerName],
    ["phone", "--customer-phone", flags.customerPhone],
  ] as const) {
    if (value === undefined) continue;
    customer[field] = value;
    origins.set(`customer.${field}`, flag);
  }
  if (Object.keys(customer).length > 0) fields["customer"] = customer;
  if (item.length > 0) fields["cart"] = readItems(item, faults, origins);
  if (address.length > 0) fields["delivery_address"] = readAddress(address, faults, origins);
  return { fields, faults, origins };
}

function readItems(texts: readonly string[], faults: Fault[], origins: Map<string, string>) {
  origins.set("cart", "--item");
  return texts.map((text, index) => {
    const place = `--item ${text}`;
    origins.set(`cart[${index}]`, place);
    const match = /^(\d{1,15})(?:[x×](\d{1,15}))?(?::(.*))?$/isu.exec(text.trim());
    if (!match) {
      const form = t`must be <item_id>[x<quantity>][:observation], for example 3002x2:"no onion"`;
      faults.push({ place, text: form });
      // The fault is recorded, so this value must not cause another one.
      return { item_id: 1 };
    }
    const [, id, quantity = "1", observation = ""] = match;
    return {
      item_id: Number(id),
      quantity: Number(quantity),
      ...(observation.trim() !== "" && { observation: observation.trim() }),
    };
  });
}

/** An empty value removes the field, even if the file has it. */
function readAddress(texts: readonly string[], faults: Fault[], origins: Map<string, string>) {
  const address: Record<string, string | undefined> = {};
  origins.set("delivery_address", "--address");
  for (const text of texts) {
    const place = `--address ${text}`;
    const match = /^([^=]+)=(.*)$/s.exec(text);
    const key = match?.[1]?.trim() ?? "";
    if (key === "") faults.push({ place, text: t`must be key=value, for example city=Recife` });
    else if (Object.hasOwn(address, key)) faults.push({ place, text: t`${key} is there twice` });
    else {
      // An assignment would give `__proto__` another meaning.
      Object.defineProperty(address, key, {
        value: match?.[2] === "" ? undefined : match?.[2],
        enumerable: true,
      });
      origins.set(`delivery_address.${key}`, place);
    }
  }
  return address;
}

/** Flags go before the file: customer and address field by field, the cart as a whole. */
export function overlay(file: unknown, { fields }: FlagFields): unknown {
  if (Object.keys(fields).length === 0) return file;
  // An empty file counts as none.
  const fileFields = file ?? {};
  if (!isObject(fileFields)) return file;
  const merged: Record<string, unknown> = { ...fileFields };
  for (const [name, value] of Object.entries(fields)) {
    const fileValue = fileFields[name] ?? undefined;
    if (isObject(value) && isObject(fileValue ?? {}))
      merged[name] = withoutUndefined({ ...(isObject(fileValue) && fileValue), ...value });
    // A field of another kind stays, so that the check finds it.
    else if (!isObject(value)) merged[name] = value;
  }
  return merged;
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Gives the flag that a field came from, or else its place in the file. */
export function locator(
  { origins }: FlagFields,
  inFile: ((path: FieldPath) => string) | undefined,
): (path: FieldPath) => string {
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const origin = origins.get(fieldName(path.slice(0, length)));
      // A group of fields may come from both; a single field has one origin.
      if (origin !== undefined && (length === path.length || length > 1 || !inFile || path[0] === "cart"))
        return origin;
    }
    return inFile?.(path) ?? "flags";
  };
}
