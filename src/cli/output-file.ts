/** `--output` puts a file in place of stdout. */
import path from "node:path";
import { Writable } from "node:stream";

import type { Context, StandardStream } from "../toolkit/context.js";
import { statIfThere } from "../shared/disk.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { fileErrorReason, writeWhole } from "../shared/whole-file.js";
import { printable } from "../terminal/index.js";

/**
 * Runs a command whose output goes into a file, which is written as a whole when the command has ended, even with an
 * error. A command without output leaves an existing file as it was.
 *
 * @throws {ComandaError} `invalid_input` where the file can't be written: before the run as far as that can be known,
 *   after it with the output on stdout
 */
export async function writeToFile(
  file: string,
  context: Context,
  run: (context: Context) => Promise<void>,
  { isBinary = false } = {},
): Promise<void> {
  const { disk } = context.system;
  const folder = path.dirname(path.resolve(file));
  if (statIfThere(disk, path.resolve(file))?.isDirectory())
    throw writeError(file, t`it is a folder`, nothingDoneHint());
  try {
    disk.accessFolder(folder);
  } catch {
    throw writeError(file, t`there is no folder ${folder}, or it can't be written to`, nothingDoneHint());
  }
  const sink = new Sink();
  const end = () => {
    if (sink.pieces.length === 0) return;
    try {
      writeWhole(context, file, Buffer.concat(sink.pieces));
    } catch (error) {
      // The output must not be lost, but a terminal can't show a workbook.
      if (!isBinary || context.stdout.isTTY !== true)
        for (const piece of sink.pieces) context.stdout.write(piece);
      throw writeError(
        file,
        fileErrorReason(error),
        t`Choose another place with --output. What was done by then stands, and is told on stdout.`,
      );
    }
  };
  try {
    await run({ ...context, stdout: sink });
  } catch (failure) {
    try {
      end();
    } catch (error) {
      if (error instanceof ComandaError) context.stderr.write(`${t`warning: ${printable(error.message)}`}\n`);
    }
    // The command's failure matters more than the file's.
    throw failure;
  }
  end();
}

const nothingDoneHint = (): string => t`Choose another place with --output. Nothing was done.`;

function writeError(file: string, reason: string, hint: string): ComandaError {
  return new ComandaError("invalid_input", t`${file} can't be written: ${reason}.`, {
    hint,
  });
}

/** Keeps the output in memory. */
class Sink extends Writable implements StandardStream {
  readonly stream = this;
  readonly pieces: Buffer[] = [];

  override _write(piece: Buffer | string, _encoding: string, done: () => void): void {
    this.pieces.push(Buffer.from(piece));
    done();
  }
}
