/** Gathers orders. */
import { expect } from "vitest";

import { readFlags, type OrderFlags } from "../../../src/commands/prefill/flags.js";
import { gatherLines, gatherOrder } from "../../../src/commands/prefill/read-orders.js";
import { ComandaError } from "../../../src/shared/errors.js";

/** @returns the order, or the lines of faults without the closing hint */
export function read(text: string | undefined, flags: OrderFlags = {}) {
  const source = text === undefined ? undefined : { label: "f", text };
  return outcome(() => gatherOrder(source, readFlags(flags))[0]?.order);
}

export function readLines(text: string, flags: OrderFlags = {}) {
  return outcome(() => gatherLines({ label: "f", text }, readFlags(flags)));
}

function outcome<Result>(work: () => Result) {
  try {
    return { order: work() };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    expect(error.code).toBe("invalid_input");
    expect(error.hint).toMatch(/\nA complete file to start from: comanda prefill --example$/);
    return { message: error.message, faults: error.hint?.split("\n").slice(0, -1) };
  }
}
