/** What became of one write, in a form that scripts rely on, and in words for people. */
import type { ComandaError, Outcome } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Column } from "../cli/column.js";
import type { Tone } from "../cli/style.js";

export const outcomes = ["done", "refused", "failed", "unknown", "skipped"] as const;
/** Of a write that was not tried it is `skipped`. */
export type OutcomeName = (typeof outcomes)[number];

/** An outcome with the words that tell it. */
export interface Told extends Omit<Outcome, "outcome" | "value"> {
  readonly outcome: OutcomeName;
  readonly message: string | null;
  readonly details: string | null;
}

export function doneWrite({ outcome, httpStatus, code, serviceCode, evidence, attempts }: Outcome): Told {
  return { outcome, httpStatus, code, serviceCode, evidence, attempts, message: null, details: null };
}

export function failedWrite(error: ComandaError): Told {
  const { outcome, httpStatus, code, serviceCode, evidence, attempts, serviceMessage } = error;
  const isUnknown = outcome === "unknown";
  return {
    outcome,
    httpStatus,
    code,
    serviceCode,
    evidence,
    attempts,
    // The service's texts tell the outcome of a write, except where that is unknown.
    message: isUnknown ? error.message : (serviceMessage ?? error.message),
    details: error.details ?? (isUnknown ? serviceMessage : null),
  };
}

export function skippedWrite({ code, message }: ComandaError): Told {
  return {
    outcome: "skipped",
    httpStatus: null,
    code,
    serviceCode: null,
    evidence: null,
    attempts: 0,
    message: t`Not tried: ${message}`,
    details: null,
  };
}

/** Each line of `--json` output has these members; `code` is comanda's own name, `service_code` the API's number. */
export function lineOf({
  outcome,
  httpStatus,
  code,
  message,
  details,
  attempts,
  evidence,
  serviceCode,
}: Told) {
  return {
    outcome,
    http_status: httpStatus,
    code,
    message,
    details,
    attempts,
    evidence,
    service_code: serviceCode,
  };
}

const tones = {
  ...{ done: "good", refused: "bad", failed: "bad", unknown: "doubtful", skipped: "quiet" },
} as const satisfies Readonly<Record<OutcomeName, Tone>>;

export function toneOfOutcome({ outcome }: Pick<Told, "outcome">): Tone {
  return tones[outcome];
}

/**
 * Tells people why a write is not done. Programs and reports get the service's own texts and numbers.
 *
 * @returns an empty text for a write that this command has done
 */
export function reasonText(write: Pick<Told, "outcome" | "code" | "message" | "details">): string {
  const refusal = write.outcome === "refused" ? refusalText(write) : undefined;
  return refusal ?? write.message ?? "";
}

function refusalText({ code, message, details }: Pick<Told, "code" | "message" | "details">) {
  // The journal doesn't keep the service's texts.
  const said = details ?? message;
  switch (code) {
    case "status_conflict":
      return t`Its status doesn't allow it: it may be finished, or not at that step yet.`;
    case "not_found":
      return t`The service knows no such order. Is the id right, and of this store?`;
    case "token_refused":
      return t`The service refused the credential.`;
    case "forbidden":
      return t`The service doesn't allow it to this store's sign-in.`;
    case "invalid_request":
      return said === null
        ? t`The service refused the request.`
        : t`The service refused the request: ${said}`;
    default:
      return undefined;
  }
}

export const outcomeColumn: Column<Pick<Told, "outcome">> = {
  ...{ heading: "Outcome", name: "outcome", isWord: true, tone: toneOfOutcome },
  cell: ({ outcome }) => outcome,
};

/** The column of reasons, unless nothing went wrong. */
export function reasonColumns(rows: readonly Told[]): readonly Column<Told>[] {
  if (rows.every((row) => reasonText(row) === "")) return [];
  return [{ heading: "Why", name: "message", cell: reasonText }];
}
