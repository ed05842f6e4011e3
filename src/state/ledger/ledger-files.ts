/** The ledger as folders and files: what is removed, renamed, or read across all questions. */
import path from "node:path";

import * as z from "zod/mini";

import { groupedSummarySchema } from "../../contract/summary.js";
import type { FileStats } from "../../shared/disk.js";
import { openAppendLog } from "../files/append-log.js";
import { ifPresent, withFileErrors } from "../files/file-errors.js";
import type { StateFolder } from "../state-folder.js";
import { doubtFile } from "./doubt.js";
import {
  driverNamesFile,
  driversIn,
  newestNames,
  readDriverNames,
  type KnownDriver,
} from "./driver-names.js";

export function ledgerFolder({ path: folder }: StateFolder): string {
  return path.join(folder, "ledger");
}

type Line = Readonly<Record<string, unknown>>;

/**
 * Removes all that is kept of one store, or of all.
 *
 * @param store as `LedgerStore.folder`
 * @returns the number of answers
 * @throws {ComandaError} `state_unusable`
 */
export function clearLedger(data: StateFolder, store?: string): number {
  const folders = store === undefined ? storeFolders(data) : [path.join(ledgerFolder(data), store)];
  return folders.reduce((sum, folder) => sum + clearFolder(data, folder), 0);
}

function clearFolder(data: StateFolder, folder: string): number {
  let removed = 0;
  for (const file of filesIn(data, folder)) {
    removed += [...openAppendLog<Line>(data.files, file, { parse: (line) => line }).read()].length;
    data.files.remove(file);
  }
  for (const name of [doubtFile, driverNamesFile]) data.files.remove(path.join(folder, name));
  // What isn't ours keeps its folder.
  ifPossible(() => {
    data.files.system.disk.rmdir(folder);
  });
  return removed;
}

/**
 * The store is called otherwise from now on: its answers stay its own.
 *
 * @throws {ComandaError} `state_unusable`
 */
export function renameInLedger(data: StateFolder, from: string, to: string): void {
  const [old, renamed] = [from, to].map((name) => path.join(ledgerFolder(data), name));
  if (old === undefined || renamed === undefined || old === renamed || !data.files.sweep(old)) return;
  // No store of this machine has that name, so what is left there is nobody's.
  clearFolder(data, renamed);
  withFileErrors("rename", old, () => {
    data.files.system.disk.rename(old, renamed);
  });
}

/**
 * How the service called its drivers when they were last asked about (section 4.7: key and label of `driver_id`).
 *
 * @param store as `LedgerStore.folder`
 * @returns by id
 * @throws {ComandaError} `state_unusable`
 */
export function knownDrivers(data: StateFolder, store: string): readonly KnownDriver[] {
  const known = [...readDriverNames(data, store)];
  for (const file of filesIn(data, path.join(ledgerFolder(data), store)).sort()) {
    for (const line of openAppendLog<Line>(data.files, file, { parse: (each) => each }).read()) {
      if (line["dimension"] !== "driver_id") continue;
      const answer = z.safeParse(groupedSummarySchema, line["answer"]);
      if (answer.success) known.push(...driversIn(answer.data, String(line["asked_at"])));
    }
  }
  return newestNames(known);
}

function storeFolders(data: StateFolder): string[] {
  const folder = ledgerFolder(data);
  if (!data.files.sweep(folder)) return [];
  return pathsIn(data, folder, (stats) => stats.isDirectory());
}

/**
 * @param store as `LedgerStore.folder`
 * @returns the months in which a window begins that something is kept of, `2026-09`; the newest first
 * @throws {ComandaError} `state_unusable`
 */
export function keptMonths(data: StateFolder, store: string): readonly string[] {
  const files = filesIn(data, path.join(ledgerFolder(data), store));
  return files
    .map((file) => path.basename(file, ".jsonl"))
    .toSorted()
    .toReversed();
}

/** Regular files of the ledger's own names; whatever else lies there isn't ours. */
function filesIn(data: StateFolder, folder: string): string[] {
  if (!data.files.sweep(folder)) return [];
  return pathsIn(data, folder, (stats) => stats.isFile()).filter((file) =>
    /^\d{4}-\d{2}\.jsonl$/.test(path.basename(file)),
  );
}

function pathsIn(data: StateFolder, folder: string, isMeant: (stats: FileStats) => boolean): string[] {
  const { disk } = data.files.system;
  return withFileErrors("read", folder, () =>
    disk
      .readdir(folder)
      .map((name) => path.join(folder, name))
      // Another process may have removed it meanwhile.
      .filter((file) => ifPresent(() => isMeant(disk.lstat(file)))),
  );
}

function ifPossible(work: () => void): void {
  try {
    ifPresent(work);
  } catch {
    // It stays.
  }
}
