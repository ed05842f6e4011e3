/** Guards the functions of a program: their errors name them, and none blocks a call. Also guards those that a program calls. */
import { isObject } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { CallbackError, callLimited } from "../client/options.js";
import { inTime, isHttpStatus, patienceMs } from "../client/transport.js";
import type { HttpRequest, HttpResponse, Limits, Transport } from "../client/transport.js";

/** Makes the error for a function that is called outside of a client's calls. Its own `ComandaError` stays as it is. */
export function callbackFailed(name: string, thrown: unknown): ComandaError {
  if (thrown instanceof ComandaError) return thrown;
  const { cause, isLate } = thrown instanceof CallbackError ? thrown : { cause: thrown, isLate: false };
  if (isLate) return new ComandaError("callback_failed", `${name} took too long.`);
  return new ComandaError("callback_failed", `${name} failed.`, { hint: "See the error's cause.", cause });
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
        await callLimited("onWarning", limits, () => Promise.all(pending.splice(0)));
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
    const isResponse =
      isObject(response) &&
      isHttpStatus(response["status"]) &&
      typeof response["body"] === "string" &&
      isObject(response["headers"]);
    if (isResponse) return response as unknown as HttpResponse;
    throw new TypeError("not an HttpResponse");
  };
  return {
    send: (request) => inTime(request, exchange(request), undefined, patienceMs),
    close: () => transport.close(),
  };
}

/** Returns functions that throw what `errorOf` returns for an error. Their stacks begin at the program's own call. */
export function withErrors<Members extends object>(
  members: Members,
  errorOf: (error: unknown) => unknown,
): Members {
  const wrapped = Object.entries({ ...members }).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "function") return [name, member];
    const guarded = (...given: readonly unknown[]): unknown => {
      try {
        const result: unknown = Reflect.apply(member, undefined, given);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw errorOf(error);
        });
      } catch (thrown) {
        const error = errorOf(thrown);
        if (error instanceof ComandaError) Error.captureStackTrace(error, guarded);
        throw error;
      }
    };
    return [name, guarded];
  });
  return Object.fromEntries(wrapped) as Members;
}
