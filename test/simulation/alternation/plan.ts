/** A small world in which processes take turns at single file calls: data that fast-check draws, and makes smaller. */
import fc from "fast-check";

import type { MachineName } from "../places.js";
import { machines } from "../plan.js";

/** What a process does with one of the modules of `src/state`. */
export type Work =
  /** Counts up under a lock; in between it may wait. */
  | { readonly kind: "count"; readonly waits: "no" | "a moment" | "for long" }
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
  | { readonly kind: "set" }
  | { readonly kind: "read settings" };

export const troubles = ["kill", "power", "full", "EIO", "clock", "stop"] as const;

/** What befalls a process at one of its steps: a file call, or something that it waited for. */
export interface Trouble {
  readonly what: (typeof troubles)[number];
  readonly process: number;
  /** Counted from 1. */
  readonly step: number;
  /** Counts those steps alone that give a file a name or take it away, or open one. */
  readonly of?: "names";
  /** `full`: bytes that are left. `clock`: minutes. `stop`: seconds (SIGSTOP). */
  readonly amount: number;
}

/** So many steps of one process, as far as it has any; meanwhile the others stand still, also in the middle of a call. */
export interface Turn {
  readonly process: number;
  readonly steps: number;
  /** The process goes on to the next step that does something with a name, and makes so many of those before. */
  readonly of?: "names";
}

export interface Plan {
  /** Of each process, in its order. */
  readonly works: readonly (readonly Work[])[];
  /** Whoever had the last of them goes on until it waits, then the next one. */
  readonly turns: readonly Turn[];
  readonly troubles: readonly Trouble[];
  /** Of each process, in its order; the first where none is given. */
  readonly places: readonly MachineName[];
  /** By so much the clock of the office is ahead of the first machine's, and that of the laptop behind it. */
  readonly minutesApart: number;
}

const only = <Kind extends string>(kind: Kind) => fc.record({ kind: fc.constant(kind) });

/** Both may be the name of the one store. */
const aliases = ["centro", "norte"] as const;

const renew = fc.record({ kind: fc.constant("renew" as const), store: fc.constantFrom(...aliases) });
const rename = fc
  .constantFrom(["centro", "norte"] as const, ["norte", "centro"] as const)
  .map(([from, to]) => ({ kind: "rename" as const, from, to }));

const waits = fc.oneof(
  { weight: 3, arbitrary: fc.constant("no" as const) },
  { weight: 3, arbitrary: fc.constant("a moment" as const) },
  { weight: 1, arbitrary: fc.constant("for long" as const) },
);

/** The works of one world go about the same files. */
export const subjects = {
  lock: fc.record({ kind: fc.constant("count" as const), waits }),
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
  settings: fc.oneof(only("set"), only("set"), only("read settings")),
} satisfies Record<string, fc.Arbitrary<Work>>;

export type Subject = keyof typeof subjects;

const turnsOf = (steps: number, length: fc.ArrayConstraints) =>
  fc.array(fc.record({ process: fc.nat(2), steps: fc.integer({ min: 1, max: steps }) }), length);

const turnOfNames = fc.record({
  process: fc.nat(2),
  steps: fc.nat(4),
  of: fc.constant("names" as const),
});

/** Few long turns come far apart; many short ones bring all processes to the same place at the same time. */
const turns: fc.Arbitrary<readonly Turn[]> = fc.oneof(
  turnsOf(60, { maxLength: 8 }),
  turnsOf(12, { minLength: 5, maxLength: 30 }),
  turnsOf(3, { minLength: 10, maxLength: 80 }),
  // What another process may do in between matters where names are given and taken away.
  { weight: 1, arbitrary: fc.array(turnOfNames, { minLength: 1, maxLength: 10 }) },
);

/** Many works have no more than 40 steps. */
const step = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 80 }));
const nameStep = fc.integer({ min: 1, max: 24 });
const what = fc.constantFrom(...troubles);

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ what, process: fc.nat(2), step, amount: fc.nat(60) }),
  fc.record({
    ...{ what, process: fc.nat(2), step: nameStep, amount: fc.nat(60) },
    of: fc.constant("names" as const),
  }),
);

/** What a full disk cut short stays so where nobody is left to mend it. */
const fullThenKilled: fc.Arbitrary<readonly Trouble[]> = fc
  .record({ process: fc.nat(2), full: nameStep, kill: nameStep, amount: fc.nat(60) })
  .map(({ process, full, kill, amount }) => [
    { what: "full", process, step: Math.min(full, kill), of: "names", amount },
    { what: "kill", process, step: Math.max(full, kill), of: "names", amount: 0 },
  ]);

/** Long enough for others to take its locks. */
const standstill: fc.Arbitrary<Trouble> = fc.record({
  what: fc.constant("stop" as const),
  process: fc.nat(2),
  step: fc.integer({ min: 5, max: 60 }),
  amount: fc.integer({ min: 13, max: 60 }),
});

/** Machines that share the folder. */
const shared = {
  troubles: fc.oneof(
    fc.array(trouble, { maxLength: 2 }),
    fc.tuple(standstill),
    fc.tuple(standstill, trouble),
  ),
  places: fc.array(fc.constantFrom(...machines), { minLength: 1, maxLength: 3 }),
  minutesApart: fc.constantFrom(0, 200),
};

export function plansOf(subject: Subject): fc.Arbitrary<Plan> {
  const works: fc.Arbitrary<Work> = subjects[subject];
  const alone = {
    works: fc.array(fc.array(works, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }),
    turns,
    troubles: fc.oneof(
      { weight: 4, arbitrary: fc.constant<readonly Trouble[]>([]) },
      { weight: 4, arbitrary: fc.array(trouble, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fullThenKilled },
    ),
    places: fc.constant<Plan["places"]>([]),
    minutesApart: fc.constant(0),
  };
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(alone) },
    { weight: 2, arbitrary: fc.record({ ...alone, ...shared }) },
  );
}
