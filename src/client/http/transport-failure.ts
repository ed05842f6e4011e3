/** Tells which of the transport's failures an error of undici, of a socket or of TLS stands for. */
import { systemErrorCode } from "../errors.js";
import { t, translated } from "../../languages/language.js";
import { TransportError, type TransportFailure } from "./transport.js";

const byCode: ReadonlyMap<string, TransportFailure> = new Map([
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

const sentences: Record<TransportFailure, string> = {
  dns: "the host name has no address",
  refused: "the connection was refused",
  connect_timeout: "no connection came about in time",
  tls: "the TLS certificate or handshake is not valid",
  reset: "the connection ended before the answer was complete",
  timeout: "no complete answer came in time",
  bad_answer: "the answer is not valid HTTP or is too large",
  aborted: "the call was aborted",
};

/**
 * Says it in words for a person, which are never text of the other side.
 *
 * @param atProxy it was the proxy that failed, and not the service
 */
export function transportError(
  failure: TransportFailure,
  sent: boolean,
  detail?: string,
  atProxy = false,
): TransportError {
  const sentence = translated(sentences[failure]);
  const what = detail ? `${sentence} (${detail})` : sentence;
  return new TransportError(failure, sent, atProxy ? t`at the proxy, ${what}` : what, { atProxy });
}

/**
 * @param sent whether the request had been handed to a connected socket by the time of the error
 * @returns the error itself where it tells of a fault in the request that was asked for
 */
export function classify(error: Error, sent: boolean): Error {
  if (error instanceof TransportError) return error;
  const code = systemErrorCode(error) ?? "";
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") return error;
  return transportError(
    failureOf(error, code, sent),
    sent,
    code,
    "atProxy" in error || isRefusedTunnel(code, sent),
  );
}

function failureOf({ name, message }: Error, code: string, sent: boolean): TransportFailure {
  const failure = byCode.get(code);
  if (failure) return failure;
  if (code === "ETIMEDOUT") return sent ? "reset" : "connect_timeout";
  if (tlsCode.test(code)) return sent ? "reset" : "tls";
  // undici 7 gives the parser's errors no code. Only the one for an early end is not about what came.
  if (name === "HTTPParserError") return message.includes("Invalid EOF state") ? "reset" : "bad_answer";
  // undici's words for an answer that no request asked for, or that switches protocols.
  if (code === "UND_ERR_SOCKET" && /^bad (?:response|upgrade)/.test(message)) return "bad_answer";
  if (isRefusedTunnel(code, sent)) return "refused";
  return "reset";
}

/** Did a proxy refuse the tunnel? This is undici's word for it. */
function isRefusedTunnel(code: string, sent: boolean): boolean {
  return code === "UND_ERR_ABORTED" && !sent;
}
