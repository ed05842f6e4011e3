/** Judges what an answer means (section 7, and what section 4 shows of each success), and what a call came to. Pure. */
import type { Asked } from "../api/answers.js";
import { errorCodes } from "../api/values.js";
import { isObject, parseJson } from "../api/basics.js";
import type { ErrorCode, Evidence, Outcome } from "./errors.js";
import { isSafe, isSuccess, type HttpAnswer, type HttpRequest, type TransportError } from "./transport.js";

/** One request that was no success. */
export interface Failed {
  readonly code: ErrorCode;
  /** `null` for one that never went out. */
  readonly evidence: Evidence | null;
  readonly httpStatus: number | null;
  readonly serviceCode: number | null;
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

/** Never throws, whatever the service sent. */
export function judge<Value>(answer: HttpAnswer, read: ReadSuccess<Value>): Done<Value> | Failed {
  const { status } = answer;
  const body = parseJson(answer.body);
  const { isApis, ...words } = wordsOf(body);
  const known = byServiceCode.get(words.serviceCode);
  const named = isApis ? known : undefined;
  const failed = (code: ErrorCode): Failed => {
    return { code, evidence: isApis ? "api" : "gateway", httpStatus: status, ...words, answer };
  };
  if (isSuccess(answer)) {
    if (known && isNothingButError(body)) return failed(named ?? "unexpected_answer");
    const value = read(answer, body);
    if (value !== undefined) return { code: null, value, answer };
    return { ...failed("unexpected_answer"), ...noWords, evidence: "gateway" };
  }
  if (status >= 500) return failed(named ?? "server_error");
  const isWordOfApi = status >= 400 && isApis && !notLookedAt.has(status);
  return failed(named ?? byStatus.get(status) ?? (isWordOfApi ? "invalid_request" : "unexpected_answer"));
}

export function judgeFailure(failure: TransportError): Failed {
  const codes = new Map<string, ErrorCode>([
    ["aborted", "interrupted"],
    ["bad_answer", "unexpected_answer"],
  ]);
  const code = codes.get(failure.failure) ?? "unreachable";
  return { code, evidence: failure.sent ? "nobody" : null, httpStatus: null, ...noWords, failure };
}

const noWords = { serviceCode: null, serviceMessage: null, details: null };

/**
 * The error body of section 7 as far as it is there; `code` may have been sent as a numeric string.
 *
 * @returns `isApis` where it is the whole of one: whoever else answers says it in another way
 */
function wordsOf(body: unknown) {
  if (!isObject(body)) return { ...noWords, isApis: false };
  const { code, message, details } = body;
  const number = typeof code === "string" && /^\d{1,9}$/.test(code) ? Number(code) : code;
  const serviceCode = typeof number === "number" && Number.isSafeInteger(number) ? number : null;
  const serviceMessage = typeof message === "string" ? message : null;
  const isApis =
    serviceCode !== null &&
    serviceMessage !== null &&
    ["undefined", "string"].includes(typeof (details ?? undefined));
  return { serviceCode, serviceMessage, details: typeof details === "string" ? details : null, isApis };
}

/** Beside a 2xx a field called `code` alone proves nothing: an order may have one that is not documented. */
function isNothingButError(body: unknown): boolean {
  if (!isObject(body)) return false;
  const isOfError = (name: string) => ["code", "message", "details"].includes(name);
  return typeof body["message"] === "string" || Object.keys(body).every(isOfError);
}

/** @param read as the contract describes an operation's answer; `undefined` where the body isn't one */
export function readerOf<Value>(
  read: (json: unknown, text: string, asked: Asked) => Value | undefined,
  asked: Asked,
): ReadSuccess<Value> {
  // An empty body is a success of a status change.
  return (answer, json) =>
    answer.body === "" && isPage(answer) ? undefined : read(json, answer.body, asked);
}

/**
 * The answer to a call of any path is not shown; but the API's bodies are JSON (section 4), and a page in the answer to a
 * write is no sign that it was done.
 */
export function readerOfAny(request: Pick<HttpRequest, "method">): ReadSuccess<null> {
  return (answer) => (isPage(answer) && !isSafe(request) ? undefined : null);
}

/**
 * What says that it is a page, and has no byte of one, may have been cut off before: where no length is told, nothing shows
 * that (RFC 9112, section 6.3). A 204 and a 205 have no body (RFC 9110, sections 15.3.5 and 15.3.6).
 */
function isPage({ status, headers, body }: HttpAnswer): boolean {
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

/** The `operation` of a call that the contract doesn't know, in notices and in the journal. */
export const anyCallId = "request";

/** What a call without success came to, all its requests together. */
export interface Conclusion extends Omit<Outcome, "attempts" | "value"> {
  /** The request that it is told by: of an unknown outcome the one that may have done it. */
  readonly told: Failed;
  /** The last request was refused as one is that was done before. */
  readonly isDoneOrRefused: boolean;
}

/**
 * A later answer may tell what an earlier request of the same write has done. Only the API's own error body does: a gateway that
 * has no answer says nothing of the order.
 *
 * @param operation its id
 * @param doubt the latest request after which it may have been done
 */
export function conclude(operation: string, last: Failed, doubt: Failed | undefined): Conclusion {
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
  const code = isKnown ? last.code : "outcome_unknown";
  // What isn't the API's answer, such as a redirect or a gateway's page, is no word of the service's.
  const isRefusal = refusedBy.has(last.code) || (refusedFor.has(last.code) && last.evidence === "api");
  const outcome = isKnown ? (isRefusal ? "refused" : "failed") : "unknown";
  return { outcome, httpStatus, code, serviceCode, evidence, told, isDoneOrRefused };
}
