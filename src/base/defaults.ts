/** Times and counts that a person or a program may change, each set here only: the client uses them, and the help prints them. */
export const defaults = {
  /** Milliseconds for one exchange with the service, connecting included. */
  timeoutMs: 30_000,
  /** Milliseconds that one call may wait for rate limits. */
  maxWaitMs: 5 * 60_000,
  /** Retries of one call after a failure. */
  maxRetries: 3,
  /** Milliseconds that a sign-in waits for the person in the browser. */
  signInMs: 5 * 60_000,
} as const;
