/** Opens what a command reads so that an interrupt ends the reading: who writes to a pipe may stay silent for good. */
import { close, closeSync, constants, createReadStream, open, openSync, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { promisify } from "node:util";

import { decodeText } from "../shared/decode-text.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

/** The stream itself, destroyed by an interrupt: whoever reads it is told so by an error. */
export function interruptible<Stream extends Readable>(stream: Stream, signal: AbortSignal): Stream {
  return addAbortSignal(signal, stream);
}

/**
 * @throws {Error} with the system's `code` where there is no such file; one that can't be read tells when it is read
 * @throws {ComandaError} `usage` for a terminal, which nobody knows to be waited for
 */
export async function openInputFile(file: string, signal: AbortSignal): Promise<Readable> {
  const stats = statSync(file);
  if (stats.isFIFO()) return openPipe(file, signal);
  if (stats.isCharacterDevice()) await refuseTerminal(file);
  return interruptible(createReadStream(file), signal);
}

/** How often an interrupt tries to end the wait for a writer, in milliseconds. */
const retryMs = 20;

/**
 * To open a FIFO is to wait for whoever writes to it, in a thread that nothing stops and that the end of the process
 * waits for. An interrupt opens the other end for a moment, which lets that thread go. (Without the wait, an end that
 * nobody has opened yet would on some systems look like an empty file.)
 */
async function openPipe(file: string, signal: AbortSignal): Promise<Readable> {
  signal.throwIfAborted();
  let retry: NodeJS.Timeout | undefined;
  const letGo = () => {
    try {
      closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // The thread hasn't come so far yet.
      retry = setTimeout(letGo, retryMs);
    }
  };
  signal.addEventListener("abort", letGo, { once: true });
  const descriptor = await promisify(open)(file, "r").finally(() => {
    signal.removeEventListener("abort", letGo);
    clearTimeout(retry);
  });
  if (signal.aborted) close(descriptor);
  signal.throwIfAborted();
  // Waits in the event loop, not in a thread.
  const { Socket } = await import("node:net");
  return interruptible(new Socket({ fd: descriptor, readable: true, writable: false }), signal);
}

async function refuseTerminal(file: string): Promise<void> {
  const { isatty } = await import("node:tty");
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const isTerminal = isatty(descriptor);
  closeSync(descriptor);
  if (!isTerminal) return;
  throw new ComandaError("usage", t`${file} is a terminal.`, { hint: t`Give a file, or pipe it in.` });
}

/**
 * Reads a stream of text to its end, whatever its byte order mark says.
 *
 * @param limit bytes
 * @throws {ComandaError} `invalid_input` where there is more: most likely a file given by mistake
 * @throws {Error} where the signal ends the read
 */
export async function readText(stream: Readable, limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(interruptible(stream, signal))) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > limit) {
      throw new ComandaError("invalid_input", t`stdin holds more than ${limit / 1024} KiB.`, {
        hint: t`Was another file meant?`,
      });
    }
    chunks.push(bytes);
  }
  return decodeText(Buffer.concat(chunks));
}

/** A stream says of its pieces that they can be anything. */
function chunksOf(stream: AsyncIterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  return stream;
}
