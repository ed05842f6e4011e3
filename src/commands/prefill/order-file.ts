/** Reads the file that an order, or many of them, stand in. */
import path from "node:path";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { decodeText, interruptible, readBytes } from "../input-stream.js";
import { reasonOf } from "../../shared/whole-file.js";
import type { Machine } from "../machine.js";
import type { DocumentText } from "./order-document.js";

/** Bytes. */
const largestOrder = 1024 * 1024;
const largestList = 64 * 1024 * 1024;

/** Does each line of it hold an order of its own? */
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
  try {
    const bytes = await readBytes(await open(file, machine), label, lines ? largestList : largestOrder);
    return { label, text: decodeText(bytes, { fatal: true }) };
  } catch (error) {
    machine.context.signal.throwIfAborted();
    if (error instanceof ComandaError) throw error;
    throw new ComandaError(
      "invalid_input",
      error instanceof TypeError
        ? t`${label} isn't text in UTF-8.`
        : t`${label} can't be read: ${reasonOf(error)}.`,
      { hint: t`Check the path. A complete file to start from: comanda prefill --example` },
    );
  }
}

function open(
  file: string,
  { context: { stdin, signal }, inputFile }: Pick<Machine, "context" | "inputFile">,
): AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>> {
  return file === "-" ? interruptible(stdin, signal) : inputFile(file, signal);
}
