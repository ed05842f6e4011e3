/** One request over one undici dispatcher, from dispatching it to its whole answer. */
import { Readable } from "node:stream";

import type { Dispatcher } from "undici";

import { AnswerReader } from "./read-answer.js";
import { classify, transportError } from "./transport-failure.js";
import {
  headOf,
  isSuccess,
  timerMs,
  TransportError,
  type AnswerHead,
  type BodyStream,
  type HttpAnswer,
  type HttpRequest,
  type PatientRequest,
  type TransportFailure,
} from "./transport.js";
import { t } from "../../languages/language.js";
import { whenAborted } from "../when-aborted.js";

/** The parts of a URL that undici wants. */
export interface RequestAddress {
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
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
  { origin, path }: RequestAddress,
  request: PatientRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal, grace } = request;
    let head: AnswerHead = { status: 0, headers: {} };
    let controller: Dispatcher.DispatchController | undefined;
    let isEncoded = false;
    let reader = new AnswerReader(head);
    let settled = false;
    const leaveSignals: (() => void)[] = [];

    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      for (const leave of leaveSignals) leave();
      finish();
    };
    const fail = (thrown: unknown) => {
      const error = asError(thrown);
      settle(() => {
        reject(error);
        controller?.abort(error);
      });
    };
    const giveUp = (failure: TransportFailure) => {
      fail(transportError(failure, controller !== undefined));
    };
    const abandon = () => giveUp("aborted");
    const onAbort = () => {
      const isOut = controller !== undefined;
      if (isOut && grace && !grace.aborted) leaveSignals.push(whenAborted(grace, abandon));
      else abandon();
    };
    const timeIsOver = () => {
      if (!settled) giveUp("timeout");
    };
    // A process that stood still finds its time over, and the answer there: Node reads that next, and then comes to this.
    const timer = setTimeout(() => setImmediate(timeIsOver), timerMs(request.timeoutMs));
    if (signal?.aborted) {
      giveUp("aborted");
      return;
    }
    try {
      if (signal) leaveSignals.push(whenAborted(signal, onAbort));
      dispatcher.dispatch(
        {
          origin,
          path,
          method: request.method,
          ...bodyOf(request, () => timer.refresh()),
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
            head = headOf(statusCode, received);
            if (statusCode < 200) return;
            isEncoded = !isPlain(head);
            reader = new AnswerReader(head);
          },
          onResponseData(started, chunk) {
            if (chunk.length === 0 || settled) return;
            try {
              const beginning = isEncoded ? encodedAnswer(head) : reader.add(chunk);
              if (beginning === undefined) return;
              settle(() => resolve(beginning));
              started.abort(transportError("bad_answer", true));
            } catch (error) {
              fail(error);
            }
          },
          onResponseEnd() {
            settle(() => resolve(reader.whole()));
          },
          onResponseError(_, error) {
            settle(() => reject(classify(error, controller !== undefined)));
          },
        },
      );
    } catch (error) {
      // The timer would go on otherwise, and end a request that has never begun.
      settle(() => reject(asError(error)));
    }
  });
}

function bodyOf({ body, headers: given }: HttpRequest, progress: () => void) {
  const headers = { "accept-encoding": "identity", ...given };
  if (body === undefined) return { headers, body: null };
  if (typeof body === "string") return { headers, body };
  if (body instanceof Uint8Array) return { headers, body: Buffer.from(body) };
  const length = body.length === undefined ? {} : { "content-length": String(body.length) };
  return { headers: { ...headers, ...length }, body: Readable.from(watched(body, progress)) };
}

/** As long as the service takes pieces of the body, it is not late with its answer. */
async function* watched(body: BodyStream, progress: () => void): AsyncIterable<Uint8Array> {
  for await (const piece of body.open()) {
    progress();
    yield piece;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("something was thrown that is no error", { cause: thrown });
}

/** Is the body sent as it is? The client asks for nothing else (RFC 9110, section 12.5.3). */
function isPlain({ headers }: AnswerHead): boolean {
  return ["", "identity"].includes((headers["content-encoding"] ?? "").trim().toLowerCase());
}

/**
 * Of an answer that is no 2xx the status tells enough.
 *
 * @throws {TransportError} `bad_answer` for a 2xx
 */
function encodedAnswer(head: AnswerHead): HttpAnswer {
  if (!isSuccess(head)) return { ...head, body: "", truncated: true };
  throw new TransportError("bad_answer", true, t`it came compressed, and nobody asked for that`);
}
