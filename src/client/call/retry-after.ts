/** The header `Retry-After`: RFC 9110, section 10.2.3. */

/** No service asks for longer in earnest; `setTimeout` wraps around at 24.8 days. */
const longestMs = 24 * 60 * 60 * 1000;

const imfFixdate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * @param now milliseconds since the epoch, by which a date is measured
 * @returns milliseconds to wait, from 0 to one day; `undefined` where the header is absent or neither whole
 *   seconds nor an HTTP date
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  if (!imfFixdate.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - now, 0), longestMs);
}
