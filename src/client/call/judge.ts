/** What an answer means: section 7, and what section 4 shows of each operation's success. Pure. */
import { errorCodes } from "../../contract/errors.js";
import type { ErrorCode, ServiceAnswer } from "../../shared/errors.js";
import { isObject, parseJsonAnswer } from "../../shared/json.js";
import type { HttpAnswer } from "../http/transport.js";
import type { Verdict } from "./outcome.js";
import type { ReadResponse } from "./response.js";

/** The code in the body decides before the status does: 4002, for one, comes with a status that is not shown. */
const byApiCode: ReadonlyMap<number, ErrorCode> = new Map([
  [errorCodes.invalidParameters, "invalid_request"],
  [errorCodes.statusCannotChange, "status_conflict"],
  [errorCodes.invalidToken, "token_refused"],
  [errorCodes.notFound, "not_found"],
]);

/** What the statuses of section 4 mean where the body tells no more. Any other 4xx is the API's by its body alone. */
const byStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "invalid_request"],
  [401, "token_refused"],
  [403, "forbidden"],
  [404, "not_found"],
  [429, "rate_limited"],
]);

/**
 * They say that the request wasn't looked at, whoever sent them (RFC 9110, sections 15.5.8, 15.5.9 and 15.5.20; RFC 8470,
 * section 5.2): so nothing of the order.
 */
const notLookedAt: ReadonlySet<number> = new Set([407, 408, 421, 425]);

/** Never throws, whatever the service sent. */
export function judge<Value>(answer: HttpAnswer, read: ReadResponse<Value>): Verdict<Value> {
  const { status } = answer;
  const body = parseJsonAnswer(answer.body);
  const service = readError(status, body);
  const isApis = isErrorBody(body, service);
  const refusal = (code: ErrorCode) =>
    ({ kind: "refusal", code, service, evidence: isApis ? "api" : "gateway" }) as const;
  const named = service.code === undefined ? undefined : byApiCode.get(service.code);

  if (status >= 200 && status < 300) {
    if (named && isNothingButError(body)) return refusal(isApis ? named : "unexpected_answer");
    const success = read(answer, body);
    if (success !== undefined) return { kind: "success", value: success.value };
    return {
      kind: "refusal",
      code: "unexpected_answer",
      service: { httpStatus: status },
      evidence: "gateway",
    };
  }
  if (status >= 500) return refusal(isApis && named ? named : "server_error");
  return refusal(named ?? byStatus.get(status) ?? rest(status, isApis));
}

function rest(status: number, isApis: boolean): ErrorCode {
  return status >= 400 && isApis && !notLookedAt.has(status) ? "invalid_request" : "unexpected_answer";
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

/** With a 2xx, a field called `code` alone proves nothing: an order may have one that is not documented. */
function isNothingButError(body: unknown): boolean {
  if (!isObject(body)) return false;
  return (
    typeof body["message"] === "string" ||
    Object.keys(body).every((name) => ["code", "message", "details"].includes(name))
  );
}
