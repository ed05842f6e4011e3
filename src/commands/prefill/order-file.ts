/** Reads a file with one order or many. */
import path from "node:path";
import type { Readable } from "node:stream";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { decodeText, readBytes, unreadable } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";
import type { DocumentText } from "./order-document.js";

const maxOrderBytes = 1024 * 1024;
const maxListBytes = 64 * 1024 * 1024;

/** The file's name tells whether each line holds an order. */
export function holdsLines(file: string): boolean {
  return [".jsonl", ".ndjson"].includes(path.extname(file).toLowerCase());
}

/**
 * @param file `-` stands for stdin
 * @throws {ComandaError} `usage` where stdin is a terminal; `invalid_input` where the file can't be read, is too
 *   large or isn't UTF-8
 */
export async function readOrderFile(
  file: string,
  machine: Pick<Machine, "context" | "inputFile">,
  lines: boolean,
): Promise<DocumentText> {
  if (file === "-" && machine.context.stdin.isTTY === true) {
    throw new ComandaError("usage", t`"-" reads the order from stdin, but stdin is a terminal.`, {
      hint: t`Pipe it in: comanda prefill - < order.yaml`,
    });
  }
  const label = file === "-" ? "stdin" : file;
  const { signal } = machine.context;
  const stream = file === "-" ? machine.context.stdin : await openFile(file, machine);
  const bytes = await readBytes(
    { stream, label, signal },
    lines ? maxListBytes : maxOrderBytes,
    t`Was another file meant? Many orders go in JSON Lines, one order a line.`,
  );
  try {
    return { label, text: decodeText(bytes, { fatal: true }) };
  } catch {
    throw new ComandaError("invalid_input", t`${label} isn't text in UTF-8.`, {
      hint: t`Save it as UTF-8. A complete file to start from: comanda prefill --example`,
    });
  }
}

async function openFile(
  file: string,
  { context: { signal }, inputFile }: Pick<Machine, "context" | "inputFile">,
): Promise<Readable> {
  try {
    return await inputFile(file, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ComandaError ? error : unreadable(file, error);
  }
}
