/** Holds what a program gives a call against the schema of its operation. */
import type * as z from "zod/mini";

import { check, type InputWords } from "../api/input.js";
import { t } from "../languages/language.js";
import { ComandaError } from "./errors.js";

/**
 * @returns the value as it was checked: what a getter would give a second time may be something else
 * @throws {ComandaError} `invalid_input` that names the field, what it must be, and the nearest name for a name that
 *   doesn't exist
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  words?: InputWords,
): z.output<Schema> {
  const checked = check(schema, value, words);
  if (checked.ok) return checked.value;
  const [problem] = checked.problems;
  throw new ComandaError("invalid_input", problem.message, problem);
}

/**
 * An error while an input is read is the input's fault: a cycle, a BigInt, a getter that fails, or a shape that the
 * types forbid.
 *
 * @param asked the error names it; `undefined` for an operation that there isn't
 * @throws {ComandaError} `invalid_input`
 */
export function fromInput<Result>(
  asked: { readonly id: string; readonly method?: unknown; readonly path?: unknown } | undefined,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    const { id: operation = null, method, path } = asked ?? {};
    const thrown =
      error instanceof ComandaError
        ? error
        : new ComandaError("invalid_input", t`The input is not what the operation takes.`, {
            hint: t`The error's cause says what could not be done with it.`,
            cause: error,
          });
    throw thrown.reworded(thrown.message, {
      operation,
      method: typeof method === "string" ? method : null,
      path: typeof path === "string" ? path.replace(/\?.*/s, "") : null,
    });
  }
}
