/** Reads the file that an order, or many of them, stand in. */
import path from "node:path";

import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { decodeText, interruptible } from "../input-stream.js";
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
  const bytes = await readBytes(file, machine, label, lines ? largestList : largestOrder);
  try {
    return { label, text: decodeText(bytes, { fatal: true }) };
  } catch {
    throw new ComandaError("invalid_input", t`${label} isn't text in UTF-8.`, {
      hint: t`Save it as UTF-8. A complete file to start from: comanda prefill --example`,
    });
  }
}

async function readBytes(
  file: string,
  { context, inputFile }: Pick<Machine, "context" | "inputFile">,
  label: string,
  limit: number,
): Promise<Buffer> {
  const { signal } = context;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const stream: AsyncIterable<string | Uint8Array> =
      file === "-" ? interruptible(context.stdin, signal) : await inputFile(file, signal);
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > limit) break;
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ComandaError ? error : unreadable(label, error);
  }
  if (length > limit) {
    throw new ComandaError("invalid_input", t`${label} holds more than ${limit / 1024 / 1024} MiB.`, {
      hint: t`Was another file meant? Many orders go in JSON Lines, one order a line.`,
    });
  }
  return Buffer.concat(chunks);
}

function unreadable(label: string, error: unknown): ComandaError {
  const code = systemErrorCode(error) ?? "";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: t`There is no file ${label}.`,
    EISDIR: t`${label} is a folder, not a file.`,
    EACCES: t`${label} can't be read: permission denied.`,
  };
  return new ComandaError(
    "invalid_input",
    reasons[code] ?? t`${label} can't be read${code && ` (${code})`}.`,
    {
      hint: t`Check the path. A complete file to start from: comanda prefill --example`,
    },
  );
}
