import { exitCodeOf, type ErrorCode } from "./codes.js";

/** What the service itself said, where it said anything (specification, section 7). */
export interface ServiceAnswer {
  readonly httpStatus: number;
  /** The API's integer code, for example 4002. */
  readonly code?: number;
  readonly message?: string;
  readonly details?: string;
}

export interface ErrorOptions {
  /** The next step, in words: the command to type, the setting to check. */
  readonly hint?: string;
  readonly answer?: ServiceAnswer;
  /** How many requests were sent for this call. */
  readonly attempts?: number;
  /** Kept for `--debug` alone. Never pass an OAuth error here: it may carry a code or a token. */
  readonly cause?: unknown;
}

/**
 * Thrown for everything that can go wrong in a way a person or script can act upon. `code` is stable; `message`
 * is one sentence for people and may change; neither ever holds a secret.
 */
export class ComandaError extends Error {
  override readonly name = "ComandaError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly answer: ServiceAnswer | undefined;
  readonly attempts: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.answer = options.answer;
    this.attempts = options.attempts;
  }

  /** The code that the program ends with (README, "Exit codes"). */
  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}
