/**
 * The journal stands at the wire, around the transport: no write goes out without it, whichever command, layer or
 * repetition sends it. Questions (GET, HEAD) pass by.
 */
import { judge } from "../../client/call/judge.js";
import type { Attempted } from "../../client/call/outcome.js";
import { readerOf, type ReadResponse } from "../../client/call/response.js";
import { isFinalWord, isRefusal, isSafe, mayHaveBeenDone } from "../../client/call/retry.js";
import {
  TransportError,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from "../../client/http/transport.js";
import { operations } from "../../contract/operations.js";
import { writeKey } from "./attempts.js";
import { describeWrite } from "./describe-write.js";
import type { AttemptKey, AttemptResult, Write } from "./entries.js";
import type { Journal } from "./journal.js";

/**
 * @param inner the caller's to close
 * @param baseUrl what the requests' URLs begin with
 */
export function journaledTransport(inner: Transport, journal: Journal, baseUrl: string): Transport {
  const attempts = new AttemptCounter(journal);
  return {
    async send(request) {
      const write = describeWrite(request, baseUrl);
      if (!write) return inner.send(request);
      const key = attempts.begin(write, request);
      await journal.sent(key, write);
      try {
        const answer = await inner.send(request);
        journal.outcome(key, attempts.end(key, request, resultOf(answer, request, write)));
        return answer;
      } catch (error) {
        journal.outcome(key, attempts.end(key, request, failureOf(error)));
        throw error;
      }
    },
    async close() {
      await journal.close();
      await inner.close();
    },
  };
}

/**
 * A transport that writes nothing down.
 *
 * @param inner the caller's to close
 * @param onFirstWrite called before the first write goes out
 */
export function unjournaledTransport(inner: Transport, onFirstWrite: () => void): Transport {
  let told = false;
  return {
    send(request) {
      if (!told && !isSafe(request)) {
        told = true;
        onFirstWrite();
      }
      return inner.send(request);
    },
    close: () => inner.close(),
  };
}

function resultOf(answer: HttpAnswer, request: HttpRequest, { operation }: Write): AttemptResult {
  const verdict = judge(answer, readerFor(operation, request));
  return attemptResult(Object.assign(verdict, { answer }));
}

const anything: ReadResponse<unknown> = () => ({ value: null });

const writes: ReadonlyMap<string, ReadResponse<unknown>> = new Map(
  [
    operations.dispatchOrder,
    operations.deliverOrder,
    operations.finalizeOrder,
    operations.cancelOrder,
    operations.assignDriver,
    operations.createPrefilledOrder,
  ].map(({ id, response }) => [id, readerOf<unknown>(response)]),
);

/** A body that is streamed to somebody else is judged by its status alone, as the call itself is. */
function readerFor(operation: string, { onAnswer }: HttpRequest): ReadResponse<unknown> {
  return onAnswer ? anything : (writes.get(operation) ?? anything);
}

/** What is thrown beside a `TransportError` comes from the program's own side, with the request out. */
function failureOf(error: unknown): AttemptResult {
  if (error instanceof TransportError) return attemptResult({ kind: "no_answer", error });
  return { outcome: "unknown", http_status: null, code: "callback_failed" };
}

/** As the command tells it of a call that ends with this attempt. */
function attemptResult(attempted: Attempted<unknown>): AttemptResult {
  if (attempted.kind === "success")
    return { outcome: "done", http_status: attempted.answer.status, code: null };
  const status = attempted.kind === "refusal" ? attempted.answer.status : null;
  const apiCode = attempted.kind === "refusal" ? attempted.service.code : undefined;
  if (mayHaveBeenDone(attempted))
    return { outcome: "unknown", http_status: status, code: apiCode ?? "outcome_unknown" };
  if (attempted.kind === "no_answer") {
    const code = attempted.error.failure === "aborted" ? "interrupted" : "unreachable";
    return { outcome: "failed", unprocessed: true, http_status: null, code };
  }
  const { code, answer } = attempted;
  return {
    outcome: isRefusal(code) ? "refused" : "failed",
    ...(!isFinalWord(code) && { unprocessed: true as const }),
    http_status: answer.status,
    code: apiCode ?? code,
  };
}

/**
 * Numbers the requests of each call. The wire doesn't know which of them belong to one call: it is the same operation on
 * the same order, or with the same body, while the one before has not come to an end.
 */
class AttemptCounter {
  /** Calls whose last attempt may be repeated, by what they have in common. */
  readonly #open = new Map<string, AttemptKey[]>();
  readonly #journal: Pick<Journal, "attemptsBefore">;
  #calls = 0;

  constructor(journal: Pick<Journal, "attemptsBefore">) {
    this.#journal = journal;
  }

  begin({ operation, order_id }: Write, request: HttpRequest): AttemptKey {
    const name = nameOf({ operation, order_id }, request);
    const before = this.#open.get(name)?.pop();
    if (before) return { ...before, attempt: before.attempt + 1 };
    if (order_id === null) return { operation, order_id, call: (this.#calls += 1), attempt: 1 };
    return { operation, order_id, attempt: this.#journal.attemptsBefore(order_id) + 1 };
  }

  end(key: AttemptKey, request: HttpRequest, result: AttemptResult): AttemptResult {
    const name = nameOf(key, request);
    const others = this.#open.get(name);
    if (result.unprocessed === true || result.outcome === "unknown") {
      if (others) others.push(key);
      else this.#open.set(name, [key]);
    } else if (others?.length === 0) this.#open.delete(name);
    return result;
  }
}

function nameOf(
  { operation, order_id }: Pick<Write, "operation" | "order_id">,
  { body }: HttpRequest,
): string {
  const text = order_id === null && typeof body === "string" ? body : "";
  return `${writeKey({ operation, order_id })} ${text}`;
}
