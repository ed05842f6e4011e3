/** Makes orders of files and flags. All orders are checked before the first is sent. */
import type { PrefilledOrderBody } from "../../contract/models.js";
import { checkOrder, type CheckedOrder } from "./check-order.js";
import { refusal, type Fault } from "./fault.js";
import { locator, overlay, type FlagFields } from "./flags.js";
import { parseOrderDocument, type DocumentText, type OrderDocument } from "./order-document.js";
import { t } from "../../shared/language.js";

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
  const document = source && parseOrderDocument(source);
  const faults = [...flags.faults];
  const { order } = check(document, flags, faults);
  if (order === undefined || faults.length > 0) throw refusal(source?.label ?? t`the flags`, faults, "order");
  return [{ line: 1, order }];
}

/**
 * Each line holds one order; blank lines and lines that begin with # are skipped. Flags replace fields of the lines.
 *
 * @throws {ComandaError} `invalid_input` with the faults of all lines, or where there is no order
 */
export function gatherLines({ label, text }: DocumentText, flags: FlagFields): readonly OrderLine[] {
  const faults = [...flags.faults];
  const orders: OrderLine[] = [];
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const trimmed = content.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const line = index + 1;
    const result = check(parseOrderDocument({ label, text: content, firstLine: line }), flags, faults);
    if (result.order) orders.push({ line, order: result.order });
  }
  if (orders.length === 0 && faults.length === 0) {
    faults.push({ place: label, text: t`there is no order in it` });
  }
  if (faults.length > 0) throw refusal(label, faults, "lines");
  return orders;
}

function check(document: OrderDocument | undefined, flags: FlagFields, faults: Fault[]): CheckedOrder {
  faults.push(...(document?.faults ?? []));
  if (document?.readable === false) return { faults: [] };
  const locate = locator(flags, document && ((path) => document.locate(path)));
  const result = checkOrder(overlay(document?.value, flags), locate);
  faults.push(...result.faults);
  return result;
}
