/** Forgets what the journal holds of long ago. */
import type { StateFolder } from "../state-folder.js";
import type { RunEntry } from "./entries.js";
import { journalFiles, openJournalFile, type JournalFile } from "./journal-files.js";

/**
 * Removes what was written before a moment: the files whose last line is older. One with a run that a process has now
 * stays: it could not be resumed any more.
 *
 * @param before milliseconds since the epoch
 * @param isRunning does a process have this run now?
 * @throws {ComandaError} `state_unusable`
 */
export async function clearHistory(
  state: StateFolder,
  before: number,
  isRunning: (run: RunEntry) => Promise<boolean>,
): Promise<{ readonly removed: number; readonly kept: number }> {
  let [removed, kept] = [0, 0];
  for (const file of journalFiles(state)) {
    const { lastLineAt, open } = summaryOf(state, file);
    if (lastLineAt >= before) continue;
    const running = await Promise.all(open.map(isRunning));
    if (running.includes(true)) kept += 1;
    else {
      state.files.remove(file.path);
      removed += 1;
    }
  }
  return { removed, kept };
}

/** When a file was written to, and its runs that have no end. */
function summaryOf(state: StateFolder, file: JournalFile) {
  let lastLineAt = -Infinity;
  const runs = new Map<string, RunEntry>();
  const ended = new Set<string>();
  for (const entry of openJournalFile(state, file).read()) {
    lastLineAt = Math.max(lastLineAt, Date.parse(entry.at));
    if (entry.type === "run") runs.set(entry.run, entry);
    if (entry.type === "resumed") ended.delete(entry.run);
    if (entry.type === "end") ended.add(entry.run);
  }
  return { lastLineAt, open: [...runs.values()].filter(({ run }) => !ended.has(run)) };
}
