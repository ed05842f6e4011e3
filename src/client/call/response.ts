/** Reads the success of an operation: section 4. */
import { isSafe, type HttpAnswer, type HttpRequest } from "../http/transport.js";

/** An operation's answer, as the contract describes it. */
export interface Answered<Value> {
  readonly read: (json: unknown, text: string) => Value | undefined;
}

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` where it is none
 * @returns `undefined` where it is not an answer of the API
 */
export type ReadResponse<Value> = (
  answer: HttpAnswer,
  json: unknown,
) => { readonly value: Value } | undefined;

export function readerOf<Value>(answered: Answered<Value>): ReadResponse<Value> {
  return (answer, json) => {
    const value = isCutPage(answer) ? undefined : answered.read(json, answer.body);
    return value === undefined ? undefined : { value };
  };
}

/**
 * What a call answers that somebody made up is not shown; but the API's bodies are JSON (section 4), and a page in the
 * answer to a write is no sign that it was done.
 */
export function readerOfAny(request: Pick<HttpRequest, "method">): ReadResponse<null> {
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
