/** Reads orders from a file and from flags, and checks all of them before the first is sent. */
import type { PrefilledOrderBody } from "../../api/models.js";
import { ComandaError } from "../../client/errors.js";
import { plural, t } from "../../languages/language.js";
import { decodeText, openFile, pipedInput, readBytes } from "../input.js";
import type { Context } from "../../cli/context.js";

import { checkOrder, type Fault } from "./check-order.js";
import { locator, overlay, type FlagFields } from "./flags.js";
import { parseOrderDocument, type DocumentText } from "./order-document.js";

const maxOrderBytes = 1024 * 1024;

/**
 * @param file `-` stands for stdin
 * @throws {ComandaError} `usage` where stdin is a terminal; `invalid_input` where the file can't be read, is too
 *   large or isn't UTF-8
 */
export async function readOrderFile(file: string, context: Context): Promise<DocumentText> {
  const source =
    file === "-"
      ? pipedInput(context, t`Pipe it in: comanda prefill - < order.yaml`)
      : await openFile(file, context.signal);
  const { label } = source;
  const bytes = await readBytes(source, maxOrderBytes, t`Was another file meant? It holds one order.`);
  try {
    return { label, text: decodeText(bytes, { fatal: true }) };
  } catch {
    throw new ComandaError("invalid_input", t`${label} isn't text in UTF-8.`, {
      hint: t`Save it as UTF-8. A complete file to start from: comanda prefill --example`,
    });
  }
}

/**
 * @param source absent where the flags give the whole order
 * @throws {ComandaError} `invalid_input` with all faults
 */
export function gatherOrder(source: DocumentText | undefined, flags: FlagFields): PrefilledOrderBody {
  const document = source && parseOrderDocument(source);
  const faults = [...flags.faults, ...(document?.faults ?? [])];
  if (document?.isReadable !== false) {
    const { order, ...checked } = checkOrder(
      overlay(document?.value, flags),
      locator(flags, document?.locate),
    );
    faults.push(...checked.faults);
    if (order && faults.length === 0) return order;
  }
  throw refusal(source?.label ?? t`the flags`, faults);
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
