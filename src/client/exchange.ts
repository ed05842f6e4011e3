/** One request over one undici dispatcher, from dispatching it to its whole answer. */
import type { Dispatcher } from "undici";

import { classify, transportError } from "./transport-failure.js";
import type { HttpAnswer, HttpRequest, TransportFailure } from "./transport.js";

export interface ExchangeLimits {
  readonly maxBodyBytes: number;
  /** Milliseconds for the whole exchange, waiting for a connection included. */
  readonly timeoutMs: number;
}

/**
 * Sends the request once and collects its answer.
 *
 * Whether it was sent is exact: undici calls `onRequestStart` in the same turn in which it writes the head to a
 * socket that is connected and, for https, authenticated (lib/dispatcher/client-h1.js, `writeH1`). An exchange
 * that is given up before that is stopped there, so it never goes out behind the caller's back.
 *
 * @throws {TransportError} where no complete answer came
 */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { maxBodyBytes, timeoutMs }: ExchangeLimits,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    const url = new URL(request.url);
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: Record<string, string> = {};
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;

    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      finish();
    };
    const giveUp = (failure: TransportFailure, detail?: string) => {
      const error = transportError(failure, controller !== undefined, detail);
      settle(() => reject(error));
      controller?.abort(error);
    };
    const onAbort = () => giveUp("aborted");
    const timer = setTimeout(() => giveUp("timeout"), timeoutMs);

    if (signal?.aborted) {
      giveUp("aborted");
      return;
    }
    signal?.addEventListener("abort", onAbort, { once: true });

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...request.headers },
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          if (settled) started.abort(transportError("aborted", false));
          else controller = started;
        },
        onResponseStart(_, statusCode, received) {
          // Informational answers (1xx) come before the real one.
          status = statusCode;
          headers = flatten(received);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > maxBodyBytes) giveUp("bad_answer", `more than ${maxBodyBytes} bytes`);
          else chunks.push(chunk);
        },
        onResponseEnd() {
          settle(() => resolve({ status, headers, body: Buffer.concat(chunks).toString("utf8") }));
        },
        onResponseError(_, error) {
          settle(() => reject(classify(error, controller !== undefined)));
        },
      },
    );
  });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
