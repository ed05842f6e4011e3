/** Guards the functions of a program: their errors name them, and none blocks a call. */
import { isObject } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { CallbackError, type Guard } from "../client/options.js";
import {
  exchangeInTime,
  inTime,
  type HttpRequest,
  type HttpResponse,
  type Limits,
  type Transport,
} from "../client/transport.js";

/** How long a function that heeds its signal has to end, and a transport to report whether the request was sent. */
const patienceMs = 100;

/** Calls a function of a program at most until the call's signal or timeout. */
export const guard: Guard = async (name, limits, run) => {
  try {
    const late = () => new CallbackError(name, undefined, true);
    return await inTime(limits, async () => run(), late, limits.signal && patienceMs);
  } catch (error) {
    if (error instanceof ComandaError || error instanceof CallbackError) throw error;
    throw new CallbackError(name, error);
  }
};

/** Makes the error for a function that is called outside of a client's calls. Its own `ComandaError` stays as it is. */
export function callbackFailed(name: string, cause: unknown): ComandaError {
  if (cause instanceof ComandaError) return cause;
  if (cause instanceof CallbackError && cause.isLate)
    return new ComandaError("callback_failed", `${name} took too long.`);
  const hint = "See the error's cause.";
  const thrown = cause instanceof CallbackError ? cause.cause : cause;
  return new ComandaError("callback_failed", `${name} failed.`, { hint, cause: thrown });
}

/** Returns a function that calls `onWarning`, and one that awaits these calls within limits and throws the first error. */
export function warningsFor(onWarning: (message: string) => unknown) {
  const pending: Promise<unknown>[] = [];
  return {
    warn: (message: string) => {
      const warning = Promise.resolve(message).then(onWarning);
      // Node would end the process for a rejection before it is awaited below.
      warning.catch(() => undefined);
      pending.push(warning);
    },
    settled: async (limits: Limits = {}) => {
      try {
        await guard("onWarning", limits, () => Promise.all(pending.splice(0)));
      } catch (error) {
        throw callbackFailed("onWarning", error);
      }
    },
  };
}

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
