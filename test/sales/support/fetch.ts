/** Fetching for tests that expect no warning: one is a failure. */
import * as fetching from "../../../src/sales/plan/fetch.js";

type Grouped = Parameters<typeof fetching.fetchGrouped>[0];
type Summary = Parameters<typeof fetching.fetchSummary>[0];

const onWarning = (message: string): void => {
  throw new Error(`an unexpected warning: ${message}`);
};

export function fetchSummary(options: Omit<Summary, "onWarning"> & Partial<Summary>) {
  return fetching.fetchSummary({ onWarning, ...options });
}

export function fetchGrouped(options: Omit<Grouped, "onWarning"> & Partial<Grouped>) {
  return fetching.fetchGrouped({ onWarning, ...options });
}
