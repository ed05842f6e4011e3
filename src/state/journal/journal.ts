/** Writes down what goes out, before it does: the one way into the journal. */
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { once } from "../../shared/once.js";
import type { AppendLog } from "../files/append-log.js";
import { LockLost } from "../locks/locks.js";
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
  /** What whoever wants to do without the journal does: the hint where a line can't be written. */
  readonly wayOut?: string;
}

/**
 * What is written of one call, by the number of each of its requests. Where the lines lie in a database one day, this is a
 * row of it.
 */
export interface WriteRow {
  /**
   * Resolves when it is there: only then may the request go out.
   *
   * @param attempt from 1
   * @throws {ComandaError} `state_unusable`: nothing may be sent
   */
  sent(attempt: number): Promise<void>;
  /**
   * What the call has come to with this request. Rejects where it can't be written; what has been sent has been sent all
   * the same.
   */
  outcome(attempt: number, result: AttemptResult): Promise<void>;
}

/** Where the lines of writes go. */
export interface WriteLog {
  /** Touches nothing on the disk before `sent`. @param call the number that the client gives it */
  row(write: Write, call: number): WriteRow;
}

export interface JournalRow extends Pick<WriteRow, "sent"> {
  /** Nobody waits for this line, and it never fails: a warning says what isn't written. */
  outcome(attempt: number, result: AttemptResult): void;
}

/** Of one process at one store. It touches nothing on the disk before its first line. */
export interface Journal {
  readonly state: StateFolder;
  readonly place: Place;
  readonly author: () => Author;
  row(write: Write, call: number): JournalRow;
  /** May requests go out although this error keeps them out of the journal? If so, that is warned of. */
  goesWithout(error: unknown): boolean;
  /** What is sent from now on belongs to a run of many, whose lines these are. */
  join(run: WriteLog): void;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

export function openJournal({ state, place, actor, folderMayLack = false, wayOut }: JournalOptions): Journal {
  const author = once((): Author => ({
    user: state.table.userName(),
    ...(actor !== undefined && { actor }),
  }));
  let log: WriteLog = loneWrites(state, () => ({ ...place, ...author() }), wayOut);
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
    row(write, call) {
      const row = log.row(write, call);
      return {
        async sent(attempt) {
          if (isOff) return;
          try {
            await row.sent(attempt);
          } catch (error) {
            if (!goesWithout(error)) throw error;
          }
        },
        outcome(attempt, result) {
          if (isOff) return;
          written = row.outcome(attempt, result).catch((error: unknown) => {
            warnOnce(error, t`What became of the order is told here, and unknown to \`comanda history\`.`);
          });
        },
      };
    },
    close: () => written,
  };
}

/** Each line stands for itself, and is on the disk before its request goes out. */
function loneWrites(state: StateFolder, context: () => Place & Author, wayOut?: string): WriteLog {
  let latest: LoneRun | undefined;
  /** A program that runs for months begins anew each day: a run lies in the file of the month in which it began. */
  const runOfNow = (): LoneRun => {
    const at = isoNow(state);
    if (latest?.day !== at.slice(0, 10)) {
      const { id, file } = newRun(state, at);
      latest = { id, day: at.slice(0, 10), log: openJournalFile(state, file) };
    }
    return latest;
  };
  return {
    row(write, call) {
      let run: LoneRun | undefined;
      const { operation, order_id } = write;
      const line = ({ id }: LoneRun, attempt: number) => {
        const key: AttemptKey = { operation, order_id, call, attempt };
        return { stamped: { v: entryVersion, at: isoNow(state), run: id } as const, key };
      };
      return {
        async sent(attempt) {
          try {
            run ??= runOfNow();
            const { stamped, key } = line(run, attempt);
            await run.log.append({ ...stamped, type: "sent", ...context(), ...write, ...key });
          } catch (error) {
            throw withWayOut(error, wayOut);
          }
        },
        async outcome(attempt, result) {
          if (!run) return;
          const { stamped, key } = line(run, attempt);
          await run.log.append({ ...stamped, type: "outcome", ...key, ...result });
        },
      };
    },
  };
}

interface LoneRun {
  readonly id: string;
  /** When it began (UTC). */
  readonly day: string;
  readonly log: AppendLog<JournalEntry>;
}

/** A lone write may do without the journal, where somebody wants that. */
function withWayOut(error: unknown, wayOut: string | undefined): unknown {
  if (!(error instanceof ComandaError) || error.code !== "state_unusable") return error;
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
