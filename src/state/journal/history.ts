/**
 * What this machine did, from the journal: a row for each write, newest first. A write that was unknown when another
 * process resumed it has a row for what it was until then, and one for what came later.
 */
import { t } from "../../shared/language.js";
import type { StoreNow } from "../settings/store-settings.js";
import type { StateFolder } from "../state-folder.js";
import type { WriteResult } from "./attempts.js";
import type { Author, Place, Write } from "./entries.js";
import { rowsOfFile } from "./history-rows.js";
import { journalFiles, machineStart, openJournalFile, sizeOf } from "./journal-files.js";

/** One write, or what one process made of it. */
export interface HistoryRow extends Place, Author, Write, WriteResult {
  /** When its last request was sent (ISO 8601, UTC). */
  readonly at: string;
  readonly run: string;
}

export interface HistoryFilter {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly order?: string | undefined;
  /** As it is called now. */
  readonly store?: string | undefined;
  /** How a store is called now; without it, as it was then. */
  readonly storeNow?: StoreNow | undefined;
  readonly outcome?: string | undefined;
  readonly operation?: string | undefined;
}

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
      yield* rowsOfFile(lines, filter, machineStart(state));
    } finally {
      lines.close();
    }
  }
  if (lacks.newer)
    state.warn(t`The journal has lines that a newer comanda wrote: what they say is not shown.`);
}
