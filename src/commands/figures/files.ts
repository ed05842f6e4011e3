/** Files that the user names. */
import { ComandaError } from "../../base/errors.js";
import { t } from "../../languages/language.js";
import { fileErrorReason } from "../../base/basics.js";

/** @throws {ComandaError} `invalid_input` if the work on a file that the user named fails */
export function writing<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function unwritable(file: string, error: unknown): ComandaError {
  return new ComandaError("invalid_input", t`Can't write ${file}: ${fileErrorReason(error)}.`);
}
