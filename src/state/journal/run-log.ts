/** The lines of a run of many orders, which share lines: 10,000 orders a second leave no time for one each. */
import type { AppendLog } from "../files/append-log.js";
import type { StateFolder } from "../state-folder.js";
import {
  entryVersion,
  type AttemptResult,
  type JournalEntry,
  type OrdersOutcomeEntry,
  type OrdersSentEntry,
} from "./entries.js";
import { isoNow, type WriteLog } from "./journal.js";

/** Orders of the list that are released at once: so many are in doubt after a loss of power. */
const releasedAtOnce = 512;

export interface RunLogOptions {
  readonly state: Pick<StateFolder, "clock">;
  /** The run's id. */
  readonly id: string;
  readonly log: Pick<AppendLog<JournalEntry>, "append">;
  /** Up to where in the list earlier processes have released orders. */
  readonly released: number;
  /** How often each order was sent by earlier processes. */
  readonly attempts: ReadonlyMap<string, number>;
}

export interface RunLog extends WriteLog {
  /**
   * Resolves when it is on the disk that this order may be sent. To be awaited before each.
   *
   * @param index its place in the list
   * @throws {ComandaError} `state_unusable`
   */
  release(index: number): Promise<void> | undefined;
  /** @param settled nothing is left to resume */
  end(settled: boolean): Promise<void>;
}

export function createRunLog({ state, id, log, released: before, attempts }: RunLogOptions): RunLog {
  let released = before;
  let releasing: Promise<void> | undefined;
  let group: Group | undefined;
  let lastWritten = Promise.resolve();
  const stamp = () => ({ v: entryVersion, at: isoNow(state), run: id }) as const;

  async function releaseMore(index: number): Promise<void> {
    const next = index + releasedAtOnce;
    try {
      await log.append({ ...stamp(), type: "released", before: next });
      released = next;
    } finally {
      releasing = undefined;
    }
  }

  /** All that comes in one turn of the event loop goes in together. */
  function groupOfNow(): Group {
    if (group) return group;
    const opened = new Group(stamp());
    group = opened;
    opened.written = new Promise((resolve, reject) => {
      setImmediate(() => {
        group = undefined;
        Promise.all(opened.lines().map((line) => log.append(line, { durable: false }))).then(
          () => resolve(),
          reject,
        );
      });
    });
    lastWritten = opened.written;
    return opened;
  }

  return {
    release(index) {
      if (index < released) return undefined;
      return (releasing ??= releaseMore(index));
    },
    row({ order_id }) {
      const order = order_id ?? "";
      const before = attempts.get(order) ?? 0;
      return {
        sent(attempt) {
          const current = groupOfNow();
          current.addSent(order, before + attempt);
          return current.written;
        },
        outcome(attempt, result) {
          const current = groupOfNow();
          current.addOutcome(order, before + attempt, result);
          return current.written;
        },
      };
    },
    async end(settled) {
      // What it is about comes before it, so that all of it is on the disk with it. Whoever wrote it was told if it failed.
      await lastWritten.catch(() => undefined);
      await log.append({ ...stamp(), type: "end", settled });
    },
  };
}

type Stamp = Pick<JournalEntry, "v" | "at" | "run">;
/** More orders may come into it. */
type Open<Entry> = Omit<Entry, "orders"> & { readonly orders: string[] };

/**
 * What is written together.
 *
 * Its lines are spelled out, and not spread from the stamp: V8 gives each object that is begun by a spread a hidden class
 * of its own, in the old generation, which came to 25 MB of a run of 100,000 orders.
 */
class Group {
  written: Promise<void> = Promise.resolve();
  readonly #stamp: Stamp;
  readonly #sent = new Map<number, Open<OrdersSentEntry>>();
  readonly #outcomes: Open<OrdersOutcomeEntry>[] = [];

  constructor(stamp: Stamp) {
    this.#stamp = stamp;
  }

  addSent(order: string, attempt: number): void {
    const line = this.#sent.get(attempt);
    if (line) line.orders.push(order);
    else {
      const { v, at, run } = this.#stamp;
      this.#sent.set(attempt, { v, at, run, type: "orders_sent", orders: [order], attempt });
    }
  }

  addOutcome(order: string, attempt: number, result: AttemptResult): void {
    const line = this.#outcomes.find(
      (other) =>
        other.attempt === attempt &&
        other.outcome === result.outcome &&
        other.code === result.code &&
        other.http_status === result.http_status &&
        other.evidence === result.evidence,
    );
    if (line) line.orders.push(order);
    else {
      const { v, at, run } = this.#stamp;
      const { outcome, http_status, code, evidence } = result;
      this.#outcomes.push({
        v,
        at,
        run,
        type: "orders_outcome",
        orders: [order],
        attempt,
        outcome,
        http_status,
        code,
        evidence,
      });
    }
  }

  /** Outcomes first: they are of what was sent before. */
  lines(): readonly JournalEntry[] {
    return [...this.#outcomes, ...this.#sent.values()];
  }
}
