/** Answers as every transport hands them on. */
import type { AnswerHead, HttpAnswer } from "./transport.js";

export function isSuccess({ status }: AnswerHead): boolean {
  return status >= 200 && status < 300;
}

/** @param received by lower-case names; several of one name as a list, or joined already */
export function headOf(
  status: number,
  received: Readonly<Record<string, string | readonly string[] | undefined>>,
): AnswerHead {
  const headers: Record<string, string> = {};
  let setCookies: readonly string[] | undefined;
  for (const name in received) {
    const value = received[name];
    if (value === undefined) continue;
    if (name === "set-cookie") setCookies = typeof value === "string" ? [value] : value;
    else headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  return setCookies === undefined ? { status, headers } : { status, headers, setCookies };
}

/** The codings of an answer's body, in the order in which they were applied (RFC 9110, section 8.4). */
export function contentCodings({ headers }: AnswerHead): readonly string[] {
  const value = headers["content-encoding"];
  if (value === undefined) return [];
  return value
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** The head of an answer whose body is handed on decoded: what it says of the body has to be true of that one. */
export function decodedHead(head: AnswerHead): AnswerHead {
  const ofSentBody = ["content-encoding", "content-length"];
  const headers = Object.entries(head.headers).filter(([name]) => !ofSentBody.includes(name));
  return { ...head, headers: Object.fromEntries(headers) };
}

// Written out: to spread the head and add to it is slow in Node 20.
export function wholeAnswer({ status, headers, setCookies }: AnswerHead, body: string): HttpAnswer {
  return setCookies === undefined ? { status, headers, body } : { status, headers, setCookies, body };
}

/** Bytes of a body as text; a mark of the byte order at its beginning stays. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** @param beginning of the body; half a character at its end is left out */
export function cutOff(head: AnswerHead, beginning: Uint8Array): HttpAnswer {
  const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(beginning, { stream: true });
  return { ...wholeAnswer(head, body), truncated: true };
}
