import { expect } from "vitest";

import { request } from "../../../src/client/any-call.js";
import type { Client } from "../../../src/client/client.js";
import { errorOf } from "./scripted.js";

/** Checks that calls without a response end by their timeout or signal: a change as unknown, a GET as failed. */
export async function expectGivenUp(client: Client): Promise<void> {
  for (const [limit, code] of [
    [() => ({ timeoutMs: 20 }), "unreachable"],
    [() => ({ signal: AbortSignal.timeout(20) }), "interrupted"],
  ] as const) {
    const unknown = { code: "outcome_unknown", outcome: "unknown", attempts: 1 };
    expect(await errorOf(client.dispatchOrder("1", limit()))).toMatchObject(unknown);
    const read = request(client, { method: "GET", path: "/x" }, { ...limit(), maxRetries: 0 });
    expect(await errorOf(read)).toMatchObject({ code, outcome: "failed" });
  }
}
