/** Reads files, stdin and order ids. */
import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";

import { fileErrorReason, parseOrderId } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { plural, t } from "../languages/language.js";
import type { Context } from "./context.js";
import { firstProblems } from "./text.js";

/** A longer input is rejected, before it fills the memory. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads a file, or stdin for `-`.
 *
 * @returns the bytes, the name of the file or `stdin` as `label`, and whether they come from a file
 * @throws {ComandaError} `usage` if stdin is a terminal, because the user may not know that comanda waits for input; `invalid_input`
 *   if the file can't be read or is too long
 * @throws the signal's reason if it aborts
 */
export async function readInput({ stdin, signal }: Pick<Context, "stdin" | "signal">, file: string) {
  const label = file === "-" ? "stdin" : file;
  const hint = file === "-" ? t`Pipe the input in, or redirect a file.` : t`Check the path.`;
  if (file === "-" && stdin().isTTY === true)
    throw new ComandaError("usage", t`Expected input on stdin, but stdin is a terminal.`, { hint });
  const pieces: Buffer[] = [];
  let length = 0;
  let isFile = false;
  try {
    const stream = file === "-" ? stdin() : await openToRead(file);
    isFile = "fd" in stream && typeof stream.fd === "number" && fstatSync(stream.fd).isFile();
    const read: AsyncIterable<string | Uint8Array> = addAbortSignal(signal, stream);
    for await (const piece of read) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > mostBytes)
        throw new ComandaError("invalid_input", t`${label} is longer than ${mostBytes / 2 ** 20} MiB.`);
      pieces.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ComandaError) throw error;
    throw new ComandaError("invalid_input", t`${label} can't be read: ${fileErrorReason(error)}.`, { hint });
  }
  return { bytes: Buffer.concat(pieces), label, isFile };
}

/**
 * Opens a file. A named pipe or terminal becomes a stream like stdin, which a signal can end. Otherwise, Node would wait for its other
 * end in a thread, and for the thread before it exits.
 */
async function openToRead(file: string): Promise<Readable> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = fstatSync(fd);
  if (stats.isFIFO()) {
    const { Socket } = await import("node:net");
    return new Socket({ fd, readable: true, writable: false });
  }
  if (stats.isCharacterDevice()) {
    const { isatty, ReadStream } = await import("node:tty");
    if (isatty(fd)) return new ReadStream(fd);
  }
  return createReadStream(file, { fd });
}

/**
 * Decodes text as UTF-16 if it begins with that byte order mark, as PowerShell and Notepad write it, and otherwise as UTF-8.
 *
 * @throws {TypeError} if `fatal` is set and the bytes aren't text; otherwise, U+FFFD replaces them
 */
export function decodeText(bytes: Uint8Array, options?: { readonly fatal: boolean }): string {
  const [first, second] = bytes;
  let encoding = "utf-8";
  if (first === 0xff && second === 0xfe) encoding = "utf-16le";
  if (first === 0xfe && second === 0xff) encoding = "utf-16be";
  return new TextDecoder(encoding, options).decode(bytes);
}

/**
 * Reads order ids, each once and in their order. A `#` before an id is dropped.
 *
 * @param words with the index of each
 * @param placeOf returns how an error names the position of a word
 * @param isSent whether the command sends the ids, so that the error says that nothing was sent
 * @param joinedHint how to separate ids that are joined by commas; by default, with spaces
 * @throws {ComandaError} `invalid_input` that names every word that isn't an id
 */
export function orderIds(
  words: Iterable<readonly [index: number, word: string]>,
  placeOf: (index: number) => string,
  isSent = true,
  joinedHint?: string,
): readonly string[] {
  const ids = new Set<string>();
  const wrong: string[] = [];
  let joined: readonly string[] | undefined;
  for (const [index, word] of words) {
    const text = word.trim().replace(/^#/, "");
    const id = parseOrderId(text);
    if (id !== undefined) {
      ids.add(id);
      continue;
    }
    wrong.push(`"${text.slice(0, 60)}" (${placeOf(index)})`);
    const parts = text.split(",").map((part) => part.trim());
    if (parts.every((part) => parseOrderId(part))) joined = parts.slice(0, 10);
  }
  if (wrong.length === 0) return [...ids];
  const shown = firstProblems(wrong).join(", ");
  const message = plural(wrong.length, {
    one: t`Invalid order id: ${shown}.`,
    other: t`Invalid order ids: ${shown}.`,
  });
  throw new ComandaError("invalid_input", isSent ? `${message} ${t`Nothing was sent.`}` : message, {
    ...(joined && joinedHint === undefined
      ? { hintFacts: { about: "joined_ids", ids: joined } }
      : { hint: (joined && joinedHint) ?? t`An order id has only digits, for example 4711.` }),
  });
}

/** @throws {ComandaError} as {@link orderIds} */
export function orderId(word: string, place: string, isSent?: boolean): string {
  return orderIds([[0, word]], () => place, isSent)[0] ?? "";
}
