/** Where processes run, as one of them sees its own place: on a machine, or in a container on it. */
import { machines } from "./plan.js";

export type MachineName = (typeof machines)[number];

/** What a process says of where it runs: a pid means something only to those who say the same. */
export interface Place {
  readonly host: string;
  readonly boot: string | null;
  readonly pid_namespace: string | null;
}

/** The machine, or a container on it: they have one kernel and its clocks, and count their own processes. */
export interface Machine {
  readonly name: MachineName;
  /** By how many milliseconds its clock is ahead of what the story counts. */
  wallOffset: number;
  /** How often it was started. */
  boots: number;
}

/** When a story begins, and milliseconds that the machine has been running by then. */
const wallStart = Date.UTC(2026, 10, 20, 15);
export const bootedMs = 1_000_000;

/** Those of one story. */
export class PlannedMachines {
  readonly #known = new Map<MachineName, Machine>();

  named(name: MachineName = "till"): Machine {
    const known = this.#known.get(name) ?? { name, wallOffset: wallStart - bootedMs, boots: 1 };
    this.#known.set(name, known);
    return known;
  }

  /** After a loss of power. */
  startAgain(): void {
    for (const machine of this.#known.values()) machine.boots += 1;
  }

  setClock(byMs: number): void {
    for (const name of machines) this.named(name).wallOffset += byMs;
  }
}

export function placeOf({ name, boots }: Machine): Place {
  return { host: name, boot: `till-${boots}`, pid_namespace: name === "container" ? "pid:[2]" : "pid:[1]" };
}
