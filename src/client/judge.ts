/**
 * Judges what an answer means (section 7, and what section 4 shows of each success), what a call came to, and whether and when
 * its request is sent again. Pure.
 */
import { errorCodes } from "../api/values.js";
import { isObject, parseJson } from "../api/basics.js";
import type { ErrorCode, Outcome } from "./errors.js";
import type { HttpAnswer, TransportError } from "./transport.js";

/** One request that was no success. */
export interface Failed extends Pick<Outcome, "evidence" | "httpStatus" | "serviceCode"> {
  readonly code: ErrorCode;
  readonly serviceMessage: string | null;
  readonly details: string | null;
  /** Absent where none came. */
  readonly answer?: HttpAnswer;
  /** Absent where an answer came. */
  readonly failure?: TransportError;
}

export interface Done<Value> {
  readonly code: null;
  readonly value: Value;
  readonly answer: HttpAnswer;
  readonly failure?: never;
}

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` where it is none
 * @returns `undefined` where it is not an answer of the API
 */
export type ReadSuccess<Value> = (answer: HttpAnswer, json: unknown) => Value | undefined;

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

/** Never throws, whatever the service sent. */
export function judge<Value>(answer: HttpAnswer, read: ReadSuccess<Value>): Done<Value> | Failed {
  const { status: httpStatus } = answer;
  const body = parseJson(answer.body);
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
      const value = read(answer, body);
      if (value !== undefined) return { code: null, value, answer };
      return { code: "unexpected_answer", evidence: "gateway", httpStatus, ...noWords, answer };
    }
  } else if (httpStatus >= 500) word = named ?? "server_error";
  else {
    const isWordOfApi = httpStatus >= 400 && isApis && !notLookedAt.has(httpStatus);
    word = named ?? byStatus.get(httpStatus) ?? (isWordOfApi ? "invalid_request" : "unexpected_answer");
  }
  return { code: word, evidence: isApis ? "api" : "gateway", httpStatus, ...words, answer };
}

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
export function isPage({ status, headers, body }: HttpAnswer): boolean {
  if (status === 204 || status === 205) return false;
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "")) return false;
  const hasLength = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return body !== "" || !hasLength;
}

/**
 * Does it say that what was asked for certainly was not done? A redirect and a gateway's page don't: they were seen after the
 * order had been changed.
 */
export function isNotDone({ code, evidence, httpStatus, failure }: Failed): boolean {
  if (failure) return !failure.sent;
  if (notLookedAt.has(httpStatus) || refusedBy.has(code)) return true;
  return evidence === "api" && code !== "server_error" && code !== "unexpected_answer";
}

/**
 * Says what a call without success came to, all its requests together.
 *
 * A later answer may tell what an earlier request of the same write has done. Only the API's own error body does: a gateway that
 * has no answer says nothing of the order.
 *
 * @param operation its id
 * @param doubt the latest request after which it may have been done
 * @returns `told` is the request whose answer the error quotes: of an unknown outcome the one that may have done it.
 *   `isDoneOrRefused`: the last answer, code 4002, is the same whether the write was done before or is refused now
 */
export function conclude(operation: string, last: Failed, doubt: Failed | undefined) {
  const apis = last.evidence === "api" ? last.serviceCode : null;
  // An order that is already there admits no change to it.
  const isDoneOrRefused = doubt !== undefined && apis === errorCodes.statusCannotChange;
  // Section 7 has them for the request itself, so that an earlier one had the same answer. Not so what is said of whoever asks
  // (401, 403, 429), which changes from one moment to the next, and an error that the section doesn't have. Nobody has described
  // the errors of a call of any path: a second DELETE finds nothing any more.
  const wasRefused =
    (apis === errorCodes.invalidParameters || apis === errorCodes.notFound) && operation !== anyCallId;
  const isKnown = doubt === undefined || wasRefused;
  const told = isKnown || isDoneOrRefused ? last : doubt;
  const { httpStatus, serviceCode, evidence } = told;
  const code: ErrorCode = isKnown ? last.code : "outcome_unknown";
  // What isn't the API's answer, such as a redirect or a gateway's page, is no word of the service's.
  const isRefusal = refusedBy.has(last.code) || (refusedFor.has(last.code) && last.evidence === "api");
  const outcome = isKnown ? (isRefusal ? "refused" : "failed") : "unknown";
  return { outcome, httpStatus, code, serviceCode, evidence, told, isDoneOrRefused } as const;
}

export interface Situation {
  readonly last: Failed;
  /** May the operation be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** This call has been repeated so often for anything but a rate limit. */
  readonly repeats: number;
  readonly maxRepeats: number;
  /** It has waited for the service's own rate limit so often. */
  readonly waits: number;
  /** Milliseconds of the operation's rate limit window. */
  readonly windowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly now: number;
}

/** A service that asks for less, or for a moment that is past, is asked again no sooner. */
const shortestWaitMs = 1000;
/** RFC 9110, section 15.6.2. */
const notImplemented = 501;

/**
 * Decides whether a request is sent again where that does no harm (RFC 9110, section 9.2.2), and when.
 *
 * @returns `wait`: for the service's rate limit; `pause`: for as long as the service says that it is away; `repeat`: after a
 *   pause of our own; `undefined` where it isn't
 */
export function decide(
  situation: Situation,
): { readonly kind: "wait" | "pause" | "repeat"; readonly afterMs: number } | undefined {
  const { last, repeatable, repeats, maxRepeats, waits, windowMs, random, now } = situation;
  const { failure, answer } = last;
  if (last.code === "rate_limited") {
    // It waits longer each time that the call meets the limit again, and never longer than the window.
    const leastMs = shortestWaitMs * 2 ** Math.min(waits, 10);
    const waitMs = (answer && retryAfter(answer, now)) ?? 0;
    return { kind: "wait", afterMs: Math.min(Math.max(waitMs, leastMs), windowMs) };
  }
  if (failure) {
    // A bad certificate stays bad, and so does a password: asking again only tells more to whoever holds it.
    const staysSo = !failure.sent && ["tls", "proxy_auth"].includes(failure.failure);
    if (staysSo || failure.failure === "aborted" || (failure.sent && !repeatable)) return undefined;
    // What isn't the API's word may come from a portal in between, or from the service after doing it.
  } else if (isNotDone(last) || !repeatable) return undefined;
  if (answer) {
    // JSON that isn't what the contract says, a way to elsewhere, a page that says no, or a method that isn't there: whoever
    // answered is up, and would answer the same again.
    const { status, body } = answer;
    const isOther = status >= 300 || parseJson(body) !== undefined;
    if (status >= 500 ? status === notImplemented : isOther) return undefined;
  }
  if (repeats >= maxRepeats) return undefined;
  // Exponential backoff with full jitter: anywhere up to 0.5 s, 1 s, 2 s and so on, to 8 s.
  const afterMs = Math.floor(random * Math.min(8000, 500 * 2 ** repeats));
  const asked = answer && retryAfter(answer, now);
  return asked === undefined || asked <= afterMs
    ? { kind: "repeat", afterMs }
    : { kind: "pause", afterMs: asked };
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
export function retryAfter({ headers }: Pick<HttpAnswer, "headers">, now: number): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestWaitMs);
  const until = parseHttpDate(text, now);
  if (Number.isNaN(until)) return undefined;
  return Math.min(Math.max(until - (parseHttpDate(headers["date"], now) || now), 0), longestWaitMs);
}

/** The three forms of RFC 9110, section 5.6.7: IMF-fixdate, and the obsolete ones of RFC 850 and asctime, which name the same fields. */
const httpDates = [
  /^\w{3}, (?<day>\d{2}) (?<month>\w{3}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^\w{6,9}, (?<day>\d{2})-(?<month>\w{3})-(?<year>\d{2}) (?<time>[\d:]{8}) GMT$/,
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
