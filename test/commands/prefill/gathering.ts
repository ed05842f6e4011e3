/** Gathers orders, and keeps what was told on the way. */
import { expect } from "vitest";

import type { Remark } from "../../../src/commands/prefill/check-order.js";
import { readFlags, type OrderFlags } from "../../../src/commands/prefill/flags.js";
import { gatherLines, gatherOrder } from "../../../src/commands/prefill/gather-orders.js";
import { ComandaError } from "../../../src/shared/errors.js";

/** @returns the order, or the lines of faults without the closing hint */
export function read(text: string | undefined, flags: OrderFlags = {}) {
  const source = text === undefined ? undefined : { label: "f", text };
  return outcome(
    /\nA complete file to start from: comanda prefill --example$/,
    (warn) => gatherOrder(source, readFlags(flags), warn)[0]?.order,
  );
}

export function readLines(text: string, flags: OrderFlags = {}) {
  return outcome(/\nAn order a line, for example: \{"order_type"/, (warn) =>
    gatherLines({ label: "f", text }, readFlags(flags), warn),
  );
}

function outcome<Result>(start: RegExp, work: (warn: (field: Remark) => void) => Result) {
  const warnings: string[] = [];
  const warn = ({ where, text }: Remark) => void warnings.push(`${where}: ${text}`);
  try {
    return { order: work(warn), warnings };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    expect(error.code).toBe("invalid_input");
    expect(error.hint).toMatch(start);
    return { message: error.message, faults: error.hint?.split("\n").slice(0, -1), warnings };
  }
}
