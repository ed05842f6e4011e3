/** The limits that every transport has: how much of an answer it holds, and how long it waits for that. */
import * as z from "zod/mini";

import { once } from "../../shared/once.js";
import { checkValue, timerMs, wholeNumber } from "../checks.js";

/** The options that every transport has. */
export interface ExchangeLimits {
  /**
   * Bytes of an answer's body that are held. A larger 2xx is a `bad_answer`, of a larger answer of another status the
   * beginning is kept. At least 1; default 10 MiB.
   */
  readonly maxBodyBytes?: number;
  /**
   * Milliseconds for a whole exchange, connecting included, where the request names none. Above 0; default 30,000.
   * `Infinity`, and whatever is above 24.8 days, comes to 24.8 days.
   */
  readonly timeoutMs?: number;
}

export function limitSchemas() {
  return {
    maxBodyBytes: z.optional(wholeNumber(1)),
    timeoutMs: z.optional(timerMs()),
  } satisfies Record<keyof ExchangeLimits, z.ZodMiniType>;
}

export function exchangeLimits({
  maxBodyBytes = 10 * 1024 * 1024,
  timeoutMs = 30_000,
}: ExchangeLimits): Required<ExchangeLimits> {
  return { maxBodyBytes, timeoutMs: forTimer(timeoutMs) };
}

/** Node's timers end at once where they are given more: 24.8 days. `AbortSignal.timeout` takes whole numbers alone. */
const longestTimerMs = 2 ** 31 - 1;

/** @param ms above 0, also `Infinity` */
export function forTimer(ms: number): number {
  return Math.min(Math.ceil(ms), longestTimerMs);
}

const requestTimeout = once(timerMs);

/**
 * Gives the milliseconds of one exchange: the request's own, or else the transport's.
 *
 * @throws {ComandaError} `configuration` for 0, less, and what is no number
 */
export function exchangeMs(ofRequest: number | undefined, ofTransport: number): number {
  if (ofRequest === undefined) return ofTransport;
  checkValue(requestTimeout(), ofRequest, "timeoutMs");
  return forTimer(ofRequest);
}
