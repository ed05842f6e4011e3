/** Guards the functions of a program: their errors name them, and no transport blocks a call. */
import { isObject } from "../base/basics.js";
import { unlessAborted } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { CallbackError, type ClientOptions, type RateLimiter } from "../client/options.js";
import { exchangeInTime, type HttpRequest, type HttpResponse, type Transport } from "../client/transport.js";

/** Returns the same options, with functions that throw a {@link CallbackError} by their name. */
export function withGuardedCallbacks(options: ClientOptions): ClientOptions {
  const { fetch, transport, rateLimiter } = options;
  const guarded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) guarded[name] = guard(value, name, options);
  return {
    ...options,
    ...guarded,
    ...(fetch && { fetch }),
    ...(transport && { transport: guardedTransport(transport) }),
    ...(rateLimiter && { rateLimiter: guardedLimiter(guarded["rateLimiter"] as RateLimiter) }),
  };
}

/** Guards a function, or all functions of an object, and what they return: a permit has a function, too. */
function guard(value: unknown, name: string, owner: unknown): unknown {
  if (isObject(value))
    return new Proxy(
      {},
      { get: (_, key) => guard(Reflect.get(value, key), `${name}.${String(key)}`, value) },
    );
  if (typeof value !== "function") return value;
  const fail = (error: unknown) => {
    throw error instanceof ComandaError ? error : new CallbackError(name, error);
  };
  return (...values: readonly unknown[]) => {
    try {
      const result: unknown = Reflect.apply(value, owner, values);
      return result instanceof Promise
        ? result.then((settled) => guard(settled, name, undefined), fail)
        : guard(result, name, undefined);
    } catch (error) {
      return fail(error);
    }
  };
}

/** Makes the error for a function that is called outside of a client's calls. Its own `ComandaError` stays as it is. */
export function callbackFailed(name: string, cause: unknown): ComandaError {
  if (cause instanceof ComandaError) return cause;
  const hint = "See the error's cause.";
  return new ComandaError("callback_failed", `${name} failed.`, { hint, cause });
}

/** Returns a function that calls `onWarning`, and one that awaits these calls and throws the first error. */
export function warningsFor(onWarning: (message: string) => unknown) {
  const pending: Promise<unknown>[] = [];
  return {
    warn: (message: string) => {
      const warning = Promise.resolve(message).then(onWarning);
      // Node would end the process for a rejection before it is awaited below.
      warning.catch(() => undefined);
      pending.push(warning);
    },
    settled: async () => {
      try {
        await Promise.all(pending.splice(0));
      } catch (error) {
        throw callbackFailed("onWarning", error);
      }
    },
  };
}

/** Returns the program's limiter, which may ignore its signal. */
function guardedLimiter(limiter: RateLimiter): RateLimiter {
  return {
    async acquire(bucket, options) {
      const acquired = Promise.resolve(limiter.acquire(bucket, options));
      try {
        return await unlessAborted(options.signal, acquired);
      } catch (error) {
        // A slot that arrives later is free again.
        acquired.then((permit) => permit.settle(false)).catch(() => undefined);
        throw error;
      }
    },
    blocked: (bucket, ms) => limiter.blocked(bucket, ms),
  };
}

/** How long a transport that heeds its signal has to report whether the request was sent. */
const patienceMs = 100;

/** Returns the program's transport, which may ignore its signal and its timeout, and resolve with anything. */
export function guardedTransport(transport: Transport): Transport {
  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    const response: unknown = await transport.send(request);
    if (isObject(response) && typeof response["body"] === "string" && isObject(response["headers"]))
      return response as unknown as HttpResponse;
    throw new TypeError("not an HttpResponse");
  };
  return {
    send: (request) => exchangeInTime(request, () => exchange(request), patienceMs),
    close: () => transport.close(),
  };
}
