/** When a request may be repeated, and what is known in the end, as pure decisions (RFC 9110, section 9.2.2). */
import { errorCodes } from "../../contract/errors.js";
import type { ErrorCode, Evidence } from "../../shared/errors.js";
import { parseJsonAnswer } from "../../shared/json.js";
import {
  anyCallId,
  evidenceOf,
  type Attempted,
  type CallOutcome,
  type CalledOperation,
  type Failed,
  type Unknown,
} from "./outcome.js";
import { isSuccess, type HttpAnswer } from "../http/transport.js";
import { parseRetryAfter } from "./retry-after.js";

export interface Situation {
  /** May the operation be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** How often this call has been repeated for anything but a rate limit. */
  readonly repeats: number;
  readonly maxRepeats: number;
  readonly attempted: Attempted<unknown>;
  /** Milliseconds of the operation's rate limit window. */
  readonly windowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
  /** Milliseconds since the epoch. */
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
  const { repeatable, attempted } = situation;
  if (attempted.kind === "success") return { kind: "return" };
  switch (standing(attempted)) {
    case "final":
      return { kind: "return" };
    case "limited":
      return { kind: "wait", afterMs: rateLimitWait(attempted, situation) };
    case "not_processed":
      return repeat(situation);
    case "perhaps_processed":
      return repeatable && !wouldAnswerTheSame(attempted) ? repeat(situation) : { kind: "return" };
    case "aborted":
      return { kind: "return" };
  }
}

/** Was it sent, and does nothing say that it was not done? */
export function mayHaveBeenDone(failed: Failed): boolean {
  return ["perhaps_processed", "aborted"].includes(standing(failed));
}

/** What a later answer says of an earlier request of the same write that may have done it. */
export type EarlierRequest = "was_refused" | "was_done_or_refused" | "unknown";

/**
 * Section 7 has them for the request itself, so that an earlier one had the same answer. Not so what is said of whoever
 * asks (401, 403, 429), which changes from one moment to the next, and an error that the section doesn't have.
 */
const refusedBefore: ReadonlySet<number | string | null | undefined> = new Set([
  errorCodes.invalidParameters,
  errorCodes.notFound,
]);

/** Only the API's own error body tells anything: a gateway that has no answer says nothing of the order. */
export function earlierRequest({
  evidence,
  code,
}: {
  readonly evidence: Evidence | null;
  readonly code: number | string | null | undefined;
}): EarlierRequest {
  if (evidence !== "api") return "unknown";
  // An order that is already there admits no change to it.
  if (code === errorCodes.statusCannotChange) return "was_done_or_refused";
  return refusedBefore.has(code) ? "was_refused" : "unknown";
}

/**
 * What a call came to, its earlier attempts included.
 *
 * @param doubt the latest attempt after which it may have been done
 */
export function conclude<Value>(
  { id }: Pick<CalledOperation, "id">,
  last: Attempted<Value>,
  doubt: Failed | undefined,
): CallOutcome<Value> {
  if (doubt === undefined || last.kind === "success") return last;
  const unknown: Unknown = { kind: "unknown", doubt, last };
  const code = last.kind === "refusal" ? last.service.code : undefined;
  switch (earlierRequest({ evidence: evidenceOf(last), code })) {
    case "was_refused":
      // What the errors of a call mean that nobody has described isn't known: a second DELETE finds nothing any more.
      return id === anyCallId ? unknown : last;
    case "was_done_or_refused":
      return { ...unknown, doneOrRefused: true };
    case "unknown":
      return unknown;
  }
}

/** They refuse whoever asks. The bodies of a 403 and a 429 are not shown (section 7), so the status alone is the word. */
const refusedBy: ReadonlySet<ErrorCode> = new Set(["token_refused", "forbidden", "rate_limited"]);
/** They refuse what is asked for. */
const refusedFor: ReadonlySet<ErrorCode> = new Set(["invalid_request", "not_found", "status_conflict"]);

/** Did the service say no? What isn't the API's answer, such as a redirect or a gateway's page, is no word of the service's. */
export function isRefusal(code: ErrorCode, evidence: Evidence | null): boolean {
  return refusedBy.has(code) || (refusedFor.has(code) && evidence === "api");
}

type Standing = "final" | "limited" | "not_processed" | "perhaps_processed" | "aborted";

function standing(failed: Failed): Standing {
  if (failed.kind === "no_answer") {
    const { failure, sent } = failed.error;
    if (failure === "aborted") return sent ? "aborted" : "final";
    if (sent) return "perhaps_processed";
    // A bad certificate stays bad, and asking again only tells more to whoever holds it.
    return failure === "tls" ? "final" : "not_processed";
  }
  const { code, answer } = failed;
  if (code === "rate_limited") return "limited";
  if (code === "server_error") return "perhaps_processed";
  // A 2xx that isn't the API's: a portal in between may have answered, or the service after doing it.
  if (code === "unexpected_answer" && (isSuccess(answer) || answer.status === seeOther))
    return "perhaps_processed";
  return "final";
}

/** The request was done, and what came of it is told elsewhere (RFC 9110, section 15.4.4). */
const seeOther = 303;
const notImplemented = 501;

/**
 * JSON that isn't what the contract says, a way to elsewhere, or a method that isn't there (RFC 9110, section 15.6.2): the
 * service is up, and would answer the same again.
 */
function wouldAnswerTheSame(failed: Failed): boolean {
  if (failed.kind !== "refusal") return false;
  if (failed.answer.status === notImplemented) return true;
  if (failed.code !== "unexpected_answer") return false;
  return failed.answer.status === seeOther || parseJsonAnswer(failed.answer.body) !== undefined;
}

function repeat({ attempted, repeats, maxRepeats, random, now }: Situation): Decision {
  if (repeats >= maxRepeats) return { kind: "return" };
  const afterMs = backoff(repeats, random);
  const waitMs = attempted.kind === "no_answer" ? undefined : retryAfter(attempted.answer, now);
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

/** Keeps a service that asks for 0 seconds each time from being asked without a pause. */
const shortestWaitMs = 250;

function rateLimitWait(failed: Failed, { windowMs, random, now }: Situation): number {
  const waitMs = failed.kind === "refusal" ? retryAfter(failed.answer, now) : undefined;
  return Math.max(shortestWaitMs, waitMs ?? Math.floor(windowMs * (0.5 + random / 2)));
}

function retryAfter(answer: HttpAnswer, now: number): number | undefined {
  return parseRetryAfter(answer.headers["retry-after"], now);
}
