/** What a simulated world is made of: data that fast-check draws, and makes smaller until only the reason is left. */
import fc from "fast-check";

export const verbs = ["dispatch", "deliver", "finalize", "cancel"] as const;

/** What `conf` writes. */
export const settingsChanges = [
  "env set",
  "config set",
  "stores set",
  "stores use",
  "stores protect",
] as const;

/** What one process is started for. */
export type Task =
  | { readonly kind: "one"; readonly verb: (typeof verbs)[number] }
  | {
      readonly kind: "many";
      readonly verb: (typeof verbs)[number];
      readonly orders: number;
      /** As arguments or, one a line, on stdin. */
      readonly from: "arguments" | "stdin";
    }
  /** Resumes the run of the first task, which may still be under way. */
  | { readonly kind: "again" }
  | { readonly kind: "assign" }
  | { readonly kind: "prefill" }
  | { readonly kind: "figures" }
  | { readonly kind: "settings"; readonly change: (typeof settingsChanges)[number] }
  /** Of the store's session: its owner signs in anew, it gets another name, it is ended. */
  | { readonly kind: "login" }
  | { readonly kind: "rename" }
  | { readonly kind: "logout" };

export const troubles = ["kill", "stop", "pause", "terminate", "power", "full", "EIO", "clock"] as const;

/**
 * What befalls a process at one of its steps: a call to the disk, a request, or something that it waited for. One that is
 * stopped (SIGSTOP) stands still there, in the middle of a call, and whoever goes on meanwhile comes to its next wait
 * first. One that pauses goes on to its next wait: several may, and go on again in any order.
 */
export interface Trouble {
  readonly what: (typeof troubles)[number];
  /** Which process, counted from 0; there may be no such process. */
  readonly process: number;
  /** Counted from 1. */
  readonly step: number;
  /** `stop`, `pause`: for how many events of the others. `full`: bytes that are left. `clock`: minutes. */
  readonly amount: number;
}

export const networkFaults = [
  "refused",
  "reset before",
  "reset after",
  "500 before",
  "502 after",
  "429",
  "401",
  "silence before",
  "silence after",
  "page after",
  "request cut",
  "answer cut",
  "answer without length cut",
] as const;

/** What befalls a request: `before` and `after` the service has done what it asks for. */
export interface NetworkFault {
  readonly what: (typeof networkFaults)[number];
  /** The first that it befalls, counted from 0, of all that are sent. */
  readonly request: number;
  /** How many, one after the other. */
  readonly times: number;
  /** The byte at which a request or answer is cut; counted from its beginning again where it has fewer. */
  readonly at: number;
}

/** Where a process may run: on the machine or in a container on it, which share the folder of the state. */
export const machines = ["till", "container"] as const;

/** What somebody has done to the folder of the state before anything starts. */
export const traps = ["sessions", "locks", "comanda.db", "foreign locks"] as const;

export interface Plan {
  /** Of the access token that is there at the start. */
  readonly secondsLeft: number;
  readonly tasks: readonly Task[];
  readonly troubles: readonly Trouble[];
  readonly faults: readonly NetworkFault[];
  readonly trap: (typeof traps)[number] | undefined;
  /** Of each process, in its order; the first where none is given. */
  readonly places: readonly (typeof machines)[number][];
  /** Which of several things that can happen next does. */
  readonly order: readonly number[];
}

const verb = fc.constantFrom(...verbs);
const one = fc.record({ kind: fc.constant("one" as const), verb });
const many = fc.record({
  kind: fc.constant("many" as const),
  verb,
  orders: fc.integer({ min: 2, max: 5 }),
  from: fc.constantFrom("arguments" as const, "stdin" as const),
});
const prefill = fc.record({ kind: fc.constant("prefill" as const) });
const assign = fc.record({ kind: fc.constant("assign" as const) });
const figures = fc.record({ kind: fc.constant("figures" as const) });
const settings = fc.record({
  kind: fc.constant("settings" as const),
  change: fc.constantFrom(...settingsChanges),
});

const only = <Kind extends Task["kind"]>(kind: Kind) => fc.record({ kind: fc.constant(kind) });
/** An end to the session is rare: with it the others have little to do. */
const session = fc.oneof(
  { weight: 4, arbitrary: only("login") },
  { weight: 4, arbitrary: only("rename") },
  { weight: 1, arbitrary: only("logout") },
);

const tasks: fc.Arbitrary<readonly Task[]> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(fc.oneof(one, many, many, assign, prefill, figures), { minLength: 1, maxLength: 3 }),
  },
  // All of them go about one file.
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(settings, settings, settings, one), { minLength: 1, maxLength: 4 }),
  },
  {
    weight: 3,
    arbitrary: fc.array(fc.oneof(session, session, one, many, figures), { minLength: 2, maxLength: 3 }),
  },
  // More than a minute has places for.
  { weight: 1, arbitrary: fc.array(figures, { minLength: 6, maxLength: 8 }) },
);

const trouble: fc.Arbitrary<Trouble> = fc.record({
  what: fc.constantFrom(...troubles),
  process: fc.nat(2),
  step: fc.integer({ min: 1, max: 160 }),
  amount: fc.nat(60),
});

/** On one machine. */
const alone = {
  secondsLeft: fc.constantFrom(7200, 30, -10),
  tasks,
  troubles: fc.array(trouble, { maxLength: 3 }),
  faults: fc.array(
    fc.record({
      what: fc.constantFrom(...networkFaults),
      request: fc.nat(7),
      times: fc.integer({ min: 1, max: 5 }),
      at: fc.nat(1000),
    }),
    { maxLength: 2 },
  ),
  trap: fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...traps) },
  ),
  places: fc.constant<Plan["places"]>([]),
  order: fc.array(fc.nat(3), { maxLength: 24 }),
};

/** For so long that others come to its locks. */
const standstill: fc.Arbitrary<Trouble> = fc.record({
  what: fc.constantFrom("stop" as const, "pause" as const),
  process: fc.nat(1),
  step: fc.integer({ min: 10, max: 110 }),
  amount: fc.integer({ min: 25, max: 60 }),
});

/** With a container that shares the folder. */
const shared = {
  ...alone,
  secondsLeft: fc.constantFrom(7200, 30, -10, -10),
  troubles: fc.oneof(
    fc.array(trouble, { maxLength: 3 }),
    fc.tuple(standstill),
    fc.tuple(standstill, trouble),
  ),
  places: fc.array(fc.constantFrom(...machines), { minLength: 1, maxLength: 3 }),
};

export const plans: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 3, arbitrary: fc.record(alone) },
  { weight: 2, arbitrary: fc.record(shared) },
);
