/** Which window the figures are of, said once for all stores that share it. */
import { describePeriod } from "../../summary/period/period.js";
import type { StoreResult } from "../../summary/merge/stores.js";
import type { Output } from "../../terminal/index.js";

import type { Gathered } from "./gather.js";
import type { AskedPeriods } from "./request.js";

/** On stderr, so that stdout carries data alone; for people, so not where nobody looks on. */
export function sayWindows(output: Output, results: readonly StoreResult<Gathered<unknown>>[]): void {
  const stores = new Map<string, string[]>();
  for (const one of results) {
    if ("error" in one) continue;
    const window = describeWindows(one.figures.asked);
    stores.set(window, [...(stores.get(window) ?? []), one.store]);
  }
  for (const [window, names] of stores) {
    output.heading(stores.size === 1 ? window : `${names.join(", ")}: ${window}`);
  }
}

export function describeWindows({ current, previous }: AskedPeriods): string {
  const asked = describePeriod(current.period);
  return previous === undefined ? asked : `${asked}, compared with ${describePeriod(previous.period)}`;
}
