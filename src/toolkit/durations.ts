import ms from "ms";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

export interface DurationLimit {
  readonly ms: number;
  /** A function, since the language of the run isn't known when a module is loaded. */
  readonly text: () => string;
}

const oneDay: DurationLimit = { ms: 86_400_000, text: () => t`a day` };

/**
 * Reads the longest time that something may take: a duration that isn't 0.
 *
 * @returns milliseconds
 * @throws {ComandaError} `usage`
 */
export function parseLimit(flag: string, text: string): number {
  const limit = parseDuration(flag, text);
  if (limit > 0) return limit;
  throw new ComandaError("usage", t`${flag} can't be 0: nothing takes no time.`, {
    hint: t`For example: ${flag} 30s`,
  });
}

/**
 * Reads a duration such as `500ms`, `30s`, `5m` or `2h`; `0` needs no unit.
 *
 * @returns milliseconds
 * @throws {ComandaError} `usage` where it is something else, negative, or too long
 */
export function parseDuration(flag: string, text: string, limit = oneDay): number {
  if (/^-\d/.test(text)) {
    throw new ComandaError("usage", t`${flag} can't be negative: "${text}".`, {
      hint: t`For example: ${flag} 30s, ${flag} 5m`,
    });
  }
  const form = /^(?:0|\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;
  const duration = form.test(text) ? ms(text as ms.StringValue) : undefined;
  if (duration === undefined || !Number.isFinite(duration) || duration > limit.ms) {
    throw new ComandaError("usage", t`${flag} takes a duration of at most ${limit.text()}, not "${text}".`, {
      hint: t`For example: ${flag} 30s, ${flag} 5m`,
    });
  }
  return duration;
}
