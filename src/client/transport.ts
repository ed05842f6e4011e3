/** A request, its answer, and the {@link Transport} between them, which sends once and decides nothing. */
import { t, translated } from "../languages/language.js";
import { shareInstances, systemErrorCode } from "./errors.js";

/** A request that is ready to go out, credentials included. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** Absolute; its origin decides the connection. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * Milliseconds for the whole exchange, connecting included. Above 0; at most 24.8 days, which is what `Infinity` comes
   * to. Default 30,000.
   */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A write of the command line: Ctrl-C must not cut off what may be done already. */
export interface PatientRequest extends HttpRequest {
  /** `signal` ends only a request that hasn't gone out. The answer to one that has is awaited until this signal comes. */
  readonly grace?: AbortSignal | undefined;
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

/** Sends one request once. Redirects are answers like any other and never followed. */
export interface Transport {
  /**
   * A body of more than 10 MiB is an error with a 2xx; of any other answer its beginning is kept.
   *
   * @throws {TransportError} where no complete answer came
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends idle connections, so that a program can exit. */
  close(): Promise<void>;
}

/** It changes nothing, so that it doesn't matter whether it was received (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<HttpRequest, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

export function isSuccess({ status }: Pick<HttpAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** Gives the milliseconds of a timer for a request. Node's end at once where they are given more than 24.8 days. */
export function timerMs(timeoutMs = 30_000): number {
  return Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1);
}

export type TransportFailure =
  /** The host name has no address. */
  | "dns"
  /** Nothing listens there, or the network has no way to it. */
  | "refused"
  | "connect_timeout"
  /** The certificate or the TLS handshake is bad. */
  | "tls"
  /** The proxy wants another user name or password (HTTP 407). */
  | "proxy_auth"
  /** The connection ended before the answer was complete. */
  | "reset"
  /** No complete answer within `timeoutMs`. */
  | "timeout"
  /** The answer isn't HTTP, or is a 2xx that is larger than the limit or came compressed. */
  | "bad_answer"
  /** The caller's signal. */
  | "aborted";

const sentences: Readonly<Record<TransportFailure, string>> = {
  dns: "the host name has no address",
  refused: "the connection was refused",
  connect_timeout: "no connection came about in time",
  tls: "the TLS certificate or handshake is not valid",
  proxy_auth: "the user name and the password were refused",
  reset: "the connection ended before the answer was complete",
  timeout: "no complete answer came in time",
  bad_answer: "the answer is not valid HTTP or is too large",
  aborted: "the call was aborted",
};

/**
 * Thrown where an exchange did not end with a complete answer. `sent` is the one thing that a retry has to know:
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

/**
 * Says it in words for a person, which are never text of the other side.
 *
 * @param atProxy it was the proxy that failed, and not the service
 */
export function transportError(
  failure: TransportFailure,
  sent: boolean,
  detail = "",
  atProxy = false,
): TransportError {
  const sentence = translated(sentences[failure]);
  const what = detail === "" ? sentence : `${sentence} (${detail})`;
  return new TransportError(failure, sent, atProxy ? t`at the proxy, ${what}` : what, { atProxy });
}

const failures: ReadonlyMap<string, TransportFailure> = new Map([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["ECONNREFUSED", "refused"],
  ["EHOSTUNREACH", "refused"],
  ["ENETUNREACH", "refused"],
  ["ENETDOWN", "refused"],
  ["EADDRNOTAVAIL", "refused"],
  ["EACCES", "refused"],
  ["EPERM", "refused"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect_timeout"],
  ["UND_ERR_PRX_TLS", "tls"],
  ["UND_ERR_HEADERS_OVERFLOW", "bad_answer"],
]);

/** The certificate errors of OpenSSL and Node (nodejs.org/api/tls.html, "X509 certificate error codes"). */
const tlsCode =
  /^(?:ERR_(?:TLS|SSL|OSSL)_|EPROTO$|CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|OUT_OF_MEM$)/;

/**
 * Tells which of the failures an error of undici, of a socket or of TLS stands for.
 *
 * @param sent whether the request had been handed to a connected socket by the time of the error
 * @returns the error itself where it tells of a fault in the request that was asked for
 */
export function classify(error: Error, sent: boolean): Error {
  if (error instanceof TransportError) return error;
  const code = systemErrorCode(error) ?? "";
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") return error;
  // undici's word for a proxy that refused the tunnel.
  const isRefusedTunnel = code === "UND_ERR_ABORTED" && !sent;
  const failure = isRefusedTunnel ? "refused" : failureOf(error, code, sent);
  return transportError(failure, sent, code, isRefusedTunnel || "atProxy" in error);
}

function failureOf({ name, message }: Error, code: string, sent: boolean): TransportFailure {
  const failure = failures.get(code);
  if (failure) return failure;
  if (code === "ETIMEDOUT") return sent ? "reset" : "connect_timeout";
  if (tlsCode.test(code)) return sent ? "reset" : "tls";
  // undici 7 gives the parser's errors no code. Only the one for an early end is not about what came.
  if (name === "HTTPParserError") return message.includes("Invalid EOF state") ? "reset" : "bad_answer";
  // undici's words for an answer that no request asked for, or that switches protocols.
  return code === "UND_ERR_SOCKET" && /^bad (?:response|upgrade)/.test(message) ? "bad_answer" : "reset";
}

/** Bytes of a body that are held in memory. */
export const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Collects an answer, whichever transport brings it.
 *
 * @param received by lower-case names; several of one name as a list, or joined already
 */
export function answerReader(
  status: number,
  received: Readonly<Record<string, string | readonly string[] | undefined>>,
) {
  const headers: Record<string, string> = {};
  let setCookies: readonly string[] | undefined;
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined) continue;
    if (name === "set-cookie") setCookies = typeof value === "string" ? [value] : value;
    else headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  const head = { status, headers, ...(setCookies && { setCookies }) };
  // A mark of the byte order stays, and half a character at the end of a beginning is left out.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces: string[] = [];
  let room = maxBodyBytes;
  return {
    head,
    /**
     * @returns the answer, where no more of it is read: of one that is no 2xx the beginning is kept, since its status tells
     *   enough
     * @throws {TransportError} `bad_answer` for a 2xx whose body is larger than what is held in memory
     */
    add(piece: Uint8Array): HttpAnswer | undefined {
      pieces.push(decoder.decode(piece.subarray(0, room), { stream: true }));
      room -= piece.length;
      if (room >= 0) return undefined;
      if (isSuccess(head)) throw transportError("bad_answer", true, t`more than ${maxBodyBytes} bytes`);
      return { ...head, body: pieces.join(""), truncated: true };
    },
    whole: (): HttpAnswer => ({ ...head, body: pieces.join("") + decoder.decode() }),
  };
}
