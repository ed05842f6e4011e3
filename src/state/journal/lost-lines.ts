/**
 * What a loss of power takes of a run. Its lines `sent` and `outcome` are with the operating system alone; on the disk are
 * `run`, `released`, `resumed` and `end`, and with each of these all lines before it. So an order that was released may
 * have been sent without a line that is left, where the machine was started anew before the run was ended. Pure.
 */
import type { JournalEntry, RunEntry } from "./entries.js";

/** When something was written, and in which start of the machine. */
export interface Written {
  readonly at: string;
  /** `null` where the system doesn't name its starts. */
  readonly boot: string | null;
}

/** The machine as it is now. */
export interface MachineStart {
  readonly boot: string | null;
  /** When it was started (milliseconds since the epoch). */
  readonly startedAt: number;
}

/** Collects the lines of one run, in their order. */
export class LostLines {
  readonly #now: MachineStart;
  #orders: string[] = [];
  #released = 0;
  /** The process that has the run: its first line. None where it has ended the run. */
  #process: Written | undefined;

  constructor(run: RunEntry, now: MachineStart) {
    this.#process = run;
    this.#now = now;
  }

  /** The run's list, as far as its lines have been added. */
  get orders(): readonly string[] {
    return this.#orders;
  }

  /** Up to where in the list orders may have been sent. */
  get released(): number {
    return this.#released;
  }

  /** When the process wrote its first line whose orders are in doubt. */
  get since(): string | undefined {
    return this.#process?.at;
  }

  /** @returns the orders that may have been sent without a line, which this line brings to light */
  add(entry: JournalEntry): readonly string[] {
    switch (entry.type) {
      case "run":
        // Its lines were written again, from the first one on: see `append-log.ts`.
        this.#orders = [];
        return [];
      case "orders":
        // Not by `push(...)`: a list may be longer than an argument list.
        for (const order of entry.orders) this.#orders.push(order);
        return [];
      case "released":
        this.#released = Math.max(this.#released, entry.before);
        return [];
      case "resumed": {
        const lost = this.#process && !this.#isSameStart(this.#process, entry) ? this.#inDoubt() : [];
        this.#process = entry;
        return lost;
      }
      case "end":
        this.#process = undefined;
        return [];
      default:
        return [];
    }
  }

  /** @returns the same for all lines that have been added, as the machine is now */
  end(): readonly string[] {
    return this.#process && !this.#isSameStart(this.#process, this.#now) ? this.#inDoubt() : [];
  }

  #inDoubt(): readonly string[] {
    return this.#orders.slice(0, this.#released);
  }

  /** Where the system doesn't name its starts, by when this one was; in doubt it was another. */
  #isSameStart({ at, boot }: Written, other: { readonly boot: string | null }): boolean {
    if (boot !== null || other.boot !== null) return boot === other.boot;
    return Date.parse(at) > this.#now.startedAt;
  }
}
