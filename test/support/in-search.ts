/**
 * Cases that run only in `npm run test:search`, in addition to cases of the same rule in `npm test`. The search configuration
 * includes every file that contains `inSearch`.
 */
import { test } from "vitest";

import { isSearch } from "./soak.js";

/** Runs a test only in the search. */
export const inSearch = test.runIf(isSearch);

/** Returns rows of a table that run only in the search. */
export function rowsInSearch<Row>(rows: readonly Row[]): readonly Row[] {
  return isSearch ? rows : [];
}
