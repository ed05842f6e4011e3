/**
 * The rules of a call, as pure functions: what a response means (section 7, and what section 4 shows of each success), what the
 * attempts of a call come to together, and whether and when the request is sent again.
 */
import { errorCodes } from "../api/values.js";
import { isObject, parseJson } from "../base/basics.js";
import type { AuthScheme, Operation } from "../api/operations.js";
import type { ComandaError, ErrorCode, Outcome } from "../base/errors.js";
import { isSafe, type HttpRequest, type HttpResponse, type TransportError } from "./transport.js";

/** An operation of the contract, or a call of any other path, as far as a call depends on it. */
export interface CalledOperation extends Pick<
  Operation,
  "id" | "scopes" | "bucket" | "repeatable" | "isRefusedTwice"
> {
  readonly method: HttpRequest["method"];
  /** The credentials that it accepts, in order of preference. */
  readonly credentials: readonly AuthScheme[];
}

/** What signs one request. */
export interface Signature {
  readonly scheme: AuthScheme;
  /** Each by the name of the function that the credentials have for it. Never shown. */
  readonly secrets: Readonly<Partial<Record<"bearer" | "apiKey" | "partnerKey", string>>>;
  /** `true` for an access token that this call has renewed. */
  readonly isRenewed: boolean;
}

/** One request of a call, and what came of it. A call is the list of its attempts: everything that is said of it follows from them. */
export interface Attempt<Value = unknown> {
  readonly signature: Signature;
  /** Milliseconds until the response, or until the failure. */
  readonly ms: number;
  /** Whether a part of the request may have left this machine. */
  readonly sent: boolean;
  readonly judged: Succeeded<Value> | Failed;
  /** The response, without anything that signed the request. */
  readonly answer?: HttpResponse | undefined;
}

export interface Succeeded<Value> {
  readonly code: null;
  readonly value: Value;
  readonly response: HttpResponse;
  readonly failure?: never;
  readonly rejection?: never;
}

/** A request that didn't succeed. */
export interface Failed extends Pick<Outcome, "evidence" | "httpStatus" | "serviceCode"> {
  readonly code: ErrorCode;
  readonly serviceMessage: string | null;
  readonly details: string | null;
  /** `undefined` if none came. */
  readonly response?: HttpResponse;
  /** Milliseconds that the response asks to wait; `undefined` if it doesn't. */
  readonly retryAfterMs?: number | undefined;
  /** `undefined` if a response came. */
  readonly failure?: TransportError;
  /** The error by which our own transport rejected the request before sending it, for example for a wrong proxy. */
  readonly rejection?: ComandaError;
}

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` if it isn't valid JSON
 * @returns `undefined` if the API didn't write it
 */
export type ReadSuccess<Value> = (response: HttpResponse, json: unknown) => Value | undefined;

/** The `operation` of a call that the contract doesn't know, in notices and in the journal. */
export const anyCallId = "request";

/** The code in the body decides before the status does: 4002, for one, comes with a status that is not shown. */
const byServiceCode: ReadonlyMap<number | null, ErrorCode> = new Map([
  [errorCodes.invalidParameters, "invalid_request"],
  [errorCodes.statusCannotChange, "status_conflict"],
  [errorCodes.invalidToken, "token_refused"],
  [errorCodes.notFound, "not_found"],
]);

/** The statuses of section 4 mean this where the body tells no more; of 400 and 404 that is {@link isNotDone the API's word} by its body alone. */
const byStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "invalid_request"],
  [401, "token_refused"],
  [403, "forbidden"],
  [404, "not_found"],
  [429, "rate_limited"],
]);

/**
 * They say that the request wasn't looked at, whoever sent them (RFC 9110, sections 15.5.8 and 15.5.20; RFC 8470, section
 * 5.2): so nothing of the order.
 */
const notLookedAt: ReadonlySet<number | null> = new Set([407, 421, 425]);
/** They refuse whoever asks. Their bodies are not shown (section 7), so the status alone is the word. */
const refusedBy: ReadonlySet<ErrorCode> = new Set(["token_refused", "forbidden", "rate_limited"]);
/** They refuse what is asked for. */
const refusedFor: ReadonlySet<ErrorCode> = new Set(["invalid_request", "not_found", "status_conflict"]);

const noWords = { serviceCode: null, serviceMessage: null, details: null };

/**
 * Judges one response. Never throws, whatever the service sent.
 *
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date
 */
export function judge<Value>(
  response: HttpResponse,
  read: ReadSuccess<Value>,
  now: number,
): Succeeded<Value> | Failed {
  const { status: httpStatus } = response;
  const body = parseJson(response.body);
  // The error body of section 7, as far as it is there; `code` may have been sent as a numeric string.
  const fields = isObject(body) ? body : {};
  const { code, message, details } = fields;
  const number = typeof code === "string" && /^\d{1,9}$/.test(code) ? Number(code) : code;
  const serviceCode = typeof number === "number" && Number.isSafeInteger(number) ? number : null;
  const words = {
    serviceCode,
    serviceMessage: typeof message === "string" ? message : null,
    details: typeof details === "string" ? details : null,
  };
  const isApis = serviceCode !== null && words.serviceMessage !== null;
  const known = byServiceCode.get(serviceCode);
  const named = isApis ? known : undefined;
  let word: ErrorCode = named ?? "unexpected_answer";
  if (httpStatus >= 200 && httpStatus < 300) {
    // Beside a 2xx a field called `code` alone proves nothing: an order may have one that is not documented.
    const isOfError = (name: string) => ["code", "message", "details"].includes(name);
    const isError =
      known !== undefined && (words.serviceMessage !== null || Object.keys(fields).every(isOfError));
    if (!isError) {
      const value = read(response, body);
      if (value !== undefined) return { code: null, value, response };
      return { code: "unexpected_answer", evidence: "gateway", httpStatus, ...noWords, response };
    }
  } else if (httpStatus >= 500) word = named ?? "server_error";
  else {
    const isWordOfApi = httpStatus >= 400 && isApis && !notLookedAt.has(httpStatus);
    word = named ?? byStatus.get(httpStatus) ?? (isWordOfApi ? "invalid_request" : "unexpected_answer");
  }
  const evidence = isApis ? "api" : "gateway";
  const mayWait = response.headers["retry-after"] !== undefined;
  const retryAfterMs = mayWait ? retryAfter(response, now) : undefined;
  return { code: word, evidence, httpStatus, ...words, response, retryAfterMs };
}

/** Judges a request without a complete response. */
export function judgeFailure(failure: TransportError): Failed {
  let code: ErrorCode = "unreachable";
  if (failure.failure === "aborted") code = "interrupted";
  if (failure.failure === "bad_answer") code = "unexpected_answer";
  return { code, evidence: failure.sent ? "nobody" : null, httpStatus: null, ...noWords, failure };
}

/**
 * What says that it is a page, and has no byte of one, may have been cut off before: where no length is told, nothing shows
 * that (RFC 9112, section 6.3). A 204 and a 205 have no body (RFC 9110, sections 15.3.5 and 15.3.6).
 */
export function isPage({ status, headers, body }: HttpResponse): boolean {
  if (status === 204 || status === 205) return false;
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "")) return false;
  const hasLength = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return body !== "" || !hasLength;
}

/**
 * Returns whether the order was certainly not changed by this request. A redirect and a gateway's page don't show that: they were seen
 * after the order had been changed.
 */
export function isNotDone({ code, evidence, httpStatus, failure }: Failed): boolean {
  if (failure) return !failure.sent;
  if (notLookedAt.has(httpStatus) || refusedBy.has(code)) return true;
  return evidence === "api" && code !== "server_error" && code !== "unexpected_answer";
}

export interface Conclusion {
  readonly outcome: Outcome;
  /** The failure that explains the outcome; of an unknown one, the attempt that may have changed the order. */
  readonly decisive: Failed | undefined;
  /** The latest attempt of a write that may have changed the order, whatever a later one has settled. */
  readonly uncertain: Failed | undefined;
  /** The last response, code 4002, is the same whether the order was changed before or the change is refused now. */
  readonly isDoneOrRefused: boolean;
}

/** What every call has in common that is done. */
export const done = { outcome: "done", code: null, serviceCode: null, evidence: "api" } as const;

/**
 * Returns what the attempts of one call come to together, and the attempts that explain it. If there are none, nothing was sent.
 *
 * A later response may tell what an earlier request of the same write has done. Only the API's own error body does: a gateway
 * that has no response says nothing of the order.
 */
export function outcomeOf(operation: CalledOperation, attempts: readonly Attempt[]): Conclusion {
  const last = attempts.at(-1)?.judged;
  let uncertain: Failed | undefined;
  // If the last request was never sent, the evidence is that of an earlier one.
  let evidence: Outcome["evidence"] = null;
  for (const { judged } of attempts) {
    if (judged.code === null) continue;
    // If the runtime may have sent the request twice, the first one may have changed the order, and the second met that.
    const metItself = judged.code === "status_conflict" && judged.response?.mayHaveRepeated;
    const mayBeDone = !isNotDone(judged) || metItself;
    if (!isSafe(operation) && mayBeDone) uncertain = judged;
    evidence = judged.evidence ?? evidence;
  }
  const facts = { attempts: attempts.length, value: null };
  if (last === undefined || last.code === null) {
    const notSent = { ...done, outcome: "failed", evidence: null } as const;
    const outcome = { ...facts, ...(last ? done : notSent), httpStatus: last?.response.status ?? null };
    return { outcome, decisive: undefined, uncertain, isDoneOrRefused: false };
  }
  const ofApi = last.evidence === "api" ? last.serviceCode : null;
  // An order that was changed before admits no change to it.
  const isDoneOrRefused = uncertain !== undefined && ofApi === errorCodes.statusCannotChange;
  // Section 7 has these codes for the request itself, so an earlier attempt was answered the same. What is said of whoever sends it
  // (401, 403, 429) changes from one moment to the next, and so may an error that the section doesn't have. The errors of a call of
  // any path aren't described: a second DELETE finds nothing any more.
  const wasRefused =
    (ofApi === errorCodes.invalidParameters || ofApi === errorCodes.notFound) && operation.id !== anyCallId;
  const isKnown = uncertain === undefined || wasRefused;
  const decisive = uncertain === undefined || wasRefused || isDoneOrRefused ? last : uncertain;
  const { httpStatus, serviceCode } = decisive;
  // A response that isn't the API's, such as a redirect or a gateway's page, doesn't refuse anything for it.
  const isRefusal = refusedBy.has(last.code) || (refusedFor.has(last.code) && last.evidence === "api");
  const outcome = {
    ...facts,
    outcome: isKnown ? (isRefusal ? "refused" : "failed") : "unknown",
    httpStatus,
    code: isKnown ? last.code : "outcome_unknown",
    serviceCode,
    evidence: decisive.evidence ?? evidence,
  } as const;
  return { outcome, decisive, uncertain, isDoneOrRefused };
}

/** A service that asks for less, or for a moment that is past, is asked again no sooner. */
const shortestWaitMs = 1000;
/** RFC 9110, section 15.6.2. */
const notImplemented = 501;

export interface NextStep {
  /**
   * `sign`: at once, signed with something else; `wait`: after the service's rate limit; `pause`: when the service says that it is
   * back; `repeat`: after a pause of our own.
   */
  readonly kind: "sign" | "wait" | "pause" | "repeat";
  readonly afterMs: number;
}

export interface RetryLimits {
  /** Retries after anything but a rate limit or a refused credential. */
  readonly maxRetries: number;
  /** Milliseconds of the operation's rate limit window. */
  readonly windowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
}

/**
 * Decides whether a request is sent again if that does no harm (RFC 9110, section 9.2.2), and when.
 *
 * @param attempts the last of them has failed
 * @returns `undefined` if the call ends here
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
    // It waits longer each time that the call meets the limit again, and never longer than the window.
    const waits = before.filter((each) => each === "rate_limited").length;
    const leastMs = shortestWaitMs * 2 ** Math.min(waits, 10);
    return { kind: "wait", afterMs: Math.min(Math.max(retryAfterMs, leastMs), windowMs) };
  }
  if (failure) {
    // A bad certificate stays bad, and so does a password: sending it again only shows it to whoever listens.
    const staysSo = !failure.sent && ["tls", "proxy_auth"].includes(failure.failure);
    if (staysSo || failure.failure === "aborted" || (failure.sent && !repeatable)) return undefined;
    // A response that isn't the API's may come from a portal in between, or from the service after the change.
  } else if (isNotDone(last) || !repeatable) return undefined;
  if (response) {
    // JSON that isn't what the contract says, a redirect, a page with a 4xx, or an unknown method: whoever responded is up, and
    // would respond the same again.
    const { status, body } = response;
    const isOther = status >= 300 || parseJson(body) !== undefined;
    if (status >= 500 ? status === notImplemented : isOther) return undefined;
  }
  const retries = before.filter((each) => each !== "rate_limited" && each !== "token_refused").length;
  if (retries >= maxRetries) return undefined;
  // Exponential backoff with full jitter: anywhere up to 0.5 s, 1 s, 2 s and so on, to 8 s.
  const afterMs = Math.floor(random * Math.min(8000, 500 * 2 ** retries));
  return retryAfterMs <= afterMs ? { kind: "repeat", afterMs } : { kind: "pause", afterMs: retryAfterMs };
}

/** No service asks for longer in earnest; `setTimeout` wraps around at 24.8 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

/**
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3). A date is one of the service's clock, because this machine's may be half an
 * hour off.
 *
 * @param now milliseconds since the epoch, by which a date is measured if the response has no date of its own
 * @returns milliseconds to wait, from 0 to one day; `undefined` if the header is absent or neither whole seconds nor an HTTP date
 */
export function retryAfter({ headers }: Pick<HttpResponse, "headers">, now: number): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestWaitMs);
  const until = parseHttpDate(text, now);
  if (Number.isNaN(until)) return undefined;
  return Math.min(Math.max(until - (parseHttpDate(headers["date"], now) || now), 0), longestWaitMs);
}

/** The forms of RFC 9110, section 5.6.7: IMF-fixdate and the obsolete one of RFC 850, and that of asctime. */
const httpDates = [
  /^\w{3,9}, (?<day>\d{2})[ -](?<month>\w{3})[ -](?<year>\d{2}|\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** Returns milliseconds since the epoch, or NaN. A year of two digits is the one that lies at most 50 years after `now`. */
function parseHttpDate(text = "", now: number): number {
  const found = httpDates.map((form) => form.exec(text)).find(Boolean);
  const { day, month, year = "", time } = found?.groups ?? {};
  let fullYear = Number(year);
  if (year.length === 2) {
    const latest = new Date(now).getUTCFullYear() + 50;
    fullYear = latest - ((latest - fullYear) % 100);
  }
  return found ? Date.parse(`${day}, ${month} ${fullYear} ${time} GMT`) : Number.NaN;
}
