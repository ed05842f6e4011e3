/** Pure decisions tell what an attempt came to, and what a call with all its attempts came to. */
import { errorCodes } from "../../api/errors.js";
import type { ErrorCode, Evidence, Outcome, ServiceAnswer } from "../errors.js";
import { t } from "../../languages/language.js";
import type { HttpAnswer, TransportError, TransportFailure } from "../http/transport.js";
import { anyCallId } from "./observer.js";

/** One request, and what it came to. */
export type Attempt<Value> = Success<Value> | FailedAttempt;

export type FailedAttempt = Refusal | NoAnswer;

export interface Success<Value> {
  readonly kind: "success";
  readonly value: Value;
  readonly answer: HttpAnswer;
}

export interface Refusal {
  readonly kind: "refusal";
  readonly code: ErrorCode;
  readonly service: ServiceAnswer;
  readonly answer: HttpAnswer;
  readonly evidence: Exclude<Evidence, "nobody">;
}

export interface NoAnswer {
  readonly kind: "no_answer";
  readonly error: TransportError;
}

/** A write that went out, of which nothing that came back says whether it was done. */
export interface UnknownOutcome {
  readonly kind: "unknown";
  /** The attempt that may have done it. */
  readonly doubt: FailedAttempt;
  /** The last attempt, which may be a later one. */
  readonly last: FailedAttempt;
  /** The last attempt was refused as one is that was done before. */
  readonly doneOrRefused?: true;
}

export type CallOutcome<Value> = Attempt<Value> | UnknownOutcome;

/** Gives the evidence of an attempt; `null` for one that never went out. */
export function evidenceOf(attempt: Attempt<unknown>): Evidence | null {
  switch (attempt.kind) {
    case "success":
      return "api";
    case "refusal":
      return attempt.evidence;
    case "no_answer":
      return attempt.error.sent ? "nobody" : null;
  }
}

/**
 * Says what a call came to, its earlier attempts included.
 *
 * @param doubt the latest attempt after which it may have been done
 */
export function conclude<Value>(
  { id }: { readonly id: string },
  last: Attempt<Value>,
  doubt: FailedAttempt | undefined,
): CallOutcome<Value> {
  if (doubt === undefined || last.kind === "success") return last;
  const unknown: UnknownOutcome = { kind: "unknown", doubt, last };
  const code = last.kind === "refusal" ? last.service.code : undefined;
  switch (earlierRequest({ evidence: evidenceOf(last), code })) {
    case "was_refused":
      // Nobody has described the errors of such a call: a second DELETE finds nothing any more.
      return id === anyCallId ? unknown : last;
    case "was_done_or_refused":
      return { ...unknown, doneOrRefused: true };
    case "unknown":
      return unknown;
  }
}

/** A later answer may tell what an earlier request of the same write has done. */
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

/** Says what is known of an order whose first request is unknown and whose second was refused. */
export function doneOrRefusedText(): string {
  return t`The order was done before, or refused: a request went out of which nothing is known, and a later one was answered with code 4002.`;
}

export type Verdict = Omit<Outcome, "attempts" | "value">;

/** Puts what a call came to in the words that observers, the journal and the command line tell it in. */
export function verdictOn(outcome: CallOutcome<unknown>): Verdict {
  switch (outcome.kind) {
    case "success":
      return {
        outcome: "done",
        httpStatus: outcome.answer.status,
        code: null,
        serviceCode: null,
        evidence: "api",
      };
    case "unknown":
      return {
        outcome: "unknown",
        ...wordsOf(outcome.doneOrRefused ? outcome.last : outcome.doubt, "outcome_unknown"),
      };
    case "no_answer":
      return { outcome: "failed", ...wordsOf(outcome, codes[outcome.error.failure] ?? "unreachable") };
    case "refusal":
      return {
        outcome: isRefusal(outcome.code, outcome.evidence) ? "refused" : "failed",
        ...wordsOf(outcome, outcome.code),
      };
  }
}

const codes: Readonly<Partial<Record<TransportFailure, ErrorCode>>> = {
  aborted: "interrupted",
  bad_answer: "unexpected_answer",
};

function wordsOf(attempt: FailedAttempt, code: ErrorCode): Omit<Verdict, "outcome"> {
  const evidence = evidenceOf(attempt);
  if (attempt.kind === "no_answer") return { httpStatus: null, code, serviceCode: null, evidence };
  return { httpStatus: attempt.answer.status, code, serviceCode: attempt.service.code ?? null, evidence };
}

/** They refuse whoever asks. The bodies of a 403 and a 429 are not shown (section 7), so the status alone is the word. */
const refusedBy: ReadonlySet<ErrorCode> = new Set(["token_refused", "forbidden", "rate_limited"]);
/** They refuse what is asked for. */
const refusedFor: ReadonlySet<ErrorCode> = new Set(["invalid_request", "not_found", "status_conflict"]);

/** Did the service say no? What isn't the API's answer, such as a redirect or a gateway's page, is no word of the service's. */
export function isRefusal(code: ErrorCode, evidence: Evidence | null): boolean {
  return refusedBy.has(code) || (refusedFor.has(code) && evidence === "api");
}
