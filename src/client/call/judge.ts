/** Judges what an answer means: section 7, and what section 4 shows of each operation's success. Pure. */
import { errorCodes } from "../../api/errors.js";
import type { Asked } from "../../api/answers.js";
import type { ErrorCode, ServiceAnswer } from "../errors.js";
import { isObject, parseJsonAnswer } from "../../api/json.js";
import { isSafe, isSuccess, type HttpAnswer, type HttpRequest } from "../http/transport.js";
import type { Refusal, Success } from "./outcome.js";

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` where it is none
 * @returns `undefined` where it is not an answer of the API
 */
export type ReadSuccess<Value> = (answer: HttpAnswer, json: unknown) => { readonly value: Value } | undefined;

/** The code in the body decides before the status does: 4002, for one, comes with a status that is not shown. */
const byApiCode: ReadonlyMap<number, ErrorCode> = new Map([
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
const notLookedAt: ReadonlySet<number> = new Set([407, 421, 425]);
/** Their bodies are not shown (section 7), so the status alone is the word. */
const byStatusAlone: ReadonlySet<ErrorCode> = new Set(["token_refused", "forbidden", "rate_limited"]);

/**
 * Does the answer say that what was asked for certainly was not done? A redirect and a gateway's page don't: they were seen
 * after the order had been changed.
 */
export function isNotDone({ code, evidence, answer }: Refusal): boolean {
  if (notLookedAt.has(answer.status) || byStatusAlone.has(code)) return true;
  return evidence === "api" && code !== "server_error" && code !== "unexpected_answer";
}

/** Never throws, whatever the service sent. */
export function judge<Value>(answer: HttpAnswer, read: ReadSuccess<Value>): Success<Value> | Refusal {
  const { status } = answer;
  const body = parseJsonAnswer(answer.body);
  const service = readError(status, body);
  const isApis = isErrorBody(body, service);
  const refusal = (code: ErrorCode): Refusal => {
    return { kind: "refusal", code, service, evidence: isApis ? "api" : "gateway", answer };
  };
  const known = service.code === undefined ? undefined : byApiCode.get(service.code);
  const named = isApis ? known : undefined;

  if (isSuccess(answer)) {
    if (known && isNothingButError(body)) return refusal(named ?? "unexpected_answer");
    const success = read(answer, body);
    if (success !== undefined) return { kind: "success", value: success.value, answer };
    return { ...refusal("unexpected_answer"), service: { httpStatus: status }, evidence: "gateway" };
  }
  if (status >= 500) return refusal(named ?? "server_error");
  const isWordOfApi = status >= 400 && isApis && !notLookedAt.has(status);
  return refusal(named ?? byStatus.get(status) ?? (isWordOfApi ? "invalid_request" : "unexpected_answer"));
}

/** The whole error body of section 7: whoever else answers says it in another way. */
function isErrorBody(body: unknown, { code, message }: ServiceAnswer): boolean {
  if (!isObject(body) || code === undefined || message === undefined) return false;
  const { details } = body;
  return details === undefined || details === null || typeof details === "string";
}

/** The error body of section 7 as far as it is there; `code` may have been sent as a numeric string. */
function readError(httpStatus: number, body: unknown): ServiceAnswer {
  if (!isObject(body)) return { httpStatus };
  const { code, message, details } = body;
  const number = typeof code === "string" && /^\d{1,9}$/.test(code) ? Number(code) : code;
  return {
    httpStatus,
    ...(typeof number === "number" && Number.isSafeInteger(number) ? { code: number } : {}),
    ...(typeof message === "string" ? { message } : {}),
    ...(typeof details === "string" ? { details } : {}),
  };
}

/** Beside a 2xx a field called `code` alone proves nothing: an order may have one that is not documented. */
function isNothingButError(body: unknown): boolean {
  if (!isObject(body)) return false;
  return (
    typeof body["message"] === "string" ||
    Object.keys(body).every((name) => ["code", "message", "details"].includes(name))
  );
}

/** An operation's answer, as the contract describes it. */
export interface DescribedAnswer<Value> {
  readonly read: (json: unknown, text: string, asked: Asked) => Value | undefined;
}

export function readerOf<Value>(described: DescribedAnswer<Value>, asked: Asked): ReadSuccess<Value> {
  return (answer, json) => {
    const value = isCutPage(answer) ? undefined : described.read(json, answer.body, asked);
    return value === undefined ? undefined : { value };
  };
}

/**
 * The answer to a call of any path is not shown; but the API's bodies are JSON (section 4), and a page in the answer to a
 * write is no sign that it was done.
 */
export function readerOfAny(request: Pick<HttpRequest, "method">): ReadSuccess<null> {
  return isSafe(request)
    ? () => ({ value: null })
    : (answer) => (isHtml(answer) && answer.headers["content-length"] !== "0" ? undefined : { value: null });
}

/**
 * An empty body is a success of a status change. What says that it is a page may be one that was cut off before its first
 * byte: where no length is told, nothing shows that (RFC 9112, section 6.3).
 */
function isCutPage(answer: HttpAnswer): boolean {
  const { headers, body } = answer;
  const hasLength = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return body === "" && !hasLength && isHtml(answer);
}

/** A 204 and a 205 have no body (RFC 9110, sections 15.3.5 and 15.3.6). */
function isHtml({ status, headers }: HttpAnswer): boolean {
  if (status === 204 || status === 205) return false;
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "");
}
