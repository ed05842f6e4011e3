/** Adds the rows of `--append` to a file, which is whole at every moment: as it was, or with all rows. */
import path from "node:path";

import { readText, statIfThere } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { System } from "../../shared/system.js";
import { fileErrorReason, writeWhole } from "../../shared/whole-file.js";
import {
  fileChanges,
  readSalesFile,
  withRows,
  type FileChanges,
  type SalesFile,
  type SalesRow,
} from "../present/sales-file.js";
import type { Machine } from "../../toolkit/machine.js";

/**
 * Writes the rows. One run at a time does so on this machine, whatever name each has for the file, and reads first
 * what another has written meanwhile.
 *
 * @param options.update also updates the rows that are there
 * @returns the rows that were written
 */
export async function writeRows(
  machine: Machine,
  file: string,
  rows: readonly SalesRow[],
  { update }: { readonly update: boolean },
): Promise<FileChanges> {
  const { system } = machine.context;
  const { folder } = await machine.state();
  return folder.locks.run("sales-file", async (lease) => {
    const salesFile = await readFile(system, file);
    const possibleChanges = fileChanges(salesFile, rows);
    const changes = update ? possibleChanges : { ...possibleChanges, updated: [] };
    if (changes.added.length === 0 && changes.updated.length === 0) return changes;
    const text = await withRows(salesFile, changes);
    lease.assertHeld();
    try {
      writeWhole(machine.context, file, text);
    } catch (error) {
      throw appendError(file, error);
    }
    return changes;
  });
}

/** @throws {ComandaError} `invalid_input` where it is no file, or none of this kind */
export async function readFile({ disk }: System, file: string): Promise<SalesFile> {
  const absolutePath = path.resolve(file);
  const stats = statIfThere(disk, absolutePath);
  if (stats && !stats.isFile()) {
    throw new ComandaError("invalid_input", t`${file} is a folder, a device or a pipe.`, {
      hint: t`--append takes the name of a file.`,
    });
  }
  let text: string;
  try {
    disk.accessFolder(path.dirname(absolutePath));
    text = stats ? readText(disk, absolutePath) : "";
  } catch (error) {
    throw appendError(file, error);
  }
  return readSalesFile(file, text);
}

function appendError(file: string, error: unknown): ComandaError {
  return new ComandaError("invalid_input", t`Nothing can be added to ${file}: ${fileErrorReason(error)}.`, {
    hint: t`The file is as it was, and figures that were fetched already are kept.`,
  });
}
