import { createClient } from "../../../src/client/client.js";
import { ComandaError } from "../../../src/base/errors.js";
import type { InternalOptions } from "../../../src/client/options.js";
import type { HttpResponse, HttpRequest, Transport } from "../../../src/client/transport.js";
import { clientHint } from "../../../src/library/hints.js";
import { jumpingClock } from "./clock.js";

/** A period that a query may have. */
export const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };

/** The result of one request. */
export type Step = Partial<HttpResponse> | Error;

/** A transport that returns these responses and failures in turn, and fails a test that sends more requests. */
export function scripted(...steps: readonly Step[]) {
  const requests: HttpRequest[] = [];
  const transport: Transport = {
    send: (request) => {
      const step = steps[requests.length];
      requests.push(request);
      if (step === undefined) return Promise.reject(new Error(`request ${requests.length} was not expected`));
      if (step instanceof Error) return Promise.reject(step);
      return Promise.resolve({ status: 200, headers: {}, body: "", ...step });
    },
    close: () => Promise.resolve(),
  };
  return { transport, requests };
}

/** A client of such a transport, on a clock on which a sleep ends at once. */
export function scriptedClient(steps: readonly Step[], options: Partial<InternalOptions> = {}) {
  const { transport, requests } = scripted(...steps);
  const clock = jumpingClock();
  const client = createClient({
    baseUrl: "https://api.example",
    transport,
    rateLimiter: false,
    clock,
    random: () => 0.5,
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    hintOf: clientHint,
    ...options,
  });
  return { client, requests, clock };
}

/** Returns the error of a call that must fail. Anything except a ComandaError fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<ComandaError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (error instanceof ComandaError) return error;
  throw error instanceof Error ? error : new Error("the call succeeded where it must fail");
}
