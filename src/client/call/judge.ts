/** One request and what its answer means: section 7, and what section 4 shows of each operation's success. */
import { errorCodes } from "../../contract/errors.js";
import { ComandaError, type ErrorCode, type ServiceAnswer } from "../../shared/errors.js";
import { isObject, parseJsonAnswer } from "../../shared/json.js";
import type { Clock } from "../../shared/clock.js";
import { transportError } from "../http/transport-failure.js";
import { TransportError, type HttpAnswer, type Transport, type TransportFailure } from "../http/transport.js";
import { callback, callbackFailed } from "./callback.js";
import type { Attempted, Call, Send, Verdict } from "./outcome.js";
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

/** One request that is over. The URL never holds a secret. */
export interface AttemptNotice {
  /** The id of the operation in the contract. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Which request of its call this was, from 1. */
  readonly attempt: number;
  /** Milliseconds. */
  readonly ms: number;
  /** Absent where no answer came. */
  readonly httpStatus?: number;
  /** Absent where an answer came. */
  readonly failure?: TransportFailure;
}

export interface JudgeOptions {
  readonly transport: Transport;
  /** The transport is the client's own, made and closed by it. */
  readonly ownsTransport: boolean;
  readonly clock: Clock;
  readonly onAttempt: ((notice: AttemptNotice) => void) | undefined;
}

/** The innermost layer: one request, counted, and its answer judged. */
export function judged({ transport, ownsTransport, clock, onAttempt }: JudgeOptions): Send {
  return async <Value>(call: Call<Value>): Promise<Attempted<Value>> => {
    const { operation, request, progress, read } = call;
    progress.attempts += 1;
    const since = onAttempt ? clock.now() : 0;
    const notice = (result: Pick<AttemptNotice, "httpStatus" | "failure">) =>
      onAttempt?.({
        operation: operation.id,
        method: request.method,
        url: request.url,
        attempt: progress.attempts,
        ms: clock.now() - since,
        ...result,
      });
    let attempted: Attempted<Value>;
    try {
      const answer = await transport.send(request);
      attempted = Object.assign(judge(answer, read), { answer });
    } catch (error) {
      if (error instanceof TransportError) attempted = { kind: "no_answer", error };
      else if (progress.fault) attempted = { kind: "no_answer", error: transportError("aborted", true) };
      else {
        // Ours refuse a request before it goes out.
        if (error instanceof ComandaError) progress.attempts -= 1;
        throw ownsTransport ? error : callbackFailed("transport.send", error);
      }
    }
    // It is what ended the exchange, whatever the transport made of it. An abort ends the program's streams too.
    if (progress.fault && !request.signal?.aborted) throw progress.fault;
    if (attempted.kind !== "no_answer") {
      const httpStatus = attempted.answer.status;
      if (onAttempt) callback("onAttempt", () => notice({ httpStatus }), { answer: { httpStatus } });
    } else {
      const { failure, sent } = attempted.error;
      // Nothing was begun.
      if (failure === "aborted" && !sent) progress.attempts -= 1;
      else if (onAttempt) callback("onAttempt", () => notice({ failure }));
    }
    return attempted;
  };
}
