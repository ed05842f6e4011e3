/** Notices that a front end can show while work runs, as data. Each interface has its own texts, or shows nothing. */
import type { HintFacts } from "./hint-facts.js";

/** The kinds of an object type as a union, in which `about` tells them apart. */
type Kinds<Facts> = { readonly [Kind in keyof Facts]: { readonly about: Kind } & Facts[Kind] }[keyof Facts];

interface OfStore {
  /** The store, if the work is about several. */
  readonly label?: string;
}

/** Facts about figures that a person should see. */
export type FiguresWarning = Kinds<{
  /** The service returned an amount with more than two decimals. */
  readonly rounded: OfStore & { readonly amount: number; readonly cents: number };
  /** The database of answers can't be used. */
  readonly not_cached: OfStore & { readonly reason: string };
  /** The comparison that can't be requested is left out. */
  readonly no_comparison: OfStore & { readonly reason: string };
}>;

/** Facts that a person should see, although the work continues. */
type Warning = Kinds<{
  /** Certificates aren't verified. */
  readonly insecure_tls: object;
  /** A store's days are counted in this machine's time zone, because none is set. */
  readonly guessed_zone: { readonly label: string; readonly zone: string; readonly hintFacts: HintFacts };
}>;

/** The value of a filter may mean something else than the user thinks. */
export type FilterNotice = Kinds<{
  /** A comma is part of it. */
  readonly comma_in_origin: { readonly value: string };
  /** It is sent, although it isn't one of the listed ones. */
  readonly unlisted_channel: { readonly value: string; readonly listed: readonly string[] };
}>;

type CallNotice = Kinds<{
  /** The access token no longer works, so calls are signed with the API key. */
  readonly fallback: { readonly label: string; readonly hintFacts: HintFacts };
  /** A resumed list doesn't skip orders that were sent with another sign-in. */
  readonly other_sign_in: { readonly orders: number };
}>;

export interface ProgressKinds {
  /** A request was sent, or has its response. `number` counts the calls of one connection. */
  readonly call: { readonly number: number; readonly isOver: boolean };
  /** A change of orders begins, or one of them is settled. */
  readonly orders: { readonly action: string; readonly settled: number; readonly totals: Totals };
  /** Answers of the service have arrived: none at the beginning, and when `isOver`, no others will. */
  readonly figures: {
    readonly calls: number;
    readonly answered: number;
    /** The expected time until the last one. */
    readonly leftMs: number;
    readonly isOver: boolean;
  };
}

/** The number of orders with each outcome. */
export type Totals = Readonly<
  Record<"orders" | "done" | "refused" | "failed" | "unknown" | "skipped", number>
>;

export type Notice =
  /** `--quiet` hides it. */
  | ({ readonly type: "notice" } & (FilterNotice | CallNotice))
  | ({ readonly type: "warning" } & (FiguresWarning | Warning))
  | ({ readonly type: "progress" } & Kinds<ProgressKinds>)
  /** `rate_limit`: comanda's own count; `rate_limited`: the service returned 429; `slowed_down`: it did so twice. */
  | {
      readonly type: "wait";
      readonly reason: "rate_limit" | "rate_limited" | "slowed_down";
      readonly ms: number;
      /** The store's time zone, if it is set. */
      readonly zone?: string | undefined;
    }
  /** The service didn't answer, and the call is retried after `ms` milliseconds. */
  | { readonly type: "retry"; readonly ms: number };

export type Notify = (notice: Notice) => void;
