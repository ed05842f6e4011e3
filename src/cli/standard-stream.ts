/** Opens stdout and stderr as Node's streams only where that is needed, since it takes three milliseconds. */
import { createReadStream, fstatSync, statSync, writeSync, type Stats } from "node:fs";

import { systemErrorCode } from "../client/errors.js";

import type { InputStream, StandardStream } from "./context.js";

type NodeStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface ProcessStream extends StandardStream {
  /** Resolves when all texts have gone out, or have been lost. */
  flushed(): Promise<void>;
}

export interface StreamOptions {
  /** Opens the stream with its listeners; it is called once at most. */
  readonly open: () => NodeStream;
  /** Called where a text could not be written, as on a full disk, with the system's code. */
  readonly onLost: (code: string | undefined) => void;
}

/** Writes to files and pipes directly: Node's stream would write at once and in the same order, too. */
export function standardStream(descriptor: 1 | 2, { open, onLost }: StreamOptions): ProcessStream {
  let openedStream: NodeStream | undefined;
  let isUsed = false;
  let plain: boolean | undefined;
  let failure: string | undefined;
  const stream = () => (openedStream ??= open());
  const isPlain = () => openedStream === undefined && (plain ??= isFileOrPipe(descriptor));
  return {
    get stream() {
      return stream();
    },
    get isTTY() {
      return !isPlain() && stream().isTTY === true;
    },
    get columns() {
      return isPlain() ? undefined : usableSize(stream().columns);
    },
    get rows() {
      return isPlain() ? undefined : usableSize(stream().rows);
    },
    write: (text) => {
      const rest = Buffer.from(text);
      const unwritten = failure === undefined && isPlain() ? writeAll(descriptor, rest) : { rest };
      failure ??= unwritten.failure;
      if (unwritten.rest.length === 0) return;
      if (failure !== undefined) {
        onLost(failure);
        return;
      }
      isUsed = true;
      stream().write(unwritten.rest, (error) => {
        if (error) onLost(systemErrorCode(error));
      });
    },
    flushed: () =>
      new Promise((resolve) => {
        // A full device refuses an empty text, too: who wrote nothing has lost nothing.
        if (openedStream === undefined || !isUsed) resolve();
        else openedStream.write("", () => resolve());
      }),
  };
}

/** Everything else, above all a terminal, needs the stream. The null device needs none. */
export function isFileOrPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    // Node gives a child a socket in place of a pipe.
    return stats.isFile() || stats.isFIFO() || stats.isSocket() || isNullDevice(stats);
  } catch {
    return false;
  }
}

/** Many a crontab has `> /dev/null`. */
function isNullDevice(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === statSync("/dev/null").rdev;
}

interface Unwritten {
  readonly rest: Buffer;
  /** The system's code; absent where the reader is slow or has gone, which the stream deals with. */
  readonly failure?: string | undefined;
}

function writeAll(descriptor: number, bytes: Buffer): Unwritten {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    const code = systemErrorCode(error);
    return code === "EAGAIN" || code === "EPIPE" ? { rest } : { rest, failure: code };
  }
  return { rest };
}

/** A terminal whose size was never set says 0, as many pseudo-terminals do. */
function usableSize(size: number | undefined): number | undefined {
  return size === 0 ? undefined : size;
}

/** Node takes a folder or a disk for an empty stream; reading it as a file gives an error. */
export function openStdin(): InputStream {
  const stats = fstatSync(0);
  const isEmptyToNode = stats.isDirectory() || stats.isBlockDevice();
  return isEmptyToNode ? createReadStream("", { fd: 0 }) : process.stdin;
}
