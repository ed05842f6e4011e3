/** Gathers an order. */
import { expect } from "vitest";

import { readFlags, type FlagFields } from "../../../src/commands/prefill/flags.js";
import { gatherOrder } from "../../../src/commands/prefill/read-order.js";
import { ComandaError } from "../../../src/client/errors.js";
import { createCommandLine } from "../../../src/toolkit/command-line.js";
import { testGlobals } from "../../support/context.js";

/** The flags of an order as they are typed. */
export interface OrderFlags {
  readonly orderType?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly item?: readonly string[];
  readonly address?: readonly string[];
}

export function flagsOf({ orderType, customerName, customerPhone, ...lists }: OrderFlags): FlagFields {
  const { item = [], address = [] } = lists;
  const texts = Object.entries({
    "--order-type": orderType,
    "--customer-name": customerName,
    "--customer-phone": customerPhone,
  }).flatMap(([option, text]) => (text === undefined ? [] : [[option, text] as const]));
  const values = new Map<string, string | readonly string[]>([
    ...texts,
    ["--item", item],
    ["--address", address],
  ]);
  return readFlags(createCommandLine([], testGlobals(), values));
}

/** @returns the order, or the lines of faults without the closing hint */
export function read(text: string | undefined, flags: OrderFlags = {}) {
  const source = text === undefined ? undefined : { label: "f", text };
  try {
    return { order: gatherOrder(source, flagsOf(flags)) };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    expect(error.code).toBe("invalid_input");
    expect(error.hint).toMatch(/\nA complete file to start from: comanda prefill --example$/);
    return { message: error.message, faults: error.hint?.split("\n").slice(0, -1) };
  }
}
