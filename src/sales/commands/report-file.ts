/** A report's file is there whole or not at all. */
import path from "node:path";

import { readText, statIfThere } from "../../shared/disk.js";
import { t } from "../../shared/language.js";
import { ComandaError } from "../../shared/errors.js";
import type { System } from "../../shared/system.js";
import { fileErrorReason, writeOut, type Writer } from "../../shared/whole-file.js";
import { incompleteMark } from "../page/report.js";
import { readReportData, type ReportData } from "../report/data.js";

/**
 * Checks the destination before the minute that a report takes, not after it.
 *
 * @throws {ComandaError} `invalid_input` where the file certainly can't be written
 */
export function checkDestination({ disk }: System, out: string): void {
  if (out === "-") return;
  const folder = path.dirname(path.resolve(out));
  const stats = statIfThere(disk, folder);
  if (!stats?.isDirectory()) {
    throw new ComandaError("invalid_input", t`There is no folder ${folder}.`, {
      hint: t`Make it first, or choose another place with --out.`,
    });
  }
  const destination = statIfThere(disk, path.resolve(out));
  if (destination?.isDirectory()) {
    throw new ComandaError("invalid_input", t`${out} is a folder.`, {
      hint: t`Give the name of a file, for example --out report.html`,
    });
  }
  try {
    disk.accessFolder(folder);
  } catch (error) {
    throw writeError(out, error);
  }
}

/** Tells whether an unfinished page may be written there: it may not replace a whole one, nor anything else. */
export function mayHoldPart(system: System, out: string): boolean {
  if (!statIfThere(system.disk, path.resolve(out))) return true;
  return existingText(system, out)?.includes(incompleteMark) === true;
}

/** Reads the figures of the report that is there; `undefined` where there is none, or nobody can read it. */
export function lastReport(system: System, out: string): ReportData | undefined {
  const text = existingText(system, out);
  return text === undefined ? undefined : readReportData(text);
}

function existingText({ disk }: System, out: string): string | undefined {
  const file = path.resolve(out);
  // Opening a pipe would wait for its other end.
  if (!statIfThere(disk, file)?.isFile()) return undefined;
  try {
    return readText(disk, file);
  } catch {
    // An unreadable file is left as it is, until the whole report takes its place.
    return undefined;
  }
}

/**
 * @returns its absolute path
 * @throws {ComandaError} `invalid_input` where it can't be written; a file that was there is as it was
 */
export async function writeReport(
  writer: Writer,
  out: string,
  content: string | Uint8Array,
): Promise<string> {
  try {
    return await writeOut(writer, out, content);
  } catch (error) {
    writer.signal.throwIfAborted();
    throw writeError(out, error);
  }
}

function writeError(out: string, error: unknown): ComandaError {
  return new ComandaError("invalid_input", t`${out} can't be written: ${fileErrorReason(error)}.`, {
    hint: t`Choose another place with --out. Figures that were fetched already are kept.`,
  });
}
