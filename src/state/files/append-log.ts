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
}

const tab = 0x09;
const lineFeed = 0x0a;

/** A longer line is refused when it is written and skipped when it is read: a reader holds one line at a time. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * Opens nothing yet: the first entry makes the file and its folder. If the file is renamed or removed, the next entry
 * makes a new one.
 */
export function openAppendLog<Entry extends object>(
  files: Pick<PrivateFiles, "system" | "openToAppend" | "openToRead">,
  file: string,
  { parse }: AppendLogOptions<Entry>,
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
      const descriptor = files.openToAppend(file);
      try {
        const lines = group.map(({ line }) => line);
        const result = writeLines(disk, file, descriptor, lines);
        const inFile = group.slice(0, result.written);
        if (inFile.some(({ durable }) => durable)) await disk.fdatasyncMeanwhile(descriptor);
        for (const { resolve } of inFile) resolve();
        written = result.written;
        if (result.error !== undefined) throw result.error;
      } finally {
        disk.close(descriptor);
      }
    } catch (error) {
      for (const { reject } of group.slice(written)) reject(fileError(error, "write", file));
    }
  }

  return {
    appendSync(entry, { durable = true } = {}) {
      const line = lineOf(entry);
      const descriptor = files.openToAppend(file);
      try {
        withFileErrors("write", file, () => {
          const { error } = writeLines(disk, file, descriptor, [line]);
          if (error !== undefined) throw error;
          if (durable) disk.fdatasync(descriptor);
        });
      } finally {
        disk.close(descriptor);
      }
    },
    append: (entry, { durable = true } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: lineOf(entry), durable, resolve, reject });
        if (!committing) void commitAll();
      }),
    read: () => readEntries(files, file, parse),
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
  parse: AppendLogOptions<Entry>["parse"],
): LogEntries<Entry> {
  const { disk } = files.system;
  let skipped = 0;
  return {
    get skipped() {
      return skipped;
    },
    *[Symbol.iterator]() {
      skipped = 0;
      const descriptor = files.openToRead(file);
      if (descriptor === undefined) return;
      try {
        for (const record of readRecords(disk, descriptor, file)) {
          const data = record && parseJson(record.toString("utf8"));
          const entry = isObject(data) ? parse(data) : undefined;
          if (entry === undefined) skipped += 1;
          else yield entry;
        }
      } finally {
        disk.close(descriptor);
      }
    },
  };
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
