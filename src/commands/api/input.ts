/** Reads a body from a file or stdin. */
import { t } from "../../languages/language.js";
import { openFile, pipedInput, readBytes } from "../input.js";
import type { Context } from "../../cli/context.js";

const maxBytes = 64 * 1024 * 1024;

export interface Input {
  readonly body: Uint8Array;
  /** `--dry-run` shows it in place of the body. */
  readonly description: string;
}

/**
 * @throws {ComandaError} `invalid_input` for a file that can't be read or is too large, `usage` for a terminal
 * @throws {Error} where the signal ends the wait for a pipe
 */
export async function readInput(file: string, context: Context): Promise<Input> {
  const hint = t`Pipe it in: comanda api POST <path> --input - < body.json`;
  const source = file === "-" ? pipedInput(context, hint) : await openFile(file, context.signal);
  const body = await readBytes(source, maxBytes);
  source.stream.destroy();
  return { body, description: t`(${body.length} bytes of ${source.label})` };
}
