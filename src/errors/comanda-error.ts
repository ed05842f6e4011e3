import { exitCodeOf, type ErrorCode } from "./codes.js";
import { shareInstances } from "./share-instances.js";

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
  /** Requests of this call that were begun. */
  readonly attempts?: number;
  /** For the program that called; never printed here. Never pass an OAuth error: it may carry a code or a token. */
  readonly cause?: unknown;
}

/**
 * Thrown for everything that can go wrong in a way a person or script can act upon.
 *
 * Tell errors apart by `code`, which is stable: `if (error instanceof ComandaError && error.code === "not_found")`.
 * `message` and `hint` are for people and may change. None of the three ever holds a secret; `cause` is what the
 * program's own function or signal gave, and whatever that holds.
 *
 * `instanceof` holds for errors of every copy of this package in the program, ES module or CommonJS.
 */
export class ComandaError extends Error {
  override readonly name = "ComandaError";
  /** What to switch on. */
  readonly code: ErrorCode;
  /** The next step, in one or more lines. */
  readonly hint: string | undefined;
  /** What the service said; `undefined` where no answer came or none was asked for. */
  readonly answer: ServiceAnswer | undefined;
  /** Requests of this call that were begun, those that never got out included; 0 where none was. */
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

shareInstances(ComandaError, "comanda.ComandaError");
