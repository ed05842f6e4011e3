/** Collects the body of an answer, whichever transport brings it. */
import { t } from "../../languages/language.js";
import { transportError } from "./transport-failure.js";
import { decoded, isSuccess, maxBodyBytes, type AnswerHead, type HttpAnswer } from "./transport.js";

export class AnswerReader {
  readonly #head: AnswerHead;
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  /**
   * @returns the answer, where no more of it is read: of one that is no 2xx the beginning is kept, since its status tells
   *   enough
   * @throws {TransportError} `bad_answer` for a 2xx whose body is larger than what is held in memory
   */
  add(piece: Uint8Array): HttpAnswer | undefined {
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size <= maxBodyBytes) return undefined;
    if (isSuccess(this.#head)) throw transportError("bad_answer", true, t`more than ${maxBodyBytes} bytes`);
    const beginning = this.#joined().subarray(0, maxBodyBytes);
    // Half a character at its end is left out.
    const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(beginning, { stream: true });
    return { ...this.#head, body, truncated: true };
  }

  whole(): HttpAnswer {
    return { ...this.#head, body: decoded(this.#joined()) };
  }

  #joined(): Uint8Array {
    const [first] = this.#pieces;
    if (first !== undefined && this.#pieces.length === 1) return first;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}
