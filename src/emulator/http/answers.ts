/** Answers are written with plain header records, which the server adapter sends without a detour. */
import type { Refusal } from "../domain/choices.js";

const json = { "content-type": "application/json" };

export function jsonAnswer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: json });
}

export function refuse(refusal: Refusal): Response {
  const { status, body, headers } = refusal;
  const response = new Response(JSON.stringify(body), { status, headers: { ...json, ...headers } });
  reasons.set(response, body.details ?? body.message);
  return response;
}

/** The log tells why an answer refuses. */
const reasons = new WeakMap<Response, string>();

export function reasonOf(response: Response): string | null {
  return reasons.get(response) ?? null;
}

export function emptyAnswer(status: number): Response {
  return new Response(null, { status });
}
