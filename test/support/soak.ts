/**
 * How large a test is, and what it has found. `npm run test:search` and `npm run soak` say so in variables; in `npm test`
 * a test is small, and its figures go nowhere.
 */
import { appendFileSync } from "node:fs";

export const minutes = 60_000;

/** As .config/vitest.config.ts has it too. */
const soakTimeLimit = 24 * 60 * minutes;

/** Of the whole size, above 0 and at most 1; 0 in the suite. */
const share = Number(process.env["COMANDA_SOAK"] ?? 0);

/** Is this a part of `npm run soak`? */
export const soak = share > 0;

/** Is this a part of `npm run test:search`? */
export const isSearch = process.env["COMANDA_SEARCH"] === "1";

export interface Size {
  /** In `npm test`, and at least. */
  readonly test: number;
  /** In `npm run test:search`, which CI runs too; as in `npm test` by default. */
  readonly search?: number;
  /** What the project promises. */
  readonly soak: number;
}

export function sized({ test, search: larger = test, soak: whole }: Size): number {
  if (soak) return Math.max(larger, Math.round(whole * share));
  return isSearch ? larger : test;
}

/**
 * For how long a test may go on, in milliseconds. A soak has no such limit: on a busy machine none tells a test that is slow
 * from one that hangs, and whoever runs it sees which it is.
 *
 * @param suite in all other runs
 */
export function timeLimit(suite: number): number {
  return soak ? soakTimeLimit : suite;
}

export interface Figure {
  /** What was counted: "orders sent twice". */
  readonly what: string;
  /** What it was counted in: "500 kills". */
  readonly of: string;
  /** Absent for one that is only told. */
  readonly wanted?: number;
  readonly seen: number;
}

/** A row of the table that `npm run soak` ends with. To be called before it is checked, so that a bad one is shown too. */
export function tellFigure({ what, of, wanted, seen }: Figure): void {
  const file = process.env["COMANDA_SOAK_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${[what, of, wanted ?? "-", seen].join("\t")}\n`);
}
