/** One call from its request to its outcome: sign, wait for a place, send, judge, and again where that does no harm. */
import { rateLimits } from "../api/limits.js";
import { t } from "../languages/language.js";
import { awaitedCallback, callback, callbackFailed } from "./callback.js";
import { allowManyListeners, type Clock } from "./clock.js";
import {
  createSigner,
  masked,
  signedHeaders,
  type Credentials,
  type Signature,
  type Signed,
} from "./credentials.js";
import { ComandaError, type Outcome } from "./errors.js";
import {
  callError,
  longerWaitHint,
  notSignedIn,
  thrownError,
  type Ended,
  type OptionNames,
} from "./explain.js";
import { conclude, isNotDone, judge, judgeFailure, type Done, type Failed } from "./judge.js";
import type { CallObserver, ObservedAttempt, ObservedCall, WaitNotice } from "./observer.js";
import type { Permit, RateLimiter } from "./rate-limit.js";
import type { BuiltCall } from "./request.js";
import { decide } from "./retry.js";
import { isSafe, timerMs, TransportError, type HttpAnswer, type Transport } from "./transport.js";

export interface CallOptions {
  /**
   * Ends the call, whatever it is waiting for: a credential, a rate limit, a pause, the service. The error is
   * `outcome_unknown` for a write that was sent, `interrupted` for all else; its `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal;
  /** In place of the client's. */
  readonly timeoutMs?: number;
  /** In place of the client's. */
  readonly maxRetries?: number;
}

/** A call that is done: its outcome, and the answer that it was read from. */
export interface Result<Value> extends Outcome<Value> {
  readonly outcome: "done";
  readonly httpStatus: number;
  readonly code: null;
  readonly serviceCode: null;
  readonly value: Value;
  /** The body exactly as the service sent it: fields that are not documented, and amounts to the last digit. */
  readonly raw: string;
  /** By lower-case names; our own credentials are masked. */
  readonly headers: HttpAnswer["headers"];
  readonly setCookies?: readonly string[];
}

/** A program that is told to stop learns what became of its writes: the answers to those that are out are awaited. */
export interface Stopping {
  /** Calls with this signal are meant. */
  readonly signal: AbortSignal;
  /** Then nothing is awaited any more. */
  readonly grace: AbortSignal;
}

export interface Settings {
  readonly credentials: Credentials;
  readonly transport: Transport;
  readonly limiter: RateLimiter | undefined;
  readonly observer: CallObserver;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly maxWaitMs: number;
  readonly maxRetries: number;
  readonly onWait: ((notice: WaitNotice) => void) | undefined;
  readonly onFallback: (() => void) | undefined;
  readonly optionNames: OptionNames;
  readonly stopping: Stopping | undefined;
}

/** The calls of one client. */
export function createCaller(settings: Settings) {
  const { credentials, transport, limiter, observer, clock, random, maxWaitMs, optionNames } = settings;
  const signer = createSigner(credentials, settings.onFallback);
  let calls = 0;

  return async <Value>(built: BuiltCall<Value>, options: CallOptions): Promise<Result<Value>> => {
    const { operation, path, order, read } = built;
    const { signal, timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries } = options;
    // One signal may end thousands of calls, each of which waits for it in several places.
    if (signal) allowManyListeners(signal);
    const isPatient = signal !== undefined && signal === settings.stopping?.signal && !isSafe(built.request);
    const request = {
      ...built.request,
      timeoutMs: timerMs(timeoutMs),
      ...(signal && { signal }),
      ...(isPatient && { grace: settings.stopping.grace }),
    };
    const { method, url, body } = request;
    calls += 1;
    const observed: ObservedCall = {
      number: calls,
      operation: operation.id,
      path,
      order,
      method,
      url,
      ...(body !== undefined && { body }),
    };

    let attempts = 0;
    let [repeats, waits, waitedMs] = [0, 0, 0];
    let signed: Signed | undefined;
    let refused: Signature | undefined;
    /** The latest request of a write after which it may have been done. */
    let doubt: Failed | undefined;
    /** What the call comes to if it ends now; absent where no request of it is over. */
    let verdict: Outcome | undefined;
    let failure: ComandaError | undefined;
    const ended = (): Ended => ({
      operation,
      request,
      observed,
      attempts,
      credential: signed?.signature,
      refused,
      verdict,
      doubt,
      credentials,
      optionNames,
    });

    /** Waits for a place within the limits of section 8. */
    async function takePlace(): Promise<Permit | undefined> {
      if (!limiter || operation.bucket === null) return undefined;
      const since = clock.now();
      try {
        return await limiter.acquire(operation.bucket, {
          signal,
          maxWaitMs: Math.max(0, maxWaitMs - waitedMs),
          onWait: (ms) => announce("rate_limit", ms),
        });
      } catch (error) {
        const failed = callbackFailed("rateLimiter.acquire", error);
        // A limiter knows of the wait, and not what whoever waits may change.
        if (failed.code !== "rate_limited" || failed.hint !== undefined) throw failed;
        throw failed.reworded(failed.message, { hint: longerWaitHint(optionNames.maxWaitMs) });
      } finally {
        waitedMs += Math.max(0, clock.now() - since);
      }
    }

    function announce(reason: WaitNotice["reason"], ms: number): void {
      callback("onWait", () => settings.onWait?.({ reason, ms, operation: operation.id, attempts }));
    }

    /** Sends one request, which the observer is told of before and after. */
    async function attempt({ signature, secrets }: Signed): Promise<Done<Value> | Failed> {
      const about = { attempt: attempts + 1, credential: signature };
      await awaitedCallback("observer.sends", () => observer.sends?.(observed, about));
      attempts += 1;
      const since = clock.now();
      const tell = (result: Pick<ObservedAttempt, "sent" | "answer" | "failure">, comesTo: Verdict) => {
        const { outcome, httpStatus, code, serviceCode } = comesTo;
        // A request that never went out changes nothing of what earlier ones have come to.
        const evidence = comesTo.evidence ?? verdict?.evidence ?? null;
        verdict = { outcome, httpStatus, code, serviceCode, evidence, attempts, value: null };
        const told = { ...about, ...result, ms: clock.now() - since, verdict };
        callback("observer.attempted", () => observer.attempted?.(observed, told), result.answer?.status);
      };

      let judged: Done<Value> | Failed;
      try {
        const headers = signedHeaders(request.headers, secrets);
        judged = judge(await transport.send({ ...request, headers }), read);
      } catch (error) {
        if (!(error instanceof TransportError)) {
          // Ours refuse a request before it goes out.
          const sent = !(error instanceof ComandaError);
          if (!sent) attempts -= 1;
          const failed = callbackFailed("transport.send", error);
          const outcome = sent && !isSafe(request) ? "unknown" : "failed";
          const comesTo: Verdict = {
            outcome,
            httpStatus: null,
            code: failed.code,
            serviceCode: null,
            evidence: sent ? "nobody" : null,
          };
          tell({ sent }, sent ? comesTo : (verdict ?? comesTo));
          throw failed;
        }
        judged = judgeFailure(error);
      }
      if (judged.code === null) {
        const answer = maskedHead(judged.answer, secrets);
        const { status: httpStatus } = answer;
        tell(
          { sent: true, answer },
          { outcome: "done", httpStatus, code: null, serviceCode: null, evidence: "api" },
        );
        return { ...judged, answer };
      }
      const failed = maskedWords(judged, secrets);
      if (!isSafe(request) && !isNotDone(failed)) doubt = failed;
      // Nothing was begun.
      if (failed.failure?.failure === "aborted" && !failed.failure.sent) attempts -= 1;
      tell(howItEnded(failed), conclude(operation.id, failed, doubt));
      return failed;
    }

    try {
      signal?.throwIfAborted();
      await awaitedCallback("observer.begins", () => observer.begins?.(observed));
      const signatures = signer.signatures(operation.credentials, signal);
      const first = await signatures.next();
      if (first.done === true) throw notSignedIn(operation, credentials);
      signed = first.value;
      for (;;) {
        const permit = await takePlace();
        let judged: Done<Value> | Failed | undefined;
        try {
          judged = await attempt(signed);
        } finally {
          const isOut = judged?.code === null || (judged?.failure?.sent ?? true);
          await awaitedCallback(t`settle of the rate limiter's permit`, () => permit?.settle(isOut));
        }
        if (judged.code === null) return resultOf(judged, attempts);

        if (judged.code === "token_refused") {
          const next = await signatures.next();
          if (next.done !== true) {
            if (signed.signature === "bearer" && next.value.signature !== "bearer") refused = "bearer";
            signed = next.value;
            continue;
          }
        }
        const bucket = operation.bucket ?? "general";
        const decision = decide({
          last: judged,
          repeatable: operation.repeatable,
          repeats,
          maxRepeats: maxRetries,
          waits,
          windowMs: rateLimits[bucket].windowMs,
          random: random(),
          now: clock.now(),
        });
        const ms = decision?.afterMs ?? 0;
        if (decision?.kind === "wait") {
          waits += 1;
          await awaitedCallback("rateLimiter.blocked", () => limiter?.blocked(bucket, ms));
        }
        const isTooLong = decision !== undefined && decision.kind !== "repeat" && waitedMs + ms > maxWaitMs;
        if (!decision || isTooLong) {
          throw (failure = callError(ended(), conclude(operation.id, judged, doubt), judged));
        }
        if (decision.kind !== "wait") repeats += 1;
        if (decision.kind !== "repeat") waitedMs += ms;
        announce(decision.kind === "wait" ? "rate_limited" : "no_answer", ms);
        await clock.sleep(ms, signal);
      }
    } catch (error) {
      throw failure ?? thrownError(ended(), error);
    } finally {
      const outcome = verdict?.outcome ?? "failed";
      await awaitedCallback("observer.ended", () => observer.ended?.(observed, outcome));
    }
  };
}

type Verdict = Omit<Outcome, "attempts" | "value">;

function howItEnded({ failure, answer }: Failed): Pick<ObservedAttempt, "sent" | "answer" | "failure"> {
  if (failure) return { sent: failure.sent, failure: failure.failure };
  return { sent: true, ...(answer && { answer }) };
}

function resultOf<Value>({ value, answer }: Done<Value>, attempts: number): Result<Value> {
  const { status: httpStatus, headers, setCookies, body: raw } = answer;
  return {
    outcome: "done",
    httpStatus,
    code: null,
    serviceCode: null,
    evidence: "api",
    attempts,
    value,
    raw,
    headers,
    ...(setCookies && { setCookies }),
  };
}

/** Masks the headers alone: the body is the caller's, as it came. */
function maskedHead(answer: HttpAnswer, secrets: Signed["secrets"]): HttpAnswer {
  const { headers, setCookies } = answer;
  return {
    ...answer,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, masked(value, secrets)]),
    ),
    ...(setCookies && { setCookies: setCookies.map((value) => masked(value, secrets)) }),
  };
}

function maskedWords(failed: Failed, secrets: Signed["secrets"]): Failed {
  const { serviceMessage, details, answer } = failed;
  return {
    ...failed,
    ...(answer && { answer: maskedHead(answer, secrets) }),
    serviceMessage: serviceMessage && masked(serviceMessage, secrets),
    details: details && masked(details, secrets),
  };
}
