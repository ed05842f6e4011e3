/** Reads stdin and what is like it: an interrupt ends the reading, and a byte order mark says how text is encoded. */
import { addAbortSignal, type Readable } from "node:stream";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";

/** The stream itself, destroyed by an interrupt: whoever reads it is told so by an error. */
export function interruptible<Stream extends Readable>(stream: Stream, signal: AbortSignal): Stream {
  return addAbortSignal(signal, stream);
}

/**
 * Reads a stream of text to its end, whatever its byte order mark says.
 *
 * @param limit bytes
 * @throws {ComandaError} `invalid_input` where there is more: most likely a file given by mistake
 * @throws {Error} where the signal ends the read
 */
export async function readText(stream: Readable, limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(interruptible(stream, signal))) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
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
