/**
 * The lines of a run of many orders, which share lines, and syncs of the disk. An order's line is on the disk before its
 * request goes out, and once it has a place within the limits: so after a loss of power no more orders are unknown than were
 * under way.
 */
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

export interface RunLogOptions {
  readonly state: Pick<StateFolder, "clock">;
  /** The run's id. */
  readonly id: string;
  readonly log: Pick<AppendLog<JournalEntry>, "append">;
  /** How often each order was sent by earlier processes. */
  readonly attempts: ReadonlyMap<string, number>;
}

export interface RunLog extends WriteLog {
  /** @param settled nothing is left to resume */
  end(settled: boolean): Promise<void>;
}

export function createRunLog({ state, id, log, attempts }: RunLogOptions): RunLog {
  let group: Group | undefined;
  let lastWritten = Promise.resolve();
  const stamp = () => ({ v: entryVersion, at: isoNow(state), run: id }) as const;

  /** All that comes in one turn of the event loop goes in together. */
  function groupOfNow(): Group {
    if (group) return group;
    const opened = new Group(stamp());
    group = opened;
    opened.written = new Promise((resolve, reject) => {
      setImmediate(() => {
        group = undefined;
        Promise.all(opened.lines().map((line) => log.append(line))).then(() => resolve(), reject);
      });
    });
    lastWritten = opened.written;
    return opened;
  }

  return {
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
