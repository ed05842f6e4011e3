/**
 * Writes down what is sent, a row of the table `writes` for each: all that comes in one turn of the event loop in one
 * commit, and what comes during a commit in the next. An order's row is on the disk before its request goes out, and once
 * it has a place within the limits: so after a loss of power no more orders are unknown than were under way.
 */
import type { Clock } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Database, Statements, Value } from "../database.js";
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
   * Writes what the call has come to with its last request. It rejects where that can't be written; the request has been
   * sent all the same.
   */
  outcome(result: AttemptResult): Promise<void>;
}

/** A write as earlier processes of its run left it. */
export interface EarlierWrite {
  readonly result: AttemptResult;
  /** The number of its row; absent where what comes next is told by another row. */
  readonly number?: number | undefined;
}

export interface WriteLog {
  /** Touches nothing on the disk before `sent`. */
  row(write: Write, earlier?: EarlierWrite): WriteRow;
}

export interface GroupedLog extends WriteLog {
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

/** All that one transaction writes. */
interface Group {
  written: Promise<void>;
  /** New rows, by their numbers. */
  readonly sent: Map<number, Write>;
  /** The rows whose request goes out once more. */
  readonly repeated: number[];
  /** The outcomes, by the numbers of their rows. */
  readonly outcomes: Map<number, AttemptResult>;
}

export function createWriteLog(options: WriteLogOptions): GroupedLog {
  const { database, clock, context, otherRun } = options;
  let { run, nextNumber } = options;
  let open: Group | undefined;
  let last: Promise<void> = Promise.resolve();

  function openGroup(): Group {
    if (open) return open;
    const group = { sent: new Map(), repeated: [], outcomes: new Map(), written: last };
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
        // A connection may have been cut before the answer came: to write the same once more changes nothing.
        await opened.transaction(
          `run ${run}`,
          (statements) => writeGroup(statements, group, { run, at, ...context }),
          { outlastsSignal: group.outcomes.size > 0, isRepeatable: true },
        );
        return;
      } catch (error) {
        if (!(error instanceof Taken)) throw error;
        run = otherRun();
      }
    }
  }

  return {
    row(write, earlier) {
      let number = earlier?.number;
      let result = earlier?.result;
      let isOut = false;
      return {
        sent() {
          if (isOut) result = concluded(result, noAnswer);
          isOut = true;
          const group = openGroup();
          if (number !== undefined) group.repeated.push(number);
          else {
            number = nextNumber;
            nextNumber += 1;
            group.sent.set(number, write);
          }
          return group.written;
        },
        outcome(next) {
          if (number === undefined) return Promise.resolve();
          result = concluded(result, next);
          isOut = false;
          const group = openGroup();
          group.outcomes.set(number, result);
          return group.written;
        },
      };
    },
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

/** Outcomes come first: they are of what was sent before. */
async function writeGroup(statements: Statements, group: Group, stamp: Stamp): Promise<void> {
  const { run, at, store, environment, user, actor = null } = stamp;
  // Most come to the same, and one statement says it of all.
  const outcomes = new Map<string, { readonly values: readonly Value[]; readonly numbers: number[] }>();
  for (const [number, { outcome, http_status: status, code, evidence }] of group.outcomes) {
    const [text, isNumber] = [code === null ? null : String(code), typeof code === "number" ? 1 : 0];
    const values = [outcome, status, text, isNumber, evidence];
    const { numbers } = outcomes.get(values.join()) ?? { numbers: [] };
    outcomes.set(values.join(), { values, numbers: [...numbers, number] });
  }
  for (const { values, numbers } of outcomes.values())
    for (const piece of inPieces(numbers))
      await statements.run(outcomeOf(piece.length), run, ...values, ...piece);
  for (const numbers of inPieces(group.repeated)) {
    const values = [run, at, user, actor, noAnswer.outcome, noAnswer.evidence];
    const changed = await statements.run(repeatOf(numbers.length), ...values, ...numbers);
    if (changed < numbers.length) throw forgotten();
  }
  for (const rows of inPieces([...group.sent])) {
    const values = [run, at, store, environment, user, actor, noAnswer.outcome, noAnswer.evidence];
    const ofRows = rows.flatMap(([number, write]) => [
      ...[number, write.operation, write.order_id, JSON.stringify(write.arguments)],
    ]);
    const inserted = await statements.run(insertOf(rows.length), ...values, ...ofRows);
    if (inserted < rows.length) throw new Taken();
  }
}

/** `history clear` came in between. */
function forgotten(): ComandaError {
  return new ComandaError(
    "state_unusable",
    t`What was sent before of this write is no longer in the journal.`,
    { hint: t`It was cleared meanwhile. Look the order up before you send it again.` },
  );
}

/** Rows that one statement names at most: so there are few statements, which are prepared once. */
const rowsAtOnce = 16;

function inPieces<Element>(all: readonly Element[]): readonly (readonly Element[])[] {
  return Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, index) =>
    all.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );
}

/** @returns so many parameters of a statement, from this one on */
function parameters(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `$${from + index}`).join(", ");
}

function insertOf(rows: number): string {
  const values = Array.from(
    { length: rows },
    (_, row) => `($1, $2, $3, $4, $5, $6, $7, $8, 1, 1, 0, ${parameters(9 + 4 * row, 4)})`,
  );
  return `insert into writes (run_id, sent_at, store, environment, user_name, actor, outcome, evidence, attempts,
      is_open, is_service_code, number, operation, order_id, arguments)
    values ${values.join(", ")} on conflict (run_id, number) do update set sent_at = excluded.sent_at
    where writes.sent_at = excluded.sent_at and coalesce(writes.order_id, '') = coalesce(excluded.order_id, '')`;
}

function repeatOf(rows: number): string {
  return `update writes set attempts = attempts + (case when is_open = 1 and sent_at = $2 then 0 else 1 end),
      sent_at = $2, user_name = $3, actor = $4, outcome = $5, evidence = $6, is_open = 1, http_status = null,
      code = null, is_service_code = 0
    where run_id = $1 and number in (${parameters(7, rows)})`;
}

function outcomeOf(rows: number): string {
  return `update writes set is_open = 0, outcome = $2, http_status = $3, code = $4, is_service_code = $5, evidence = $6
    where run_id = $1 and number in (${parameters(7, rows)})`;
}
