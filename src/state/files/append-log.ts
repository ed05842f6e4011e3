/**
 * A file of JSON Lines that any number of processes append to at once: an entry is there whole, or it isn't there.
 *
 * Each line is a tab, the entry as JSON, and a line feed; JSON text that isn't indented holds neither. A writer that is
 * killed, or a disk that is full, leaves a line without its end. The tab of the next line shows where that one begins.
 * This is RFC 7464 with a tab as record separator, so that every reader of JSON Lines can read the file.
 *
 * One `write` to a file that is open for appending goes in as one piece on the local file systems of Linux, macOS and
 * Windows; network file systems don't promise that.
 */
import type { Disk } from "../../shared/disk.js";
import type { ComandaError } from "../../shared/errors.js";
import { fileError, withFileErrors } from "./file-errors.js";
import {
  lineOf,
  openLines,
  readEntries,
  type LogEntries,
  type OpenLines,
  type AppendLogOptions,
} from "./log-lines.js";
import type { PrivateFiles } from "./private-file.js";

export interface AppendLog<Entry extends object> {
  /**
   * Appends one entry, which outlives a loss of power from the moment of the return. If the disk is full, it throws and the
   * entry is not in the file. If the disk fails while it syncs, it throws too, and the entry may be in the file.
   *
   * @throws {ComandaError} `state_unusable`
   */
  appendSync(entry: Entry): void;
  /**
   * As {@link appendSync}, for many at once: all entries that wait at the same time share one write and one sync. The
   * file has them in the order of the calls. Each promise settles by what became of its own entry.
   */
  append(entry: Entry): Promise<void>;
  /** The entries in their order in the file; none if there is no file. */
  read(): LogEntries<Entry>;
  /** As it is now, for who reads it more than once, or from its end. */
  open(): OpenLines<Entry>;
}

/**
 * Where the numbers by which files are told apart say nothing, as on some network file systems, no file is ever the one of
 * its name, not even one that has just been opened: after so many looks an entry is taken for written.
 */
const mostTimes = 5;

/**
 * Opens nothing yet: the first entry makes the file and its folder. If the file is renamed or removed, the next entry
 * makes a new one. So does one that was being written meanwhile: before an entry counts as written, the file is looked
 * for by its name, and where another one has the name by then, or none, the entry is written again. So whoever renames
 * the file, then reads it and then removes it has read all that counts as written, or it is written elsewhere.
 */
export function openAppendLog<Entry extends object>(
  files: Pick<PrivateFiles, "system" | "openToAppend" | "openToRead">,
  file: string,
  { parse, setAside = () => [] }: AppendLogOptions<Entry>,
): AppendLog<Entry> {
  const { disk } = files.system;
  let waiting: WaitingLine[] = [];
  let committing = false;

  async function commitAll(): Promise<void> {
    committing = true;
    // Entries that are appended in the same turn of the event loop join the group.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commit(group);
    }
    committing = false;
  }

  const openToAppend = () => files.openToAppend(file);

  /** @returns nothing for a file that is not the one of its name, though it has just been opened */
  function openAgain(): number | undefined {
    const descriptor = openToAppend();
    if (disk.isNamed(descriptor, file)) return descriptor;
    disk.close(descriptor);
    return undefined;
  }

  async function commit(group: readonly WaitingLine[]): Promise<void> {
    let written = 0;
    try {
      let result = await commitOnce(group, openToAppend());
      for (let times = 1; !result.isThere && times < mostTimes; times += 1) {
        const descriptor = openAgain();
        if (descriptor !== undefined) result = await commitOnce(group, descriptor);
      }
      const inFile = group.slice(0, result.written);
      for (const { resolve } of inFile) resolve();
      written = result.written;
      if (result.error !== undefined) throw result.error;
    } catch (error) {
      for (const { reject } of group.slice(written)) reject(fileError(error, "write", file));
    }
  }

  async function commitOnce(group: readonly WaitingLine[], descriptor: number) {
    try {
      const lines = group.map(({ line }) => line);
      const result = writeLines(disk, file, descriptor, lines);
      if (result.written > 0) await disk.fdatasyncMeanwhile(descriptor);
      return { ...result, isThere: result.written === 0 || disk.isNamed(descriptor, file) };
    } finally {
      disk.close(descriptor);
    }
  }

  /** @returns is the line in the file of this name? */
  function appendOnce(line: Buffer, descriptor: number): boolean {
    try {
      return withFileErrors("write", file, () => {
        const { error } = writeLines(disk, file, descriptor, [line]);
        if (error !== undefined) throw error;
        disk.fdatasync(descriptor);
        return disk.isNamed(descriptor, file);
      });
    } finally {
      disk.close(descriptor);
    }
  }

  return {
    appendSync(entry) {
      const line = lineOf(entry);
      let isThere = appendOnce(line, openToAppend());
      for (let times = 1; !isThere && times < mostTimes; times += 1) {
        const descriptor = withFileErrors("write", file, openAgain);
        if (descriptor !== undefined) isThere = appendOnce(line, descriptor);
      }
    },
    append: (entry) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: lineOf(entry), resolve, reject });
        if (!committing) void commitAll();
      }),
    read: () => readEntries(files, file, { parse, setAside }),
    open: () => openLines(files, file, { parse, setAside }),
  };
}

interface WaitingLine {
  readonly line: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: ComandaError) => void;
}

/** How many lines, from the first on, are whole in the file; `error` says why it isn't all of them. */
interface WriteResult {
  readonly written: number;
  readonly error?: ComandaError;
}

/**
 * A full disk can cut a write short within a line. That line is written again from its beginning: another process may
 * have appended after the torn part.
 */
function writeLines(disk: Disk, file: string, descriptor: number, lines: readonly Buffer[]): WriteResult {
  let written = 0;
  let cutShort = 0;
  while (written < lines.length) {
    const rest = lines.slice(written);
    try {
      const whole = countWhole(rest, disk.write(descriptor, Buffer.concat(rest)));
      written += whole;
      cutShort = whole > 0 ? 0 : cutShort + 1;
    } catch (error) {
      return { written, error: fileError(error, "write", file) };
    }
    // Nearly always the second attempt throws, with the reason.
    if (cutShort > 2) return { written, error: fileError(undefined, "write", file) };
  }
  return { written };
}

function countWhole(lines: readonly Buffer[], bytes: number): number {
  let left = bytes;
  const firstTorn = lines.findIndex((line) => (left -= line.length) < 0);
  return firstTorn === -1 ? lines.length : firstTorn;
}
