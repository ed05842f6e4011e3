/** The changes that were typed at the counter wait for their undo, are on their way, or are settled. Nothing here sends. */
import type { StatusChange } from "../../contract/operations.js";
import type { OrderOutcome } from "../orders/outcomes.js";

interface Driver {
  readonly id: number;
  readonly name?: string | undefined;
  /** The amount as it was typed; absent to keep the order's fee. */
  readonly fee?: string | undefined;
}

export interface Change {
  readonly order: string;
  /** `assign` changes the driver alone. */
  readonly action: StatusChange | "assign";
  readonly driver?: Driver | undefined;
  readonly reason?: string | undefined;
  /** The alias that was typed for a protected store. */
  readonly confirm?: string | undefined;
}

export type ShownOutcome = Pick<OrderOutcome, "outcome" | "code" | "message" | "details">;

export type Stage =
  /** The change can be taken back until this moment of the steady clock. */
  | { readonly kind: "waiting"; readonly until: number }
  | { readonly kind: "sending" }
  | { readonly kind: "settled"; readonly at: number; readonly outcome: ShownOutcome };

export interface Entry {
  /** Identifies the entry. */
  readonly number: number;
  readonly change: Change;
  readonly stage: Stage;
}

/** Entries stand in the order in which they were typed. */
export type Entries = readonly Entry[];

/** So many settled changes are still shown. */
export const maxSettledEntries = 10;

export function withChange(entries: Entries, change: Change, until: number): Entries {
  const number = Math.max(-1, ...entries.map((entry) => entry.number)) + 1;
  return [...entries, { number, change, stage: { kind: "waiting", until } }];
}

/** A change is due when its time for an undo is over and all earlier changes of the same order are settled. */
export function dueEntries(entries: Entries, now: number): readonly Entry[] {
  const earlierOrders = new Set<string>();
  return entries.filter(({ change: { order }, stage }) => {
    if (stage.kind === "settled") return false;
    const isFirst = !earlierOrders.has(order);
    earlierOrders.add(order);
    return isFirst && stage.kind === "waiting" && stage.until <= now;
  });
}

/** @returns the time of the next change that isn't due yet */
export function nextDue(entries: Entries, now: number): number | undefined {
  const times = entries.flatMap(({ stage }) =>
    stage.kind === "waiting" && stage.until > now ? [stage.until] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

export function withStage(entries: Entries, number: number, stage: Stage): Entries {
  const next = entries.map((entry) => (entry.number === number ? { ...entry, stage } : entry));
  const settledEntries = next.filter((entry) => entry.stage.kind === "settled");
  const droppedEntries = new Set(
    settledEntries.slice(0, Math.max(0, settledEntries.length - maxSettledEntries)),
  );
  return next.filter((entry) => !droppedEntries.has(entry));
}

/** Separates the changes that have not gone out from the other entries. */
export function withoutWaiting(entries: Entries): {
  readonly waitingChanges: readonly Change[];
  readonly entries: Entries;
} {
  const isWaiting = ({ stage }: Entry) => stage.kind === "waiting";
  return {
    waitingChanges: entries.filter(isWaiting).map(({ change }) => change),
    entries: entries.filter((entry) => !isWaiting(entry)),
  };
}

export function isUnderWay(entries: Entries): boolean {
  return entries.some(({ stage }) => stage.kind !== "settled");
}
