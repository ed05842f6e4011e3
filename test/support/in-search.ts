/**
 * What `npm run test:search` has beside `npm test`: further cases of a promise that `npm test` holds by a case of its own.
 * The search configuration takes in every file that names `inSearch`.
 */
import { test } from "vitest";

import { isSearch } from "./soak.js";

/** A test of the search alone. */
export const inSearch = test.runIf(isSearch);

/** Rows of a table that the search alone has. */
export function rowsInSearch<Row>(rows: readonly Row[]): readonly Row[] {
  return isSearch ? rows : [];
}
