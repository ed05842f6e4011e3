/** What is wrong with an order that someone wrote, and where. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";

export type FieldPath = readonly PropertyKey[];

export interface Fault {
  /** `order.yaml:7:10`, or the flag that the value came from. */
  readonly where: string;
  /** The field and what is wrong with it, or what is wrong with the text. */
  readonly text: string;
}

/** More than these help nobody: it is the wrong file. */
const mostShown = 50;

/** A field as people write it: `cart[0].item_id`. */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

export function faultLine({ where, text }: Fault): string {
  return `${where}: ${text}`;
}

/** Compares places in a file, so that faults stand in its order. */
const byPlace = new Intl.Collator("en", { numeric: true });

/** What a person can begin with. */
const starts = {
  order: "A complete file to start from: comanda prefill --example",
  lines: 'An order a line, for example: {"order_type":"takeout","cart":[{"item_id":3002}]}',
} as const;

/** @param what the file, or the flags */
export function refusal(what: string, faults: readonly Fault[], start: keyof typeof starts): ComandaError {
  const sorted = faults.toSorted((left, other) => byPlace.compare(left.where, other.where));
  const shown = sorted.slice(0, mostShown).map(faultLine);
  const rest = faults.length - shown.length;
  return new ComandaError(
    "invalid_input",
    plural(faults.length, {
      one: t`There is a fault in ${what}; nothing was sent.`,
      other: t`There are ${faults.length} faults in ${what}; nothing was sent.`,
    }),
    {
      hint: [...shown, ...(rest > 0 ? [t`… and ${rest} more`] : []), translated(starts[start])].join("\n"),
    },
  );
}
