/**
 * Reads stdin and files that a person names: an interrupt ends the reading, a failure names the file, and a byte order
 * mark tells how text is encoded.
 */
import { close, closeSync, constants, createReadStream, open, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty } from "node:tty";
import { promisify } from "node:util";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { fileErrorReason } from "../state/whole-file.js";

import type { Context } from "../cli/context.js";

export interface Source {
  readonly stream: Readable;
  /** The name of the file, or `stdin`. */
  readonly label: string;
  readonly signal: AbortSignal;
}

/**
 * Gives stdin to a command that reads it for `-`.
 *
 * @param hint how something is piped in
 * @throws {ComandaError} `usage` where stdin is a terminal, which nobody knows to be waited for
 */
export function pipedInput({ stdin, signal }: Pick<Context, "stdin" | "signal">, hint: string): Source {
  const stream = stdin();
  if (stream.isTTY !== true) return { stream, label: "stdin", signal };
  throw new ComandaError("usage", t`"-" reads stdin, but stdin is a terminal.`, { hint });
}

/** @throws {ComandaError} `invalid_input` where there is no such file, `usage` for a terminal */
export async function openFile(file: string, signal: AbortSignal): Promise<Source> {
  const stream = await openInputFile(file, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof ComandaError ? error : unreadable(file, error);
  });
  return { stream, label: file, signal };
}

/**
 * @throws {Error} with the system's `code` where there is no such file; one that can't be read tells when it is read
 * @throws {ComandaError} `usage` for a terminal, which nobody knows to be waited for
 */
async function openInputFile(file: string, signal: AbortSignal): Promise<Readable> {
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

/**
 * @throws {ComandaError} `invalid_input` where it can't be read to its end
 * @throws the signal's reason, where that ends the reading
 */
export async function* readPieces({ stream, label, signal }: Source): AsyncGenerator<Uint8Array> {
  try {
    // An interrupt destroys the stream, and its reader gets an error.
    for await (const piece of piecesOf(addAbortSignal(signal, stream)))
      yield typeof piece === "string" ? Buffer.from(piece) : piece;
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(label, error);
  }
}

/** Node's types leave open what the pieces of a stream are. */
function piecesOf(stream: AsyncIterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  return stream;
}

/**
 * @param limit bytes
 * @param hint shown where the file is longer: most likely another file was meant
 * @throws {ComandaError} `invalid_input` where there is more, or where it can't be read; as {@link readPieces}
 */
export async function readBytes(
  source: Source,
  limit: number,
  hint: string = t`Was another file meant?`,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readPieces(source)) {
    length += piece.length;
    if (length > limit) {
      const size = limit < mebibyte ? `${limit / 1024} KiB` : `${limit / mebibyte} MiB`;
      throw new ComandaError("invalid_input", t`${source.label} holds more than ${size}.`, { hint });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const mebibyte = 1024 * 1024;

/** @param label the name of the file, or `stdin` */
export function unreadable(label: string, error: unknown): ComandaError {
  return new ComandaError("invalid_input", t`${label} can't be read: ${fileErrorReason(error)}.`, {
    hint: label === "stdin" ? t`Look at what is piped in, or redirected.` : t`Check the path.`,
  });
}

/**
 * Decodes by the byte order mark and removes it; without a mark the text is UTF-8. PowerShell 5 writes UTF-16 into a
 * redirected file, and Notepad can.
 *
 * @param options `fatal`: bytes that are no text are an error and not replaced
 * @throws {TypeError} for bytes that are no text, with `fatal`
 */
export function decodeText(bytes: Uint8Array, options: { readonly fatal?: boolean } = {}): string {
  return new TextDecoder(encodingOf(bytes), options).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
