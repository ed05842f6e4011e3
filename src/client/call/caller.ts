/** One call: what is sent for it, the layers that it goes through, and what comes of it. */
import * as z from "zod/mini";

import { operations } from "../../contract/operations.js";
import type { CallableOperation, OperationInputs, OperationOutputs } from "../../contract/models.js";
import type { Clock } from "../../shared/clock.js";
import { t } from "../../shared/language.js";
import { ComandaError, type ServiceAnswer } from "../../shared/errors.js";
import { once } from "../../shared/once.js";
import { buildAnyRequest, type AnyRequest } from "../any-request.js";
import { aFunction, checkInput, fromInput, optionalSignal } from "../checks.js";
import { guardedStreams } from "../http/guarded-streams.js";
import type { HttpAnswer } from "../http/transport.js";
import { buildRequest, type BuiltCall, type TimedDestination } from "../request.js";
import { attempting, type AttemptOptions } from "./attempt.js";
import { callError, interrupted, outcomeUnknown, type OptionNames } from "./call-error.js";
import { callSignals } from "./call-signals.js";
import { callback } from "./callback.js";
import { signed, type Credentials } from "./credentials.js";
import { fallingBack, type FallbackNotice } from "./fallback.js";
import { observed } from "./observer.js";
import type { Call, CallOutcome, ObservedCall, Progress, Send } from "./outcome.js";
import { rateLimited, type RateLimiter } from "./rate-limit.js";
import { readerOf, readerOfAny, type Answered } from "./response.js";
import { changesStatus, type DoneBefore } from "./done-before.js";
import { conclude } from "./retry.js";
import { retrying } from "./retrying.js";
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

/** Of a change of an order's status. */
export interface StatusChangeOptions extends CallOptions {
  /**
   * A refusal with code 4002 (section 7) is a success where this very change was done before and no other since, as far as
   * that is known: by what this client did, or by the client's option `doneBefore`. The service shows no order's status,
   * so nobody sees a change that was made elsewhere. Default: it is an error.
   */
  readonly ok_if_already?: boolean;
}

export interface CallerOptions extends TimedDestination, AttemptOptions {
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly limiter: RateLimiter | undefined;
  readonly random: () => number;
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  readonly maxRepeats: number;
  readonly onWait: ((notice: WaitNotice) => void) | undefined;
  readonly onFallback: ((notice: FallbackNotice) => void) | undefined;
  readonly optionNames: OptionNames;
  readonly doneBefore: DoneBefore;
}

export interface CallResult<Value> {
  readonly value: Value;
  /** The body exactly as the service sent it. */
  readonly raw: string;
  readonly httpStatus: number;
  readonly headers: HttpAnswer["headers"];
  readonly attempts: number;
  readonly already?: ServiceAnswer;
}

/** What a call of any path came to, where that was a 2xx. */
export interface AnyResult extends Pick<HttpAnswer, "headers" | "setCookies" | "body"> {
  readonly httpStatus: number;
  readonly attempts: number;
}

export interface AnyCallOptions extends CallOptions {
  /**
   * Told of the answer that the call throws for, where that is no 2xx: the error doesn't hold its body. An answer that
   * is followed by another attempt is not told. Of a body above the transport's limit the beginning is there, and
   * `truncated` says so.
   */
  readonly onRefusal?: (answer: HttpAnswer) => void;
}

/** The schemas of a call's options. */
const schemas = once(() => {
  const signals = { signal: optionalSignal(), grace: optionalSignal() };
  return {
    call: z.strictObject(signals satisfies Record<keyof CallOptions, z.ZodMiniType>),
    statusChange: z.strictObject({
      ...signals,
      ok_if_already: z.optional(z.boolean()),
    } satisfies Record<keyof StatusChangeOptions, z.ZodMiniType>),
    anyCall: z.strictObject({
      ...signals,
      onRefusal: z.optional(aFunction()),
    } satisfies Record<keyof AnyCallOptions, z.ZodMiniType>),
  };
});

/** What most calls are given. */
const noOptions: CallOptions = {};
const callWords = { owner: "A call", kind: "option" } as const;

export interface Caller {
  /** Any operation of the contract, by its id. */
  operation<Id extends CallableOperation>(
    id: Id,
    input: OperationInputs[Id],
    options?: StatusChangeOptions,
  ): Promise<CallResult<OperationOutputs[Id]>>;
  /** Any call below the base URL. */
  any(input: AnyRequest, options?: AnyCallOptions): Promise<AnyResult>;
}

/** How the answer of each operation is read. */
const answers: { readonly [Id in CallableOperation]: { readonly response: Answered<OperationOutputs[Id]> } } =
  operations;

/** The layers of a call, from the outside in. Each is a function around the next one, and knows nothing of it. */
function layersOf(options: CallerOptions): Send {
  const unsigned = retrying(options, rateLimited(options, attempting(options)));
  return fallingBack(options, signed(options.credentials, unsigned), unsigned);
}

export function createCaller(options: CallerOptions): Caller {
  const { timeoutMs, observer } = options;
  const send = layersOf(options);
  let calls = 0;
  const toObserve = ({ operation, request, path, order, cancels }: BuiltCall): ObservedCall => {
    const { method, url, body } = request;
    const what = { operation: operation.id, path, order, cancels, method, url };
    return { number: (calls += 1), ...what, ...(body !== undefined && { body }) };
  };

  const perform = async <Value>(call: Call<Value>): Promise<CallOutcome<Value>> => {
    const { progress, observed: about } = call;
    try {
      call.request.signal?.throwIfAborted();
      if (observer) await observed("begins", () => observer.begins?.(about));
      return conclude(call.operation, await send(call), progress.doubt);
    } catch (error) {
      throw escaped(error, call);
    } finally {
      const outcome = progress.verdict?.outcome ?? "failed";
      if (observer) await observed("ended", () => observer.ended?.(about, outcome));
    }
  };
  return {
    operation: async (id, input, callOptions = noOptions) => {
      const isStatusChange = changesStatus(id);
      if (callOptions !== noOptions)
        checkInput(schemas()[isStatusChange ? "statusChange" : "call"], callOptions, callWords);
      const built = fromInput(() => buildRequest(options, id, input));
      const { signals, release } = callSignals(callOptions);
      const call = {
        operation: built.operation,
        observed: toObserve(built),
        request: { timeoutMs, ...signals, ...built.request },
        progress: { attempts: 0, waitedMs: 0 },
        read: readerOf(answers[id].response),
        ...(callOptions.ok_if_already === true && {
          doneBefore: async () => {
            if (!(await options.doneBefore.isDone(built))) return undefined;
            const value = answers[id].response.read(undefined, "");
            return value === undefined ? undefined : { value };
          },
        }),
      };
      const outcome = await perform(call).finally(release);
      if (outcome.kind !== "success") throw callError(call, outcome, options);
      const { answer, value, already } = outcome;
      if (isStatusChange) options.doneBefore.note(built);
      const { body: raw, status: httpStatus, headers } = answer;
      return {
        value,
        raw,
        httpStatus,
        headers,
        attempts: call.progress.attempts,
        ...(already && { already }),
      };
    },
    any: async (input, callOptions = {}) => {
      checkInput(schemas().anyCall, callOptions, callWords);
      const built = fromInput(() => buildAnyRequest(options, input));
      const progress: Progress = { attempts: 0, waitedMs: 0 };
      const { signals, release } = callSignals(callOptions);
      const call: Call<null> = {
        operation: built.operation,
        observed: toObserve(built),
        request: { timeoutMs, ...signals, ...built.request, ...guardedStreams(input, progress) },
        progress,
        read: readerOfAny(built.request),
      };
      const outcome = await perform(call).finally(release);
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

/** Thrown rather than returned: for want of a credential or a place, by an abort while waiting, or by a fault. */
function escaped(error: unknown, call: Call<unknown>): ComandaError {
  const {
    request: { signal },
    operation,
    progress,
  } = call;
  const { attempts, doubt } = progress;
  const evidence = progress.verdict?.evidence ?? null;
  if (signal?.aborted)
    return doubt
      ? outcomeUnknown(call, doubt)
      : interrupted(signal, { attempts, evidence, call: call.observed });
  const known =
    error instanceof ComandaError
      ? error
      : new ComandaError("internal", t`The call failed inside comanda.`, {
          hint: t`Report it, with what the error's cause says.`,
          cause: error,
        });
  const isFault = ["callback_failed", "internal"].includes(known.code);
  if (doubt && !isFault) return outcomeUnknown(call, doubt, known.hint);
  const unsure = isFault && attempts > 0 && !operation.repeatable;
  const hint = [
    known.hint,
    unsure && t`A request had gone out: look whether it was done before you repeat it.`,
  ]
    .filter(Boolean)
    .join("\n");
  return new ComandaError(known.code, known.message, {
    ...(hint === "" ? {} : { hint }),
    ...(known.answer === undefined ? {} : { answer: known.answer }),
    ...(known.cause === undefined ? {} : { cause: known.cause }),
    attempts,
    evidence,
    call: call.observed,
  });
}
