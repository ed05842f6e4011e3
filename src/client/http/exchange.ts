/** One request over one undici dispatcher, from dispatching it to its whole answer. */
import { Readable } from "node:stream";

import type { Dispatcher } from "undici";

import type { Decoder } from "./content-coding.js";
import type { ExchangeLimits } from "./exchange-limits.js";
import { classify, transportError } from "./transport-failure.js";
import {
  cutOff,
  headOf,
  isSuccess,
  TransportError,
  wholeAnswer,
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
  { maxBodyBytes, timeoutMs }: Required<ExchangeLimits>,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal, grace } = request;
    const chunks: Buffer[] = [];
    let size = 0;
    let head: AnswerHead = { status: 0, headers: {} };
    let controller: Dispatcher.DispatchController | undefined;
    let sink: BodySink | undefined;
    /** The sink's promise, while it is at work on a piece. */
    let pending: Promise<void> | undefined;
    let codings: readonly string[] = [];
    let decoder: Promise<Decoder> | undefined;
    let settled = false;
    let leaveSignal: (() => void) | undefined;
    let leaveGrace: (() => void) | undefined;

    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      leaveSignal?.();
      leaveGrace?.();
      finish();
    };
    const fail = (error: Error) => {
      if (settled) return;
      settle(() => reject(error));
      controller?.abort(error);
    };
    const giveUp = (failure: TransportFailure, detail?: string) => {
      fail(transportError(failure, controller !== undefined, detail));
    };
    const abandon = () => giveUp("aborted");
    const onAbort = () => {
      const isOut = controller !== undefined;
      if (isOut && grace && !grace.aborted) leaveGrace = whenAborted(grace, abandon);
      else abandon();
    };
    const timeIsOver = () => {
      if (settled) return;
      // Whoever reads slowly, such as a pager, is not the service's fault.
      if (pending) timer.refresh();
      else giveUp("timeout");
    };
    // A process that stood still finds its time over, and the answer there: Node reads that next, and then comes to this.
    const timer = setTimeout(() => setImmediate(timeIsOver), timeoutMs);
    /** A status other than 2xx tells enough. */
    const cutShort = () => {
      settle(() => resolve(cutOff(head, Buffer.concat(chunks).subarray(0, maxBodyBytes))));
      controller?.abort(transportError("bad_answer", true));
    };
    const broken = (error: unknown) => {
      if (settled) return;
      const isUndecodable = error instanceof TransportError && error.failure === "bad_answer";
      if (isUndecodable && !sink && !isSuccess(head)) cutShort();
      else fail(asError(error));
    };
    /** Nothing is read on before. */
    const holdUntil = (ready: Promise<void>) => {
      controller?.pause();
      ready.then(() => controller?.resume(), broken);
    };
    const keep = (piece: Buffer) => {
      size += piece.length;
      chunks.push(piece);
      if (size <= maxBodyBytes) return;
      if (isSuccess(head)) giveUp("bad_answer", t`more than ${maxBodyBytes} bytes`);
      else cutShort();
    };
    /** Takes a piece of the body as it is without its coding. */
    const receive = (piece: Buffer): void | Promise<void> => {
      if (settled) throw transportError("aborted", true);
      if (!sink) {
        keep(piece);
        return;
      }
      timer.refresh();
      const work = sink(piece);
      if (!work) return;
      const passed = work.finally(() => {
        if (pending === passed) pending = undefined;
        timer.refresh();
      });
      pending = passed;
      return passed;
    };
    const decode = async (piece: Buffer) => {
      decoder ??= import("./content-coding.js").then((module) => module.decoderOf(codings, piece, receive));
      await (await decoder).write(piece);
    };

    if (signal?.aborted) {
      giveUp("aborted");
      return;
    }
    try {
      leaveSignal = signal && whenAborted(signal, onAbort);
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
            if (hasBody(request, statusCode)) codings = contentCodings(head);
            if (codings.length > 0) head = decodedHead(head);
            try {
              sink = request.onAnswer?.(head);
            } catch (error) {
              fail(asError(error));
            }
          },
          onResponseData(_, chunk) {
            // undici asks its parser with nothing in hand when it resumes: to pause again then would never end.
            if (chunk.length === 0 || settled) return;
            try {
              const ready = codings.length > 0 ? decode(chunk) : receive(chunk);
              if (ready) holdUntil(ready);
            } catch (error) {
              fail(asError(error));
            }
          },
          onResponseEnd() {
            const finish = () =>
              settle(() => {
                const [first] = chunks;
                const whole = first && chunks.length === 1 ? first : Buffer.concat(chunks);
                resolve(wholeAnswer(head, whole.toString("utf8")));
              });
            if (decoder) decoder.then((body) => body.end()).then(finish, broken);
            else if (pending) void pending.then(finish, broken);
            else finish();
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

/** The codings of an answer's body, in the order in which they were applied (RFC 9110, section 8.4). */
function contentCodings({ headers }: AnswerHead): readonly string[] {
  const value = headers["content-encoding"];
  if (value === undefined) return [];
  return value
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** Takes from a head what is true of the encoded body alone, where the body is handed on decoded. */
function decodedHead(head: AnswerHead): AnswerHead {
  const ofSentBody = ["content-encoding", "content-length"];
  const headers = Object.entries(head.headers).filter(([name]) => !ofSentBody.includes(name));
  return { ...head, headers: Object.fromEntries(headers) };
}
