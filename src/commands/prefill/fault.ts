/** The faults of an order that a person wrote, with their places. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";

export type FieldPath = readonly PropertyKey[];

export interface Fault {
  /** `order.yaml:7:10`, or the flag that the value came from. */
  readonly where: string;
  /** Names the field and its fault, or the fault of the text. */
  readonly text: string;
}

/** A file with more faults is the wrong file. */
const mostShown = 50;

/** People write a field like this: `cart[0].item_id`. */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

export function faultLine({ where, text }: Fault): string {
  return `${where}: ${text}`;
}

/** Faults stand in the order of the file. */
const byPlace = new Intl.Collator("en", { numeric: true });

/** Each hint gives a person an order to begin with. */
const starts = {
  order: "A complete file to start from: comanda prefill --example",
  lines: 'An order a line, for example: {"order_type":"takeout","cart":[{"item_id":3002}]}',
} as const;

/** @param what names the file, or the flags */
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
