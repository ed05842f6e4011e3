/** What the core may use: everything that a front end decides once for all its work. */
import type { Clock } from "../base/clock.js";
import type { Notify } from "../base/notices.js";
import type { Transport } from "../client/transport.js";
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
  readonly notify: Notify;
}
