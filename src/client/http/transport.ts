/** A request, its answer, and the {@link Transport} between them, which sends once and decides nothing. */
import { shareInstances } from "../errors.js";

/** A request that is ready to go out, credentials included. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** Absolute; its origin decides the connection. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | BodyStream;
  /**
   * Milliseconds for the whole exchange, connecting included; where a body streams, without progress. Above 0; at
   * most 24.8 days, which is what `Infinity` comes to. Default 30,000.
   */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A write of the command line: Ctrl-C must not cut off what may be done already. */
export interface PatientRequest extends HttpRequest {
  /** `signal` ends only a request that hasn't gone out. The answer to one that has is awaited until this signal comes. */
  readonly grace?: AbortSignal | undefined;
}

/** It changes nothing, so that it doesn't matter whether it was received (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<HttpRequest, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/** A body that is too large to be held in memory. */
export interface BodyStream {
  /** Opens the body from its first byte. It is called once for each request that carries it. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Bytes; where it is not known the body goes out in chunks (RFC 9112, section 7.1). */
  readonly length?: number;
  /** False where it can be read once alone, such as stdin: then the call is never repeated. */
  readonly reopens: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. `set-cookie` is not among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each `Set-Cookie` by itself, since these can't be joined (RFC 9110, section 5.3); absent where there is none. */
  readonly setCookies?: readonly string[];
  /** Decoded as UTF-8. It has at most 10 MiB. */
  readonly body: string;
  /**
   * {@link body} is the beginning alone, since the body went on beyond 10 MiB, or empty, since it came compressed. Only with
   * an answer that is no 2xx, whose status tells enough.
   */
  readonly truncated?: true;
}

export type AnswerHead = Omit<HttpAnswer, "body" | "truncated">;

/** Bytes of a body that are held in memory. */
export const maxBodyBytes = 10 * 1024 * 1024;

/** Node's timers end at once where they are given more: 24.8 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Gives the milliseconds of a timer for a request; whatever is longer than one can be comes to the longest. */
export function timerMs(timeoutMs = 30_000): number {
  return Math.min(Math.ceil(timeoutMs), longestTimerMs);
}

export function isSuccess({ status }: Pick<HttpAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** @param received by lower-case names; several of one name as a list, or joined already */
export function headOf(
  status: number,
  received: Readonly<Record<string, string | readonly string[] | undefined>>,
): AnswerHead {
  const headers: Record<string, string> = {};
  let setCookies: readonly string[] | undefined;
  for (const name in received) {
    const value = received[name];
    if (value === undefined) continue;
    if (name === "set-cookie") setCookies = typeof value === "string" ? [value] : value;
    else headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  return setCookies === undefined ? { status, headers } : { status, headers, setCookies };
}

/** Bytes of a body as text; a mark of the byte order at its beginning stays. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Sends one request once. Redirects are answers like any other and never followed. */
export interface Transport {
  /**
   * A body of more than 10 MiB is an error with a 2xx; of any other answer its beginning is kept.
   *
   * @throws {TransportError} where no complete answer came
   * @throws what the body's stream threw
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends idle connections, so that a program can exit. */
  close(): Promise<void>;
}

export type TransportFailure =
  /** The host name has no address. */
  | "dns"
  /** Nothing listens there, or the network has no way to it. */
  | "refused"
  | "connect_timeout"
  /** The certificate or the TLS handshake is bad. */
  | "tls"
  /** The connection ended before the answer was complete. */
  | "reset"
  /** No complete answer within `timeoutMs`. */
  | "timeout"
  /** The answer isn't HTTP, or is a 2xx that is larger than the limit or came compressed. */
  | "bad_answer"
  /** The caller's signal. */
  | "aborted";

/**
 * Thrown where an exchange did not end with a complete answer. `sent` is the one thing that retry has to know:
 * `false` only where no byte of the request can have left, so that the service can't have processed it.
 */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** It was the proxy that failed, so that nothing is known of the service. */
  readonly atProxy: boolean;

  constructor(
    readonly failure: TransportFailure,
    readonly sent: boolean,
    message: string,
    /** `cause` becomes that of the error which the call throws. */
    options: { readonly cause?: unknown; readonly atProxy?: boolean } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : {});
    this.atProxy = options.atProxy ?? false;
  }
}

shareInstances(TransportError, "comanda.TransportError");
