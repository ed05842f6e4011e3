/** What was typed at the counter and waits for its undo, is on its way, or has come to its end. Nothing here sends. */
import type { StatusChange } from "../../contract/operations.js";
import type { OrderOutcome } from "../orders/outcomes.js";

interface Driver {
  readonly id: number;
  readonly name?: string | undefined;
  /** As it was typed; absent: it stays as it is. */
  readonly fee?: string | undefined;
}

export interface Change {
  readonly order: string;
  /** `assign`: the driver alone. */
  readonly action: StatusChange | "assign";
  readonly driver?: Driver | undefined;
  readonly reason?: string | undefined;
  /** The alias that was typed for a store that is protected. */
  readonly confirm?: string | undefined;
}

/** What is shown of an outcome. */
export type ShownOutcome = Pick<OrderOutcome, "outcome" | "code" | "message" | "details">;

export type Stage =
  /** It can be taken back until then (milliseconds since the epoch). */
  | { readonly kind: "waiting"; readonly until: number }
  | { readonly kind: "sending" }
  | { readonly kind: "settled"; readonly at: number; readonly outcome: ShownOutcome };

export interface Entry {
  /** Tells it from the others. */
  readonly number: number;
  readonly change: Change;
  readonly stage: Stage;
}

/** In the order in which they were typed. */
export type Entries = readonly Entry[];

/** Changes that have come to their end and are still told. */
export const shownChanges = 10;

export function typed(entries: Entries, change: Change, until: number): Entries {
  const number = Math.max(-1, ...entries.map((entry) => entry.number)) + 1;
  return [...entries, { number, change, stage: { kind: "waiting", until } }];
}

/** Those whose time is over, each once whatever was typed before for the same order has come to its end. */
export function due(entries: Entries, now: number): readonly Entry[] {
  const ahead = new Set<string>();
  return entries.filter(({ change: { order }, stage }) => {
    if (stage.kind === "settled") return false;
    const isFirst = !ahead.has(order);
    ahead.add(order);
    return isFirst && stage.kind === "waiting" && stage.until <= now;
  });
}

/** When the next of those is due that are not due by now; `undefined` where there is none. */
export function nextDue(entries: Entries, now: number): number | undefined {
  const times = entries.flatMap(({ stage }) =>
    stage.kind === "waiting" && stage.until > now ? [stage.until] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

export function withStage(entries: Entries, number: number, stage: Stage): Entries {
  const next = entries.map((entry) => (entry.number === number ? { ...entry, stage } : entry));
  const settled = next.filter((entry) => entry.stage.kind === "settled");
  const forgotten = new Set(settled.slice(0, Math.max(0, settled.length - shownChanges)));
  return next.filter((entry) => !forgotten.has(entry));
}

/** What has not gone out yet, and the rest without it. */
export function takenBack(entries: Entries): {
  readonly taken: readonly Change[];
  readonly entries: Entries;
} {
  const waits = ({ stage }: Entry) => stage.kind === "waiting";
  return {
    taken: entries.filter(waits).map(({ change }) => change),
    entries: entries.filter((entry) => !waits(entry)),
  };
}

export function isUnderWay(entries: Entries): boolean {
  return entries.some(({ stage }) => stage.kind !== "settled");
}
