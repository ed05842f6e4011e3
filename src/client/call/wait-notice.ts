/** Said before the client waits, so that a person knows why nothing happens. */
export interface WaitNotice {
  /**
   * `rate_limited`: the service said so. `rate_limit`: our own count of the window says so, before the service
   * has to. `no_answer`: the service was not reached or failed, and the call is repeated.
   */
  readonly reason: "rate_limited" | "rate_limit" | "no_answer";
  /** Milliseconds. */
  readonly ms: number;
  /** The id of the operation in the contract. */
  readonly operation: string;
  /** Requests of this call so far. */
  readonly attempts: number;
}
