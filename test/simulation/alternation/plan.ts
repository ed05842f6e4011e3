/** A small world in which processes take turns at single file calls: data that fast-check draws, and makes smaller. */
import fc from "fast-check";

/** What a process does with one of the modules of `src/state`. */
export type Work =
  /** Counts up under a lock; in between it may wait. */
  | { readonly kind: "count"; readonly waits: boolean }
  | { readonly kind: "append"; readonly entries: number; readonly way: "one by one" | "together" }
  | { readonly kind: "read lines" }
  | { readonly kind: "send orders"; readonly orders: number }
  | { readonly kind: "read journal" }
  | { readonly kind: "clear history" }
  /** Before the story. */
  | { readonly kind: "sign in" }
  | { readonly kind: "renew"; readonly store: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "list sessions" }
  | { readonly kind: "request"; readonly count: number }
  | { readonly kind: "set" }
  | { readonly kind: "read settings" };

export const troubles = ["kill", "power", "full", "EIO", "clock"] as const;

/** What befalls a process at one of its steps: a file call, or something that it waited for. */
export interface Trouble {
  readonly what: (typeof troubles)[number];
  readonly process: number;
  /** Counted from 1. */
  readonly step: number;
  /** `full`: bytes that are left. `clock`: minutes. */
  readonly amount: number;
}

/** So many steps of one process, as far as it has any; meanwhile the others stand still, also in the middle of a call. */
export interface Turn {
  readonly process: number;
  readonly steps: number;
}

export interface Plan {
  /** Of each process, in its order. */
  readonly works: readonly (readonly Work[])[];
  /** Whoever had the last of them goes on until it waits, then the next one. */
  readonly turns: readonly Turn[];
  readonly troubles: readonly Trouble[];
}

const only = <Kind extends string>(kind: Kind) => fc.record({ kind: fc.constant(kind) });

/** Both may be the name of the one store. */
const aliases = ["centro", "norte"] as const;

const renew = fc.record({ kind: fc.constant("renew" as const), store: fc.constantFrom(...aliases) });
const rename = fc
  .constantFrom(["centro", "norte"] as const, ["norte", "centro"] as const)
  .map(([from, to]) => ({ kind: "rename" as const, from, to }));

/** The works of one world go about the same files. */
export const subjects = {
  lock: fc.record({ kind: fc.constant("count" as const), waits: fc.boolean() }),
  "append log": fc.oneof(
    fc.record({
      kind: fc.constant("append" as const),
      entries: fc.integer({ min: 1, max: 3 }),
      way: fc.constantFrom("one by one" as const, "together" as const),
    }),
    only("read lines"),
  ),
  journal: fc.oneof(
    fc.record({ kind: fc.constant("send orders" as const), orders: fc.integer({ min: 1, max: 3 }) }),
    only("read journal"),
    only("clear history"),
  ),
  sessions: fc.oneof(renew, renew, rename, only("list sessions")),
  quota: fc.record({ kind: fc.constant("request" as const), count: fc.integer({ min: 1, max: 2 }) }),
  settings: fc.oneof(only("set"), only("set"), only("read settings")),
} satisfies Record<string, fc.Arbitrary<Work>>;

export type Subject = keyof typeof subjects;

const turnsOf = (steps: number, length: fc.ArrayConstraints) =>
  fc.array(fc.record({ process: fc.nat(2), steps: fc.integer({ min: 1, max: steps }) }), length);

/** Few long turns come far apart; many short ones bring all processes to the same place at the same time. */
const turns = fc.oneof(
  turnsOf(60, { maxLength: 8 }),
  turnsOf(12, { minLength: 5, maxLength: 30 }),
  turnsOf(3, { minLength: 10, maxLength: 80 }),
);

const trouble = fc.record({
  what: fc.constantFrom(...troubles),
  process: fc.nat(2),
  step: fc.integer({ min: 1, max: 80 }),
  amount: fc.nat(60),
});

export function plansOf(subject: Subject): fc.Arbitrary<Plan> {
  const works: fc.Arbitrary<Work> = subjects[subject];
  return fc.record({
    works: fc.array(fc.array(works, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }),
    turns,
    troubles: fc.oneof(fc.constant([]), fc.array(trouble, { minLength: 1, maxLength: 2 })),
  });
}
