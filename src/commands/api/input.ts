/** A body out of a file or stdin, never held in memory as a whole where it is large. */
import { createReadStream, statSync, type Stats } from "node:fs";

import type { BodyStream } from "../../client/index.js";
import { ComandaError } from "../../errors/index.js";

/** Bytes of a stdin that are kept, so that a call with so small a body can be repeated. */
const kept = 1024 * 1024;

export interface Input {
  readonly body: Uint8Array | BodyStream;
  /** For `--dry-run`. */
  readonly described: string;
}

/** @throws {ComandaError} `invalid_input` for a file that can't be read */
export async function openInput(file: string, stdin: AsyncIterable<string | Uint8Array>): Promise<Input> {
  if (file === "-") return readStdin(stdin);
  const stats = statOf(file);
  const open = () => createReadStream(file);
  // Of a pipe such as <(…) neither the length nor a second reading is to be had.
  if (!stats.isFile()) return { body: { open, reopens: false }, described: `(the bytes of ${file})` };
  return {
    body: { open, length: stats.size, reopens: true },
    described: `(${stats.size} bytes of ${file})`,
  };
}

function statOf(file: string): Stats {
  const refuse = (why: string) =>
    new ComandaError("invalid_input", `--input: ${file} ${why}.`, { hint: "Check the path; - is stdin." });
  try {
    const stats = statSync(file);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw refuse(code === "ENOENT" ? "doesn't exist" : `can't be read (${code})`);
  }
  throw refuse("is a folder");
}

async function readStdin(stdin: AsyncIterable<string | Uint8Array>): Promise<Input> {
  const pieces = stdin[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  while (size <= kept) {
    const next = await pieces.next();
    if (next.done) {
      return { body: Buffer.concat(first), described: `(${size} bytes of stdin)` };
    }
    const piece = Buffer.from(next.value);
    size += piece.length;
    first.push(piece);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* first.splice(0);
    for (let next = await pieces.next(); !next.done; next = await pieces.next())
      yield Buffer.from(next.value);
  }
  return { body: { open: all, reopens: false }, described: "(the bytes of stdin)" };
}
