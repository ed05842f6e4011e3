/**
 * The locks of this machine: for each a file without content, on which SQLite holds its exclusive lock. The kernel gives
 * that up when its process ends, however it ends; a process that is merely stopped keeps it. Nothing is ever written into
 * the file, so that a full disk keeps nobody out.
 *
 * Whoever gives a lock up removes its file first. So whoever comes to hold one looks whether the file still has its
 * name: otherwise others lock another file by now.
 */
import path from "node:path";

import { isObject, parseJson } from "../../shared/json.js";
import type { Clock } from "../../shared/clock.js";
import type { Disk } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { shellWord } from "../../shared/shell-word.js";
import { ifPresent, withFileErrors } from "../files/file-errors.js";
import type { PrivateFiles } from "../files/private-file.js";
import type { Holder, LockAttempt } from "./locks.js";
import type { OpenSqlite, SqliteConnection } from "../sqlite-driver.js";
import { isBusy, isDamage, sqliteError } from "../sqlite-errors.js";

export interface SqliteLocksOptions {
  readonly folder: string;
  readonly files: PrivateFiles;
  readonly clock: Pick<Clock, "now">;
  readonly openSqlite: OpenSqlite;
  /** This process. */
  readonly self: () => Pick<Holder, "pid" | "host">;
}

/** How often a lock is looked at anew whose file had lost its name when it was ours. */
const mostFiles = 20;

export function createSqliteLockAttempt(
  name: string,
  { folder, files, clock, openSqlite, self }: SqliteLocksOptions,
): LockAttempt {
  const { disk } = files.system;
  const lock = path.join(folder, `${name}.lock`);
  const holderFile = path.join(folder, `${name}.holder`);
  let open: { readonly connection: SqliteConnection; readonly file: number | undefined } | undefined;
  let isOurs = false;

  const fileNow = () => withFileErrors("lock", lock, () => ifPresent(() => disk.lstat(lock).ino));

  function openLock() {
    // SQLite makes it for others to read, where somebody removes it right now.
    files.prepare(lock, "read");
    const file = fileNow();
    return { connection: openSqlite(lock), file };
  }

  function close(): void {
    open?.connection.close();
    open = undefined;
  }

  /** @returns whether it is ours; another process may have it, or the file has lost its name */
  function takeFile(): "ours" | "another's" | "nameless" {
    try {
      open ??= openLock();
      // A journal of its own would be a file, written to before the lock is ours.
      open.connection.exec("pragma journal_mode = memory; begin exclusive");
    } catch (error) {
      if (isBusy(error)) return "another's";
      // SQLite itself fails where it finds that out.
      if (open === undefined || open.file === fileNow()) throw lockError(error, lock, disk);
    }
    const file = fileNow();
    return file !== undefined && file === open.file ? "ours" : "nameless";
  }

  function take(): boolean {
    for (let times = 0; times < mostFiles; times += 1) {
      const state = takeFile();
      if (state !== "nameless") return state === "ours";
      close();
    }
    return false;
  }

  return {
    place: lock,
    take() {
      isOurs = take();
      if (!isOurs) return undefined;
      const holder = JSON.stringify({ ...self(), since: Math.round(clock.now()) });
      ifPossible(() => files.write(holderFile, holder, { durable: false }));
      // The kernel takes it from nobody who lives.
      return { assertHeld: () => undefined };
    },
    holder: () => readHolder(files, holderFile),
    end() {
      if (isOurs) for (const file of [holderFile, lock]) ifPossible(() => disk.remove(file));
      isOurs = false;
      close();
    },
  };
}

function lockError(error: unknown, lock: string, disk: Disk): unknown {
  if (!isDamage(error)) return sqliteError(error, lock, disk);
  return new ComandaError(
    "state_unusable",
    t`The lock ${lock} has content, which this comanda never wrote.`,
    {
      hint: t`Where no other comanda runs, remove it: rm ${shellWord(lock)}`,
      cause: error,
    },
  );
}

/** Who holds a lock is for messages alone, and a lock whose file stays is a lock all the same. */
function ifPossible(work: () => void): void {
  try {
    work();
  } catch {
    // The disk is full, or Windows removes no file that is open.
  }
}

function readHolder(files: PrivateFiles, file: string): Holder | undefined {
  const holder = parseJson(files.read(file) ?? "");
  if (!isObject(holder)) return undefined;
  const { pid, host, since } = holder;
  if (typeof pid !== "number" || typeof host !== "string" || typeof since !== "number") return undefined;
  return { pid, host, since };
}
