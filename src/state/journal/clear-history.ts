/** Forgets what the journal holds of long ago. */
import type { StateFolder } from "../state-folder.js";
import { writeKey } from "./attempts.js";
import type { RunEntry } from "./entries.js";
import {
  journalFiles,
  openJournalFile,
  removeUnchanged,
  stateOf,
  type JournalFile,
} from "./journal-files.js";

/** A lone write without an outcome may be on its way for so long (milliseconds): longer than any request takes. */
const mostOnItsWay = 60 * 60_000;

/**
 * Removes what was written before a moment: the files whose last line is older. One stays that a process writes to
 * meanwhile, or that has what a process is sending now: a run could not be resumed any more, and what becomes of a lone
 * write would be said of nothing.
 *
 * @param before milliseconds since the epoch
 * @param unlessSent does the work, but where a process has one of these runs now; says whether it was done
 * @throws {ComandaError} `state_unusable`
 */
export async function clearHistory(
  state: StateFolder,
  before: number,
  unlessSent: (runs: readonly RunEntry[], work: () => boolean) => Promise<boolean>,
): Promise<{ readonly removed: number; readonly kept: number }> {
  let [removed, kept] = [0, 0];
  for (const file of journalFiles(state)) {
    const seen = stateOf(state, file);
    const { lastLineAt, open, lastOnItsWay } = summaryOf(state, file);
    if (lastLineAt >= before) continue;
    const isOnItsWay = lastOnItsWay > state.clock.now() - mostOnItsWay;
    if (!isOnItsWay && (await unlessSent(open, () => removeUnchanged(state, file, seen)))) removed += 1;
    else kept += 1;
  }
  return { removed, kept };
}

/** When a file was written to, its runs that have no end, and when the last lone write was sent that has no outcome. */
function summaryOf(state: StateFolder, file: JournalFile) {
  let lastLineAt = -Infinity;
  const runs = new Map<string, RunEntry>();
  const ended = new Set<string>();
  const onTheirWay = new Map<string, number>();
  for (const entry of openJournalFile(state, file).read()) {
    const at = Date.parse(entry.at);
    lastLineAt = Math.max(lastLineAt, at);
    if (entry.type === "run") runs.set(entry.run, entry);
    if (entry.type === "resumed") ended.delete(entry.run);
    if (entry.type === "end") ended.add(entry.run);
    if (entry.type === "sent") onTheirWay.set(`${entry.run} ${writeKey(entry)}`, at);
    if (entry.type === "outcome") onTheirWay.delete(`${entry.run} ${writeKey(entry)}`);
  }
  const lastOnItsWay = [...onTheirWay.values()].reduce((last, at) => Math.max(last, at), -Infinity);
  return { lastLineAt, lastOnItsWay, open: [...runs.values()].filter(({ run }) => !ended.has(run)) };
}
