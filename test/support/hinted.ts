import { completeHint } from "../../src/base/errors.js";
import { hintFor } from "../../src/cli/hints.js";

/** Returns the same result, or the same error with the hint that the command line shows. */
export async function hinted<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw completeHint(error, hintFor);
  });
}
