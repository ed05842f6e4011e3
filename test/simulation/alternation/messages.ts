/** What the simulation and the thread of a process say to each other. */
import type { Place } from "../places.js";
import type { Answer, Request } from "../service.js";
import type { Work } from "./plan.js";

/** What each order says too: how the world is at that moment. */
export interface Moment {
  /** By the wall clock. */
  readonly now: number;
  readonly monotonic: number;
  /** The pids of the processes that run on the same machine. */
  readonly running: readonly number[];
}

/** How a process begins. */
export interface Start {
  readonly pid: number;
  readonly place: Place;
  /** No other process of the story has it. */
  readonly id: number;
  readonly works: readonly Work[];
}

/** What becomes of a file call, or what comes next for a process that waits. */
export type Order = Moment &
  (
    | { readonly order: "start"; readonly start: Start }
    | { readonly order: "done"; readonly result: unknown }
    | { readonly order: "failed"; readonly code: string }
    /** The process is killed: it stood at a call, which isn't made. */
    | { readonly order: "die" }
    | { readonly order: "timer"; readonly id: number }
    | { readonly order: "answer"; readonly id: number; readonly answer: Answer }
  );

/** What a process does that needs no answer. */
export type Note =
  | { readonly note: "timer"; readonly id: number; readonly ms: number; readonly repeats: boolean }
  | { readonly note: "cancel"; readonly id: number }
  | { readonly note: "send"; readonly id: number; readonly request: Request }
  | { readonly note: "close"; readonly descriptor: number }
  | { readonly note: "tell"; readonly told: Told }
  | { readonly note: "exit" }
  | { readonly note: "fault"; readonly text: string };

/** A process stands at a file call, or (without `call`) has nothing to do until something comes for it. */
export interface Report {
  readonly notes: readonly Note[];
  readonly call?: { readonly name: string; readonly given: readonly unknown[] };
}

/** What a process says of its own work: the promises are held against it. */
export type Told =
  /** Of a lock, in between. */
  | { readonly told: "enters" }
  | { readonly told: "leaves" }
  /** It is done, and the value is what came of it. */
  | { readonly told: "wrote"; readonly name: string; readonly value: string }
  /** It is going to forget: of what was written by then, nothing need be seen. */
  | { readonly told: "clears"; readonly name: string }
  /** It begins to read: what was written by then has to be seen. */
  | { readonly told: "reads"; readonly name: string }
  | { readonly told: "read"; readonly name: string; readonly values: readonly string[] }
  /** It could not be done, and that is an answer too. */
  | { readonly told: "refused"; readonly name: string; readonly code: string; readonly message: string }
  | { readonly told: "warned"; readonly message: string }
  /** The simulation's word. */
  | { readonly told: "killed" }
  | { readonly told: "loses" };
