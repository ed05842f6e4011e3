/** `--jq`: an expression of the jq language over a result. Loaded only where it is given. */
import { compile } from "@michaelhomer/jqjs";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

export type JqProgram = (value: unknown) => Iterable<unknown>;

/** @throws {ComandaError} `usage` where the expression isn't one; running it throws `invalid_input` where it fails */
export function compileJq(expression: string): JqProgram {
  const program = orFault("usage", () => compile(expression));
  return function* run(value) {
    const results = orFault("invalid_input", () => program(value)[Symbol.iterator]());
    for (;;) {
      const next = orFault("invalid_input", () => results.next());
      if (next.done === true) return;
      yield next.value;
    }
  };
}

function orFault<Result>(code: "usage" | "invalid_input", work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // The library throws texts as well as errors.
    const reason = error instanceof Error ? error.message : String(error);
    throw new ComandaError(code, `--jq: ${reason}`, {
      hint: t`The language is described at https://jqlang.org/manual. --json alone shows what the expression is given.`,
    });
  }
}
