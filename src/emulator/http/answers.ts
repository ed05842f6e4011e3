/** Answers are written with plain header records, which the server adapter sends without a detour. */
import type { Refusal } from "../domain/choices.js";

const json = { "content-type": "application/json" };

export function jsonAnswer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: json });
}

export function refuse(refusal: Refusal, headers: Readonly<Record<string, string>> = {}): Response {
  const init = { status: refusal.status, headers: { ...json, ...headers } };
  const response = new Response(JSON.stringify(refusal.body), init);
  refusals.set(response, refusal);
  return response;
}

/** The log tells why an answer refuses. */
const refusals = new WeakMap<Response, Refusal>();

export function reasonOf(response: Response): string | null {
  const refusal = refusals.get(response);
  return refusal ? (refusal.body.details ?? refusal.body.message) : null;
}

export function emptyAnswer(status: number): Response {
  return new Response(null, { status });
}
