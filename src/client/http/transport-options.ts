/** What the usual transport can be set to. */
import { anObject, misconfigured, namesOf, onlyOptions, timerMs, wholeNumber } from "../check-options.js";
import type { Variables } from "./proxy.js";
import { t } from "../../shared/language.js";

export interface TransportOptions {
  /** Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (or their lower-case names) are read. Default: nowhere. */
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

const optionNames = namesOf<TransportOptions>({
  env: true,
  maxBodyBytes: true,
  connectTimeoutMs: true,
  timeoutMs: true,
  connections: true,
  shortLived: true,
});

/** @throws {ComandaError} `configuration` */
export function transportSettings(options: TransportOptions): Required<TransportOptions> {
  onlyOptions("createTransport", options, optionNames);
  const { env = {}, connectTimeoutMs = 10_000, connections = 64, shortLived = true } = options;
  anObject("env", env);
  if (connections === Infinity) throw misconfigured(t`connections must be a whole number, not Infinity.`);
  return {
    env,
    shortLived,
    connections: wholeNumber("connections", connections, 1),
    connectTimeoutMs: timerMs("connectTimeoutMs", connectTimeoutMs),
    ...answerLimits(options),
  };
}

export interface AnswerLimits {
  readonly maxBodyBytes?: number;
  readonly timeoutMs?: number;
}

/** What every transport has. @throws {ComandaError} `configuration` */
export function answerLimits({
  maxBodyBytes = 10 * 1024 * 1024,
  timeoutMs = 30_000,
}: AnswerLimits): Required<AnswerLimits> {
  return {
    maxBodyBytes: wholeNumber("maxBodyBytes", maxBodyBytes, 1),
    timeoutMs: timerMs("timeoutMs", timeoutMs),
  };
}
