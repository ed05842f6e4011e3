import { expect } from "vitest";

import { hintFor } from "../../src/cli/hints.js";
import { ComandaError, completeHint, type ErrorCode } from "../../src/base/errors.js";

/** Returns the error of the work, which must be a ComandaError with this code and a hint of the command line. */
export async function rejection(code: ErrorCode, work: () => unknown): Promise<ComandaError> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (!(error instanceof ComandaError))
    throw new Error(`expected ${code}, got ${String(error)}`, { cause: error });
  expect(error.code).toBe(code);
  expect(error.message).toMatch(/\.$/);
  expect(completeHint(error, hintFor).hint ?? "").not.toBe("");
  return error;
}

/** Returns the same result, or the same error with the hint that the command line shows. */
export async function hinted<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw completeHint(error, hintFor);
  });
}
