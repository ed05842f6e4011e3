/** Reads what a person names or pipes in: an interrupt ends the reading, and a failure names the file. */
import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { fileErrorReason } from "../state/private-file.js";
import type { Context } from "./context.js";

/** A wrong file is refused before it fills the memory. */
const mostMebibytes = 64;

/**
 * @param file `-` stands for stdin
 * @returns `label` is the name of the file, or `stdin`
 * @throws {ComandaError} `usage` where stdin is a terminal, which nobody knows to be waited for; `invalid_input` where it
 *   can't be read to its end, or is too long
 * @throws the signal's reason, where that ends the reading
 */
export async function readInput({ stdin, signal }: Pick<Context, "stdin" | "signal">, file: string) {
  const label = file === "-" ? "stdin" : file;
  const stream = file === "-" ? stdin() : createReadStream(file);
  if ("isTTY" in stream && stream.isTTY)
    throw new ComandaError("usage", t`This reads stdin, but stdin is a terminal.`, {
      hint: t`Pipe it in, or redirect a file.`,
    });
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    // An interrupt destroys the stream, and its reader gets an error.
    const read: AsyncIterable<string | Uint8Array> = addAbortSignal(signal, stream);
    for await (const piece of read) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > mostMebibytes * 1024 * 1024) break;
      pieces.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(label, error);
  }
  if (length <= mostMebibytes * 1024 * 1024) return { bytes: Buffer.concat(pieces), label };
  throw new ComandaError("invalid_input", t`${label} holds more than ${mostMebibytes} MiB.`, {
    hint: t`Was another file meant?`,
  });
}

/** @param label the name of the file, or `stdin` */
export function unreadable(label: string, error: unknown): ComandaError {
  return new ComandaError("invalid_input", t`${label} can't be read: ${fileErrorReason(error)}.`, {
    hint: label === "stdin" ? t`Look at what is piped in, or redirected.` : t`Check the path.`,
  });
}

/**
 * @param word with or without a `#` before it
 * @param where names the place of the word, for the error
 * @param hint where several may be given
 * @throws {ComandaError} `invalid_input` for anything but digits
 */
export function orderId(word: string, where: string, hint = t`For example: 4711`): string {
  const id = word.trim().replace(/^#/, "");
  if (/^\d+$/.test(id)) return id;
  throw new ComandaError(
    "invalid_input",
    t`An order id (${where}) is digits alone, not "${id.slice(0, 60)}"; nothing was sent.`,
    { hint },
  );
}
