/** Reads a body from a file or stdin, and never holds a large one in memory as a whole. */
import { createReadStream, statSync, type Stats } from "node:fs";

import type { BodyStream } from "../../client/http/transport.js";
import { t } from "../../languages/language.js";
import { openFile, pipedInput, readPieces, unreadable, type Source } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";

/** A body up to this size is kept, so that the call can be repeated and the journal can tell what it was. */
const maxKeptBytes = 1024 * 1024;

export interface Input {
  readonly body: Uint8Array | BodyStream;
  /** `--dry-run` shows it in place of the body. */
  readonly description: string;
  /** Ends the wait for a pipe. */
  close(): void;
}

/**
 * @throws {ComandaError} `invalid_input` for a file that can't be read, `usage` for a terminal
 * @throws {Error} where the signal ends the wait for a pipe
 */
export async function openInput(
  file: string,
  machine: Pick<Machine, "context" | "inputFile">,
  signal: AbortSignal,
): Promise<Input> {
  if (file === "-") {
    const piped = pipedInput(machine.context, t`Pipe it in: comanda api POST <path> --input - < body.json`);
    return readStart({ ...piped, signal });
  }
  const stats = statOf(file);
  // A pipe such as <(…) has no length and can't be read twice.
  if (!stats.isFile() || stats.size <= maxKeptBytes) return readStart(await openFile(machine, file, signal));
  const open = () => readPieces({ stream: createReadStream(file), label: file, signal });
  return {
    body: { open, length: stats.size, reopens: true },
    description: t`(${stats.size} bytes of ${file})`,
    close: () => undefined,
  };
}

function statOf(file: string): Stats {
  try {
    return statSync(file);
  } catch (error) {
    throw unreadable(`--input ${file}`, error);
  }
}

/** The call goes out when a small body is complete, or the start of a large one is there. */
async function readStart(source: Source): Promise<Input> {
  const { stream, label } = source;
  const pieces = readPieces(source);
  const close = () => void stream.destroy();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size <= maxKeptBytes) {
    const next = await pieces.next();
    if (next.done) return { body: Buffer.concat(first), description: t`(${size} bytes of ${label})`, close };
    size += next.value.length;
    first.push(next.value);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* first.splice(0);
    yield* pieces;
  }
  return { body: { open: all, reopens: false }, description: t`(the bytes of ${label})`, close };
}
