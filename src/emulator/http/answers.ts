/** How an answer is written. Plain header records, which the server adapter sends without a detour. */
import type { Refusal } from "../domain/choices.js";

const json = { "content-type": "application/json" };

export function jsonAnswer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: json });
}

export function refuse(refusal: Refusal, headers: Readonly<Record<string, string>> = {}): Response {
  const init = { status: refusal.status, headers: { ...json, ...headers } };
  return new Response(JSON.stringify(refusal.body), init);
}

export function emptyAnswer(status: number): Response {
  return new Response(null, { status });
}
