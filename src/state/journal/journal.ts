/** Writes down what goes out, before it does: the one way into the journal. */
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { once } from "../../api/once.js";
import type { StateFolder } from "../state-folder.js";
import type { Fingerprint } from "./fingerprint.js";
import { newRunId } from "./run-id.js";
import type { AttemptResult, Place, Write } from "./write.js";
import { createWriteLog, type WriteRow } from "./write-log.js";

export interface JournalOptions {
  readonly state: StateFolder;
  readonly place: Place;
  readonly fingerprint: () => Fingerprint;
  /**
   * For a machine without state of its own, such as a container: where there is no journal, and none can be made, requests
   * go out all the same, with one warning. A disk that is full is no such thing.
   */
  readonly folderMayLack?: boolean;
}

export interface JournalRow extends Pick<WriteRow, "sent"> {
  /** Nobody waits for it, and it never fails: a warning says what isn't written. */
  outcome(result: AttemptResult): void;
}

/** A process has one for each store. It touches nothing on the disk before its first row. */
export interface Journal {
  readonly state: StateFolder;
  readonly place: Place;
  row(write: Write): JournalRow;
  /** May requests go out although this error keeps them out of the journal? If so, that is warned of. */
  goesWithout(error: unknown): boolean;
  /** From now on this is asked before a row is written, and before its request goes out: it may keep both from happening. */
  guard(check: () => Promise<void>): void;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

export function openJournal(options: JournalOptions): Journal {
  const { state, place, fingerprint, folderMayLack = false } = options;
  const log = once(() =>
    createWriteLog({
      database: () => state.database("comanda"),
      clock: state.clock,
      context: { ...place, user: state.table.userName() },
      fingerprint,
      newRun: () => newRunId(state),
    }),
  );
  let guard: (() => Promise<void>) | undefined;
  let isOff = false;
  let warned = false;
  // Rows go in by their order, so that the last one stands for all.
  let written = Promise.resolve();
  let fault: { readonly error: unknown } | undefined;

  function warnOnce(error: ComandaError, consequence: string): void {
    if (!warned) state.warn(`${error.message} ${consequence}`);
    warned = true;
  }

  function goesWithout(error: unknown): boolean {
    if (!folderMayLack || !isLacking(error) || hasJournal(state)) return false;
    isOff = true;
    warnOnce(error, t`What is sent is in no journal.`);
    return true;
  }

  return {
    state,
    place,
    goesWithout,
    guard: (check) => void (guard = check),
    row(write) {
      const row = log().row(write);
      return {
        async sent() {
          if (isOff) return;
          await guard?.();
          try {
            await row.sent();
          } catch (error) {
            if (!goesWithout(error)) throw error;
            return;
          }
          await guard?.();
        },
        outcome(result) {
          if (isOff) return;
          written = row.outcome(result).catch((error: unknown) => {
            if (error instanceof ComandaError)
              warnOnce(error, t`What became of the order is told here, and unknown to \`comanda history\`.`);
            else fault ??= { error };
          });
        },
      };
    },
    async close() {
      await written;
      if (fault) throw fault.error;
    },
  };
}

/** A folder that can't be used holds no journal of ours. */
function hasJournal(state: StateFolder): boolean {
  try {
    return state.hasDatabase("comanda");
  } catch (error) {
    if (error instanceof ComandaError) return false;
    throw error;
  }
}

const fullCodes: readonly string[] = ["ENOSPC", "EDQUOT"];

/** There is no place for a journal here; a full disk is one, and so is a lock that another process has. */
function isLacking(error: unknown): error is ComandaError {
  if (!(error instanceof ComandaError) || error.code !== "state_unusable") return false;
  const code = systemErrorCode(error.cause);
  return code === undefined || !fullCodes.includes(code);
}
