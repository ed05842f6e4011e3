/** The faults of an order that a person wrote, with their places. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";

export type FieldPath = readonly PropertyKey[];

export interface Fault {
  /** `order.yaml:7:10`, or the flag that the value came from. */
  readonly place: string;
  /** Names the field and its fault, or the fault of the text. */
  readonly text: string;
}

/** A file with more faults is the wrong file. */
const maxFaults = 50;

/** People write a field like this: `cart[0].item_id`. */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

export function faultLine({ place, text }: Fault): string {
  return `${place}: ${text}`;
}

/** Faults stand in the order of the file. */
const byPlace = new Intl.Collator("en", { numeric: true });

/** Each hint gives a person an order to begin with. */
const starts = {
  order: "A complete file to start from: comanda prefill --example",
  lines: 'An order a line, for example: {"order_type":"takeout","cart":[{"item_id":3002}]}',
} as const;

/** @param subject names the file, or the flags */
export function refusal(subject: string, faults: readonly Fault[], start: keyof typeof starts): ComandaError {
  const sorted = faults.toSorted((left, other) => byPlace.compare(left.place, other.place));
  const faultLines = sorted.slice(0, maxFaults).map(faultLine);
  const rest = faults.length - faultLines.length;
  return new ComandaError(
    "invalid_input",
    plural(faults.length, {
      one: t`There is a fault in ${subject}; nothing was sent.`,
      other: t`There are ${faults.length} faults in ${subject}; nothing was sent.`,
    }),
    {
      hint: [...faultLines, ...(rest > 0 ? [t`… and ${rest} more`] : []), translated(starts[start])].join(
        "\n",
      ),
    },
  );
}
