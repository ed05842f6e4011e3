/** What a call has come to, in the words that the command line tells it in. Pure. */
import type { ErrorCode } from "../../shared/errors.js";
import type { TransportFailure } from "../http/transport.js";
import type { CallOutcome, CallVerdict, Failed } from "./outcome.js";
import { isFinalWord, isRefusal } from "./retry.js";

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
