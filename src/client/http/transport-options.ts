/** What the usual transport can be set to. */
import { once } from "../../shared/once.js";
import { checkValue, timerMs } from "../option-schemas.js";
import type { Variables } from "./proxy.js";

export interface TransportOptions {
  /**
   * The variables that `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (or their lower-case names) are read from. Default:
   * none.
   */
  readonly env?: Variables;
  /**
   * Bytes of an answer's body that are held. A larger 2xx is a `bad_answer`, of a larger answer of another status the
   * beginning is kept. At least 1; default 10 MiB.
   */
  readonly maxBodyBytes?: number;
  /**
   * Milliseconds to connect, TLS included; undici counts in steps of half a second. Above 0, `Infinity` for no such
   * limit; default 10,000.
   */
  readonly connectTimeoutMs?: number;
  /**
   * Milliseconds for a whole exchange where the request names none. Above 0, `Infinity` for no such limit; default
   * 30,000.
   */
  readonly timeoutMs?: number;
  /** Connections to one origin at most; further requests wait. A whole number of at least 1; default 64. */
  readonly connections?: number;
  /**
   * Sets a V8 flag for the whole process that suits a program which ends soon. Default true; false is right inside
   * somebody else's long-lived program.
   */
  readonly shortLived?: boolean;
}

/** What every transport has. */
export interface AnswerLimits {
  readonly maxBodyBytes?: number;
  readonly timeoutMs?: number;
}

export function transportSettings(options: TransportOptions): Required<TransportOptions> {
  const { env = {}, connectTimeoutMs = 10_000, connections = 64, shortLived = true } = options;
  return {
    env,
    shortLived,
    connections,
    connectTimeoutMs: forTimer(connectTimeoutMs),
    ...answerLimits(options),
  };
}

export function answerLimits({
  maxBodyBytes = 10 * 1024 * 1024,
  timeoutMs = 30_000,
}: AnswerLimits): Required<AnswerLimits> {
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
 * Of one exchange: as the request has it, or else the transport.
 *
 * @throws {ComandaError} `configuration` for 0, less, and what is no number
 */
export function exchangeMs(ofRequest: number | undefined, ofTransport: number): number {
  if (ofRequest === undefined) return ofTransport;
  checkValue(requestTimeout(), ofRequest, "timeoutMs");
  return forTimer(ofRequest);
}
