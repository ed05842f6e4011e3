/** A file of figures, a report or the rows of `--append`, is there whole or as it was before. */
import path from "node:path";

import { readText, statIfThere } from "../../shared/disk.js";
import { t } from "../../shared/language.js";
import { ComandaError } from "../../shared/errors.js";
import type { System } from "../../shared/system.js";
import { fileErrorReason, writeWhole, type Writer } from "../../shared/whole-file.js";
import { incompleteMark, readReportData, type ReportData } from "../report/data.js";

/**
 * Checks the destination before the minute that a report takes, not after it.
 *
 * @throws {ComandaError} `invalid_input` where the file certainly can't be written
 */
export function checkDestination({ disk }: System, out: string): void {
  if (out === "-") return;
  const file = path.resolve(out);
  if (statIfThere(disk, file)?.isDirectory()) throw writeError(out, t`it is a folder`);
  try {
    disk.accessFolder(path.dirname(file));
  } catch (error) {
    throw writeError(out, fileErrorReason(error));
  }
}

/** Tells whether an unfinished page may be written there: it may not replace a whole one, nor anything else. */
export function mayHoldPart(system: System, out: string): boolean {
  if (!statIfThere(system.disk, path.resolve(out))) return true;
  return existingText(system, out).includes(incompleteMark);
}

/** Reads the figures of the report that is there; `undefined` where there is none, or nobody can read it. */
export function lastReport(system: System, out: string): ReportData | undefined {
  return readReportData(existingText(system, out));
}

function existingText({ disk }: System, out: string): string {
  const file = path.resolve(out);
  // Opening a pipe would wait for its other end.
  if (!statIfThere(disk, file)?.isFile()) return "";
  try {
    return readText(disk, file);
  } catch {
    // An unreadable file is left as it is, until the whole report takes its place.
    return "";
  }
}

/**
 * @returns its absolute path
 * @throws {ComandaError} `invalid_input` where it can't be written; a file that was there is as it was
 */
export function writeFigures(writer: Writer, out: string, content: string | Uint8Array): string {
  try {
    return writeWhole(writer, out, content);
  } catch (error) {
    throw writeError(out, fileErrorReason(error));
  }
}

export function writeError(out: string, reason: string): ComandaError {
  return new ComandaError("invalid_input", t`${out} can't be written: ${reason}.`, {
    hint: t`Choose another place. Figures that were fetched already are kept.`,
  });
}
