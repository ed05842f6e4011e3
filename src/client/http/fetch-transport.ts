/** The client over `fetch`: the platform's, a test's, one with somebody's proxy or tracing. */
import { aFunction, checkValue } from "../checks.js";
import { AnswerReader } from "./read-answer.js";
import { classify, transportError } from "./transport-failure.js";
import {
  headOf,
  timerMs,
  TransportError,
  type BodyStream,
  type HttpRequest,
  type Transport,
} from "./transport.js";
import { systemErrorCode } from "../errors.js";
import { t } from "../../languages/language.js";
import { whenAborted } from "../when-aborted.js";

/** The part of `fetch` (fetch.spec.whatwg.org) that is used. The platform's own fits, with `lib: dom` and without. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | ArrayBuffer | WebStream;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
  /** Node's `fetch` wants it with a body that streams. */
  readonly duplex?: "half";
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { forEach(each: (value: string, name: string) => void): void };
  readonly body: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(reason?: unknown): Promise<void>;
    };
  } | null;
}

/** The platform's `ReadableStream`, by whichever types the program has for it. */
type WebStream = typeof globalThis extends { ReadableStream: { prototype: infer Stream } } ? Stream : never;

/**
 * A transport for `ClientOptions.transport`, over the platform's `fetch` or one of the program's. What `fetch` throws is
 * the `cause` of the call's error. Without a `fetch` it is what every client has by default.
 *
 * Node's own `fetch` tells why no connection came about: then the request certainly never left, and is repeated whatever
 * its method. A `fetch` that the program gives may have sent the request more than once, and no other runtime tells.
 * There every failure counts as one after sending: a POST that fails is `outcome_unknown`, also where nothing listens,
 * and is never repeated.
 *
 * Tools that put themselves in the place of `fetch`, such as msw or undici's `MockAgent`, see what goes through it.
 *
 * @param fetch default: the `fetch` that is global when a request goes out, also where that was replaced meanwhile
 * @throws {ComandaError} `configuration` where `fetch` is no function
 */
export function fetchTransport(fetch: Fetch = globalFetch): Transport {
  checkValue(aFunction(), fetch, "What fetchTransport takes");
  const isPlatform = () => (fetch === globalFetch ? globalThis.fetch : fetch) === platformFetch;
  return {
    send: async (request) => {
      const { signal } = request;
      if (signal?.aborted) throw transportError("aborted", false);
      const end = new AbortController();
      // It may have gone out: see above.
      const leaveSignal = signal && whenAborted(signal, () => end.abort(transportError("aborted", true)));
      const timer = setTimeout(() => end.abort(transportError("timeout", true)), timerMs(request.timeoutMs));
      try {
        const answer = await fetch(request.url, {
          method: request.method,
          headers: { ...request.headers },
          redirect: "manual",
          ...bodyOf(request),
          signal: end.signal,
        });
        // A browser answers so for a redirect that it was told not to follow.
        if (answer.status === 0) throw transportError("bad_answer", true, t`a redirect`);
        const reader = new AnswerReader(headOf(answer.status, headersOf(answer)));
        for await (const piece of piecesOf(answer)) {
          const beginning = reader.add(piece);
          if (beginning) return beginning;
        }
        return reader.whole();
      } catch (error) {
        if (error instanceof TransportError) throw error;
        const reason: unknown = end.signal.reason;
        if (reason instanceof TransportError) throw reason;
        throw failure(error, isPlatform() && neverLeft(error));
      } finally {
        clearTimeout(timer);
        leaveSignal?.();
      }
    },
    close: () => Promise.resolve(),
  };
}

const platformFetch: unknown = globalThis.fetch;
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

function bodyOf({ body }: HttpRequest): Pick<FetchInit, "body" | "duplex"> {
  if (body === undefined) return {};
  if (typeof body === "string") return { body };
  // A copy: the types of fetch want memory that is not shared.
  if (body instanceof Uint8Array) return { body: new Uint8Array(body).buffer };
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

/** Reads a body by its reader, which every runtime has. The rest of a body that is given up is not received. */
async function* piecesOf({ body }: FetchAnswer): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (value === undefined) return;
      yield value;
    }
  } finally {
    // Nobody waits for this answer any more, so its failure says nothing.
    if (!isWhole) void reader.cancel().catch(() => undefined);
  }
}

/** `forEach` tells each `Set-Cookie` by itself (fetch.spec.whatwg.org, "sort and combine"), and the others joined. */
function headersOf({ headers }: FetchAnswer): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  headers.forEach((value, name) => (all[name.toLowerCase()] ??= []).push(value));
  return all;
}

function failure(thrown: unknown, neverSent: boolean): Error {
  const cause = causeOf(thrown);
  const error = cause instanceof Error ? classify(cause, !neverSent) : transportError("reset", true);
  if (!(error instanceof TransportError)) return error;
  return new TransportError(error.failure, error.sent, error.message, { cause: thrown });
}

/** Node's `fetch` hides what went wrong in the cause. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
}

/**
 * Did no connection come about? It was the look-up of the name that failed, the connecting, or the check of the
 * certificate. The code alone doesn't tell: a connection that stands can end with `EHOSTUNREACH` too.
 */
function neverLeft(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(neverLeft);
  const code = systemErrorCode(cause) ?? "";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || certificateCode.test(code)) return true;
  return (
    cause instanceof Error &&
    "syscall" in cause &&
    (cause.syscall === "connect" || cause.syscall === "getaddrinfo")
  );
}

/** nodejs.org/api/tls.html, "X509 certificate error codes". */
const certificateCode = /^(?:ERR_TLS_CERT_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$)/;
