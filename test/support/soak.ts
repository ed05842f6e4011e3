/**
 * The size of a test, and the figures that it reports. `npm run test:search` and `npm run soak` set them by environment variables;
 * in `npm test`, a test is small and its figures aren't reported.
 */
import { appendFileSync } from "node:fs";

import { test } from "vitest";

/** The share of the full size, above 0 and at most 1; 0 in `npm test`. */
const share = Number(process.env["COMANDA_SOAK"] ?? 0);

/** Whether this is a part of `npm run soak`. */
export const soak = share > 0;

/** Whether this is a part of `npm run test:search`. */
export const isSearch = process.env["COMANDA_SEARCH"] === "1";

/**
 * Runs a test only in the search, in addition to those of the same rule in `npm test`. The search configuration includes every file
 * that contains `inSearch`.
 */
export const inSearch = test.runIf(isSearch);

/** Returns rows of a table that run only in the search. */
export function rowsInSearch<Row>(rows: readonly Row[]): readonly Row[] {
  return isSearch ? rows : [];
}

/** Whether Stryker runs this test again for each mutant. */
export const isMutation = process.env["COMANDA_MUTATIONS"] === "1";

interface Size {
  /** The size in `npm test`, which is the minimum. */
  readonly test: number;
  /** The size in `npm run test:search`, which CI also runs; by default as in `npm test`. */
  readonly search?: number;
  /** The size that the project's guarantees were measured with. */
  readonly soak: number;
}

export function sized({ test, search: larger = test, soak: whole }: Size): number {
  if (isMutation) return Math.ceil(test / 5);
  if (soak) return Math.max(larger, Math.round(whole * share));
  return isSearch ? larger : test;
}

export interface Figure {
  /** What was counted, such as "orders sent twice". */
  readonly what: string;
  /** The sample, such as "500 kills". */
  readonly of: string;
  /** The required value; `undefined` for a figure that is only reported. */
  readonly wanted?: number;
  readonly seen: number;
}

/** Adds a row to the table at the end of `npm run soak`. Call it before the check, so that the table also shows a failed figure. */
export function tellFigure({ what, of, wanted, seen }: Figure): void {
  const file = process.env["COMANDA_SOAK_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${[what, of, wanted ?? "-", seen].join("\t")}\n`);
}
