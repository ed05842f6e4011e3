/** Errors of the file system as messages that say what to do. */
import { sep } from "node:path";

import type { Disk, FileStats } from "../../shared/disk.js";
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";

type Explanation = (path: string, verb: string) => { message: string; hint: string };

/** The end of a hint. */
export const chooseAnother = (): string =>
  t`or choose another folder with COMANDA_CONFIG_DIR or COMANDA_DATA_DIR`;

/** Tells who has which rights. */
const lister = sep === "\\" ? "icacls" : "ls -ld";

const denied: Explanation = (path, verb) => ({
  message: t`comanda is not allowed to ${verb} ${path}.`,
  hint: t`Check who owns it and its folder (\`${lister} ${path}\`), ${chooseAnother()}.`,
});

const full: Explanation = (path) => ({
  message: t`There is no space left to write ${path}.`,
  hint: t`Make space on the disk, then run the command again.`,
});

const explanations: Readonly<Record<string, Explanation>> = {
  EACCES: denied,
  EPERM: denied,
  ENOSPC: full,
  EDQUOT: full,
  ENOTDIR: (path, verb) => ({
    message: t`comanda can't ${verb} ${path}: part of that path is not a folder.`,
    hint: t`Move the file that stands in the way, ${chooseAnother()}.`,
  }),
  ELOOP: (path, verb) => ({
    message: t`comanda can't ${verb} ${path}: it is a link, or part of that path is one that leads nowhere.`,
    hint: t`Put the file itself there, ${chooseAnother()}.`,
  }),
  ENAMETOOLONG: (path, verb) => ({
    message: t`comanda can't ${verb} ${path}: the path is too long.`,
    hint: t`Choose a shorter one with COMANDA_CONFIG_DIR or COMANDA_DATA_DIR.`,
  }),
  EISDIR: (path, verb) => ({
    message: t`comanda can't ${verb} ${path}: there is a folder of that name.`,
    hint: t`Move the folder away, then run the command again.`,
  }),
  EROFS: (path) => ({
    message: t`${path} lies on a file system that can only be read.`,
    hint: t`Choose a folder that can be written with COMANDA_CONFIG_DIR or COMANDA_DATA_DIR.`,
  }),
};

/**
 * A failed file operation as a {@link ComandaError} of code `state_unusable` that names the file.
 *
 * @param verb what was tried: `read`, `write`, …
 */
export function fileError(error: unknown, verb: string, path: string): ComandaError {
  if (error instanceof ComandaError) return error;
  const code = systemErrorCode(error);
  const explain = code === undefined ? undefined : explanations[code];
  const { message, hint } = explain?.(path, translated(verb)) ?? {
    message: t`comanda can't ${translated(verb)} ${path}${code === undefined ? "" : ` (${code})`}.`,
    hint: t`Check the folder it lies in, ${chooseAnother()}.`,
  };
  return new ComandaError("state_unusable", message, { hint, cause: error });
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
