/** The client over somebody else's `fetch`: another runtime's, a test's, one with their proxy or tracing. */
import { classify, transportError } from "./transport-failure.js";
import {
  TransportError,
  type BodyStream,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from "./transport.js";

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
  /** A larger body is a `bad_answer`. Default 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Milliseconds for a whole exchange where the request names none. Default 30,000. */
  readonly timeoutMs?: number;
}

/**
 * A transport for `ClientOptions.transport`, for example `fetchTransport(fetch)`.
 *
 * `fetch` doesn't tell whether a request went out before it failed. So every failure counts as one after sending:
 * a POST that fails is `outcome_unknown`, also where nothing listens, and is never repeated. The default transport
 * knows, and repeats what certainly never left.
 */
export function fetchTransport(
  fetch: Fetch,
  { maxBodyBytes = 10 * 1024 * 1024, timeoutMs: usualTimeoutMs = 30_000 }: FetchTransportOptions = {},
): Transport {
  return {
    send: async (request) => {
      const { signal, timeoutMs = usualTimeoutMs } = request;
      if (signal?.aborted) throw transportError("aborted", false);
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await fetch(request.url, {
          ...{ method: request.method, headers: { ...request.headers }, redirect: "manual" },
          ...bodyOf(request),
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        // How a browser hides a redirect that it was told not to follow.
        if (answer.status === 0) throw transportError("bad_answer", true, "a redirect");
        return await read(answer, request, maxBodyBytes);
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
  const headers: Record<string, string> = {};
  answer.headers.forEach((value, name) => {
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  });
  const head = { status: answer.status, headers };
  const sink = request.onAnswer?.(head);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    if (sink) {
      await sink(piece);
      continue;
    }
    size += piece.length;
    if (size > maxBodyBytes) throw transportError("bad_answer", true, `more than ${maxBodyBytes} bytes`);
    pieces.push(piece);
  }
  return { ...head, body: Buffer.concat(pieces).toString("utf8") };
}

/** Node's `fetch` hides what went wrong in the cause. */
function failure(error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? classify(cause, true) : transportError("reset", true);
}
