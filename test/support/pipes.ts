/** Named pipes, whose other end is missing, silent or full. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import path from "node:path";

import { afterwards, temporaryFolder } from "./resources.js";

export function namedPipe(): string {
  const fifo = path.join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [fifo]);
  return fifo;
}

/** Opens an end of a pipe without waiting for the other one. */
export function openPipe(fifo: string, end: number): void {
  const descriptor = openSync(fifo, end | constants.O_NONBLOCK);
  afterwards(() => closeSync(descriptor));
}

/** Returns a pipe that is full, whose reader doesn't read. */
export function fullPipe() {
  const fifo = namedPipe();
  openPipe(fifo, constants.O_RDONLY);
  const filler = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(filler, Buffer.alloc(4096));
  } catch {
    closeSync(filler);
  }
  const writer = openSync(fifo, constants.O_WRONLY);
  afterwards(() => closeSync(writer));
  return { fifo, writer };
}
