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
import { isUtf8 } from "node:buffer";

import type { Disk } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isObject, parseJson } from "../../shared/json.js";
import { fileError, withFileErrors } from "./file-errors.js";
import type { PrivateFiles } from "./private-file.js";

export interface AppendLog<Entry extends object> {
  /**
   * Appends one entry. If the disk is full, it throws and the entry is not in the file. If the disk fails while it
   * syncs, it throws too, and the entry may be in the file.
   *
   * @param durable the entry outlives a loss of power from the moment of the return (default: true)
   * @throws {ComandaError} `state_unusable`
   */
  appendSync(entry: Entry, options?: AppendOptions): void;
  /**
   * As {@link appendSync}, for many at once: all entries that wait at the same time share one write and one sync. The
   * file has them in the order of the calls. Each promise settles by what became of its own entry.
   */
  append(entry: Entry, options?: AppendOptions): Promise<void>;
  /** The entries in their order in the file; none if there is no file. */
  read(): LogEntries<Entry>;
}

export interface AppendOptions {
  readonly durable?: boolean;
}

export interface LogEntries<Entry> extends Iterable<Entry> {
  /** How many lines were skipped so far: torn, damaged, or not known to `parse`. */
  readonly skipped: number;
}

export interface AppendLogOptions<Entry> {
  /** Makes an entry of a line's data; `undefined` skips the line. */
  readonly parse: (data: Readonly<Record<string, unknown>>) => Entry | undefined;
  /** Files that had this one's name before and may be written to still, the oldest first: their entries come first. */
  readonly setAside?: () => readonly string[];
}

const tab = 0x09;
const lineFeed = 0x0a;

/** A longer line is refused when it is written and skipped when it is read: a reader holds one line at a time. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * Where the numbers by which files are told apart say nothing, as on some network file systems, no file is ever the one
 * that was written to: after so many times an entry is taken for written.
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

  async function commit(group: readonly WaitingLine[]): Promise<void> {
    let written = 0;
    try {
      let result = await commitOnce(group);
      for (let times = 1; !result.isThere && times < mostTimes; times += 1) result = await commitOnce(group);
      const inFile = group.slice(0, result.written);
      for (const { resolve } of inFile) resolve();
      written = result.written;
      if (result.error !== undefined) throw result.error;
    } catch (error) {
      for (const { reject } of group.slice(written)) reject(fileError(error, "write", file));
    }
  }

  async function commitOnce(group: readonly WaitingLine[]) {
    const descriptor = files.openToAppend(file);
    try {
      const lines = group.map(({ line }) => line);
      const result = writeLines(disk, file, descriptor, lines);
      const isDurable = group.slice(0, result.written).some(({ durable }) => durable);
      if (isDurable) await disk.fdatasyncMeanwhile(descriptor);
      return { ...result, isThere: result.written === 0 || disk.isNamed(descriptor, file) };
    } finally {
      disk.close(descriptor);
    }
  }

  /** @returns is the line in the file of this name? */
  function appendOnce(line: Buffer, durable: boolean): boolean {
    const descriptor = files.openToAppend(file);
    try {
      return withFileErrors("write", file, () => {
        const { error } = writeLines(disk, file, descriptor, [line]);
        if (error !== undefined) throw error;
        if (durable) disk.fdatasync(descriptor);
        return disk.isNamed(descriptor, file);
      });
    } finally {
      disk.close(descriptor);
    }
  }

  return {
    appendSync(entry, { durable = true } = {}) {
      const line = lineOf(entry);
      for (let times = 1; !appendOnce(line, durable) && times < mostTimes;) times += 1;
    },
    append: (entry, { durable = true } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: lineOf(entry), durable, resolve, reject });
        if (!committing) void commitAll();
      }),
    read: () => readEntries(files, file, { parse, setAside }),
  };
}

interface WaitingLine {
  readonly line: Buffer;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: ComandaError) => void;
}

function lineOf(entry: object): Buffer {
  const line = Buffer.from(`\t${JSON.stringify(entry)}\n`, "utf8");
  if (line.length <= maxLineBytes) return line;
  throw new ComandaError("internal", t`An entry of ${line.length} bytes is too long for a file of lines.`);
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

function readEntries<Entry>(
  files: Pick<PrivateFiles, "system" | "openToRead">,
  file: string,
  { parse, setAside }: Required<AppendLogOptions<Entry>>,
): LogEntries<Entry> {
  const { disk } = files.system;
  let skipped = 0;
  return {
    get skipped() {
      return skipped;
    },
    *[Symbol.iterator]() {
      skipped = 0;
      const opened = openAll(files, file, setAside);
      try {
        for (const descriptor of opened)
          for (const record of readRecords(disk, descriptor, file)) {
            const data = record && parseJson(record.toString("utf8"));
            const entry = isObject(data) ? parse(data) : undefined;
            if (entry === undefined) skipped += 1;
            else yield entry;
          }
      } finally {
        for (const descriptor of opened) disk.close(descriptor);
      }
    },
  };
}

/**
 * The file is opened before those are looked for that had its name: one that is set aside in between is there twice then,
 * and never missing.
 *
 * @returns descriptors, which the caller closes, in the order in which they are to be read
 */
function openAll(
  files: Pick<PrivateFiles, "system" | "openToRead">,
  file: string,
  setAside: () => readonly string[],
): readonly number[] {
  const { disk } = files.system;
  const named = files.openToRead(file);
  const opened: number[] = [];
  try {
    for (const aside of setAside()) {
      const isOpen = named !== undefined && withFileErrors("read", aside, () => disk.isNamed(named, aside));
      const descriptor = isOpen ? undefined : files.openToRead(aside);
      if (descriptor !== undefined) opened.push(descriptor);
    }
  } catch (error) {
    for (const descriptor of [...opened, ...(named === undefined ? [] : [named])]) disk.close(descriptor);
    throw error;
  }
  return named === undefined ? opened : [...opened, named];
}

const chunkBytes = 64 * 1024;

/**
 * The bytes between a tab and a line feed; `undefined` for a line that lacks either. The file is read in chunks, so
 * that memory holds one record, however large the file is.
 */
function* readRecords(disk: Disk, descriptor: number, file: string): Generator<Buffer | undefined> {
  const chunk = Buffer.alloc(chunkBytes);
  let record = newRecord(false);
  for (;;) {
    const bytes = withFileErrors("read", file, () => disk.read(descriptor, chunk));
    if (bytes === 0) break;
    let rest = chunk.subarray(0, bytes);
    for (let end = firstMark(rest); end !== -1; end = firstMark(rest)) {
      record.add(rest.subarray(0, end));
      const endsLine = rest[end] === lineFeed;
      if (endsLine && record.hasStart) yield record.whole();
      // The line has no start, or a new one starts before its end. An empty line is skipped silently.
      else if (!record.isEmpty()) yield undefined;
      record = newRecord(!endsLine);
      rest = rest.subarray(end + 1);
    }
    record.add(rest);
  }
  if (!record.isEmpty()) yield undefined;
}

function firstMark(bytes: Buffer): number {
  const [start, end] = [bytes.indexOf(tab), bytes.indexOf(lineFeed)];
  return start === -1 || end === -1 ? Math.max(start, end) : Math.min(start, end);
}

function newRecord(hasStart: boolean) {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    hasStart,
    isEmpty: () => !hasStart && length === 0,
    add(piece: Buffer): void {
      length += piece.length;
      // A copy, since the chunk is overwritten by the next read.
      if (length < maxLineBytes) pieces.push(Buffer.from(piece));
    },
    whole(): Buffer | undefined {
      const bytes = Buffer.concat(pieces);
      return length < maxLineBytes && isUtf8(bytes) ? bytes : undefined;
    },
  };
}
