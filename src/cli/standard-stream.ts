/** The standard streams, stdout and stderr opened as Node's streams only where they have to be: that takes three milliseconds. */
import { createReadStream, fstatSync, statSync, writeSync, type Stats } from "node:fs";

import type { Context, StandardStream } from "../commands/index.js";
import { systemErrorCode } from "../shared/errors.js";

type NodeStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface ProcessStream extends StandardStream {
  /** Resolves when all that was written has gone out, or could not. */
  flushed(): Promise<void>;
}

export interface StreamOptions {
  /** Opens the stream, with its listeners; called once at most. */
  readonly open: () => NodeStream;
  /** Told of what could not be written, as on a full disk, and of the system's code. */
  readonly onLost: (text: string, code: string | undefined) => void;
}

/** A file and a pipe are written to as they are: Node's stream would do the same at once, and in the same order. */
export function standardStream(descriptor: 1 | 2, { open, onLost }: StreamOptions): ProcessStream {
  let opened: NodeStream | undefined;
  let plain: boolean | undefined;
  let failure: string | undefined;
  const stream = () => (opened ??= open());
  const isPlain = () => opened === undefined && (plain ??= isFileOrPipe(descriptor));
  return {
    get stream() {
      return stream();
    },
    get isTTY() {
      return !isPlain() && stream().isTTY === true;
    },
    get columns() {
      return isPlain() ? undefined : knownSize(stream().columns);
    },
    get rows() {
      return isPlain() ? undefined : knownSize(stream().rows);
    },
    write: (text) => {
      const rest = Buffer.from(text);
      const left = failure === undefined && isPlain() ? writeAll(descriptor, rest) : { rest };
      failure ??= left.failure;
      if (left.rest.length === 0) return;
      if (failure !== undefined) onLost(left.rest.toString(), failure);
      else
        stream().write(left.rest, (error) => {
          if (error) onLost(left.rest.toString(), systemErrorCode(error));
        });
    },
    flushed: () =>
      new Promise((resolve) => {
        if (opened === undefined) resolve();
        else opened.write("", () => resolve());
      }),
  };
}

/** Everything else, a terminal first of all, is the stream's to deal with. What goes nowhere needs no stream. */
export function isFileOrPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    // What Node gives a child for a pipe is a socket.
    return stats.isFile() || stats.isFIFO() || stats.isSocket() || isNowhere(stats);
  } catch {
    return false;
  }
}

/** `> /dev/null`, as in many a crontab. */
function isNowhere(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === statSync("/dev/null").rdev;
}

interface Left {
  readonly rest: Buffer;
  /** Why it can't be written; absent where the reader is slow, or has gone, which the stream knows how to deal with. */
  readonly failure?: string | undefined;
}

function writeAll(descriptor: number, bytes: Buffer): Left {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    const code = systemErrorCode(error);
    return code === "EAGAIN" || code === "EPIPE" ? { rest } : { rest, failure: code };
  }
  return { rest };
}

/** A terminal that nobody told its size says 0, as many a pseudo-terminal. */
function knownSize(size: number | undefined): number | undefined {
  return size === 0 ? undefined : size;
}

/** Node takes a folder or a disk for an empty stream. Read as what it is, it says so. */
export function openStdin(): Context["stdin"] {
  const stats = fstatSync(0);
  const isEmptyToNode = stats.isDirectory() || stats.isBlockDevice();
  return isEmptyToNode ? createReadStream("", { fd: 0 }) : process.stdin;
}
