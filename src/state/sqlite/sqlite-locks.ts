/**
 * The locks of this machine: for each a file without content, on which SQLite holds its exclusive lock. The kernel gives
 * that up when its process ends, however it ends; a process that is merely stopped keeps it. Nothing is ever written into
 * the file, so that a full disk keeps nobody out.
 *
 * The file stays when its lock is given up. Were it removed just like that, two processes could each hold a lock of the
 * same name on a file of its own, and nobody could tell: a file system gives the number of a removed file to the next one.
 * Locks that are named after lists of orders must leave no files: such a file is opened with its lock, and removed, by
 * one process at a time.
 */
import path from "node:path";

import { isObject, parseJson } from "../../shared/json.js";
import type { Clock } from "../../shared/clock.js";
import type { Disk } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { shellWord } from "../../shared/shell-word.js";
import type { PrivateFiles } from "../files/private-file.js";
import type { Holder, LockAttempt } from "../locks/locks.js";
import type { OpenSqlite, SqliteConnection } from "./sqlite-driver.js";
import { isBusy, isDamage, sqliteError } from "./sqlite-errors.js";

export interface SqliteLocksOptions {
  readonly folder: string;
  readonly files: PrivateFiles;
  readonly clock: Pick<Clock, "now">;
  readonly openSqlite: OpenSqlite;
  /** This process. */
  readonly self: () => Pick<Holder, "pid" | "host">;
  /** Shall the file go when its lock is given up? */
  readonly isPassing?: boolean | undefined;
}

/** The lock under which files that don't stay are opened and removed. */
const doorway = "doorway.lock";
/** Others may stand there for so many milliseconds. They need less than one, unless they were stopped. */
const doorwayWaitMs = 1000;

export function createSqliteLockAttempt(
  name: string,
  { folder, files, clock, openSqlite, self, isPassing = false }: SqliteLocksOptions,
): LockAttempt {
  const { disk } = files.system;
  const lock = path.join(folder, `${name}.lock`);
  const holderFile = path.join(folder, `${name}.holder`);
  let connection: SqliteConnection | undefined;
  let isOurs = false;

  function open(file: string): SqliteConnection {
    // SQLite itself would make it readable for others.
    files.prepare(file, "read");
    try {
      return openSqlite(file);
    } catch (error) {
      throw lockError(error, file, disk);
    }
  }

  /** @returns whether the lock is ours now; another process may have it */
  function take(): boolean {
    try {
      connection ??= open(lock);
      // A journal of its own would be a file, written to before the lock is ours.
      connection.exec("pragma journal_mode = memory; begin exclusive");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw lockError(error, lock, disk);
    }
  }

  function close(): void {
    connection?.close();
    connection = undefined;
  }

  /** @returns `undefined` where another process stands in the doorway for so long */
  function inDoorway<Result>(work: () => Result): Result | undefined {
    const file = path.join(folder, doorway);
    const door = open(file);
    try {
      door.exec(`pragma busy_timeout = ${doorwayWaitMs}; pragma journal_mode = memory; begin exclusive`);
    } catch (error) {
      door.close();
      if (isBusy(error)) return undefined;
      throw lockError(error, file, disk);
    }
    try {
      return work();
    } finally {
      door.close();
    }
  }

  function takeInDoorway(): boolean {
    const isTaken = inDoorway(take) ?? false;
    // Its holder removes the file, so the next look opens another one.
    if (!isTaken) close();
    return isTaken;
  }

  /** The file of a lock that is held goes first, then the lock. */
  function leave(): void {
    inDoorway(() => {
      disk.remove(lock);
      close();
    });
  }

  return {
    place: lock,
    take() {
      isOurs = isPassing ? takeInDoorway() : take();
      if (!isOurs) return undefined;
      const holder = JSON.stringify({ ...self(), since: Math.round(clock.now()) });
      ifPossible(() => files.write(holderFile, holder, { durable: false }));
      // The kernel takes it from nobody who lives.
      return { assertHeld: () => undefined };
    },
    holder: () => readHolder(files, holderFile),
    end() {
      if (isOurs) {
        ifPossible(() => disk.remove(holderFile));
        if (isPassing) ifPossible(leave);
      }
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

/** The holder's file is for messages alone, and a lock whose file stays is a lock all the same. */
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
