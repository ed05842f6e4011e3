/** One request over one undici dispatcher, from dispatching it to its whole answer. */
import { pipeline, Readable } from "node:stream";

import type { Dispatcher } from "undici";

import { readAnswer } from "./read-answer.js";
import { classify, transportError } from "./transport-failure.js";
import {
  headOf,
  timerMs,
  TransportError,
  type AnswerHead,
  type BodySink,
  type BodyStream,
  type HttpAnswer,
  type HttpRequest,
  type TransportFailure,
} from "./transport.js";
import { t } from "../../shared/language.js";
import { whenAborted } from "../../shared/when-aborted.js";

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
  request: HttpRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal, grace } = request;
    let head: AnswerHead = { status: 0, headers: {} };
    let controller: Dispatcher.DispatchController | undefined;
    let coding: string | undefined;
    let sink: BodySink | undefined;
    /** Absent where nothing of a body has come. */
    let body: Readable | undefined;
    let isSinkBusy = false;
    let settled = false;
    const leaveSignals: (() => void)[] = [];

    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      for (const leave of leaveSignals) leave();
      finish();
      body?.destroy();
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
      if (settled) return;
      // Whoever reads slowly, such as a pager, is not the service's fault.
      if (isSinkBusy) timer.refresh();
      else giveUp("timeout");
    };
    // A process that stood still finds its time over, and the answer there: Node reads that next, and then comes to this.
    const timer = setTimeout(() => setImmediate(timeIsOver), timerMs(request.timeoutMs));
    const passOn: BodySink = async (piece) => {
      isSinkBusy = true;
      await sink?.(piece);
      timer.refresh();
      isSinkBusy = false;
    };
    const readBody = async (encoded: Readable) => {
      try {
        const pieces = coding === undefined ? encoded : decode(encoded, coding);
        const answer = await readAnswer(head, pieces, sink && passOn);
        settle(() => {
          resolve(answer);
          if (answer.truncated) controller?.abort(transportError("bad_answer", true));
        });
      } catch (error) {
        fail(error);
      }
    };

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
            if (hasBody(request, statusCode)) coding = contentCoding(head);
            if (coding !== undefined) head = decodedHead(head);
            try {
              sink = request.onAnswer?.(head);
            } catch (error) {
              fail(error);
            }
          },
          onResponseData(started, chunk) {
            // undici asks its parser with nothing in hand when it resumes: to pause again then would never end.
            if (chunk.length === 0 || settled) return;
            if (!body) {
              body = new Readable({ read: () => started.resume() });
              void readBody(body);
            }
            if (!body.push(chunk)) started.pause();
          },
          onResponseEnd() {
            if (body) body.push(null);
            else settle(() => resolve({ ...head, body: "" }));
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

/** An answer without a body may describe that of another answer (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5). */
function hasBody({ method }: HttpRequest, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

function bodyOf({ body, headers }: HttpRequest, progress: () => void) {
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

/** The coding of an answer's body (RFC 9110, section 8.4). */
function contentCoding({ headers }: AnswerHead): string | undefined {
  const coding = headers["content-encoding"]?.trim().toLowerCase();
  return coding === "" || coding === "identity" ? undefined : coding;
}

/** Takes from a head what is true of the encoded body alone, where the body is handed on decoded. */
function decodedHead(head: AnswerHead): AnswerHead {
  const ofSentBody = ["content-encoding", "content-length"];
  const headers = Object.entries(head.headers).filter(([name]) => !ofSentBody.includes(name));
  return { ...head, headers: Object.fromEntries(headers) };
}

/**
 * Undoes the coding. Hardly an answer has one, so that what decodes is loaded here.
 *
 * @throws {TransportError} `bad_answer` where the coding is broken, or none that is known
 */
async function* decode(body: Readable, coding: string): AsyncIterable<Uint8Array> {
  const zlib = await import("node:zlib");
  const decoders = new Map([
    ["gzip", zlib.createGunzip],
    ["x-gzip", zlib.createGunzip],
    ["deflate", zlib.createInflate],
    ["br", zlib.createBrotliDecompress],
  ]);
  const decoder = decoders.get(coding)?.();
  if (!decoder)
    throw new TransportError("bad_answer", true, t`its content coding is none that comanda reads`);
  const pieces: AsyncIterable<Uint8Array> = pipeline(body, decoder, () => undefined);
  try {
    yield* pieces;
  } catch (error) {
    throw classify(asError(error), true);
  }
}
