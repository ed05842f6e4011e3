/** One call: its request is built, goes through the layers, and its outcome becomes a result or an error. */
import * as z from "zod/mini";

import type { CallableOperation, OperationInputs, OperationOutputs } from "../../api/models.js";
import { operations } from "../../api/operations.js";
import type { Asked } from "../../api/answers.js";
import { once } from "../../api/once.js";
import { allowManyListeners } from "../runtime.js";
import { isObject, parseJson } from "../../api/json.js";
import { buildAnyRequest, type AnyRequest } from "../any-request.js";
import { checkInput, fromInput, optionalSignal } from "../checks.js";
import { decoded, isSafe, type HttpAnswer } from "../http/transport.js";
import { buildRequest, type BuiltCall, type Destination } from "../request.js";
import { attempting, type AttemptOptions } from "./attempt.js";
import { callError, thrownError, type Advice } from "./call-error.js";
import type { Call } from "./call.js";
import { awaitedCallback } from "./callback.js";
import { readerOf, readerOfAny, type DescribedAnswer } from "./judge.js";
import { conclude, type CallOutcome } from "./outcome.js";
import { rateLimited, type RateLimitOptions } from "./rate-limit.js";
import { retrying, type RetryOptions } from "./retry.js";
import { signing, type SigningOptions } from "./sign.js";
import { guardStream } from "./streams.js";

export interface CallOptions {
  /**
   * Ends the call, whatever it is waiting for: a credential, a rate limit, a pause, the service. The error is
   * `outcome_unknown` for a write that was sent, `interrupted` for all else; its `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal;
}

/** Made for the first call that has such options. */
const schema = once(() =>
  z.strictObject({ signal: optionalSignal() } satisfies Record<keyof CallOptions, z.ZodMiniType>),
);

/** Most calls have none, and load no schema for them. */
const noOptions: CallOptions = {};

function checkCallOptions(options: CallOptions): void {
  if (options !== noOptions) checkInput(schema(), options, { owner: "A call", kind: "option" });
}

export type CallerOptions = Destination &
  AttemptOptions &
  RateLimitOptions &
  RetryOptions &
  SigningOptions &
  Advice & {
    readonly timeoutMs: number;
    readonly stopping: Stopping | undefined;
    readonly onRefusal: ((answer: HttpAnswer) => void) | undefined;
  };

/** A program that is told to stop learns what became of its writes: the answers to those that are out are awaited. */
export interface Stopping {
  /** Calls with this signal are meant. */
  readonly signal: AbortSignal;
  /** Then nothing is awaited any more. */
  readonly grace: AbortSignal;
}

/** The result of a call that is a success. */
export interface CallResult<Value> {
  readonly value: Value;
  readonly answer: HttpAnswer;
  readonly attempts: number;
}

export type Caller = ReturnType<typeof createCaller>;

/** The contract says how the answer of each operation is read. */
const answers: {
  readonly [Id in CallableOperation]: { readonly response: DescribedAnswer<OperationOutputs[Id]> };
} = operations;

export function createCaller(options: CallerOptions) {
  const { timeoutMs, observer, stopping, onRefusal } = options;
  // The layers of a call, from the outside in. Each is a function around the next one, and knows nothing of it.
  const send = signing(options, retrying(options, rateLimited(options, attempting(options))));
  let calls = 0;

  async function outcomeOf<Value>(call: Call<Value>): Promise<CallOutcome<Value>> {
    const { progress, observed, request, operation } = call;
    try {
      request.signal?.throwIfAborted();
      await awaitedCallback("observer.begins", () => observer.begins?.(observed));
      return conclude(operation, await send(call), progress.doubt);
    } catch (error) {
      throw thrownError(call, error);
    } finally {
      const outcome = progress.verdict?.outcome ?? "failed";
      await awaitedCallback("observer.ended", () => observer.ended?.(observed, outcome));
    }
  }

  async function perform<Value>(
    { operation, request, path, order }: BuiltCall,
    { signal }: CallOptions,
    read: Call<Value>["read"],
  ): Promise<CallResult<Value>> {
    // One signal may end thousands of calls, each of which waits for it in several places.
    if (signal) allowManyListeners(signal);
    const isPatient = signal !== undefined && signal === stopping?.signal && !isSafe(request);
    const signals = { ...(signal && { signal }), ...(isPatient && { grace: stopping.grace }) };
    const { method, url, body } = request;
    const progress = { attempts: 0, waitedMs: 0 };
    calls += 1;
    const names = { number: calls, operation: operation.id, path, order };
    const call: Call<Value> = {
      operation,
      observed: { ...names, method, url, ...(body !== undefined && { body }) },
      request: guardStream({ timeoutMs, ...signals, ...request }, progress),
      progress,
      read,
    };
    const outcome = await outcomeOf(call);
    if (outcome.kind === "success") {
      const { value, answer } = outcome;
      return { value, answer, attempts: call.progress.attempts };
    }
    const last = outcome.kind === "unknown" ? outcome.last : outcome;
    if (last.kind === "refusal") onRefusal?.(last.answer);
    throw callError(call, outcome, options);
  }

  return {
    /** Makes any call of the contract, by its operation's id. */
    operation: async <Id extends CallableOperation>(
      id: Id,
      input: OperationInputs[Id],
      callOptions: CallOptions = noOptions,
    ): Promise<CallResult<OperationOutputs[Id]>> => {
      checkCallOptions(callOptions);
      const built = fromInput(() => buildRequest(options, id, input));
      return perform(built, callOptions, readerOf(answers[id].response, askedOf(built)));
    },
    /** Makes any call below the base URL. */
    any: async (input: AnyRequest, callOptions: CallOptions = noOptions): Promise<CallResult<null>> => {
      checkCallOptions(callOptions);
      const built = fromInput(() => buildAnyRequest(options, input));
      const { request, response } = built;
      if (!response?.read) return perform(built, callOptions, readerOfAny(request));
      const read = readerOf({ read: response.read }, askedOf(built));
      return perform(built, callOptions, (answer, json) =>
        read(answer, json) ? { value: null } : undefined,
      );
    },
  };
}

/** What a call about an order asked for, by its path and its body. */
function askedOf({ order, request: { body } }: BuiltCall): Asked {
  const text = body instanceof Uint8Array ? decoded(body) : body;
  const fields = typeof text === "string" ? parseJson(text) : undefined;
  return { orderId: order, driverId: isObject(fields) ? fields["driver_id"] : undefined };
}
