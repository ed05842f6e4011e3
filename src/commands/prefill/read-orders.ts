/** Reads orders from a file and from flags, and checks all of them before the first is sent. */
import type { PrefilledOrderBody } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import { decodeText, openFile, pipedInput, readBytes } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";

import { checkOrder, type Fault } from "./check-order.js";
import { locator, overlay, type FlagFields } from "./flags.js";
import { parseOrderDocument, type DocumentText } from "./order-document.js";

const maxOrderBytes = 1024 * 1024;
const maxListBytes = 64 * 1024 * 1024;

/**
 * @param file `-` stands for stdin
 * @throws {ComandaError} `usage` where stdin is a terminal; `invalid_input` where the file can't be read, is too
 *   large or isn't UTF-8
 */
export async function readOrderFile(
  file: string,
  machine: Pick<Machine, "context" | "inputFile">,
  lines: boolean,
): Promise<DocumentText> {
  const { context } = machine;
  const source =
    file === "-"
      ? pipedInput(context, t`Pipe it in: comanda prefill - < order.yaml`)
      : await openFile(machine, file, context.signal);
  const { label } = source;
  const bytes = await readBytes(
    source,
    lines ? maxListBytes : maxOrderBytes,
    t`Was another file meant? Many orders go in JSON Lines, one order a line.`,
  );
  try {
    return { label, text: decodeText(bytes, { fatal: true }) };
  } catch {
    throw new ComandaError("invalid_input", t`${label} isn't text in UTF-8.`, {
      hint: t`Save it as UTF-8. A complete file to start from: comanda prefill --example`,
    });
  }
}

export interface OrderLine {
  /** The line of the file; 1 where the file holds one order. */
  readonly line: number;
  readonly order: PrefilledOrderBody;
}

/**
 * @param source absent where the flags give the whole order
 * @throws {ComandaError} `invalid_input` with all faults
 */
export function gatherOrder(source: DocumentText | undefined, flags: FlagFields): readonly OrderLine[] {
  const faults = [...flags.faults];
  const orders = check(source, 1, flags, faults);
  if (faults.length > 0) throw refusal(source?.label ?? t`the flags`, faults);
  return orders;
}

/**
 * Each line holds one order; blank lines and lines that begin with # are skipped. Flags replace fields of the lines.
 *
 * @throws {ComandaError} `invalid_input` with the faults of all lines, or where there is no order
 */
export function gatherLines({ label, text }: DocumentText, flags: FlagFields): readonly OrderLine[] {
  const faults = [...flags.faults];
  const orders = text.split(/\r?\n/).flatMap((content, index) => {
    const isOrder = !/^\s*(?:#|$)/.test(content);
    return isOrder ? check({ label, text: content, firstLine: index + 1 }, index + 1, flags, faults) : [];
  });
  if (orders.length === 0 && faults.length === 0)
    faults.push({ place: label, text: t`there is no order in it` });
  if (faults.length > 0) throw refusal(label, faults);
  return orders;
}

/** @param faults gets the faults of the order, which isn't given then */
function check(
  source: DocumentText | undefined,
  line: number,
  flags: FlagFields,
  faults: Fault[],
): readonly OrderLine[] {
  const document = source && parseOrderDocument(source);
  faults.push(...(document?.faults ?? []));
  if (document?.isReadable === false) return [];
  const checked = checkOrder(overlay(document?.value, flags), locator(flags, document?.locate));
  faults.push(...checked.faults);
  return checked.order ? [{ line, order: checked.order }] : [];
}

/** A file with more faults is the wrong file. */
const maxFaults = 50;

/** Faults stand in the order of the file. */
const byPlace = new Intl.Collator("en", { numeric: true });

/** @param subject names the file, or the flags */
function refusal(subject: string, faults: readonly Fault[]): ComandaError {
  const lines = faults
    .toSorted((left, other) => byPlace.compare(left.place, other.place))
    .map(({ place, text }) => `${place}: ${text}`);
  const rest = lines.length - maxFaults;
  const message = plural(faults.length, {
    one: t`There is a fault in ${subject}; nothing was sent.`,
    other: t`There are ${faults.length} faults in ${subject}; nothing was sent.`,
  });
  const hint = [
    ...lines.slice(0, maxFaults),
    ...(rest > 0 ? [t`… and ${rest} more`] : []),
    t`A complete file to start from: comanda prefill --example`,
  ];
  return new ComandaError("invalid_input", message, { hint: hint.join("\n") });
}
