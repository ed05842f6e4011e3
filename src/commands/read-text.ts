import { ComandaError } from "../errors/index.js";

/**
 * Reads a stream to its end.
 *
 * @param limit bytes
 * @throws {ComandaError} `invalid_input` where there is more: most likely a file given by mistake
 */
export async function readText(stream: AsyncIterable<string | Uint8Array>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
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
