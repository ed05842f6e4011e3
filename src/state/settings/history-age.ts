/** How long the journal keeps what was sent. */

/** @returns milliseconds; `undefined` where the text is no number of days such as `365d` */
export function historyAgeMs(text: string): number | undefined {
  return /^[1-9]\d{0,5}d$/.test(text) ? Number(text.slice(0, -1)) * 86_400_000 : undefined;
}
