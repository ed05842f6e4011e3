/** Answers as the bytes that HTTP/1.1 makes of them (RFC 9112), and what is left of them when they are cut. */
import type { HttpAnswer as Answer } from "../../src/client/transport.js";

interface Headed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function headOf(first: string, { headers, body = "" }: Headed, hasLength: boolean): Buffer {
  const length = hasLength ? [`content-length: ${Buffer.byteLength(body)}`] : ["connection: close"];
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([first, ...fields, ...length, "", ""].join("\r\n"));
}

/**
 * What a client makes of an answer of which so many bytes came. One that says how long it is is known to be cut; the end of
 * any other is the end of the connection (RFC 9112, 6.3), so its body may be a piece.
 *
 * @returns `undefined` where it is known that not all has come
 */
export function arrivedOf(answer: Answer, at: number, hasLength: boolean): Answer | undefined {
  const head = headOf(`HTTP/1.1 ${answer.status} `, answer, hasLength);
  const body = Buffer.from(answer.body);
  const end = (at % (head.length + body.length + 1)) - head.length;
  const isKnown = end < 0 || (hasLength && end < body.length);
  return isKnown ? undefined : { ...answer, body: body.subarray(0, end).toString("utf8") };
}
