/** What the core may use: everything that a front end decides once for all its work, and the notices that it can show meanwhile. */
import type { Clock } from "../base/clock.js";
import type { HintFacts, Kinds } from "../base/hint-facts.js";
import type { WaitNotice } from "../client/options.js";
import type { Transport } from "../client/transport.js";
import type { FiguresWarning } from "../sales/figures.js";
import type { FilterNotice } from "../sales/filters.js";
import type { State } from "../state/state.js";

export interface Workspace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly clock: Clock;
  /** Ends the work. The reason is a `ComandaError`. Responses to changes that were sent are still awaited, until `grace`. */
  readonly signal: AbortSignal;
  readonly grace: AbortSignal;
  /** Work that must finish before the program ends, such as saving a renewed token. */
  readonly critical: Set<Promise<unknown>>;
  readonly debug: ((message: string) => void) | undefined;
  /** Opens the state once. If that fails, the next call tries again. */
  readonly state: () => Promise<State>;
  /** Returns the transport that all connections of this workspace share. */
  readonly transport: () => Promise<Transport>;
  /** Milliseconds for one request; `undefined` for the client's default. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds that one call may wait for rate limits. */
  readonly maxWaitMs: number;
  /** Receives notices as data. Each interface has its own texts, or shows nothing. */
  readonly notify: (notice: Notice) => void;
}

/** Facts that a person should see, although the work continues. */
type Warning = Kinds<{
  /** Certificates aren't verified. */
  readonly insecure_tls: object;
  /** A store's days are counted in this machine's time zone, because none is set. */
  readonly guessed_zone: { readonly label: string; readonly zone: string; readonly hintFacts: HintFacts };
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
  /** `zone`: the store's time zone, if it is set. */
  | ({ readonly type: "wait"; readonly zone?: string | undefined } & Pick<WaitNotice, "reason" | "ms">);
