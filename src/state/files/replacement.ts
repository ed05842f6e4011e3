/**
 * A file that takes another's place once it is whole: made beside it, brought to the disk, renamed. Whatever fails on
 * the way, the old file is as it was and the new one is gone.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, renameSync, writeSync } from "node:fs";

import { fileError } from "./file-errors.js";
import { discard } from "./temporary-files.js";

/** Each function throws a {@link ComandaError} of code `state_unusable`, and the new file is gone then. */
export interface Replacement {
  /** Takes this many bytes on the disk: what is put in place then, if it isn't longer, needs no others. */
  reserve(bytes: number): void;
  /**
   * At most once.
   *
   * @param durable also outlives a loss of power, once the folder's names do
   * @param before called when all is written but the old file still stands; what it throws leaves it standing
   */
  put(text: string, options: { readonly durable: boolean; readonly before?: (() => void) | undefined }): void;
  /** Removes the new file where it wasn't put in place; harmless otherwise. */
  discard(): void;
}

export interface ReplacementParts {
  /** Whose place it is to take. */
  readonly file: string;
  /** The new file, in the same folder. */
  readonly temporary: string;
  /** The new file, empty and open for writing; closed by the replacement. */
  readonly descriptor: number;
}

export function createReplacement({ file, temporary, descriptor }: ReplacementParts): Replacement {
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
      throw fileError(error, "write", file);
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
    put(text, { durable, before }) {
      orEnd(() => {
        const bytes = Buffer.from(text, "utf8");
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

/** From the file's start, over what is there. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, written);
  }
}
