/** stdout and stderr, opened as Node's streams only where they have to be: that takes three milliseconds. */
import { fstatSync, statSync, writeSync, type Stats } from "node:fs";

import type { StandardStream } from "../commands/index.js";

type NodeStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/**
 * A file and a pipe are written to as they are: Node's stream would do the same at once, and in the same order.
 *
 * @param open the stream, with its listeners; called once at most
 */
export function standardStream(descriptor: 1 | 2, open: () => NodeStream): StandardStream {
  let opened: NodeStream | undefined;
  let plain: boolean | undefined;
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
      return isPlain() ? undefined : stream().columns;
    },
    get rows() {
      return isPlain() ? undefined : stream().rows;
    },
    write: (text) => {
      const rest = isPlain() ? writeAll(descriptor, text) : text;
      if (rest.length > 0) stream().write(rest);
    },
  };
}

/** Everything else, a terminal first of all, is the stream's to deal with. What goes nowhere needs no stream. */
function isFileOrPipe(descriptor: number): boolean {
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

/** @returns what could not be written: the reader is slow, or has gone, and the stream knows how to deal with both */
function writeAll(descriptor: number, text: string): Uint8Array {
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // What is left is handed on.
  }
  return rest;
}
