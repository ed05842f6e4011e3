/** Errors of the file system as messages that say what to do. */
import type { Disk, FileStats } from "../disk.js";
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";

/** The end of a hint. */
export const chooseAnother = (): string => t`or choose another folder with COMANDA_CONFIG_DIR`;

/**
 * A failed file operation as a {@link ComandaError} of code `state_unusable` that names the file.
 *
 * @param verb what was tried: `read`, `write`, …
 */
export function fileError(error: unknown, verb: string, path: string): ComandaError {
  if (error instanceof ComandaError) return error;
  const [message, hint] = explained(systemErrorCode(error), translated(verb), path);
  return new ComandaError("state_unusable", message, { hint, cause: error });
}

function explained(code: string | undefined, verb: string, path: string): readonly [string, string] {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return [
        t`comanda is not allowed to ${verb} ${path}.`,
        t`Check who owns it and its folder, ${chooseAnother()}.`,
      ];
    case "ENOSPC":
    case "EDQUOT":
      return [
        t`There is no space left to write ${path}.`,
        t`Make space on the disk, then run the command again.`,
      ];
    case "EROFS":
      return [
        t`${path} lies on a file system that can only be read.`,
        t`Choose a folder that can be written with COMANDA_CONFIG_DIR.`,
      ];
    default:
      return [
        t`comanda can't ${verb} ${path}${code === undefined ? "" : ` (${code})`}.`,
        t`Check the folder it lies in, ${chooseAnother()}.`,
      ];
  }
}

const unwritable: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** Says the error that the disk or folder can't be written, though it may be readable? */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof ComandaError) || error.code !== "state_unusable") return false;
  return unwritable.has(systemErrorCode(error.cause) ?? "");
}

/** Runs a file operation; its failure is a {@link ComandaError} as {@link fileError} makes it. */
export function withFileErrors<Result>(verb: string, path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fileError(error, verb, path);
  }
}

/** @returns what lies there, be it a link; `undefined` where nothing does */
export function lstatIfPresent(disk: Disk, file: string): FileStats | undefined {
  return withFileErrors("read", file, () => ifPresent(() => disk.lstat(file)));
}

/** Runs a file operation; `undefined` where the file isn't there. */
export function ifPresent<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
