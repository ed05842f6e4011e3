/**
 * A file that takes another's place once it is whole: made beside it, brought to the disk, renamed. Whatever fails on
 * the way, the old file is as it was and the new one is gone. All functions throw the system's errors.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file of the person's own, for others to read as their umask has it.
 *
 * @returns its absolute path
 */
export function writeWhole(file: string, data: string | Uint8Array): string {
  const whole = path.resolve(file);
  const name = `.${path.basename(whole)}.${randomBytes(8).toString("hex")}.tmp`;
  const temporary = path.join(path.dirname(whole), name);
  openReplacement({ file: whole, temporary, mode: 0o666 }).put(data, { durable: true });
  return whole;
}

export interface ReplacementOptions {
  /** Whose place it is to take. */
  readonly file: string;
  /** The new file, in the same folder: there is none of that name. */
  readonly temporary: string;
  /** The new file's, less what the umask takes away. */
  readonly mode: number;
}

/** Where one of these throws, the new file is gone. */
export interface Replacement {
  /** Takes this many bytes on the disk: what is put in place then, if it isn't longer, needs no others. */
  reserve(bytes: number): void;
  /**
   * At most once.
   *
   * @param durable also outlives a loss of power, once the folder's names do
   * @param before called when all is written but the old file still stands; what it throws leaves it standing
   */
  put(
    data: string | Uint8Array,
    options: { readonly durable: boolean; readonly before?: (() => void) | undefined },
  ): void;
  /** Removes the new file where it wasn't put in place; harmless otherwise. */
  discard(): void;
}

export function openReplacement({ file, temporary, mode }: ReplacementOptions): Replacement {
  const descriptor = openSync(temporary, "wx", mode);
  let pending = true;

  function end() {
    if (!pending) return;
    pending = false;
    try {
      closeSync(descriptor);
    } finally {
      discard(temporary);
    }
  }

  function orEnd(work: () => void) {
    try {
      work();
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    reserve(bytes) {
      orEnd(() => {
        // Real bytes, and random ones: file systems take no room for holes, and little for what they can compress.
        writeAll(descriptor, randomBytes(bytes));
        fsyncSync(descriptor);
      });
    },
    put(data, { durable, before }) {
      orEnd(() => {
        const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
        writeAll(descriptor, bytes);
        ftruncateSync(descriptor, bytes.length);
        if (durable) fsyncSync(descriptor);
        before?.();
        // Windows renames no file that is open.
        pending = false;
        closeSync(descriptor);
        try {
          renameSync(temporary, file);
        } catch (error) {
          discard(temporary);
          throw error;
        }
      });
    },
    discard: end,
  };
}

/** Removes a temporary file, on the way out of a failure: it must not hide the failure behind one of its own. */
export function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Somebody sweeps it some day.
  }
}

/** From the file's start, over what is there. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, written);
  }
}
