/** The innermost layer: one request, which the observer is told of before and after. */
import type { Clock } from "../clock.js";
import { ComandaError } from "../errors.js";
import { transportError } from "../http/transport-failure.js";
import { isSafe, TransportError, type Transport } from "../http/transport.js";
import type { Call, Send } from "./call.js";
import { awaitedCallback, callback, callbackFailed } from "./callback.js";
import { judge } from "./judge.js";
import type { CallObserver, ObservedAttempt } from "./observer.js";
import { conclude, verdictOn, type Attempt, type Verdict } from "./outcome.js";
import { mayHaveBeenDone } from "./retry.js";

export interface AttemptOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly observer: CallObserver;
}

/** The observer is told this of a request beside its number and the verdict on the call. */
type Result = Pick<ObservedAttempt, "sent" | "httpStatus" | "failure">;

export function attempting({ transport, clock, observer }: AttemptOptions): Send {
  return async <Value>(call: Call<Value>): Promise<Attempt<Value>> => {
    const { request, progress } = call;
    const about = { attempt: progress.attempts + 1, credential: progress.credential };
    await awaitedCallback("observer.sends", () => observer.sends?.(call.observed, about));
    progress.attempts += 1;
    const since = clock.now();
    const tell = (result: Result, comesTo: Verdict) => {
      // A request that never went out changes nothing of what earlier ones have come to.
      const verdict = { ...comesTo, evidence: comesTo.evidence ?? progress.verdict?.evidence ?? null };
      progress.verdict = verdict;
      const whole = { ...verdict, attempts: progress.attempts, value: null };
      const told = { ...about, ...result, ms: clock.now() - since, verdict: whole };
      const answer = result.httpStatus === undefined ? {} : { answer: { httpStatus: result.httpStatus } };
      callback("observer.attempted", () => observer.attempted?.(call.observed, told), answer);
    };
    let attempt: Attempt<Value>;
    try {
      attempt = judge(await transport.send(request), call.read);
    } catch (error) {
      if (error instanceof TransportError) attempt = { kind: "no_answer", error };
      else if (progress.fault) attempt = { kind: "no_answer", error: transportError("aborted", true) };
      else {
        // Ours refuse a request before it goes out.
        const sent = !(error instanceof ComandaError);
        if (!sent) progress.attempts -= 1;
        tell({ sent }, sent ? faultVerdict(call) : (progress.verdict ?? refusedHere(error)));
        throw callbackFailed("transport.send", error);
      }
    }
    // The fault ended the exchange, whatever the transport made of it. An abort ends the program's streams too.
    if (progress.fault && !request.signal?.aborted) {
      tell({ sent: true }, faultVerdict(call));
      throw progress.fault;
    }
    if (!isSafe(request) && attempt.kind !== "success" && mayHaveBeenDone(attempt)) progress.doubt = attempt;
    const verdict = verdictOn(conclude(call.operation, attempt, progress.doubt));
    if (attempt.kind !== "no_answer") {
      tell({ sent: true, httpStatus: attempt.answer.status }, verdict);
    } else {
      const { failure, sent } = attempt.error;
      // Nothing was begun.
      if (failure === "aborted" && !sent) progress.attempts -= 1;
      tell({ sent, failure }, verdict);
    }
    return attempt;
  };
}

/** A function of the program's own failed while the request was out. */
function faultVerdict({ request }: Call<unknown>): Verdict {
  const outcome = isSafe(request) ? "failed" : "unknown";
  return { outcome, httpStatus: null, code: "callback_failed", serviceCode: null, evidence: "nobody" };
}

function refusedHere({ code }: ComandaError): Verdict {
  return { outcome: "failed", httpStatus: null, code, serviceCode: null, evidence: null };
}
