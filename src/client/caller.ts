/** Puts the layers together: credentials around retry around rate limit around one request. */
import type { Clock } from "../clock/index.js";
import { operations } from "../contract/operations.js";
import { ComandaError } from "../errors/index.js";
import { judge } from "./answer.js";
import { buildAnyRequest, type AnyRequest } from "./any-request.js";
import { callError, interrupted } from "./call-error.js";
import { signed, type Credentials } from "./credentials.js";
import type { CallableOperation, OperationInputs } from "./input.js";
import type { Attempted, Call, Outcome, Progress, SendOnce } from "./outcome.js";
import { rateLimited, type RateLimiter } from "./rate-limit.js";
import { buildRequest, type Target } from "./request.js";
import { responses, type Responses } from "./response.js";
import { retrying } from "./retrying.js";
import {
  TransportError,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
  type TransportFailure,
} from "./transport.js";
import type { WaitNotice } from "./wait-notice.js";

export interface CallOptions {
  /** Ends the call. Whether a write was done by then, the error tells. */
  readonly signal?: AbortSignal;
}

/** One request that is over. The URL never holds a secret. */
export interface AttemptNotice {
  /** The id of the operation in the contract. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Counts from 1. */
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
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  readonly maxRepeats: number;
  readonly onWait: ((notice: WaitNotice) => void) | undefined;
  readonly onAttempt: ((notice: AttemptNotice) => void) | undefined;
}

export interface CallResult<Value> {
  readonly value: Value;
  /** The body exactly as the service sent it. */
  readonly raw: string;
  readonly httpStatus: number;
  readonly attempts: number;
}

/** What a call of any path came to, where that was a 2xx. */
export interface AnyResult extends Pick<HttpAnswer, "headers" | "body"> {
  readonly httpStatus: number;
  readonly attempts: number;
}

export interface AnyCallOptions extends CallOptions {
  /** Told of an answer that is no 2xx before the call throws for it: the error doesn't hold its body. */
  readonly onRefusal?: (answer: HttpAnswer) => void;
}

export interface Caller {
  operation<Id extends CallableOperation>(
    id: Id,
    input: OperationInputs[Id],
    options?: CallOptions,
  ): Promise<CallResult<Responses[Id]>>;
  any(input: AnyRequest, options?: AnyCallOptions): Promise<AnyResult>;
}

export function createCaller(options: CallerOptions): Caller {
  const { clock, limiter, maxWaitMs, onWait, timeoutMs } = options;
  const once = sendOnce(options);
  const limited = limiter ? rateLimited({ limiter, clock, maxWaitMs, onWait }, once) : once;
  const onRateLimited =
    limiter && ((...blocked: Parameters<RateLimiter["blocked"]>) => limiter.blocked(...blocked));
  const send = signed(options.credentials, retrying({ ...options, onRateLimited }, limited));

  const perform = async <Value>(call: Call<Value>): Promise<Outcome<Value>> => {
    try {
      return await send(call);
    } catch (error) {
      throw escaped(error, call);
    }
  };
  // The spread comes last here and in all that every call passes: what V8 of Node 20 makes of a property after a
  // spread costs as much as ten other objects.
  const ready = (request: HttpRequest, { signal }: CallOptions): HttpRequest =>
    signal ? { timeoutMs, signal, ...request } : { timeoutMs, ...request };

  return {
    operation: async (id, input, callOptions = {}) => {
      const call = {
        operation: operations[id],
        request: ready(buildRequest(options, id, input), callOptions),
        progress: { attempts: 0, waitedMs: 0 },
        read: responses[id],
      } satisfies Call<Responses[typeof id]>;
      const outcome = await perform<Responses[typeof id]>(call);
      if (outcome.kind !== "success") throw callError(call, outcome);
      const { answer, value } = outcome;
      return { value, raw: answer.body, httpStatus: answer.status, attempts: call.progress.attempts };
    },
    any: async (input, callOptions = {}) => {
      const { operation, request } = buildAnyRequest(options, input);
      const progress: Progress = { attempts: 0, waitedMs: 0 };
      const call: Call<null> = {
        operation,
        request: { ...ready(request, callOptions), ...streaming(input, progress) },
        progress,
        showsHeaders: true,
        read: () => ({ value: null }),
      };
      const outcome = await perform(call);
      if (outcome.kind !== "success") {
        const last = outcome.kind === "unknown" ? outcome.last : outcome;
        if (last.kind === "refusal") callOptions.onRefusal?.(last.answer);
        throw callError(call, outcome);
      }
      const { status, headers, body } = outcome.answer;
      return { httpStatus: status, headers, body, attempts: progress.attempts };
    },
  };
}

/** Only a 2xx is handed on as it comes: another answer may be followed by a better one. */
function streaming({ onAnswer }: AnyRequest, progress: Progress): Pick<HttpRequest, "onAnswer"> {
  if (!onAnswer) return {};
  return {
    onAnswer: (head) => {
      const sink = head.status >= 200 && head.status < 300 ? onAnswer(head) : undefined;
      if (sink) progress.delivered = true;
      return sink;
    },
  };
}

/** The innermost layer: one request, judged and counted. */
function sendOnce({ transport, clock, onAttempt }: CallerOptions): SendOnce {
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
    try {
      const answer = await transport.send(request);
      notice({ httpStatus: answer.status });
      return Object.assign(judge(answer, read), { answer });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      notice({ failure: error.failure });
      return { kind: "no_answer", error };
    }
  };
}

/** Thrown rather than returned: for want of a credential or a place, by an abort while waiting, or by a fault. */
function escaped(
  error: unknown,
  { request: { signal }, progress: { attempts } }: Call<unknown>,
): ComandaError {
  if (signal?.aborted) return interrupted(signal, attempts);
  if (!(error instanceof ComandaError))
    // Without its cause: what a credential store throws may hold a token.
    return new ComandaError("internal", "The call failed inside comanda.", {
      hint: "Run it again with --debug, and report what it says.",
      attempts,
    });
  return new ComandaError(error.code, error.message, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.answer === undefined ? {} : { answer: error.answer }),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    attempts,
  });
}
