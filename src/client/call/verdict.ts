/** What a call has come to, in the words that the command line tells it in. Pure. */
import type { ErrorCode } from "../../shared/errors.js";
import type { TransportFailure } from "../http/transport.js";
import type { CallOutcome, Failed } from "./outcome.js";
import { isFinalWord, isRefusal } from "./retry.js";

/** What a call comes to if it ends now, all its requests so far together. */
export interface CallVerdict {
  /**
   * `refused`: the service said no; `failed`: it certainly did not happen; `unknown`: it may have happened. What only asks
   * is never unknown.
   */
  readonly outcome: "done" | "refused" | "failed" | "unknown";
  /** `null` where no answer came. */
  readonly httpStatus: number | null;
  /** The API's code where the service gave one, the library's own otherwise; `null` where all went well. */
  readonly code: number | string | null;
  /**
   * No request of the call was looked at: a rate limit or a refused credential came before, or none got out. So it says
   * nothing about an earlier call for the same.
   */
  readonly unprocessed?: true;
}

export function verdictOf(outcome: CallOutcome<unknown>): CallVerdict {
  switch (outcome.kind) {
    case "success":
      return { outcome: "done", httpStatus: outcome.answer.status, code: null };
    case "unknown":
      return { outcome: "unknown", ...toldOf(outcome.doubt, "outcome_unknown") };
    case "no_answer": {
      const { failure } = outcome.error;
      return { outcome: "failed", ...toldOf(outcome, codes[failure] ?? "unreachable"), unprocessed: true };
    }
    case "refusal":
      return {
        outcome: isRefusal(outcome.code) ? "refused" : "failed",
        ...toldOf(outcome, outcome.code),
        ...(!isFinalWord(outcome.code) && { unprocessed: true as const }),
      };
  }
}

const codes: Readonly<Partial<Record<TransportFailure, ErrorCode>>> = {
  aborted: "interrupted",
  bad_answer: "unexpected_answer",
};

/** @param otherwise where the service gave no code */
function toldOf(failed: Failed, otherwise: ErrorCode): Pick<CallVerdict, "httpStatus" | "code"> {
  if (failed.kind === "no_answer") return { httpStatus: null, code: otherwise };
  return { httpStatus: failed.answer.status, code: failed.service.code ?? otherwise };
}
