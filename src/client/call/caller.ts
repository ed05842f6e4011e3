/** Puts the layers together: fallback around credentials around retry around rate limit around one request. */
import type { Clock } from "../../shared/clock.js";
import { operations } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { judge } from "./answer.js";
import { buildAnyRequest, type AnyRequest } from "../any-request.js";
import { callError, interrupted, outcomeUnknown } from "./call-error.js";
import { callSignals, type GivenSignals } from "./call-signals.js";
import { checkCallOptions, fromInput } from "../check-input.js";
import { callback, callbackFailed } from "./callback.js";
import { signed, type Credentials } from "./credentials.js";
import { fallingBack, type FallbackNotice } from "./fallback.js";
import type { CallableOperation, OperationInputs } from "../input.js";
import { namesOf } from "../known-names.js";
import type { OptionNames } from "../option-names.js";
import type { Attempted, Call, Outcome, Progress, Send } from "./outcome.js";
import { guardedStreams } from "../http/guarded-streams.js";
import { rateLimited, type RateLimiter } from "./rate-limit.js";
import { buildRequest, type Target } from "../request.js";
import { responses, type Responses } from "./response.js";
import { conclude } from "./retry.js";
import { retrying } from "./retrying.js";
import { transportError } from "../http/transport-failure.js";
import {
  TransportError,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
  type TransportFailure,
} from "../http/transport.js";
import type { WaitNotice } from "./wait-notice.js";

export interface CallOptions {
  /**
   * Ends the call, whatever it is waiting for: a credential, a rate limit, a pause, the service. The error is
   * `outcome_unknown` for a write that was sent, `interrupted` for all else; its `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal;
  /**
   * With it, `signal` still ends every wait and what has not gone out yet, but the answer to a request that has is
   * awaited until this one is aborted too: so that a program which is told to stop learns what became of a write.
   */
  readonly grace?: AbortSignal;
}

/** One request that is over. The URL never holds a secret. */
export interface AttemptNotice {
  /** The id of the operation in the contract. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Which request of its call this was, from 1. */
  readonly attempt: number;
  /** Milliseconds. */
  readonly ms: number;
  /** Absent where no answer came. */
  readonly httpStatus?: number;
  /** Absent where an answer came. */
  readonly failure?: TransportFailure;
}

export interface CallerOptions extends Target {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly limiter: RateLimiter | undefined;
  readonly random: () => number;
  /** The transport is the client's own, made and closed by it. */
  readonly ownsTransport: boolean;
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  readonly maxRepeats: number;
  readonly onWait: ((notice: WaitNotice) => void) | undefined;
  readonly onAttempt: ((notice: AttemptNotice) => void) | undefined;
  readonly onFallback: ((notice: FallbackNotice) => void) | undefined;
  readonly optionNames: OptionNames;
}

export interface CallResult<Value> {
  readonly value: Value;
  /** The body exactly as the service sent it. */
  readonly raw: string;
  readonly httpStatus: number;
  readonly attempts: number;
}

/** What a call of any path came to, where that was a 2xx. */
export interface AnyResult extends Pick<HttpAnswer, "headers" | "setCookies" | "body"> {
  readonly httpStatus: number;
  readonly attempts: number;
}

const callOptionNames = namesOf<CallOptions>({ signal: true, grace: true });

export interface AnyCallOptions extends CallOptions {
  /**
   * Told of the answer that the call throws for, where that is no 2xx: the error doesn't hold its body. An answer that
   * is followed by another attempt is not told. Of a body above the transport's limit the beginning is there, and
   * `truncated` says so.
   */
  readonly onRefusal?: (answer: HttpAnswer) => void;
}

const anyCallOptionNames = namesOf<AnyCallOptions>({ signal: true, grace: true, onRefusal: true });

export interface Caller {
  operation<Id extends CallableOperation>(
    id: Id,
    input: OperationInputs[Id],
    options?: CallOptions,
  ): Promise<CallResult<Responses[Id]>>;
  any(input: AnyRequest, options?: AnyCallOptions): Promise<AnyResult>;
}

export function createCaller(options: CallerOptions): Caller {
  const { clock, limiter, maxWaitMs, onWait, optionNames, timeoutMs } = options;
  const once = sendOnce(options);
  const limited = limiter ? rateLimited({ limiter, clock, maxWaitMs, onWait, optionNames }, once) : once;
  const onRateLimited =
    limiter &&
    (async (...blocked: Parameters<RateLimiter["blocked"]>) => {
      try {
        await limiter.blocked(...blocked);
      } catch (error) {
        throw callbackFailed("rateLimiter.blocked", error);
      }
    });
  const repeated = retrying({ ...options, onRateLimited }, limited);
  const send = fallingBack(options, signed(options.credentials, repeated), repeated);

  const perform = async <Value>(call: Call<Value>): Promise<Outcome<Value>> => {
    try {
      call.request.signal?.throwIfAborted();
      return conclude(await send(call), call.progress.doubt);
    } catch (error) {
      throw escaped(error, call);
    }
  };
  // The spread comes last here and in all that every call passes: what V8 of Node 20 makes of a property after a
  // spread costs as much as ten other objects.
  const ready = (request: HttpRequest, { signal, grace }: GivenSignals): HttpRequest => {
    if (!signal) return { timeoutMs, ...request };
    return grace ? { timeoutMs, signal, grace, ...request } : { timeoutMs, signal, ...request };
  };

  return {
    operation: async (id, input, callOptions = {}) => {
      checkCallOptions(callOptions, callOptionNames);
      const request = fromInput(() => buildRequest(options, id, input));
      const signals = callSignals(callOptions);
      const call = {
        operation: operations[id],
        request: ready(request, signals),
        progress: { attempts: 0, waitedMs: 0 },
        read: responses[id],
      } satisfies Call<Responses[typeof id]>;
      const outcome = await perform<Responses[typeof id]>(call).finally(signals.release);
      if (outcome.kind !== "success") throw callError(call, outcome, options);
      const { answer, value } = outcome;
      return { value, raw: answer.body, httpStatus: answer.status, attempts: call.progress.attempts };
    },
    any: async (input, callOptions = {}) => {
      checkCallOptions(callOptions, anyCallOptionNames);
      const { operation, request } = fromInput(() => buildAnyRequest(options, input));
      const progress: Progress = { attempts: 0, waitedMs: 0 };
      const signals = callSignals(callOptions);
      const call: Call<null> = {
        operation,
        request: { ...ready(request, signals), ...guardedStreams(input, progress) },
        progress,
        showsHeaders: true,
        read: () => ({ value: null }),
      };
      const outcome = await perform(call).finally(signals.release);
      if (outcome.kind !== "success") {
        const last = outcome.kind === "unknown" ? outcome.last : outcome;
        if (last.kind === "refusal") callback("onRefusal", () => callOptions.onRefusal?.(last.answer));
        throw callError(call, outcome, options);
      }
      const { status, headers, setCookies, body } = outcome.answer;
      const cookies = setCookies && { setCookies };
      return { httpStatus: status, headers, ...cookies, body, attempts: progress.attempts };
    },
  };
}

/** The innermost layer: one request, judged and counted. */
function sendOnce({ transport, ownsTransport, clock, onAttempt }: CallerOptions): Send {
  return async <Value>(call: Call<Value>): Promise<Attempted<Value>> => {
    const { operation, request, progress, read } = call;
    progress.attempts += 1;
    const since = onAttempt ? clock.now() : 0;
    const notice = (result: Pick<AttemptNotice, "httpStatus" | "failure">) =>
      onAttempt?.({
        operation: operation.id,
        method: request.method,
        url: request.url,
        attempt: progress.attempts,
        ms: clock.now() - since,
        ...result,
      });
    let attempted: Attempted<Value>;
    try {
      const answer = await transport.send(request);
      attempted = Object.assign(judge(answer, read), { answer });
    } catch (error) {
      if (error instanceof TransportError) attempted = { kind: "no_answer", error };
      else if (progress.fault) attempted = { kind: "no_answer", error: transportError("aborted", true) };
      else throw ownsTransport ? error : callbackFailed("transport.send", error);
    }
    // It is what ended the exchange, whatever the transport made of it. An abort ends the program's streams too.
    if (progress.fault && !request.signal?.aborted) throw progress.fault;
    if (attempted.kind !== "no_answer") {
      const httpStatus = attempted.answer.status;
      if (onAttempt) callback("onAttempt", () => notice({ httpStatus }), { answer: { httpStatus } });
    } else {
      const { failure, sent } = attempted.error;
      // Nothing was begun.
      if (failure === "aborted" && !sent) progress.attempts -= 1;
      else if (onAttempt) callback("onAttempt", () => notice({ failure }));
    }
    return attempted;
  };
}

/** Thrown rather than returned: for want of a credential or a place, by an abort while waiting, or by a fault. */
function escaped(error: unknown, call: Call<unknown>): ComandaError {
  const {
    request: { signal },
    operation,
    progress,
  } = call;
  const { attempts, doubt } = progress;
  if (signal?.aborted) return doubt ? outcomeUnknown(call, doubt) : interrupted(signal, attempts);
  const known =
    error instanceof ComandaError
      ? error
      : new ComandaError("internal", "The call failed inside comanda.", {
          hint: "Report it, with what the error's cause says.",
          cause: error,
        });
  const isFault = ["callback_failed", "internal"].includes(known.code);
  if (doubt && !isFault) return outcomeUnknown(call, doubt, known.hint);
  const unsure = isFault && attempts > 0 && !operation.repeatable;
  const hint = [
    known.hint,
    unsure && "A request had gone out: look whether it was done before you repeat it.",
  ]
    .filter(Boolean)
    .join("\n");
  return new ComandaError(known.code, known.message, {
    ...(hint === "" ? {} : { hint }),
    ...(known.answer === undefined ? {} : { answer: known.answer }),
    ...(known.cause === undefined ? {} : { cause: known.cause }),
    attempts,
  });
}
