/** The innermost layer: one request, which the observer is told of before and after. */
import type { Clock } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { transportError } from "../http/transport-failure.js";
import { isSafe, TransportError, type AnswerHead, type Transport } from "../http/transport.js";
import { callback, callbackFailed } from "./callback.js";
import { judge } from "./judge.js";
import { observed, type CallObserver, type ObservedAttempt } from "./observer.js";
import type { Attempted, Call, CallVerdict, Send } from "./outcome.js";
import { conclude, mayHaveBeenDone } from "./retry.js";
import { verdictOf } from "./verdict.js";

export interface AttemptOptions {
  readonly transport: Transport;
  /** The transport is the client's own, made and closed by it. */
  readonly ownsTransport: boolean;
  readonly clock: Clock;
  readonly observer: CallObserver | undefined;
}

/** What is told of a request beside its number and what the call comes to. */
type Result = Pick<ObservedAttempt, "sent" | "httpStatus" | "answeredAt" | "failure">;

export function attempting({ transport, ownsTransport, clock, observer }: AttemptOptions): Send {
  return async <Value>(call: Call<Value>): Promise<Attempted<Value>> => {
    const { request, progress, read } = call;
    const about = { attempt: progress.attempts + 1, credential: progress.credential };
    if (observer) await observed("sends", () => observer.sends?.(call.observed, about));
    progress.attempts += 1;
    const since = clock.now();
    const tell = (result: Result, comesTo: CallVerdict) => {
      // Where this one never went out, what was said before is all that was said.
      const verdict = { ...comesTo, evidence: comesTo.evidence ?? progress.verdict?.evidence ?? null };
      progress.verdict = verdict;
      if (!observer?.attempted) return;
      const told = { ...about, ...result, ms: clock.now() - since, verdict };
      const answer = result.httpStatus === undefined ? {} : { answer: { httpStatus: result.httpStatus } };
      callback("observer.attempted", () => observer.attempted?.(call.observed, told), answer);
    };
    let attempted: Attempted<Value>;
    try {
      const answer = await transport.send(request);
      attempted = Object.assign(judge(answer, read), { answer });
    } catch (error) {
      if (error instanceof TransportError) attempted = { kind: "no_answer", error };
      else if (progress.fault) attempted = { kind: "no_answer", error: transportError("aborted", true) };
      else {
        // Ours refuse a request before it goes out.
        const sent = !(error instanceof ComandaError);
        if (!sent) progress.attempts -= 1;
        tell({ sent }, sent ? faultVerdict(call) : (progress.verdict ?? refusedHere(error)));
        throw ownsTransport ? error : callbackFailed("transport.send", error);
      }
    }
    // It is what ended the exchange, whatever the transport made of it. An abort ends the program's streams too.
    if (progress.fault && !request.signal?.aborted) {
      tell({ sent: true }, faultVerdict(call));
      throw progress.fault;
    }
    attempted = await withoutRepetition(call, attempted);
    if (!isSafe(request) && attempted.kind !== "success" && mayHaveBeenDone(attempted))
      progress.doubt = attempted;
    const verdict = verdictOf(conclude(call.operation, attempted, progress.doubt));
    if (attempted.kind !== "no_answer") {
      const { status: httpStatus, headers } = attempted.answer;
      const answeredAt = dateOf(headers);
      tell({ sent: true, httpStatus, ...(answeredAt !== undefined && { answeredAt }) }, verdict);
    } else {
      const { failure, sent } = attempted.error;
      // Nothing was begun.
      if (failure === "aborted" && !sent) progress.attempts -= 1;
      tell({ sent, failure }, verdict);
    }
    return attempted;
  };
}

/** A change that its order's status doesn't allow is none that failed, where it was done before. */
async function withoutRepetition<Value>(
  { doneBefore, progress }: Call<Value>,
  attempted: Attempted<Value>,
): Promise<Attempted<Value>> {
  // After a request of which nothing is known the answer tells of that one, too.
  if (!doneBefore || progress.doubt || attempted.kind !== "refusal") return attempted;
  const { code, evidence, service, answer } = attempted;
  if (code !== "status_conflict" || evidence !== "api") return attempted;
  const done = await doneBefore();
  return done ? { kind: "success", value: done.value, already: service, answer } : attempted;
}

/** RFC 9110, section 6.6.1. What comes out of a cache tells when it was put there. */
function dateOf({ date, age }: AnswerHead["headers"]): number | undefined {
  const told = Date.parse(date ?? "");
  return Number.isNaN(told) || age !== undefined ? undefined : told;
}

/** A function of the program's own failed while the request was out. */
function faultVerdict({ request }: Call<unknown>): CallVerdict {
  const outcome = isSafe(request) ? "failed" : "unknown";
  return { outcome, httpStatus: null, code: "callback_failed", evidence: "nobody" };
}

function refusedHere({ code }: ComandaError): CallVerdict {
  return { outcome: "failed", httpStatus: null, code, evidence: null };
}
