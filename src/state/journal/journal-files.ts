/**
 * The journal's files: one for each month, `2026-11.jsonl`, and further ones (`2026-11.2.jsonl`) where it grows large. All
 * lines of a run lie in the file in which it began, also those that a later process adds.
 *
 * A file that is about to be removed is set aside first (`2026-11.jsonl.aside-…`). Then it is looked at again: if a process
 * has written to it meanwhile, it stays, and is read as the beginning of the file of its name.
 */
import path from "node:path";

import { randomNonce } from "../../shared/system.js";
import { ifPresent, withFileErrors } from "../files/file-errors.js";
import { openAppendLog, type AppendLog } from "../files/append-log.js";
import type { StateFolder } from "../state-folder.js";
import { newerRun, parseEntry, type JournalEntry } from "./entries.js";

/** A file that is larger gets no new runs. */
const largeBytes = 16 * 1024 * 1024;
/** Files of months that are longer ago are removed when a new one is begun. */
const keptMonths = 24;
/** The oldest files are removed when all together are larger. */
const keptBytes = 512 * 1024 * 1024;

export interface JournalFile {
  /** `2026-11`. */
  readonly month: string;
  /** From 1. */
  readonly part: number;
  readonly path: string;
}

export function journalFolder(state: Pick<StateFolder, "path">): string {
  return path.join(state.path, "journal");
}

function fileAt(state: StateFolder, month: string, part: number): JournalFile {
  const name = part === 1 ? `${month}.jsonl` : `${month}.${part}.jsonl`;
  return { month, part, path: path.join(journalFolder(state), name) };
}

/** @param onNewer told of each line that a newer comanda wrote, with its run, when it is read */
export function openJournalFile(
  { files }: Pick<StateFolder, "files">,
  file: JournalFile,
  onNewer: (run: string) => void = () => undefined,
): AppendLog<JournalEntry> {
  return openAppendLog(files, file.path, {
    setAside: () => setAsideOf(files, file.path),
    parse: (line) => {
      const newer = newerRun(line);
      if (newer !== undefined) onNewer(newer);
      return parseEntry(line);
    },
  });
}

/** @param at ISO 8601, UTC */
function monthOf(at: string): string {
  return at.slice(0, 7);
}

/**
 * Where a run that begins now is written.
 *
 * @throws {ComandaError} `state_unusable`
 */
function fileForNewRun(state: StateFolder, month: string): JournalFile {
  for (let part = 1; ; part += 1) {
    const file = fileAt(state, month, part);
    const size = sizeOf(state, file);
    if (size !== undefined && size >= largeBytes) continue;
    if (size === undefined) removeOldFiles(state, month);
    return file;
  }
}

/** @returns bytes; `undefined` where there is no such file */
export function sizeOf(state: StateFolder, { path: file }: JournalFile): number | undefined {
  return withFileErrors("read", file, () => ifPresent(() => state.files.system.disk.lstat(file).size));
}

const namePattern = /^(\d{4}-\d{2})(?:\.(\d+))?\.jsonl(?:\.aside-(\d+)-[0-9a-f]{16})?$/;

function namesIn({ system: { disk } }: StateFolder["files"], folder: string): readonly string[] {
  return withFileErrors("read", folder, () => ifPresent(() => disk.readdir(folder)) ?? []);
}

/** Newest first. One of which all is set aside is one too. */
export function journalFiles(state: StateFolder): readonly JournalFile[] {
  const folder = journalFolder(state);
  if (!state.files.sweep(folder)) return [];
  const files = namesIn(state.files, folder).flatMap((name) => {
    const [, month, part = "1"] = namePattern.exec(name) ?? [];
    return month === undefined ? [] : [fileAt(state, month, Number(part))];
  });
  return [...new Map(files.map((file) => [file.path, file])).values()].sort((a, b) =>
    a.month === b.month ? b.part - a.part : a.month < b.month ? 1 : -1,
  );
}

/** What was set aside of a file, the oldest first. */
function setAsideOf(files: StateFolder["files"], file: string): readonly string[] {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  return namesIn(files, folder)
    .filter((each) => each.startsWith(`${name}.`) && namePattern.test(each))
    .sort((a, b) => asideNumber(a) - asideNumber(b) || (a < b ? -1 : 1))
    .map((each) => path.join(folder, each));
}

function asideNumber(name: string): number {
  return Number(namePattern.exec(name)?.[3]);
}

/** Tells what a file of the journal is now from what it was. */
export type JournalFileState = string;

/** @throws {ComandaError} `state_unusable` */
export function stateOf(state: StateFolder, { path: file }: JournalFile): JournalFileState {
  return statesOf(state, [...setAsideOf(state.files, file), file]);
}

function statesOf({ files }: StateFolder, pieces: readonly string[]): JournalFileState {
  const { disk } = files.system;
  return pieces
    .flatMap((piece) => {
      const descriptor = files.openToRead(piece);
      if (descriptor === undefined) return [];
      try {
        return withFileErrors("read", piece, () => {
          const { ino, mtimeNs } = disk.stamp(descriptor);
          return [`${ino} ${mtimeNs} ${disk.fstat(descriptor).size}`];
        });
      } finally {
        disk.close(descriptor);
      }
    })
    .join(", ");
}

/**
 * Removes a file of the journal, unless a process has written to it. Whoever has it open and writes later sees before the
 * line counts that the file has lost its name, and writes the line elsewhere.
 *
 * @param seen as {@link stateOf} told before what the file holds was judged
 * @returns is it gone? Otherwise all that it held is still read
 * @throws {ComandaError} `state_unusable`
 */
export function removeUnchanged(state: StateFolder, file: JournalFile, seen: JournalFileState): boolean {
  const { files } = state;
  const earlier = setAsideOf(files, file.path);
  const number = Math.max(0, ...earlier.map((each) => asideNumber(path.basename(each)))) + 1;
  const aside = `${file.path}.aside-${number}-${randomNonce(files.system)}`;
  withFileErrors("remove", file.path, () => ifPresent(() => files.system.disk.rename(file.path, aside)));
  const pieces = [...earlier, aside];
  if (statesOf(state, pieces) !== seen) return false;
  for (const piece of pieces) files.remove(piece);
  return true;
}

/** A clock that runs years ahead for a moment makes nothing old: what counts is the newest month that was written to. */
function removeOldFiles(state: StateFolder, month: string): void {
  const files = journalFiles(state);
  const newest = files[0]?.month ?? month;
  const oldest = monthsBefore(newest < month ? newest : month, keptMonths);
  let bytes = 0;
  for (const file of files) {
    bytes += sizeOf(state, file) ?? 0;
    if (file.month < oldest || bytes > keptBytes) removeUnchanged(state, file, stateOf(state, file));
  }
}

function monthsBefore(month: string, count: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - count);
  return monthOf(date.toISOString());
}

/** A run, and where its lines are. */
export interface RunFile {
  readonly id: string;
  readonly file: JournalFile;
}

/**
 * A run that begins now. Two processes that begin one in the same moment have two, without a lock between them.
 *
 * @param at ISO 8601, UTC
 * @throws {ComandaError} `state_unusable`
 */
export function newRun(state: StateFolder, at: string): RunFile {
  const id = `${at.slice(0, 10).replaceAll("-", "")}-${randomLetters(state, 6)}`;
  return { id, file: fileForNewRun(state, monthOf(at)) };
}

/** None that is taken for a digit or another letter. */
const letters = "abcdefghkmnpqrstuvwxyz";

function randomLetters({ files: { system } }: StateFolder, count: number): string {
  return Array.from(system.random.bytes(count), (byte) => letters[byte % letters.length] ?? "").join("");
}
