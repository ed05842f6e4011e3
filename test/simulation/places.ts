/** The machines that processes run on, as one process sees its own, and what becomes of locks between them. */
import { beatMs, silenceMs } from "../../src/state/locks/lock-heartbeat.js";
import type { machines } from "./plan.js";

export type MachineName = (typeof machines)[number];

/** What a process says of where it runs: a pid means something only to those who say the same. */
export interface Place {
  readonly host: string;
  readonly boot: string | null;
  readonly pid_namespace: string | null;
}

/** One of the machines that share the folder. */
export interface Machine {
  readonly name: MachineName;
  /** By how many milliseconds its clock is ahead of what the story counts. */
  wallOffset: number;
  /** Milliseconds that it has been running longer than the first one. */
  readonly upOffset: number;
  /** How often it was started. */
  boots: number;
}

/** When a story begins, by the first machine's clock, and milliseconds that it has been running by then. */
const wallStart = Date.UTC(2026, 10, 20, 15);
export const bootedMs = 1_000_000;

/** Those of one story. */
export class PlannedMachines {
  readonly #known = new Map<MachineName, Machine>();

  /** @param minutesApart by which the clocks of the others are ahead and behind */
  constructor(readonly minutesApart: number) {}

  named(name: MachineName = "till"): Machine {
    const known = this.#known.get(name) ?? machineOf(name, this.minutesApart);
    this.#known.set(name, known);
    return known;
  }

  /** After a loss of power. */
  startAgain(): void {
    for (const machine of this.#known.values()) machine.boots += 1;
  }

  setClock(of: Machine, byMs: number): void {
    for (const machine of this.#known.values()) if (sharesClock(machine, of)) machine.wallOffset += byMs;
  }
}

/** The container has the clocks of the machine that it runs on. */
function machineOf(name: MachineName, minutesApart: number): Machine {
  const minutes = { till: 0, container: 0, office: minutesApart, laptop: -minutesApart };
  const upOffset = { till: 0, container: 0, office: 5_000_000, laptop: -900_000 };
  const wallOffset = wallStart - bootedMs + minutes[name] * 60_000;
  return { name, wallOffset, upOffset: upOffset[name], boots: 1 };
}

function sharesClock(one: Machine, other: Machine): boolean {
  const local: readonly MachineName[] = ["till", "container"];
  return one === other || (local.includes(one.name) && local.includes(other.name));
}

/** The container is on the first machine, but counts its own pids; the laptop's system tells neither boot nor namespace. */
export function placeOf({ name, boots }: Machine): Place {
  const kernel = name === "office" ? "office" : "till";
  const told = { boot: `${kernel}-${boots}`, pid_namespace: name === "container" ? "pid:[2]" : "pid:[1]" };
  return { host: name, ...(name === "laptop" ? { boot: null, pid_namespace: null } : told) };
}

/** Before another takes its lock, a holder has gone on with nothing for longer: it may have halted just before a touch. */
export const leastSilenceMs = silenceMs - beatMs;

/**
 * Which locks are whose, by what happens on the disk and not by what the processes think. A holder that stands still may
 * lose its lock to another machine's process.
 */
export class Holdings<Holder extends object> {
  /** By the lock's path. */
  readonly #holders = new Map<string, Holder>();
  /** Locks that were taken from a holder which hasn't looked since. */
  readonly #lost = new Map<Holder, Set<string>>();
  /** Locks that a process has seen to be its own since it last waited. */
  readonly #seen = new Map<Holder, Set<string>>();

  /** @param onTaken told of a holder whose lock another has taken. @returns may that be? */
  constructor(readonly onTaken: (from: Holder, by: Holder) => boolean) {}

  /** It has waited: whatever it saw, others may have changed. */
  goesOn(holder: Holder): void {
    this.#seen.delete(holder);
  }

  /**
   * To be told of each call right before it is made.
   *
   * @returns does it change something for a holder that has lost its lock, though it looked a moment ago? Then it stood still
   *   between the look and the change, and nobody can know better.
   */
  calls(holder: Holder, call: string, [file]: readonly unknown[]): boolean {
    if (call === "open" && isLock(file)) {
      if (this.#holders.get(file) === holder) entry(this.#seen, holder).add(file);
      this.#lost.get(holder)?.delete(file);
      return false;
    }
    const seen = changes.has(call) ? this.#seen.get(holder) : undefined;
    return seen !== undefined && [...(this.#lost.get(holder) ?? [])].some((lock) => seen.has(lock));
  }

  /** To be told of each call that was made and didn't fail. */
  called(holder: Holder, call: string, [file, to]: readonly unknown[]): void {
    if ((call === "unlink" || call === "remove") && isLock(file) && this.#holders.get(file) === holder)
      this.#holders.delete(file);
    if ((call === "link" || call === "rename") && isLock(to)) this.#takes(holder, to);
  }

  #takes(holder: Holder, lock: string): void {
    const before = this.#holders.get(lock);
    this.#holders.set(lock, holder);
    this.#lost.get(holder)?.delete(lock);
    if (before === undefined || before === holder) return;
    if (this.onTaken(before, holder)) entry(this.#lost, before).add(lock);
  }
}

function entry<Key>(map: Map<Key, Set<string>>, key: Key): Set<string> {
  const known = map.get(key) ?? new Set();
  map.set(key, known);
  return known;
}

const changes: ReadonlySet<string> = new Set(["rename", "link", "unlink", "remove", "send"]);

function isLock(file: unknown): file is string {
  return typeof file === "string" && file.endsWith(".lock");
}
