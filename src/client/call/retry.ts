/** The layer that repeats a request where that does no harm (RFC 9110, section 9.2.2): {@link decide} says whether, and when. */
import type { Clock } from "../clock.js";
import { rateLimits } from "../../api/limits.js";
import { parseJsonAnswer } from "../../api/json.js";
import { isSpent, type Call, type Send } from "./call.js";
import { awaitedCallback, callback } from "./callback.js";
import { isNotDone } from "./judge.js";
import type { WaitNotice } from "./observer.js";
import type { Attempt, FailedAttempt } from "./outcome.js";
import type { RateLimiter } from "./rate-limit.js";

export interface RetryOptions {
  readonly clock: Clock;
  /** At least 0 and below 1, like `Math.random`. */
  readonly random: () => number;
  readonly maxRepeats: number;
  /** Milliseconds that one call may spend on rate limits, and on pauses that the service asks for. */
  readonly maxWaitMs: number;
  readonly onWait: ((notice: WaitNotice) => void) | undefined;
  /** Told of each rate limit that the service reports, so that others hold back as well. */
  readonly limiter: Pick<RateLimiter, "blocked"> | undefined;
}

export function retrying(options: RetryOptions, next: Send): Send {
  const { clock, random, maxRepeats, maxWaitMs, onWait, limiter } = options;
  return async <Value>(call: Call<Value>): Promise<Attempt<Value>> => {
    const { operation, progress, request } = call;
    const bucket = operation.bucket ?? "general";
    for (let [repeats, waits] = [0, 0]; ;) {
      const attempt = await next(call);
      if (attempt.kind === "success") return attempt;
      const decision = decide({
        attempt,
        repeats,
        waits,
        maxRepeats: isSpent(call) ? 0 : maxRepeats,
        repeatable: operation.repeatable,
        windowMs: rateLimits[bucket].windowMs,
        random: random(),
        now: clock.now(),
      });
      if (decision.kind === "return") return attempt;
      const { kind, afterMs: ms } = decision;
      if (kind === "wait") {
        waits += 1;
        await awaitedCallback("rateLimiter.blocked", () => limiter?.blocked(bucket, ms));
        if (isSpent(call)) return attempt;
      } else repeats += 1;
      if (kind !== "repeat") {
        if (progress.waitedMs + ms > maxWaitMs) return attempt;
        progress.waitedMs += ms;
      }
      const reason = kind === "wait" ? "rate_limited" : "no_answer";
      const notice = { reason, ms, operation: operation.id, attempts: progress.attempts } as const;
      callback("onWait", () => onWait?.(notice));
      await clock.sleep(ms, request.signal);
    }
  };
}

export interface Situation {
  /** May the operation be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** This call has been repeated so often for anything but a rate limit. */
  readonly repeats: number;
  /** It has waited for the service's own rate limit so often. */
  readonly waits: number;
  readonly maxRepeats: number;
  readonly attempt: Attempt<unknown>;
  /** Milliseconds of the operation's rate limit window. */
  readonly windowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly now: number;
}

export type Decision =
  /** Nothing is left to try: hand it on as it is. */
  | { readonly kind: "return" }
  | { readonly kind: "repeat"; readonly afterMs: number }
  /** The service said when to ask again: repeat, where the caller's patience lasts until then. */
  | { readonly kind: "pause"; readonly afterMs: number }
  /** Refused by a rate limit, so certainly not processed: repeat as often as the caller's patience lasts. */
  | { readonly kind: "wait"; readonly afterMs: number };

export function decide(situation: Situation): Decision {
  const { repeatable, attempt } = situation;
  if (attempt.kind === "success") return { kind: "return" };
  switch (standing(attempt)) {
    case "limited":
      return { kind: "wait", afterMs: rateLimitWait(attempt, situation) };
    case "not_processed":
      return repeat(attempt, situation);
    case "perhaps_processed":
      return repeatable && !wouldAnswerTheSame(attempt) ? repeat(attempt, situation) : { kind: "return" };
    case "final":
    case "aborted":
      return { kind: "return" };
  }
}

/** Can the service have done what a failed attempt asked for? `limited`: it has not, and says when to ask again. */
type Standing = "final" | "limited" | "not_processed" | "perhaps_processed" | "aborted";

function standing(attempt: FailedAttempt): Standing {
  if (attempt.kind === "no_answer") {
    const { failure, sent } = attempt.error;
    if (failure === "aborted") return sent ? "aborted" : "final";
    if (sent) return "perhaps_processed";
    // A bad certificate stays bad, and asking again only tells more to whoever holds it.
    return failure === "tls" ? "final" : "not_processed";
  }
  if (attempt.code === "rate_limited") return "limited";
  // What isn't the API's word may come from a portal in between, or from the service after doing it.
  return isNotDone(attempt) ? "final" : "perhaps_processed";
}

/** Was it sent, and does nothing say that it was not done? */
export function mayHaveBeenDone(attempt: FailedAttempt): boolean {
  return ["perhaps_processed", "aborted"].includes(standing(attempt));
}

const notImplemented = 501;

/**
 * JSON that isn't what the contract says, a way to elsewhere, a page that says no, or a method that isn't there (RFC 9110,
 * section 15.6.2): whoever answered is up, and would answer the same again.
 */
function wouldAnswerTheSame(attempt: FailedAttempt): boolean {
  if (attempt.kind !== "refusal") return false;
  const { status, body } = attempt.answer;
  if (status >= 500) return status === notImplemented;
  return status >= 300 || parseJsonAnswer(body) !== undefined;
}

function repeat(attempt: FailedAttempt, { repeats, maxRepeats, random, now }: Situation): Decision {
  if (repeats >= maxRepeats) return { kind: "return" };
  const afterMs = backoff(repeats, random);
  const waitMs = retryAfter(attempt, now);
  return waitMs === undefined || waitMs <= afterMs
    ? { kind: "repeat", afterMs }
    : { kind: "pause", afterMs: waitMs };
}

const firstDelayMs = 500;
const longestDelayMs = 8000;

/** Exponential backoff with full jitter: anywhere up to 0.5 s, 1 s, 2 s and so on. */
export function backoff(repeats: number, random: number): number {
  return Math.floor(random * Math.min(longestDelayMs, firstDelayMs * 2 ** repeats));
}

/** A service that asks for less, or for a moment that is past, is asked again no sooner. */
const shortestWaitMs = 1000;

/** The wait that the service asks for: longer where the call met it before, and never longer than its window. */
function rateLimitWait(attempt: FailedAttempt, { windowMs, random, now, waits }: Situation): number {
  const asked = retryAfter(attempt, now) ?? Math.floor(windowMs * (0.5 + random / 2));
  return Math.min(Math.max(asked, shortestWaitMs * 2 ** Math.min(waits, 10)), windowMs);
}

function retryAfter(attempt: FailedAttempt, now: number): number | undefined {
  if (attempt.kind !== "refusal") return undefined;
  const { date, "retry-after": header } = attempt.answer.headers;
  // A moment is one of the service's clock: this machine's may be half an hour off.
  return parseRetryAfter(header, parseHttpDate(date) ?? now);
}

/** No service asks for longer in earnest; `setTimeout` wraps around at 24.8 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

const imfFixdate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since the epoch, by which a date is measured
 * @returns milliseconds to wait, from 0 to one day; `undefined` where the header is absent or neither whole
 *   seconds nor an HTTP date
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestWaitMs);
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.min(Math.max(date - now, 0), longestWaitMs);
}

function parseHttpDate(text = ""): number | undefined {
  const date = imfFixdate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
