/** Writes down what goes out, before it does: the one way into the journal. */
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { AppendLog } from "../files/append-log.js";
import { LockLost } from "../locks/lock-errors.js";
import type { StateFolder } from "../state-folder.js";
import {
  entryVersion,
  type AttemptKey,
  type AttemptResult,
  type Author,
  type JournalEntry,
  type Place,
  type Write,
} from "./entries.js";
import { newRun, openJournalFile } from "./journal-files.js";

export interface JournalOptions {
  readonly state: StateFolder;
  readonly place: Place;
  /** `COMANDA_ACTOR`. */
  readonly actor?: string | undefined;
  /**
   * For a machine without state of its own, such as a container: where there is no folder to be had, requests go out all
   * the same, with one warning. A disk that is full is no such thing.
   */
  readonly folderMayLack?: boolean;
}

/** Where the lines of writes go. */
export interface WriteLog {
  /**
   * Resolves when the line is there: only then may the request go out.
   *
   * @throws {ComandaError} `state_unusable`: nothing may be sent
   */
  sent(key: AttemptKey, write: Write): Promise<void>;
  /** What came of it. Rejects where it can't be written; what has been sent has been sent all the same. */
  outcome(key: AttemptKey, result: AttemptResult): Promise<void>;
  /** Requests that an earlier process of the same run has sent for an order. */
  attemptsBefore(order: string | null): number;
}

/** Of one process at one store. It touches nothing on the disk before its first line. */
export interface Journal {
  readonly state: StateFolder;
  readonly place: Place;
  readonly author: Author;
  sent(key: AttemptKey, write: Write): Promise<void>;
  /** Nobody waits for this line, and it never fails: a warning says what isn't written. */
  outcome(key: AttemptKey, result: AttemptResult): void;
  attemptsBefore(order: string | null): number;
  /** May requests go out although this error keeps them out of the journal? If so, that is warned of. */
  goesWithout(error: unknown): boolean;
  /** What is sent from now on belongs to a run of many, whose lines these are. */
  join(run: WriteLog): void;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

export function openJournal({ state, place, actor, folderMayLack = false }: JournalOptions): Journal {
  const author: Author = { user: state.table.userName(), ...(actor !== undefined && { actor }) };
  let log: WriteLog = loneWrites(state, { ...place, ...author });
  let isOff = false;
  let warned = false;
  // Lines go in by their order, so that the last one stands for all.
  let written = Promise.resolve();

  function warnOnce(error: unknown, consequence: string): void {
    if (!(error instanceof ComandaError)) throw error;
    if (!warned) state.warn(`${error.message} ${consequence}`);
    warned = true;
  }

  function goesWithout(error: unknown): boolean {
    if (!folderMayLack || isFull(error) || error instanceof LockLost) return false;
    isOff = true;
    warnOnce(error, t`What is sent is in no journal.`);
    return true;
  }

  return {
    state,
    place,
    author,
    goesWithout,
    join: (run) => void (log = run),
    attemptsBefore: (order) => log.attemptsBefore(order),
    async sent(key, write) {
      if (isOff) return;
      try {
        await log.sent(key, write);
      } catch (error) {
        if (!goesWithout(error)) throw error;
      }
    },
    outcome(key, result) {
      if (isOff) return;
      written = log.outcome(key, result).catch((error: unknown) => {
        warnOnce(error, t`What became of the order is told here, and unknown to \`comanda history\`.`);
      });
    },
    close: () => written,
  };
}

/** Each line stands for itself, and is on the disk before its request goes out. */
function loneWrites(state: StateFolder, context: Place & Author): WriteLog {
  let run: { readonly id: string; readonly log: AppendLog<JournalEntry> } | undefined;
  const stamp = () => {
    const at = isoNow(state);
    if (!run) {
      const { id, file } = newRun(state, at);
      run = { id, log: openJournalFile(state, file) };
    }
    return { log: run.log, stamped: { v: entryVersion, at, run: run.id } as const };
  };
  return {
    async sent(key, write) {
      try {
        const { log, stamped } = stamp();
        await log.append({ ...stamped, type: "sent", ...context, ...write, ...key });
      } catch (error) {
        throw withWayOut(error);
      }
    },
    async outcome(key, result) {
      const { log, stamped } = stamp();
      await log.append({ ...stamped, type: "outcome", ...key, ...result }, { durable: false });
    },
    attemptsBefore: () => 0,
  };
}

/** A lone write may do without the journal, where somebody wants that. */
function withWayOut(error: unknown): unknown {
  if (!(error instanceof ComandaError) || error.code !== "state_unusable") return error;
  const wayOut = t`Nothing was sent. A single one is sent all the same with --no-journal, and then \`comanda history\` doesn't show it.`;
  const hint = [error.hint, wayOut].filter(Boolean).join("\n");
  return new ComandaError(error.code, error.message, { hint, cause: error.cause });
}

/** ISO 8601, UTC. */
export function isoNow({ clock }: Pick<StateFolder, "clock">): string {
  return new Date(clock.now()).toISOString();
}

const fullCodes: readonly string[] = ["ENOSPC", "EDQUOT"];

function isFull(error: unknown): boolean {
  const code = error instanceof ComandaError ? systemErrorCode(error.cause) : undefined;
  return code !== undefined && fullCodes.includes(code);
}
