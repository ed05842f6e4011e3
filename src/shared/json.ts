/** JSON out of texts that nobody promised to be JSON. */

/** `undefined` where the text isn't JSON. */
export function parseJson(text: string): unknown {
  // Most answers to a status change are empty, and an exception for each is the dearest thing in a long run.
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Like {@link parseJson}, for a server's answer: a byte order mark is skipped (RFC 8259, section 8.1). */
export function parseJsonAnswer(text: string): unknown {
  return parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
