/** Values that a person or a program may change. Each is set only here: the code uses them, and the help prints them. */
export const defaults = {
  /** Milliseconds for one exchange with the service, connecting included. */
  timeoutMs: 30_000,
  /** Milliseconds that one call may wait for rate limits. */
  maxWaitMs: 5 * 60_000,
  /** Retries of one call after a failure. */
  maxRetries: 3,
} as const;

/** The values of sign-ins and of the emulator, apart because a client's bundle doesn't need them. */
export const localDefaults = {
  /** Milliseconds that a sign-in waits for the person in the browser. */
  signInMs: 5 * 60_000,
  /** Redirect address of an app. */
  redirectUri: "http://127.0.0.1:8765/callback",
  emulatorPort: 4100,
  /** Seed of the emulator's generated data, and how many orders its scene `mixed` contains. */
  seed: 1,
  orders: 2000,
} as const;

declare const __VERSION__: string;

/** The version of the package. The build replaces it; sources have none. */
export const version = typeof __VERSION__ === "string" ? __VERSION__ : "0.0.0";
