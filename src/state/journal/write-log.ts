/**
 * Writes down what is sent, a row of the table `writes` for each: all that comes in one turn of the event loop in one
 * commit, and what comes during a commit in the next. An order's row is on the disk before its request goes out, and once
 * it has a place within the limits: so after a loss of power no more orders are unknown than were under way.
 */
import type { Clock } from "../../client/clock.js";
import type { Database, Statements } from "../database.js";
import { signInOf, type Fingerprint } from "./fingerprint.js";
import { concluded, noAnswer, type AttemptResult, type Place, type Write } from "./write.js";

/** The row of one write. */
export interface WriteRow {
  /**
   * Resolves when it says that a request goes out: only then may it.
   *
   * @throws {ComandaError} `state_unusable`: nothing may be sent
   */
  sent(): Promise<void>;
  /**
   * Writes what the call has come to with its last request. It rejects where that can't be written; the request has been
   * sent all the same.
   */
  outcome(result: AttemptResult): Promise<void>;
}

export interface WriteLog {
  /** Touches nothing on the disk before `sent`. */
  row(write: Write): WriteRow;
}

export interface WriteLogOptions {
  readonly database: () => Promise<Database>;
  readonly clock: Pick<Clock, "now">;
  readonly context: Place & { readonly user: string | null };
  readonly fingerprint: () => Fingerprint;
  /** Draws what the rows of one process share. */
  readonly newRun: () => string;
}

/** Somebody else's rows have these numbers. */
class Taken extends Error {}

type Change = (statements: Statements, at: number) => Promise<void>;

export function createWriteLog(options: WriteLogOptions): WriteLog {
  const { database, clock, context, fingerprint, newRun } = options;
  const { store, environment, user } = context;
  let [run, nextNumber] = [newRun(), 1];
  let open: { readonly changes: Change[]; hasOutcomes: boolean } | undefined;
  let written: Promise<void> = Promise.resolve();

  /** Resolves when the change is on the disk, together with all others of this turn of the event loop. */
  function commit(change: Change, { isOutcome = false } = {}): Promise<void> {
    if (!open) {
      const group = (open = { changes: [], hasOutcomes: false });
      written = written.then(nextTurn, nextTurn).then(() => {
        open = undefined;
        return write(group.changes, group.hasOutcomes);
      });
    }
    open.changes.push(change);
    open.hasOutcomes ||= isOutcome;
    return written;
  }

  async function write(changes: readonly Change[], outlastsSignal: boolean): Promise<void> {
    const opened = await database();
    const at = Math.round(clock.now());
    for (;;) {
      try {
        // A connection may have been cut before the answer came: to write the same once more changes nothing.
        await opened.transaction(
          `run ${run}`,
          async (statements) => {
            for (const change of changes) await change(statements, at);
          },
          { outlastsSignal, isRepeatable: true },
        );
        return;
      } catch (error) {
        if (!(error instanceof Taken)) throw error;
        run = newRun();
      }
    }
  }

  const { outcome: unknown, evidence: nobody } = noAnswer;

  function insert(number: number, { operation, order_id: order, arguments: args }: Write): Change {
    return async (statements, at) => {
      const inserted = await statements.run(
        `insert into writes (run_id, number, sent_at, store, environment, address, sign_in, user_name, operation, order_id,
           arguments, outcome, evidence, attempts, is_open, is_service_code)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1, 1, 0)
         on conflict (run_id, number) do update set sent_at = excluded.sent_at
         where writes.sent_at = excluded.sent_at and coalesce(writes.order_id, '') = coalesce(excluded.order_id, '')`,
        ...[run, number, at, store, environment, fingerprint().address, signInOf(fingerprint())],
        ...[user, operation, order],
        ...[JSON.stringify(args), unknown, nobody],
      );
      if (inserted === 0) throw new Taken();
    };
  }

  function repeat(number: number): Change {
    return async (statements, at) => {
      await statements.run(
        `update writes set attempts = attempts + (case when is_open = 1 and sent_at = $3 then 0 else 1 end),
           sent_at = $3, user_name = $4, outcome = $5, evidence = $6, is_open = 1, http_status = null,
           code = null, is_service_code = 0
         where run_id = $1 and number = $2`,
        ...[run, number, at, user, unknown, nobody],
      );
    };
  }

  function conclude(number: number, { outcome, http_status, code, evidence }: AttemptResult): Change {
    return async (statements) => {
      await statements.run(
        `update writes set is_open = 0, outcome = $3, http_status = $4, code = $5, is_service_code = $6, evidence = $7
         where run_id = $1 and number = $2`,
        ...[run, number, outcome, http_status],
        ...[code === null ? null : String(code), typeof code === "number" ? 1 : 0, evidence],
      );
    };
  }

  return {
    row(write) {
      let number: number | undefined;
      let result: AttemptResult | undefined;
      let isOut = false;
      return {
        sent() {
          if (isOut) result = concluded(result, noAnswer);
          isOut = true;
          if (number !== undefined) return commit(repeat(number));
          number = nextNumber;
          nextNumber += 1;
          return commit(insert(number, write));
        },
        outcome(next) {
          if (number === undefined) return Promise.resolve();
          result = concluded(result, next);
          isOut = false;
          return commit(conclude(number, result), { isOutcome: true });
        },
      };
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
