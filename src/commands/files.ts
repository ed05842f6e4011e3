/** Files that the user names, and temporary folders. */
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t } from "../languages/language.js";
import { fileErrorReason } from "../base/basics.js";

/** @throws {ComandaError} `invalid_input` if the work on the file or folder fails */
export function writing<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function unwritable(file: string, error: unknown): ComandaError {
  const isFull = ["ENOSPC", "EDQUOT"].includes(systemErrorCode(error) ?? "");
  return new ComandaError("invalid_input", t`Can't write ${file}: ${fileErrorReason(error)}.`, {
    hint: isFull ? t`Free up disk space, then try again.` : t`Check the path.`,
  });
}
