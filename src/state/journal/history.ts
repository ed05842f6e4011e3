/**
 * What this machine did, from the journal: a row for each write, newest first. A write that was unknown when another
 * process resumed it has a row for what it was until then, and one for what came later.
 */
import { t } from "../../shared/language.js";
import type { StateFolder } from "../state-folder.js";
import { rowsOfFile, type HistoryFilter, type HistoryRow } from "./history-rows.js";
import { journalFiles, openJournalFile, sizeOf } from "./journal-files.js";

/**
 * How many bytes there are to read.
 *
 * @throws {ComandaError} `state_unusable`
 */
export function historyBytes(state: StateFolder): number {
  return journalFiles(state).reduce((sum, file) => sum + (sizeOf(state, file) ?? 0), 0);
}

/**
 * In pieces, file by file, from the newest on, each as soon as it is known that no newer row is to come.
 *
 * @throws {ComandaError} `state_unusable`
 */
export function* readHistory(state: StateFolder, filter: HistoryFilter): Generator<readonly HistoryRow[]> {
  const lacks = { newer: false };
  for (const file of journalFiles(state)) {
    const lines = openJournalFile(state, file, () => (lacks.newer = true)).open();
    try {
      yield* rowsOfFile(lines, filter);
    } finally {
      lines.close();
    }
  }
  if (lacks.newer)
    state.warn(t`The journal has lines that a newer comanda wrote: what they say is not shown.`);
}
