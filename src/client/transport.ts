/** A request, its response, and the {@link Transport}, which sends one request once and decides nothing; the one over `fetch`. */
import { secretPattern } from "../api/values.js";
import { isLoopbackHost } from "../base/basics.js";
import { t, translated } from "../languages/language.js";
import { unlessAborted, whenAborted } from "../base/clock.js";
import { defaults } from "../base/defaults.js";
import { ComandaError, shareInstances, systemErrorCode } from "../base/errors.js";
import type { HintFacts } from "../base/hint-facts.js";

/** A request that is ready to be sent, credentials included. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** Absolute; its origin decides the connection. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Milliseconds for the whole exchange, connecting included. Above 0; `Infinity` means 24.8 days. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * For a write of the command line, which Ctrl-C must not abort if it may have been done: with it, `signal` ends only a request that
   * hasn't been sent, and this signal ends the wait for the response.
   *
   * @internal
   */
  readonly grace?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma, except `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every `Set-Cookie`, since these can't be joined (RFC 9110, section 5.3); `undefined` if there is none. */
  readonly setCookies?: readonly string[] | undefined;
  /** Decoded as UTF-8; at most 10 MiB. */
  readonly body: string;
  /** {@link body} is incomplete (over 10 MiB) or empty (compressed). Never for a 2xx; for others, the status is sufficient. */
  readonly truncated?: true | undefined;
  /** Neither a length nor chunks certainly show the end of the body, so it may have been cut off. Absent if the runtime hides them. */
  readonly endsWithConnection?: true | undefined;
  /** The runtime may have sent the request twice, so the service may have processed it before the one with this response. */
  readonly mayHaveRepeated?: true | undefined;
}

/** Sends one request once. Redirects are responses like any other and never followed. */
export interface Transport {
  /** @throws {TransportError} without a complete response. A body over 10 MiB is an error for a 2xx, and cut off otherwise. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections, so that a program can exit. */
  close(): Promise<void>;
}

/** Returns whether the request changes nothing, so that sending it twice is safe (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<HttpRequest, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns whether it is a token, code or key that a request can contain. */
export const isSendable = (secret: unknown): secret is string =>
  typeof secret === "string" && secretPattern.test(secret);

/** Returns the milliseconds of a timer. Node's timers end at once after more than 24.8 days. */
export function timerMs(timeoutMs: number = defaults.timeoutMs): number {
  return Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1);
}

const sentences = {
  dns: "the host name has no address",
  /** Nothing listens at the address, or the network can't reach it. */
  refused: "the connection was refused",
  connect_timeout: "the connection timed out",
  tls: "the TLS certificate or handshake is not valid",
  /** The proxy requires a different user name or password (HTTP 407). */
  proxy_auth: "the user name or password was refused",
  reset: "the connection ended before the response was complete",
  timeout: "the request timed out",
  /** Also for a 2xx that is too large or compressed, with another sentence. */
  bad_answer: "the response isn't valid HTTP",
  aborted: "the call was aborted",
} as const;

export type TransportFailure = keyof typeof sentences;

/**
 * Thrown if an exchange ended without a complete response. `sent` is `false` only if no byte of the request can have left this
 * machine, so that the service can't have processed it.
 */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** The proxy failed, so that nothing is known about the service. */
  readonly atProxy: boolean;

  constructor(
    readonly failure: TransportFailure,
    readonly sent: boolean,
    message: string,
    /** `cause` becomes the cause of the error that the call throws. */
    options: { readonly cause?: unknown; readonly atProxy?: boolean } = {},
  ) {
    super(message, options);
    this.atProxy = options.atProxy ?? false;
  }
}

shareInstances(TransportError, "comanda.TransportError");

/** Returns an error whose message is for people and never contains text from the network. */
export function transportError(failure: TransportFailure, sent: boolean, detail = ""): TransportError {
  const sentence = translated(sentences[failure]);
  return new TransportError(failure, sent, detail === "" ? sentence : `${sentence} (${detail})`);
}

const failures: Readonly<Record<string, TransportFailure>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ECONNREFUSED: "refused",
  UND_ERR_CONNECT_TIMEOUT: "connect_timeout",
  UND_ERR_PRX_TLS: "tls",
};

/** The certificate errors of OpenSSL and Node (nodejs.org/api/tls.html, "X509 certificate error codes"). */
const certificateCode =
  /^(?:ERR_TLS_CERT_|CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|OUT_OF_MEM$)/;

/**
 * Returns the failure for an error of undici, a socket or TLS.
 *
 * @param sent whether a connected socket had received the request before the error
 */
export function classify(error: unknown, sent: boolean): TransportError {
  if (error instanceof TransportError) return error;
  const { name, message } = error instanceof Error ? error : new Error();
  const code = systemErrorCode(error) ?? "";
  // Any other code means that a sent request was cut off, or that an unsent one was not accepted.
  let failure = failures[code] ?? (sent ? "reset" : "refused");
  if (code === "ETIMEDOUT" && !sent) failure = "connect_timeout";
  if (!sent && (certificateCode.test(code) || /^(?:ERR_(?:TLS|SSL|OSSL)_|EPROTO$)/.test(code)))
    failure = "tls";
  // undici 7 has no codes for parser errors. All except an early end mean that the response isn't valid.
  if (name === "HTTPParserError" && !message.includes("Invalid EOF state")) failure = "bad_answer";
  return transportError(failure, sent, code);
}

/** Returns whether a length or the last chunk shows the end of a response's body (RFC 9112, section 6.3). */
export function isDelimited({ status, headers, body }: HttpResponse): boolean {
  // These have no body (RFC 9110, section 15).
  if (status === 204 || status === 205 || status === 304) return true;
  const isChunked = /\bchunked\s*$/i.test(headers["transfer-encoding"] ?? "");
  const length = headers["content-length"];
  // A program's `fetch` may return nothing of a body whose length was announced. The length of an encoded body is another one.
  const isMissing = body === "" && /[1-9]/.test(length ?? "") && headers["content-encoding"] === undefined;
  return isChunked || (length !== undefined && !isMissing);
}

/**
 * Returns whether it is the status of an HTTP response (RFC 9110, section 15), or 0, that of a redirect which a browser hides. A
 * program's function may return anything.
 */
export function isHttpStatus(status: unknown): boolean {
  return status === 0 || (Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599);
}

const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Collects a response.
 *
 * @param received repeated headers as several entries, as a list, or joined
 * @param isDecoded whether the transport has decompressed the body; the client requests none (RFC 9110, section 12.5.3)
 */
export function answerReader(
  status: number,
  received: readonly (readonly [name: string, value: string | readonly string[] | undefined])[],
  isDecoded: boolean,
) {
  let setCookies: readonly string[] | undefined;
  // A header's name may be that of an object's own member.
  const values = new Map<string, string>();
  for (const [written, given = []] of received) {
    const name = written.toLowerCase();
    const all = [given].flat().map(String);
    if (name === "set-cookie") setCookies = [...(setCookies ?? []), ...all];
    else if (all.length > 0) values.set(name, [values.get(name) ?? [], all].flat().join(", "));
  }
  const headers: HttpResponse["headers"] = Object.fromEntries(values);
  const head = { status, headers, ...(setCookies && { setCookies }) };
  const isPlain = isDecoded || /^\s*(?:identity\s*)?$/i.test(headers["content-encoding"] ?? "");
  // A byte order mark stays, and half a character at the end of a truncated body is omitted.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces: string[] = [];
  let room = isPlain ? maxBodyBytes : 0;
  return {
    /**
     * @returns a truncated response that isn't a 2xx, after which nothing more is read
     * @throws {TransportError} `bad_answer` for a 2xx that is too large or compressed
     */
    add(piece: Uint8Array): HttpResponse | undefined {
      pieces.push(decoder.decode(piece.subarray(0, room), { stream: true }));
      room -= piece.length;
      if (room >= 0) return undefined;
      if (status < 200 || status >= 300) return { ...head, body: pieces.join(""), truncated: true };
      const problem = isPlain ? t`the response has more than 10 MiB` : t`the response is compressed`;
      throw new TransportError("bad_answer", true, problem);
    },
    whole: (): HttpResponse => ({ ...head, body: pieces.join("") + decoder.decode() }),
  };
}

/** Returns whether credentials may be sent to an address without a user name: by https, or by http to this machine or if allowed. */
export function isSecure({ protocol, hostname, username, password }: URL, allowInsecure: boolean): boolean {
  const isOpen = protocol === "http:" && (allowInsecure || isLoopbackHost(hostname));
  return (isOpen || protocol === "https:") && username + password === "";
}

/**
 * Returns the origin and path prefix of a base URL, without a trailing slash.
 *
 * @throws {ComandaError} `configuration` if it isn't an http(s) URL, has more than a path, ends in the API's own path, or would send
 *   credentials unencrypted to another machine
 */
export function normalizeBaseUrl(
  baseUrl: string,
  allowInsecure = false,
  source?: HintFacts<"base_url">["source"],
): string {
  if (URL.canParse(baseUrl)) {
    const url = new URL(baseUrl);
    const { origin, pathname, search, hash } = url;
    if (isSecure(url, allowInsecure) && search + hash === "") {
      const [, prefix] = /^(.*?)\/api\/partner(?:\/|$)/.exec(pathname) ?? [];
      if (prefix === undefined) return origin + pathname.replace(/\/+$/, "");
      // Each path of the specification begins with it.
      const hint = t`Did you mean ${origin + prefix}?`;
      throw new ComandaError("configuration", t`The base URL must not end in the API's own path.`, { hint });
    }
  }
  const message = t`The base URL must start with https:// (http:// only for this machine), without a user name, password, query or fragment.`;
  throw new ComandaError("configuration", message, { hintFacts: { about: "base_url", source } });
}

/** The part of `fetch` (fetch.spec.whatwg.org) that is used. The platform's own matches it, with and without `lib: dom`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/* eslint-disable @typescript-eslint/no-explicit-any -- node-fetch has types of its own for a body and a signal, which differ */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  /** A string, or an `ArrayBuffer`. */
  readonly body?: any;
  readonly redirect: "manual";
  /** An `AbortSignal`; absent if the runtime's `Request` rejects it, as in jsdom. */
  readonly signal?: any;
  /** Otherwise some frameworks cache a GET. Absent if the runtime's `Request` doesn't support it. */
  readonly cache?: "no-store";
}
/* eslint-enable @typescript-eslint/no-explicit-any */

export interface FetchAnswer {
  readonly status: number;
  /** `Headers`, or a plain object, whose lists are repeated headers. */
  readonly headers:
    | { forEach(each: (value: string, name: string) => void): void }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A stream of the web's standards, a stream of Node, or none. */
  readonly body?:
    | {
        getReader?(): {
          read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
          cancel?(): Promise<void>;
        };
      }
    | { readonly pipe: unknown }
    | null
    | undefined;
  /** Whether the body was read already, so that what is left of it says nothing. */
  readonly bodyUsed?: boolean | undefined;
  /** Whether it is the response to another request, which followed a redirect. */
  readonly redirected?: boolean | undefined;
  /** Called if `body` has no `getReader`. */
  readonly text?: (() => Promise<string>) | undefined;
}

const platformFetch: unknown = globalThis.fetch;

const runtime: {
  readonly process?: { readonly versions?: { readonly node?: string; readonly undici?: string } };
  readonly navigator?: { readonly userAgent?: string };
  readonly Deno?: {
    readonly createHttpClient?: (options: { poolMaxIdlePerHost: number }) => { close(): void };
  };
  readonly Request?: new (url: string, init: Partial<FetchInit>) => object;
} = globalThis;
/** Deno and browsers repeat a request of any method if a reused connection closes before the response begins. */
const fetchRepeats =
  runtime.Deno !== undefined ||
  (runtime.process?.versions?.node === undefined && runtime.navigator?.userAgent !== "Cloudflare-Workers");
/** Only Node has undici. From version 8 on, its `fetch` may use HTTP/2 over TLS, which needs neither a length nor chunks. */
const undici = Number.parseInt(runtime.process?.versions?.undici ?? "");

/** @throws {ComandaError} `configuration` for the first function that is missing, such as in jest's jsdom environment */
export function requireFunctions(functions: Readonly<Record<string, unknown>>): void {
  const hint = "Define it globally.";
  for (const [name, value] of Object.entries(functions))
    if (typeof value !== "function")
      throw new ComandaError("configuration", `This runtime has no ${name}.`, { hint });
}

/**
 * Returns a transport over the platform's `fetch` or the program's. What `fetch` throws is the cause of the call's error.
 *
 * Node's own `fetch` reports that it couldn't connect, so the request was not sent and is retried whatever its method. A program's
 * `fetch` may have sent it more than once, and other runtimes report no reason. Their failures all count as failures after sending:
 * a POST that fails is `outcome_unknown`, even if nothing listens at the address, and is never retried.
 *
 * Node's own `fetch` sends a request again after an HTTP 421, which means that it wasn't processed (RFC 9110, section 15.5.20).
 *
 * @param given the program's `fetch`; default: the global one at the time of each request, even if it was replaced
 */
export function fetchTransport(given?: Fetch): Transport {
  async function send(request: HttpRequest): Promise<HttpResponse> {
    const { method, url, headers, body, signal } = request;
    const fetch: Fetch = given ?? globalThis.fetch;
    // Without a decoder, no response could be read after the request was sent.
    requireFunctions({ fetch, TextDecoder: globalThis.TextDecoder });
    if (signal?.aborted) throw transportError("aborted", false);
    const isOwn = fetch === platformFetch;
    const end = new AbortController();
    const init: FetchInit = {
      method,
      headers: { ...headers },
      redirect: "manual",
      ...(isAccepted(end.signal) && { signal: end.signal }),
      ...(isSafe(request) &&
        runtime.Request &&
        "cache" in runtime.Request.prototype && { cache: "no-store" }),
      // A copy, because the types of fetch exclude shared memory.
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body).buffer }),
    };
    try {
      // `fetch` makes the same request before it sends anything (fetch.spec.whatwg.org, "fetch method"), and its error is the same.
      if (isOwn && runtime.Request) new runtime.Request(url, init);
    } catch (error) {
      throw rejectedUnsent(error);
    }
    // In Deno, a write gets its own connection. A browser has no such option.
    const ownConnection =
      isOwn && !isSafe(request) ? runtime.Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 }) : undefined;
    if (ownConnection) Object.assign(init, { client: ownConnection });

    async function exchange(): Promise<HttpResponse> {
      const answer = await fetch(url, init);
      if (!isHttpStatus(answer.status)) throw transportError("bad_answer", true);
      if (answer.bodyUsed || answer.redirected)
        throw new TypeError("fetch must follow no redirect and leave the body unread");
      // `forEach` lists each `Set-Cookie` separately (fetch.spec.whatwg.org, "sort and combine"), and the others joined.
      const { headers, body } = answer;
      const received: [string, string | readonly string[] | undefined][] = [];
      if (typeof headers.forEach === "function")
        headers.forEach((value, name) => void received.push([name, value]));
      else received.push(...Object.entries(headers));
      const pieces = answerReader(answer.status, received, true);
      const reader = body && "getReader" in body ? body.getReader() : undefined;
      const cancel = async () => reader?.cancel?.();
      whenAborted(end.signal, () => void cancel().catch(() => undefined));
      let whole: HttpResponse | undefined;
      // React Native and some test doubles have no stream.
      if (!reader && (answer.text || body !== null)) {
        const text: unknown = await answer.text?.();
        if (typeof text !== "string")
          throw new TypeError("the response has neither a stream as its body nor a text");
        whole = pieces.add(new TextEncoder().encode(text));
      }
      while (!whole) {
        const { value } = (await reader?.read()) ?? {};
        whole = value === undefined ? pieces.whole() : pieces.add(value);
      }
      const { "transfer-encoding": encoding, connection = "" } = whole.headers;
      // HTTP/2 has no header `Connection` (RFC 9113, section 8.2.2).
      const isHttp1 = undici < 8 || connection || url.startsWith("http:");
      const isOpen = isOwn && undici && isHttp1 && body && !isDelimited(whole);
      return {
        ...whole,
        // Node 20's `fetch` treats the end of such a connection as the last chunk.
        ...((encoding ? /\bclose\b/i.test(connection) : isOpen) && { endsWithConnection: true }),
        ...(fetchRepeats && !ownConnection && { mayHaveRepeated: true }),
      };
    }

    try {
      return await inTime(request, exchange());
    } catch (error) {
      if (error instanceof TransportError) throw error;
      // Node's `fetch` hides what went wrong in the cause.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const sent = !isOwn || !neverLeft(cause);
      const { failure, message } = classify(cause, sent);
      throw new TransportError(failure, sent, message, { cause: error });
    } finally {
      // Stops a request that was given up, and the rest of its body.
      end.abort();
      ownConnection?.close();
    }
  }
  return { send, close: () => Promise.resolve() };
}

export type Limits = Pick<HttpRequest, "signal" | "timeoutMs">;

/** How long a function that heeds its signal has to end, and a transport to report whether the request was sent. */
export const patienceMs = 100;

/**
 * Awaits work until its signal or timeout, even if a function of the program ignores both.
 *
 * @param late returns the error of work that is given up; default: that of a request, which may have been sent
 * @param patienceMs how long work that heeds them has to end by itself
 */
export async function inTime<Value>(
  { signal, timeoutMs }: Limits,
  work: Promise<Value>,
  late: (failure: "aborted" | "timeout") => Error = (failure) => transportError(failure, true),
  patienceMs = 0,
): Promise<Value> {
  const end = new AbortController();
  const giveUp = (failure: "aborted" | "timeout") => {
    clearTimeout(timer);
    timer = setTimeout(() => end.abort(late(failure)), patienceMs);
  };
  let timer = setTimeout(giveUp, timerMs(timeoutMs), "timeout");
  const leaveSignal = signal && whenAborted(signal, () => giveUp("aborted"));
  try {
    return await unlessAborted(end.signal, work);
  } finally {
    clearTimeout(timer);
    leaveSignal?.();
  }
}

/** Returns the error of a request that was rejected on this side. It isn't retried, because it would be rejected again. */
export function rejectedUnsent(cause: unknown): ComandaError {
  const message = t`The request was rejected before it was sent: see the error's cause.`;
  return new ComandaError("callback_failed", message, { cause });
}

/** Returns whether `fetch` accepts the signal. It rejects one of another realm, such as jsdom's, before it sends anything. */
function isAccepted(signal: AbortSignal): boolean {
  try {
    return !runtime.Request || Boolean(new runtime.Request("http://localhost", { signal }));
  } catch {
    return false;
  }
}

/**
 * Returns whether no connection was made: the DNS lookup, the connection or the certificate failed, or `fetch` blocks the port
 * (fetch.spec.whatwg.org, "bad port"). The code isn't sufficient: an open connection can also end with `EHOSTUNREACH`.
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
