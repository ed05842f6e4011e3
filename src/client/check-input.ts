/** Holds what a program gives to a call against its schema, before anything is sent. */
import * as z from "zod/mini";

import { check, type InputWords } from "../contract/input.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

/**
 * @returns the value as it was checked: what a getter would give a second time may be something else
 * @throws {ComandaError} `invalid_input` that names the field, what it must be, and the nearest name for one that isn't
 *   known
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  words?: InputWords,
): z.output<Schema> {
  const checked = check(schema, value, words);
  if (checked.ok) return checked.value;
  const [{ message, hint, field }] = checked.problems;
  throw new ComandaError("invalid_input", message, { ...(hint !== undefined && { hint }), field });
}

export function invalidInput(message: string, hint?: string): ComandaError {
  return new ComandaError("invalid_input", message, hint === undefined ? {} : { hint });
}

/**
 * What reading an input throws is the input's fault: a cycle, a BigInt, a getter that fails, or a shape that the
 * types forbid.
 *
 * @throws {ComandaError} `invalid_input`
 */
export function fromInput<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ComandaError) throw error;
    throw new ComandaError("invalid_input", t`The input is not what the operation takes.`, {
      hint: t`The error's cause says what could not be done with it.`,
      cause: error,
    });
  }
}

/** Knows a signal by its shape: those of another realm, or of a polyfill, will do. */
function isSignal(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "aborted" in value &&
    "addEventListener" in value &&
    typeof value.addEventListener === "function"
  );
}

/** An `AbortSignal` that may be left out. */
export function optionalSignal() {
  return z.optional(
    z.custom<AbortSignal>(isSignal, {
      // Made when it is said: a schema outlives the language that was set when it was made.
      error: () => t`must be an AbortSignal\nOf an AbortController it is controller.signal.`,
    }),
  );
}
