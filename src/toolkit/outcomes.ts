/** What became of one write, in a form that scripts rely on, and in words for people. */
import { isRefusal } from "../client/call/outcome.js";
import { errorCodes } from "../api/errors.js";
import type { ComandaError, Evidence } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Column } from "../cli/column.js";
import type { Tone } from "../cli/style.js";

export const outcomes = ["done", "refused", "failed", "unknown", "skipped"] as const;
/**
 * `refused`: the service refused the write; `failed`: it certainly did not happen; `unknown`: it may have happened;
 * `skipped`: it was not tried.
 */
export type Outcome = (typeof outcomes)[number];

/** Each line of `--json` output has these members. */
export interface WriteOutcome {
  readonly outcome: Outcome;
  readonly http_status: number | null;
  /** The API's code where the service gave one, comanda's own otherwise; null where all went well. */
  readonly code: number | string | null;
  readonly message: string | null;
  readonly details: string | null;
  /** Requests that were sent. */
  readonly attempts: number;
  /** The source of the outcome; null where nothing was sent. */
  readonly evidence: Evidence | null;
}

export function doneWrite(httpStatus: number, attempts: number): WriteOutcome {
  const nothingToSay = { code: null, message: null, details: null };
  return { outcome: "done", http_status: httpStatus, ...nothingToSay, attempts, evidence: "api" };
}

export function failedWrite(error: ComandaError): WriteOutcome {
  const { code, message, answer, evidence, attempts = 0 } = error;
  const isUnknown = code === "outcome_unknown";
  const isRefused = answer !== undefined && isRefusal(code, evidence);
  const answerDetails = answer?.details ?? null;
  return {
    outcome: isUnknown ? "unknown" : isRefused ? "refused" : "failed",
    http_status: answer?.httpStatus ?? null,
    code: answer?.code ?? code,
    // The service's texts tell the outcome of a write, except where that is unknown.
    message: isUnknown ? message : (answer?.message ?? message),
    details: isUnknown ? (answerDetails ?? answer?.message ?? null) : answerDetails,
    attempts,
    evidence,
  };
}

export function skippedWrite({ code, message }: ComandaError): WriteOutcome {
  const nothingSent = { details: null, attempts: 0, evidence: null };
  return { outcome: "skipped", http_status: null, code, message: t`Not tried: ${message}`, ...nothingSent };
}

/** Scripts know `code` as the service's number or comanda's name; `service_code` is the number alone. */
export function withServiceCode<Line extends Pick<WriteOutcome, "code">>(line: Line) {
  return { ...line, service_code: typeof line.code === "number" ? line.code : null };
}

const tones = {
  ...{ done: "good", refused: "bad", failed: "bad", unknown: "doubtful", skipped: "quiet" },
} as const satisfies Readonly<Record<Outcome, Tone>>;

export function toneOfOutcome({ outcome }: Pick<WriteOutcome, "outcome">): Tone {
  return tones[outcome];
}

/**
 * Tells people why a write is not done. Programs and reports get the service's own texts and numbers.
 *
 * @returns an empty text for a write that this command has done
 */
export function reasonText(write: Pick<WriteOutcome, "outcome" | "code" | "message" | "details">): string {
  const refusal = write.outcome === "refused" ? refusalText(write) : undefined;
  return refusal ?? write.message ?? "";
}

function refusalText({ code, message, details }: Pick<WriteOutcome, "code" | "message" | "details">) {
  // The journal doesn't keep the service's texts.
  const said = details ?? message;
  switch (code) {
    case errorCodes.statusCannotChange:
    case "status_conflict":
      return t`Its status doesn't allow it: it may be finished, or not at that step yet.`;
    case errorCodes.notFound:
    case "not_found":
      return t`The service knows no such order. Is the id right, and of this store?`;
    case errorCodes.invalidToken:
    case "token_refused":
      return t`The service refused the credential.`;
    case "forbidden":
      return t`The service doesn't allow it to this store's sign-in.`;
    case errorCodes.invalidParameters:
    case "invalid_request":
      return said === null
        ? t`The service refused the request.`
        : t`The service refused the request: ${said}`;
    default:
      return undefined;
  }
}

export const outcomeColumn: Column<Pick<WriteOutcome, "outcome">> = {
  ...{ heading: "Outcome", name: "outcome", isWord: true, tone: toneOfOutcome },
  cell: ({ outcome }) => outcome,
};

/** The column of reasons, unless nothing went wrong. */
export function reasonColumns(rows: readonly WriteOutcome[]): readonly Column<WriteOutcome>[] {
  if (rows.every((row) => reasonText(row) === "")) return [];
  return [{ heading: "Why", name: "message", cell: reasonText }];
}
