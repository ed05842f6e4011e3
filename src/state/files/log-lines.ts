/** The lines of an append log, and how its files are read: see `append-log.ts`. */
import { isUtf8 } from "node:buffer";

import type { Disk } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isObject, parseJson } from "../../shared/json.js";
import { withFileErrors } from "./file-errors.js";
import type { PrivateFiles } from "./private-file.js";

export interface AppendLogOptions<Entry> {
  /** Makes an entry of a line's data; `undefined` skips the line. */
  readonly parse: (data: Readonly<Record<string, unknown>>) => Entry | undefined;
  /** Files that had this one's name before and may be written to still, the oldest first: their entries come first. */
  readonly setAside?: () => readonly string[];
}

export interface LogEntries<Entry> extends Iterable<Entry> {
  /** How many lines were skipped so far: torn, damaged, or not known to `parse`. */
  readonly skipped: number;
}

/** A line that is whole. */
export interface LogLine {
  /** Its JSON, until the next line is taken. */
  readonly bytes: Buffer;
  /** Grows from line to line. */
  readonly position: number;
}

/** A log as it was when it was opened: what is appended later is not in it. */
export interface OpenLines<Entry> {
  readonly forwards: () => Iterable<LogLine>;
  readonly backwards: () => Iterable<LogLine>;
  /** After all lines. */
  readonly end: number;
  /** In how many files it lies. */
  readonly pieces: number;
  /** `undefined` for a line that is damaged, or not known. */
  readonly entryOf: (line: LogLine) => Entry | undefined;
  readonly close: () => void;
}

type Files = Pick<PrivateFiles, "system" | "openToRead">;

const tab = 0x09;
const lineFeed = 0x0a;

/** A longer line is refused when it is written and skipped when it is read: a reader holds one line at a time. */
const maxLineBytes = 16 * 1024 * 1024;

export function lineOf(entry: object): Buffer {
  const line = Buffer.from(`\t${JSON.stringify(entry)}\n`, "utf8");
  if (line.length <= maxLineBytes) return line;
  throw new ComandaError("internal", t`An entry of ${line.length} bytes is too long for a file of lines.`);
}

export function readEntries<Entry>(
  files: Files,
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
            const entry = record && entryOf(record, parse);
            if (entry === undefined) skipped += 1;
            else yield entry;
          }
      } finally {
        for (const descriptor of opened) disk.close(descriptor);
      }
    },
  };
}

function entryOf<Entry>(bytes: Buffer, parse: AppendLogOptions<Entry>["parse"]): Entry | undefined {
  const data = parseJson(bytes.toString("utf8"));
  return isObject(data) ? parse(data) : undefined;
}

/** @throws {ComandaError} `state_unusable` */
export function openLines<Entry>(
  files: Files,
  file: string,
  { parse, setAside }: Required<AppendLogOptions<Entry>>,
): OpenLines<Entry> {
  const { disk } = files.system;
  const descriptors = openAll(files, file, setAside);
  const close = () => {
    for (const descriptor of descriptors) disk.close(descriptor);
  };
  let end = 0;
  const pieces: Piece[] = [];
  try {
    for (const descriptor of descriptors) {
      const { size } = withFileErrors("read", file, () => disk.fstat(descriptor));
      pieces.push({ disk, file, descriptor, size, start: end });
      end += size;
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    end,
    pieces: pieces.length,
    close,
    *forwards() {
      for (const piece of pieces) yield* forwardsIn(piece);
    },
    *backwards() {
      for (const piece of pieces.toReversed()) yield* backwardsIn(piece);
    },
    entryOf: ({ bytes }) =>
      bytes.length < maxLineBytes && isUtf8(bytes) ? entryOf(bytes, parse) : undefined,
  };
}

/** One file of a log. */
interface Piece {
  readonly disk: Disk;
  readonly file: string;
  readonly descriptor: number;
  /** Of what is read of it. */
  readonly size: number;
  /** Bytes of those before it. */
  readonly start: number;
}

function block({ disk, file, descriptor }: Piece, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let read = 0;
  while (read < bytes.length) {
    const rest = bytes.subarray(read);
    const count = withFileErrors("read", file, () => disk.read(descriptor, rest, from + read));
    // Somebody has cut it short since.
    if (count === 0) return bytes.subarray(0, read);
    read += count;
  }
  return bytes;
}

/** From one mark to the next: a line is whole from a tab to a line feed, with none of both between. */
function* forwardsIn(piece: Piece): Generator<LogLine> {
  // From the last mark on.
  let rest: Buffer = Buffer.alloc(0);
  for (let from = 0; from < piece.size; from += chunkBytes) {
    const bytes = Buffer.concat([rest, block(piece, from, Math.min(piece.size, from + chunkBytes))]);
    const start = piece.start + from - rest.length;
    let mark = nextMark(bytes, 0);
    for (let next = mark; mark !== -1; mark = next) {
      next = nextMark(bytes, mark + 1);
      if (next === -1) break;
      if (bytes[mark] === tab && bytes[next] === lineFeed)
        yield { bytes: bytes.subarray(mark + 1, next), position: start + mark };
    }
    rest = mark === -1 ? bytes.subarray(0, 0) : bytes.subarray(mark);
    // Too long: its end is looked for, and no start goes with it.
    if (rest.length > maxLineBytes) rest = rest.subarray(0, 0);
  }
}

function* backwardsIn(piece: Piece): Generator<LogLine> {
  // Up to the first mark.
  let rest: Buffer = Buffer.alloc(0);
  for (let to = piece.size; to > 0; to -= chunkBytes) {
    const from = Math.max(0, to - chunkBytes);
    const bytes = Buffer.concat([block(piece, from, to), rest]);
    let mark = lastMark(bytes, bytes.length - 1);
    for (let before = mark; mark !== -1; mark = before) {
      before = mark === 0 ? -1 : lastMark(bytes, mark - 1);
      if (before === -1) break;
      if (bytes[before] === tab && bytes[mark] === lineFeed)
        yield { bytes: bytes.subarray(before + 1, mark), position: piece.start + from + before };
    }
    rest = bytes.subarray(0, mark + 1);
    // Too long: its start is looked for, and no end goes with it.
    if (rest.length > maxLineBytes) rest = rest.subarray(0, 0);
  }
}

function nextMark(bytes: Buffer, from: number): number {
  const [start, end] = [bytes.indexOf(tab, from), bytes.indexOf(lineFeed, from)];
  return start === -1 || end === -1 ? Math.max(start, end) : Math.min(start, end);
}

function lastMark(bytes: Buffer, from: number): number {
  return Math.max(bytes.lastIndexOf(tab, from), bytes.lastIndexOf(lineFeed, from));
}

/**
 * The file is opened before those are looked for that had its name: one that is set aside in between is there twice then,
 * and never missing.
 *
 * @returns descriptors, which the caller closes, in the order in which they are to be read
 */
function openAll(files: Files, file: string, setAside: () => readonly string[]): readonly number[] {
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
    for (let end = nextMark(rest, 0); end !== -1; end = nextMark(rest, 0)) {
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
