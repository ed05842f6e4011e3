/** Gathers an order. */
import { expect } from "vitest";

import { readFlags, type FlagOptions } from "../../../src/commands/prefill/flags.js";
import { gatherOrder } from "../../../src/commands/prefill/read-order.js";
import { ComandaError } from "../../../src/client/errors.js";

/** @returns the order, or the lines of faults without the closing hint */
export function read(text: string | undefined, flags: FlagOptions = {}) {
  const source = text === undefined ? undefined : { label: "f", text };
  try {
    return { order: gatherOrder(source, readFlags(flags)) };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    expect(error.code).toBe("invalid_input");
    expect(error.hint).toMatch(/\nA complete file to start from: comanda prefill --example$/);
    return { message: error.message, faults: error.hint?.split("\n").slice(0, -1) };
  }
}
