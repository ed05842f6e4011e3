/** The client over `fetch`: the platform's, a test's, one with somebody's proxy or tracing. */
import { t } from "../languages/language.js";
import { whenAborted } from "./clock.js";
import { systemErrorCode } from "./errors.js";
import {
  answerReader,
  classify,
  timerMs,
  transportError,
  TransportError,
  type HttpRequest,
  type Transport,
} from "./transport.js";

/** The part of `fetch` (fetch.spec.whatwg.org) that is used. The platform's own fits, with `lib: dom` and without. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | ArrayBuffer;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
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

const platformFetch: unknown = globalThis.fetch;

/**
 * A transport over the platform's `fetch` or one of the program's. What `fetch` throws is the `cause` of the call's error.
 *
 * Node's own `fetch` tells why no connection came about: then the request certainly never left, and is repeated whatever
 * its method. A `fetch` that the program gives may have sent the request more than once, and no other runtime tells.
 * There every failure counts as one after sending: a POST that fails is `outcome_unknown`, also where nothing listens,
 * and is never repeated.
 *
 * @param given default: the `fetch` that is global when a request goes out, also where that was replaced meanwhile
 */
export function fetchTransport(given?: Fetch): Transport {
  return { send: (request) => send(given ?? globalThis.fetch, request), close: () => Promise.resolve() };
}

async function send(fetch: Fetch, { method, url, headers, body, timeoutMs, signal }: HttpRequest) {
  if (signal?.aborted) throw transportError("aborted", false);
  const end = new AbortController();
  // It may have gone out: see above.
  const leaveSignal = signal && whenAborted(signal, () => end.abort(transportError("aborted", true)));
  const timer = setTimeout(() => end.abort(transportError("timeout", true)), timerMs(timeoutMs));
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...headers },
      redirect: "manual",
      // A copy: the types of fetch want memory that is not shared.
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body).buffer }),
      signal: end.signal,
    });
    // A browser answers so for a redirect that it was told not to follow.
    if (answer.status === 0) throw transportError("bad_answer", true, t`a redirect`);
    return await wholeAnswer(answer);
  } catch (error) {
    if (error instanceof TransportError) throw error;
    const reason: unknown = end.signal.reason;
    if (reason instanceof TransportError) throw reason;
    const cause = causeOf(error);
    const sent = fetch !== platformFetch || !neverLeft(cause);
    const { failure, message } =
      cause instanceof Error ? classify(cause, sent) : transportError("reset", true);
    throw new TransportError(failure, sent, message, { cause: error });
  } finally {
    clearTimeout(timer);
    leaveSignal?.();
  }
}

/** Reads a body by its reader, which every runtime has. The rest of a body that is given up is not received. */
async function wholeAnswer({ status, headers, body }: FetchAnswer) {
  // `forEach` tells each `Set-Cookie` by itself (fetch.spec.whatwg.org, "sort and combine"), and the others joined.
  const received: Record<string, string[]> = {};
  headers.forEach((value, name) => (received[name.toLowerCase()] ??= []).push(value));
  const answer = answerReader(status, received, true);
  const reader = body?.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      isWhole = done;
      if (value === undefined) return answer.whole();
      const beginning = answer.add(value);
      if (beginning) return beginning;
    }
  } finally {
    // Nobody waits for this answer any more, so its failure says nothing.
    if (!isWhole) void reader?.cancel().catch(() => undefined);
  }
}

/** Node's `fetch` hides what went wrong in the cause. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
}

/**
 * Did no connection come about? It was the look-up of the name that failed, the connecting, or the check of the
 * certificate; or the port is one that `fetch` never connects to (fetch.spec.whatwg.org, "bad port"). The code alone doesn't
 * tell: a connection that stands can end with `EHOSTUNREACH` too.
 */
function neverLeft(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(neverLeft);
  if (!(cause instanceof Error)) return false;
  const code = systemErrorCode(cause) ?? "";
  return (
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    certificateCode.test(code) ||
    cause.message === "bad port" ||
    ("syscall" in cause && (cause.syscall === "connect" || cause.syscall === "getaddrinfo"))
  );
}

/** nodejs.org/api/tls.html, "X509 certificate error codes". */
const certificateCode = /^(?:ERR_TLS_CERT_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$)/;
