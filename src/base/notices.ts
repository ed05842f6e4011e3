/** What a front end may tell its user while work runs, as data: each interface has its own words, or none. */
import type { HintFacts } from "./hint-facts.js";

/** What a person should know, although the work goes on. */
export interface WarningKinds {
  /** Certificates aren't verified. */
  readonly insecure_tls: object;
  /** An answer with figures was rounded, or can't be cached. */
  readonly figures: { readonly message: string };
}

/** What `--quiet` hides. */
export interface NoticeKinds {
  /** The access token no longer works, so calls are signed with the API key. */
  readonly fallback: { readonly label: string; readonly hintFacts: HintFacts };
  /** A resumed list doesn't skip orders that were sent with another sign-in. */
  readonly other_sign_in: { readonly orders: number };
}

export interface ProgressKinds {
  /** A request was sent, or has its response. `number` counts the calls of one connection. */
  readonly call: {
    readonly number: number;
    readonly method: string;
    readonly path: string;
    readonly isOver: boolean;
  };
  /** A change of orders begins, or one of them is settled. */
  readonly orders: { readonly action: string; readonly settled: number; readonly totals: Totals };
}

/** The number of orders with each outcome. */
export type Totals = Readonly<
  Record<"orders" | "done" | "refused" | "failed" | "unknown" | "skipped", number>
>;

type Tagged<Type extends string, Kinds> = {
  readonly [Kind in keyof Kinds]: { readonly type: Type; readonly about: Kind } & Kinds[Kind];
}[keyof Kinds];

export type Notice =
  | Tagged<"notice", NoticeKinds>
  | Tagged<"warning", WarningKinds>
  | Tagged<"progress", ProgressKinds>
  /** `rate_limit`: comanda's own count; `rate_limited`: the service returned 429; `slowed_down`: it did so twice. */
  | {
      readonly type: "wait";
      readonly reason: "rate_limit" | "rate_limited" | "slowed_down";
      readonly ms: number;
    }
  /** The service didn't answer, and the call is retried after `ms` milliseconds. */
  | { readonly type: "retry"; readonly ms: number };

export type Notify = (notice: Notice) => void;
