/**
 * The rules of a call, as pure functions: what a response means (section 7, and the successes in section 4), what the outcome of
 * several attempts is, and whether and when a request is retried.
 */
import { errorCodes } from "../api/values.js";
import { isObject, parseJson } from "../base/basics.js";
import type { AuthScheme, CredentialKind, Operation } from "../api/operations.js";
import type { ComandaError, ErrorCode, Outcome } from "../base/errors.js";
import { isDelimited, isSafe } from "./transport.js";
import type { HttpRequest, HttpResponse, TransportError } from "./transport.js";

/** The part of an operation, or of a call of any other path, that a call depends on. */
export interface CalledOperation extends Pick<
  Operation,
  "id" | "scopes" | "bucket" | "repeatable" | "isRefusedTwice"
> {
  readonly method: HttpRequest["method"];
  /** In order of preference. */
  readonly credentials: readonly AuthScheme[];
}

export interface Signature {
  readonly scheme: AuthScheme;
  /** By the names of the functions in `Credentials`. Never shown. */
  readonly secrets: Readonly<Partial<Record<CredentialKind, string>>>;
}

/** One request of a call, with its result. A call's outcome and next step follow from the list of its attempts. */
export interface Attempt<Value = unknown> {
  readonly signature: Signature;
  readonly judged: Succeeded<Value> | Failed;
}

export interface Succeeded<Value> {
  readonly code: null;
  readonly value: Value;
  readonly raw: string;
  readonly response: HttpResponse;
  readonly failure?: undefined;
}

export interface Failed extends Pick<Outcome, "evidence" | "httpStatus" | "serviceCode"> {
  readonly code: ErrorCode;
  readonly serviceMessage: string | null;
  readonly details: string | null;
  readonly response?: HttpResponse;
  /** Milliseconds from `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  /** `undefined` if there was a response. */
  readonly failure?: TransportError;
  /** The error of comanda's transport if it rejected the request before sending it, for example for a wrong proxy. */
  readonly rejection?: ComandaError;
}

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` if it isn't valid JSON
 * @returns `undefined` if the API didn't write it
 */
export type ReadSuccess<Value> = (response: HttpResponse, json: unknown) => Value | undefined;

/** Stands for a call that the contract doesn't describe, in notices and in the journal. */
export const anyCallId = "request";

/** The code in the body takes precedence over the status: for 4002, no status is shown. */
const byServiceCode: ReadonlyMap<number | null, ErrorCode> = new Map([
  [errorCodes.invalidParameters, "invalid_request"],
  [errorCodes.statusCannotChange, "status_conflict"],
  [errorCodes.invalidToken, "token_refused"],
  [errorCodes.notFound, "not_found"],
]);

/** The meaning of a status if the body has no known code. A 400 or 404 requires the API's body to be {@link isNotDone evidence}. */
const byStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "invalid_request"],
  [401, "token_refused"],
  [403, "forbidden"],
  [404, "not_found"],
  [429, "rate_limited"],
]);

/** These mean that no one processed the request, whoever sent them (RFC 9110, sections 15.5.8 and 15.5.20; RFC 8470, section 5.2). */
const notProcessed: ReadonlySet<number | null> = new Set([407, 421, 425]);
/** Refusals of the caller. Their bodies are not shown (section 7), so the status is sufficient evidence. */
const callerRefused: ReadonlySet<ErrorCode> = new Set(["token_refused", "forbidden", "rate_limited"]);
const requestRefused: ReadonlySet<ErrorCode> = new Set(["invalid_request", "not_found", "status_conflict"]);

const withoutBody = { serviceCode: null, serviceMessage: null, details: null };

/**
 * Judges one response, and never throws.
 *
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date
 * @param mask hides our own credentials in what may be shown or logged
 */
export function judge<Value>(
  received: HttpResponse,
  read: ReadSuccess<Value>,
  now: number,
  mask: (text: string) => string,
): Succeeded<Value> | Failed {
  const { status: httpStatus, setCookies, body: raw } = received;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received.headers)) headers[name] = mask(value);
  const cookies = setCookies && { setCookies: setCookies.map(mask) };
  const response = { ...received, headers, ...cookies, body: mask(raw) };
  const body = parseJson(raw);
  // The fields of section 7's error body that are present. `code` may be a numeric string.
  const fields = isObject(body) ? body : {};
  const { code, message, details } = fields;
  const number = typeof code === "string" && /^\d{1,9}$/.test(code) ? Number(code) : code;
  const serviceCode = typeof number === "number" && Number.isSafeInteger(number) ? number : null;
  const said = {
    serviceCode,
    serviceMessage: typeof message === "string" ? mask(message) : null,
    details: typeof details === "string" ? mask(details) : null,
  };
  const isApis = serviceCode !== null && said.serviceMessage !== null;
  const known = byServiceCode.get(serviceCode);
  const named = isApis ? known : undefined;
  let errorCode: ErrorCode = named ?? "unexpected_answer";
  if (httpStatus >= 200 && httpStatus < 300) {
    // With a 2xx, `code` isn't sufficient evidence, because an order may have an undocumented field of that name.
    const isOfError = (name: string) => ["code", "message", "details"].includes(name);
    const isError =
      known !== undefined && (said.serviceMessage !== null || Object.keys(fields).every(isOfError));
    if (!isError) {
      const value = read(received, body);
      if (value !== undefined) return { code: null, value, raw, response };
      return { code: "unexpected_answer", evidence: "gateway", httpStatus, ...withoutBody, response };
    }
  } else if (httpStatus >= 500) errorCode = named ?? "server_error";
  else {
    const isOther = httpStatus >= 400 && isApis && !notProcessed.has(httpStatus);
    errorCode = named ?? byStatus.get(httpStatus) ?? (isOther ? "invalid_request" : "unexpected_answer");
  }
  const evidence = isApis ? "api" : "gateway";
  const retryAfterMs = retryAfter(received, now);
  return { code: errorCode, evidence, httpStatus, ...said, response, retryAfterMs };
}

export function judgeFailure(failure: TransportError): Failed {
  let code: ErrorCode = "unreachable";
  if (failure.failure === "aborted") code = "interrupted";
  if (failure.failure === "bad_answer") code = "unexpected_answer";
  return { code, evidence: failure.sent ? "nobody" : null, httpStatus: null, ...withoutBody, failure };
}

/** Returns whether a response contains an HTML page. */
export function isPage({ headers, body }: HttpResponse): boolean {
  return body !== "" && /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "");
}

/**
 * Returns whether an empty body may be what is left of another one, such as that of a refusal. If the runtime hides length and chunks,
 * as `fetch` does for HTTP/2, a declared type or length means that a body was to follow.
 */
export function mayBeCutOff(response: HttpResponse): boolean {
  const { "content-type": type, "content-length": length } = response.headers;
  const hasBody = (type ?? length) !== undefined;
  const { body, endsWithConnection = hasBody && !isDelimited(response) } = response;
  return body.trim() === "" && endsWithConnection;
}

/**
 * Returns whether this request certainly didn't change the order. A redirect or a gateway's page isn't evidence: both have been
 * seen after the order was changed.
 */
export function isNotDone(failed: Failed): boolean {
  const { httpStatus, failure } = failed;
  return failure ? !failure.sent : notProcessed.has(httpStatus) || isRefusal(failed);
}

/** Returns whether the service refused the caller, or the API's own error body refuses the request. */
function isRefusal({ code, evidence }: Failed): boolean {
  return callerRefused.has(code) || (requestRefused.has(code) && evidence === "api");
}

export interface Conclusion {
  readonly outcome: Outcome;
  /** The last attempt, if it has failed. */
  readonly last: Failed | undefined;
  /** The failure that explains the outcome. If that is unknown, the attempt that may have changed the order. */
  readonly decisive: Failed | undefined;
  /** The latest attempt of a write that may have changed the order, even if a later one has settled the outcome. */
  readonly uncertain: Failed | undefined;
  /** The last response was code 4002: either an earlier attempt changed the order, or the change was refused. */
  readonly isDoneOrRefused: boolean;
}

export const done = { outcome: "done", code: null, serviceCode: null, evidence: "api" } as const;

/**
 * Returns the outcome of a call, and the attempts that explain it. Without attempts, nothing was sent.
 *
 * A later response may settle what an earlier request of the same write did, but only if it is the API's own error body.
 */
export function conclude(operation: CalledOperation, attempts: readonly Attempt[]): Conclusion {
  const last = attempts.at(-1)?.judged;
  let uncertain: Failed | undefined;
  // If the last request was never sent, the evidence is that of an earlier one.
  let evidence: Outcome["evidence"] = null;
  for (const { judged } of attempts) {
    if (judged.code === null) continue;
    // If the runtime may have sent the request twice, the first one may have changed the order, so that the second was refused.
    const metItself = judged.code === "status_conflict" && judged.response?.mayHaveRepeated;
    const mayBeDone = !isNotDone(judged) || metItself;
    if (!isSafe(operation) && mayBeDone) uncertain = judged;
    evidence = judged.evidence ?? evidence;
  }
  const facts = { attempts: attempts.length, value: null };
  if (last === undefined || last.code === null) {
    const notSent = { ...done, outcome: "failed", evidence: null } as const;
    const outcome = { ...facts, ...(last ? done : notSent), httpStatus: last?.response.status ?? null };
    return { outcome, last: undefined, decisive: undefined, uncertain, isDoneOrRefused: false };
  }
  const ofApi = last.evidence === "api" ? last.serviceCode : null;
  const isDoneOrRefused = uncertain !== undefined && ofApi === errorCodes.statusCannotChange;
  // These codes are about the request itself, so an earlier attempt had the same response. Refusals of the caller (401, 403, 429)
  // and codes that section 7 doesn't have may change between attempts. For a call of any path, errors aren't described: a second
  // DELETE isn't found because the first one has succeeded.
  const wasRefused =
    (ofApi === errorCodes.invalidParameters || ofApi === errorCodes.notFound) && operation.id !== anyCallId;
  const unsettled = wasRefused ? undefined : uncertain;
  const decisive = unsettled === undefined || isDoneOrRefused ? last : unsettled;
  const outcome = {
    ...facts,
    outcome: unsettled ? "unknown" : isRefusal(last) ? "refused" : "failed",
    httpStatus: decisive.httpStatus,
    code: unsettled ? "outcome_unknown" : last.code,
    serviceCode: decisive.serviceCode,
    evidence: decisive.evidence ?? evidence,
  } as const;
  return { outcome, last, decisive, uncertain, isDoneOrRefused };
}

/** The minimum wait after an HTTP 429, even if the service requests a shorter one or a time in the past. */
const shortestWaitMs = 1000;
/** RFC 9110, section 15.6.2. */
const notImplemented = 501;

export interface NextStep {
  /** `sign`: now, with another signature. `wait`: after the rate limit. `pause`: when the service is back. `repeat`: after a backoff. */
  readonly kind: "sign" | "wait" | "pause" | "repeat";
  readonly afterMs: number;
}

export interface RetryLimits {
  /** Retries, except those after a rate limit or a refused credential. */
  readonly maxRetries: number;
  /** Milliseconds of the operation's rate limit. */
  readonly windowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
}

/**
 * Decides whether and when a request is retried, which must be safe (RFC 9110, section 9.2.2).
 *
 * @param attempts the last one has failed
 * @returns `undefined` if the call ends
 */
export function nextStep(
  { repeatable }: Pick<CalledOperation, "repeatable">,
  attempts: readonly Pick<Attempt, "judged">[],
  { maxRetries, windowMs, random }: RetryLimits,
): NextStep | undefined {
  const last = attempts.at(-1)?.judged;
  if (last?.code === null || !last) return undefined;
  const before = attempts.slice(0, -1).map(({ judged }) => judged.code);
  const { code, failure, response, retryAfterMs = 0 } = last;
  if (code === "token_refused") return { kind: "sign", afterMs: 0 };
  if (code === "rate_limited") {
    // The minimum wait doubles each time that the call reaches the limit again.
    const waits = before.filter((each) => each === "rate_limited").length;
    const leastMs = shortestWaitMs * 2 ** Math.min(waits, 10);
    return { kind: "wait", afterMs: Math.min(Math.max(retryAfterMs, leastMs), windowMs) };
  }
  if (failure) {
    // A bad certificate or password stays bad, and a password must not be sent more often than necessary.
    const staysSo = !failure.sent && ["tls", "proxy_auth"].includes(failure.failure);
    if (staysSo || failure.failure === "aborted" || (failure.sent && !repeatable)) return undefined;
  } else if (isNotDone(last) || !repeatable) return undefined;
  if (response) {
    // For invalid JSON fields, a redirect, a 4xx page or an unknown method, a retry would have the same response.
    const { status, body } = response;
    const isOther = status >= 300 || parseJson(body) !== undefined;
    if (status >= 500 ? status === notImplemented : isOther) return undefined;
  }
  const retries = before.filter((each) => each !== "rate_limited" && each !== "token_refused").length;
  if (retries >= maxRetries) return undefined;
  // Exponential backoff with full jitter: up to 0.5 s, 1 s, 2 s and so on, at most 8 s.
  const afterMs = Math.floor((random < 1 ? random : 1) * Math.min(8000, 500 * 2 ** retries));
  return retryAfterMs <= afterMs ? { kind: "repeat", afterMs } : { kind: "pause", afterMs: retryAfterMs };
}

/** A longer `Retry-After` can't be intended, and `setTimeout` wraps around at 24.8 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

/**
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3). A date is compared with the response's own `Date`, because this machine's
 * clock may be wrong.
 *
 * @param now milliseconds since the epoch, for a response without `Date`
 * @returns milliseconds to wait, from 0 to one day; `undefined` if the header is absent or isn't valid
 */
export function retryAfter({ headers }: Pick<HttpResponse, "headers">, now: number): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestWaitMs);
  const until = parseHttpDate(text);
  if (Number.isNaN(until)) return undefined;
  return Math.min(Math.max(until - (parseHttpDate(headers["date"]) || now), 0), longestWaitMs);
}

/** Returns milliseconds since the epoch, or NaN. The time zone is always GMT, though one of the three forms doesn't name it. */
function parseHttpDate(text = ""): number {
  const isDate = /^[a-z]{3,9},? .*\d\d:\d\d:\d\d/i.test(text);
  return isDate ? Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`) : Number.NaN;
}
