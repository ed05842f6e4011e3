/** Reads stdin and what is like it: an interrupt ends the reading, and a byte order mark says how text is encoded. */
import { addAbortSignal, type Readable } from "node:stream";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

/** The stream itself, destroyed by an interrupt: whoever reads it is told so by an error. */
export function interruptible<Stream extends Readable>(stream: Stream, signal: AbortSignal): Stream {
  return addAbortSignal(signal, stream);
}

/**
 * Reads a stream to its end.
 *
 * @param label what it is called in messages
 * @param limit bytes
 * @throws {ComandaError} `invalid_input` where there is more: most likely a file given by mistake
 * @throws {Error} where the stream fails
 */
export async function readBytes(
  stream: AsyncIterable<string | Uint8Array>,
  label: string,
  limit: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > limit) {
      const most = limit < mebibyte ? `${limit / 1024} KiB` : `${limit / mebibyte} MiB`;
      throw new ComandaError("invalid_input", t`${label} holds more than ${most}.`, {
        hint: t`Was another file meant?`,
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const mebibyte = 1024 * 1024;

/**
 * Reads stdin to its end as text, whatever its byte order mark says.
 *
 * @throws {ComandaError} as {@link readBytes}
 * @throws {Error} where the signal ends the read
 */
export async function readText(stdin: Readable, limit: number, signal: AbortSignal): Promise<string> {
  return decodeText(await readBytes(interruptible(stdin, signal), "stdin", limit));
}

/**
 * The text of a file or a pipe, by its byte order mark, which is taken away. Without one it is UTF-8. PowerShell 5 writes
 * UTF-16 into a redirected file, and Notepad can.
 *
 * @param options `fatal`: what is no text is an error, and not replaced
 * @throws {TypeError} for bytes that are no text, with `fatal`
 */
export function decodeText(bytes: Uint8Array, options: { readonly fatal?: boolean } = {}): string {
  return new TextDecoder(encodingOf(bytes), options).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
