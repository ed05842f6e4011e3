/** The client over somebody else's `fetch`: another runtime's, a test's, one with their proxy or tracing. */
import { aFunction, checkOptions, checkValue, optionsOf } from "../option-schemas.js";
import { cutOff, headOf, isSuccess, wholeAnswer } from "./http-answer.js";
import { classify, transportError } from "./transport-failure.js";
import { answerLimits, exchangeMs, limitOptions } from "./transport-options.js";
import {
  TransportError,
  type BodyStream,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from "./transport.js";
import { t } from "../../shared/language.js";

/** As much of `fetch` (fetch.spec.whatwg.org) as is used. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
  /** What Node's `fetch` wants with a body that streams. */
  readonly duplex?: "half";
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { forEach(each: (value: string, name: string) => void): void };
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface FetchTransportOptions {
  /**
   * Bytes of an answer's body that are held. A larger 2xx is a `bad_answer`, of a larger answer of another status the
   * beginning is kept. At least 1; default 10 MiB.
   */
  readonly maxBodyBytes?: number;
  /** Milliseconds for a whole exchange where the request names none. Above 0; default 30,000. */
  readonly timeoutMs?: number;
}

/**
 * A transport for `ClientOptions.transport`. What `fetch` throws is the `cause` of the call's error.
 *
 * Tools that put themselves in the place of `fetch`, such as msw or undici's `MockAgent`, see what goes through this
 * transport, and nothing that goes through the default one.
 *
 * `fetch` doesn't tell whether a request went out before it failed. So every failure counts as one after sending:
 * a POST that fails is `outcome_unknown`, also where nothing listens, and is never repeated. The default transport
 * knows, and repeats what certainly never left.
 *
 * @param fetch default: the `fetch` that is global when a request goes out, also where that was replaced meanwhile
 * @throws {ComandaError} `configuration` where `fetch` is no function, or an option can't be used
 */
export function fetchTransport(fetch: Fetch = globalFetch, options: FetchTransportOptions = {}): Transport {
  checkValue(aFunction(), fetch, "What fetchTransport takes");
  checkOptions(optionsOf(limitOptions()), options, "fetchTransport");
  const limits = answerLimits(options);
  return {
    send: async (request) => {
      if (request.signal?.aborted) throw transportError("aborted", false);
      // It may have gone out: see above.
      const signal = request.grace ?? request.signal;
      const timeout = AbortSignal.timeout(exchangeMs(request.timeoutMs, limits.timeoutMs));
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      try {
        const answer = await fetch(request.url, {
          method: request.method,
          headers: { ...request.headers },
          redirect: "manual",
          ...bodyOf(request),
          signal: either,
        });
        // How a browser hides a redirect that it was told not to follow.
        if (answer.status === 0) throw transportError("bad_answer", true, t`a redirect`);
        return await read(answer, request, limits.maxBodyBytes);
      } catch (error) {
        if (error instanceof TransportError) throw error;
        if (signal?.aborted) throw transportError("aborted", true);
        if (timeout.aborted) throw transportError("timeout", true);
        throw failure(error);
      }
    },
    close: () => Promise.resolve(),
  };
}

const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

function bodyOf({ body }: HttpRequest): Pick<FetchInit, "body" | "duplex"> {
  if (body === undefined) return {};
  if (typeof body === "string") return { body };
  // A copy: the types of fetch want memory that is not shared.
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) };
  return { body: streamOf(body), duplex: "half" };
}

function streamOf(body: BodyStream): ReadableStream<Uint8Array> {
  const pieces = body.open()[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await pieces.return?.();
    },
  });
}

async function read(answer: FetchAnswer, request: HttpRequest, maxBodyBytes: number): Promise<HttpAnswer> {
  const head = headOf(answer.status, headersOf(answer));
  const sink = request.onAnswer?.(head);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    if (sink) {
      await sink(piece);
      continue;
    }
    size += piece.length;
    pieces.push(piece);
    if (size <= maxBodyBytes) continue;
    if (isSuccess(head)) throw transportError("bad_answer", true, t`more than ${maxBodyBytes} bytes`);
    return cutOff(head, Buffer.concat(pieces, maxBodyBytes));
  }
  return wholeAnswer(head, Buffer.concat(pieces).toString("utf8"));
}

/** `forEach` tells each `Set-Cookie` by itself (fetch.spec.whatwg.org, "sort and combine"), and the others joined. */
function headersOf({ headers }: FetchAnswer): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  headers.forEach((value, name) => (all[name.toLowerCase()] ??= []).push(value));
  return all;
}

/** Node's `fetch` hides what went wrong in the cause. */
function failure(thrown: unknown): Error {
  const hidden = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const known = hidden instanceof Error ? classify(hidden, true) : transportError("reset", true);
  if (!(known instanceof TransportError)) return known;
  return new TransportError(known.failure, known.sent, known.message, { cause: thrown });
}
