/** Functions that the program gave: when one fails, the error names it rather than us. */
import { t } from "../languages/language.js";
import { ComandaError } from "./errors.js";

/** @param thrown kept for the program as the error's `cause`; a `ComandaError` is handed on as it is */
export function callbackFailed(
  name: string,
  thrown: unknown,
  httpStatus: number | null = null,
): ComandaError {
  if (thrown instanceof ComandaError) return thrown;
  return new ComandaError("callback_failed", t`The function ${name}, which the program gave, failed.`, {
    hint: t`What it threw is the error's cause.`,
    cause: thrown,
    httpStatus,
  });
}

/** @throws {ComandaError} `callback_failed` */
export function callback<Result>(name: string, run: () => Result, httpStatus?: number | null): Result {
  try {
    return run();
  } catch (error) {
    throw callbackFailed(name, error, httpStatus);
  }
}

/**
 * Waits for a function that may give a promise.
 *
 * @throws {ComandaError} `callback_failed`
 */
export async function awaitedCallback<Result>(
  name: string,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw callbackFailed(name, error);
  }
}
