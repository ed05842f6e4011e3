/** Reads the body of an answer, whichever transport brings it. */
import { t } from "../../shared/language.js";
import { transportError } from "./transport-failure.js";
import {
  cutOff,
  decoded,
  isSuccess,
  maxBodyBytes,
  TransportError,
  type AnswerHead,
  type BodySink,
  type HttpAnswer,
} from "./transport.js";

/**
 * Of an answer that is no 2xx the beginning is kept where its body is too large: its status tells enough.
 *
 * @param sink is given the body in place of the answer
 * @throws {TransportError} `bad_answer` for a 2xx whose body is larger than what is held in memory
 * @throws what the pieces and the sink throw
 */
export async function readAnswer(
  head: AnswerHead,
  pieces: AsyncIterable<Uint8Array>,
  sink: BodySink | undefined,
): Promise<HttpAnswer> {
  const kept: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of pieces) {
      if (sink) {
        await sink(piece);
        continue;
      }
      size += piece.length;
      kept.push(piece);
      if (size > maxBodyBytes) throw transportError("bad_answer", true, t`more than ${maxBodyBytes} bytes`);
    }
  } catch (error) {
    const isBadBody = error instanceof TransportError && error.failure === "bad_answer";
    if (!isBadBody || sink || isSuccess(head)) throw error;
    return cutOff(head, joined(kept, size).subarray(0, maxBodyBytes));
  }
  return { ...head, body: decoded(joined(kept, size)) };
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
