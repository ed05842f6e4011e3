/** Opens a file so that an interrupt ends the reading: it may be a pipe whose writer stays silent for good. */
import { close, closeSync, constants, createReadStream, open, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty } from "node:tty";
import { promisify } from "node:util";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

/**
 * @throws {Error} with the system's `code` where there is no such file; one that can't be read tells when it is read
 * @throws {ComandaError} `usage` for a terminal, which nobody knows to be waited for
 */
export async function openInputFile(file: string, signal: AbortSignal): Promise<Readable> {
  const stats = statSync(file);
  if (stats.isFIFO()) return openPipe(file, signal);
  if (stats.isCharacterDevice()) refuseTerminal(file);
  return addAbortSignal(signal, createReadStream(file));
}

/** An interrupt tries this often to end the wait for a writer. */
const retryMs = 20;

/**
 * Opening a FIFO waits for its writer, in a thread that nothing stops and that the end of the process waits for. An
 * interrupt opens the other end for a moment, which ends that wait. (Without the wait, a FIFO that nobody has opened yet
 * would look like an empty file on some systems.)
 */
async function openPipe(file: string, signal: AbortSignal): Promise<Readable> {
  signal.throwIfAborted();
  let retry: NodeJS.Timeout | undefined;
  const openOtherEnd = () => {
    try {
      closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // The thread has not opened its end yet.
      retry = setTimeout(openOtherEnd, retryMs);
    }
  };
  signal.addEventListener("abort", openOtherEnd, { once: true });
  const descriptor = await promisify(open)(file, "r").finally(() => {
    signal.removeEventListener("abort", openOtherEnd);
    clearTimeout(retry);
  });
  if (signal.aborted) close(descriptor);
  signal.throwIfAborted();
  // A socket waits in the event loop and not in a thread.
  return addAbortSignal(signal, new Socket({ fd: descriptor, readable: true, writable: false }));
}

function refuseTerminal(file: string): void {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const isTerminal = isatty(descriptor);
  closeSync(descriptor);
  if (!isTerminal) return;
  throw new ComandaError("usage", t`${file} is a terminal.`, { hint: t`Give a file, or pipe it in.` });
}
