/**
 * Writes down what is sent, a row of the table `writes` for each: all that comes in one turn of the event loop in one
 * commit, and what comes during a commit in the next. An order's row is on the disk before its request goes out, and once
 * it has a place within the limits: so after a loss of power no more orders are unknown than were under way.
 */
import type { Clock } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Database, Statements } from "../database.js";
import { concluded, noAnswer, type AttemptResult, type Author, type Place, type Write } from "./write.js";

/** The row of one write. */
export interface WriteRow {
  /**
   * Resolves when it says that a request goes out: only then may it.
   *
   * @throws {ComandaError} `state_unusable`: nothing may be sent
   */
  sent(): Promise<void>;
  /**
   * What the call has come to with its last request. Rejects where it can't be written; what has been sent has been sent
   * all the same.
   */
  outcome(result: AttemptResult): Promise<void>;
}

export interface WriteLog {
  /** Touches nothing on the disk before `sent`. */
  row(write: Write): WriteRow;
}

export interface GroupedLog extends WriteLog {
  /** Like `row`, for a write that has a row already, or whose earlier outcome is unknown. */
  rowAfter(
    write: Write,
    before: { readonly result: AttemptResult; readonly number: number | undefined },
  ): WriteRow;
  /** Resolves when all is written, or has failed. */
  written(): Promise<void>;
}

export interface WriteLogOptions {
  readonly database: () => Promise<Database>;
  readonly clock: Pick<Clock, "now">;
  readonly context: Place & Author;
  readonly run: string;
  /** The number of its next row. */
  readonly nextNumber: number;
  /** @returns another number of a run to be used, where this one has rows of somebody else's; or throws */
  readonly otherRun: () => string;
}

/** Somebody else's rows have these numbers. */
class Taken extends Error {}

export function createWriteLog(options: WriteLogOptions): GroupedLog {
  const { database, clock, context, otherRun } = options;
  let { run, nextNumber } = options;
  let open: Group | undefined;
  let last: Promise<void> = Promise.resolve();

  function groupOfNow(): Group {
    if (open) return open;
    const group = new Group();
    open = group;
    group.written = last.then(nextTurn, nextTurn).then(() => {
      open = undefined;
      return write(group);
    });
    last = group.written;
    return group;
  }

  async function write(group: Group): Promise<void> {
    const opened = await database();
    const at = Math.round(clock.now());
    for (;;) {
      try {
        await opened.transaction(
          `run ${run}`,
          (statements) => group.write(statements, { run, at, ...context }),
          { outlastsSignal: group.hasOutcomes, isRepeatable: true },
        );
        return;
      } catch (error) {
        if (!(error instanceof Taken)) throw error;
        run = otherRun();
      }
    }
  }

  function rowAt(of: Write, row: number | undefined, before: AttemptResult | undefined): WriteRow {
    let number = row;
    let result = before;
    let isOut = false;
    return {
      sent() {
        if (isOut) result = concluded(result, noAnswer);
        isOut = true;
        const group = groupOfNow();
        if (number !== undefined) group.repeated.push(number);
        else {
          number = nextNumber;
          nextNumber += 1;
          group.addSent(of, number);
        }
        return group.written;
      },
      outcome(next) {
        if (number === undefined) return Promise.resolve();
        result = concluded(result, next);
        isOut = false;
        const group = groupOfNow();
        group.addOutcome(number, result);
        return group.written;
      },
    };
  }

  return {
    row: (of) => rowAt(of, undefined, undefined),
    rowAfter: (of, { result, number }) => rowAt(of, number, result),
    written: () => last.catch(() => undefined),
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Stamp extends Place, Author {
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What is written together. Where a connection was cut before the answer came, the same is written once more, and changes nothing. */
class Group {
  written: Promise<void> = Promise.resolve();
  /** Numbers of rows whose request goes out once more. */
  readonly repeated: number[] = [];
  readonly #sent: {
    readonly write: Write;
    readonly given: string;
    readonly rows: (number | string | null)[];
  }[] = [];
  readonly #outcomes: { readonly result: AttemptResult; readonly numbers: number[] }[] = [];

  get hasOutcomes(): boolean {
    return this.#outcomes.length > 0;
  }

  addSent(write: Write, number: number): void {
    const text = JSON.stringify(write.arguments);
    const like = this.#sent.find(
      (other) => other.given === text && other.write.operation === write.operation,
    );
    if (like) like.rows.push(number, write.order_id);
    else this.#sent.push({ write, given: text, rows: [number, write.order_id] });
  }

  addOutcome(number: number, result: AttemptResult): void {
    const like = this.#outcomes.find((other) => isSame(other.result, result));
    if (like) like.numbers.push(number);
    else this.#outcomes.push({ result, numbers: [number] });
  }

  /** Outcomes first: they are of what was sent before. */
  async write(
    { run: change }: Statements,
    { run, at, store, environment, user, actor }: Stamp,
  ): Promise<void> {
    const who = [user, actor ?? null] as const;
    for (const { result, numbers } of this.#outcomes) {
      const { outcome, http_status: status, code, evidence } = result;
      const told = [
        outcome,
        status,
        code === null ? null : String(code),
        typeof code === "number" ? 1 : 0,
        evidence,
      ];
      for (const some of inPieces(numbers, rowsAtOnce))
        await change(outcomeOf(some.length), run, ...told, ...some);
    }
    for (const some of inPieces(this.repeated, rowsAtOnce)) {
      const { outcome, evidence } = noAnswer;
      const changed = await change(repeatedOf(some.length), run, at, ...who, outcome, evidence, ...some);
      if (changed < some.length) throw forgotten();
    }
    for (const { write, given, rows } of this.#sent)
      for (const some of inPieces(rows, 2 * rowsAtOnce)) {
        const { outcome, evidence } = noAnswer;
        const all = [run, at, store, environment, ...who, write.operation, given, outcome, evidence, ...some];
        if ((await change(sentOf(some.length / 2), ...all)) < some.length / 2) throw new Taken();
      }
  }
}

/** `history clear` came in between. */
function forgotten(): ComandaError {
  return new ComandaError(
    "state_unusable",
    t`What was sent before of this write is no longer in the journal.`,
    {
      hint: t`It was cleared meanwhile. Look the order up before you send it again.`,
    },
  );
}

function isSame(attempt: AttemptResult, other: AttemptResult): boolean {
  return (
    attempt.outcome === other.outcome &&
    attempt.code === other.code &&
    attempt.http_status === other.http_status &&
    attempt.evidence === other.evidence
  );
}

/** Rows that one statement names at most: so there are few statements, which are prepared once. */
const rowsAtOnce = 16;

function inPieces<Element>(all: readonly Element[], most: number): readonly (readonly Element[])[] {
  if (all.length <= most) return all.length === 0 ? [] : [all];
  return Array.from({ length: Math.ceil(all.length / most) }, (_, index) =>
    all.slice(index * most, (index + 1) * most),
  );
}

/** @param text of so many rows; it is made once for each count */
function byCount(text: (count: number) => string): (count: number) => string {
  const outcomes = new Map<number, string>();
  return (count) => {
    const made = outcomes.get(count) ?? text(count);
    outcomes.set(count, made);
    return made;
  };
}

function placeholders(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `$${from + index}`).join(", ");
}

const sentOf = byCount((count) => {
  const rows = Array.from({ length: count }, (_, index) => {
    const [number, order] = [`$${11 + 2 * index}`, `$${12 + 2 * index}`];
    return `($1, ${number}, $2, $3, $4, $5, $6, $7, ${order}, $8, 1, $9, 1, 0, $10)`;
  });
  return `insert into writes (run_id, number, sent_at, store, environment, user_name, actor, operation, order_id,
    arguments, attempts, outcome, is_open, is_service_code, evidence)
    values ${rows.join(", ")} on conflict (run_id, number) do update set sent_at = excluded.sent_at
    where writes.sent_at = excluded.sent_at and coalesce(writes.order_id, '') = coalesce(excluded.order_id, '')`;
});

const repeatedOf = byCount(
  (
    count,
  ) => `update writes set attempts = attempts + (case when is_open = 1 and sent_at = $2 then 0 else 1 end), sent_at = $2, user_name = $3, actor = $4, outcome = $5,
    is_open = 1, http_status = null, code = null, is_service_code = 0, evidence = $6
    where run_id = $1 and number in (${placeholders(7, count)})`,
);

const outcomeOf = byCount(
  (count) => `update writes set is_open = 0, outcome = $2, http_status = $3, code = $4, is_service_code = $5,
    evidence = $6 where run_id = $1 and number in (${placeholders(7, count)})`,
);
