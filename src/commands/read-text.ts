import type { Readable } from "node:stream";

import { ComandaError } from "../shared/errors.js";
import { interruptible } from "./input-stream.js";

/**
 * Reads a stream to its end.
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
      throw new ComandaError("invalid_input", `stdin holds more than ${limit / 1024} KiB.`, {
        hint: "Was another file meant?",
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A stream says of its pieces that they can be anything. */
function chunksOf(stream: AsyncIterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  return stream;
}
