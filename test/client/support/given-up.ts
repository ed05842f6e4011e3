import { expect } from "vitest";

import { request } from "../../../src/client/any-call.js";
import type { Client } from "../../../src/client/client.js";
import { errorOf } from "./scripted.js";

/** The ways to limit a call that never gets a response. */
export const limits: readonly { readonly timeoutMs?: number; readonly signal?: true }[] = [
  { timeoutMs: 20 },
  { signal: true },
];

/** Checks that calls without a response end by their timeout or signal: a change as unknown, a GET as failed. */
export async function expectGivenUp(
  client: Client,
  { signal, ...options }: (typeof limits)[number],
): Promise<void> {
  const call = () => ({ ...options, ...(signal && { signal: AbortSignal.timeout(20) }), maxRetries: 0 });
  const unknown = { code: "outcome_unknown", outcome: "unknown", attempts: 1 };
  expect(await errorOf(client.dispatchOrder("1", call()))).toMatchObject(unknown);
  expect(await errorOf(request(client, { method: "GET", path: "/x" }, call()))).toMatchObject({
    code: signal ? "interrupted" : "unreachable",
    outcome: "failed",
  });
}
