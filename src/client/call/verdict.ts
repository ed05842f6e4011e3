/** What a call has come to, in the words that the command line tells it in. Pure. */
import type { ErrorCode } from "../../shared/errors.js";
import type { TransportFailure } from "../http/transport.js";
import { evidenceOf, type CallOutcome, type CallVerdict, type Failed } from "./outcome.js";
import { isRefusal } from "./retry.js";

export function verdictOf(outcome: CallOutcome<unknown>): CallVerdict {
  switch (outcome.kind) {
    case "success":
      return { outcome: "done", httpStatus: outcome.answer.status, code: null, evidence: "api" };
    case "unknown": {
      const told = outcome.doneOrRefused ? outcome.last : outcome.doubt;
      return { outcome: "unknown", ...toldOf(told, "outcome_unknown") };
    }
    case "no_answer": {
      const { failure } = outcome.error;
      return { outcome: "failed", ...toldOf(outcome, codes[failure] ?? "unreachable") };
    }
    case "refusal":
      return {
        outcome: isRefusal(outcome.code, outcome.evidence) ? "refused" : "failed",
        ...toldOf(outcome, outcome.code),
      };
  }
}

const codes: Readonly<Partial<Record<TransportFailure, ErrorCode>>> = {
  aborted: "interrupted",
  bad_answer: "unexpected_answer",
};

/** @param otherwise where the service gave no code */
function toldOf(failed: Failed, otherwise: ErrorCode): Omit<CallVerdict, "outcome"> {
  const evidence = evidenceOf(failed);
  if (failed.kind === "no_answer") return { httpStatus: null, code: otherwise, evidence };
  return { httpStatus: failed.answer.status, code: failed.service.code ?? otherwise, evidence };
}
