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

const byStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, "token_refused"],
  [403, "forbidden"],
  [404, "not_found"],
  [429, "rate_limited"],
]);

/** Never throws, whatever the service sent. */
export function judge<Value>(answer: HttpAnswer, read: ReadResponse<Value>): Verdict<Value> {
  const body = parseJsonAnswer(answer.body);
  const service = readError(answer.status, body);
  const succeeded = answer.status >= 200 && answer.status < 300;

  const named = service.code === undefined ? undefined : byApiCode.get(service.code);
  if (named && (!succeeded || isNothingButError(body))) return { kind: "refusal", code: named, service };
  if (!succeeded)
    return { kind: "refusal", code: byStatus.get(answer.status) ?? rest(answer.status), service };

  const success = read(answer.body, body);
  return success === undefined
    ? { kind: "refusal", code: "unexpected_answer", service: { httpStatus: answer.status } }
    : { kind: "success", value: success.value };
}

function rest(status: number): ErrorCode {
  if (status >= 500) return "server_error";
  return status >= 400 ? "invalid_request" : "unexpected_answer";
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
