/** Turns SQLite's errors into messages that name the file and the way out. */
import path from "node:path";

import type { Disk } from "../disk.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { shellWord } from "../shell-word.js";
import { fileError } from "../files/file-errors.js";
import { sqliteCode, sqliteCodes } from "./sqlite-driver.js";

/** Another process is in the way: it may be gone in a moment. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === sqliteCodes.busy || code === sqliteCodes.protocol;
}

/** @param waitedMs how long others were waited for, where they are what is wrong */
export function sqliteError(error: unknown, file: string, disk: Disk, waitedMs = 0): unknown {
  switch (sqliteCode(error)) {
    case sqliteCodes.busy:
    case sqliteCodes.protocol:
      return new ComandaError(
        "lock_timeout",
        t`Another process is writing to ${file}; this one waited for ${Math.round(waitedMs / 1000)} s.`,
        { hint: t`Run the command again when the other one has ended.`, cause: error },
      );
    case sqliteCodes.full:
      return fileError(withCode(error, "ENOSPC"), "write", file);
    case sqliteCodes.readOnly:
    case sqliteCodes.permission:
    case sqliteCodes.cannotOpen:
      return fileError(whyUnwritable(disk, path.dirname(file)) ?? withCode(error, "EACCES"), "write", file);
    case sqliteCodes.disk:
      return fileError(withCode(error, "EIO"), "write", file);
    case sqliteCodes.damaged:
    case sqliteCodes.notDatabase:
      return damaged(file, error);
    default:
      return error;
  }
}

export function damaged(file: string, cause?: unknown): ComandaError {
  return new ComandaError("state_unusable", t`${file} is damaged.`, {
    hint: t`Move it away, and comanda begins a new one; sign-ins are not in it. \`sqlite3 ${shellWord(file)} .recover\` shows what can still be read.`,
    cause,
  });
}

/** Gives the error the code of a file's error, which others ask for. */
function withCode(error: unknown, code: string): Error {
  return Object.assign(new Error(code, { cause: error }), { code });
}

/** SQLite doesn't say why it can't write; the system does. */
export function whyUnwritable(disk: Disk, folder: string): unknown {
  try {
    disk.accessFolder(folder);
    return undefined;
  } catch (error) {
    return error;
  }
}
