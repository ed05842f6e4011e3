/** These functions read JSON out of texts that nobody promised to be JSON. */

/** Gives `undefined` where the text isn't JSON. */
export function parseJson(text: string): unknown {
  // Most answers to a status change are empty, and throwing an exception for each would cost a long run the most
  // time.
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a server's answer like {@link parseJson}, without its byte order mark (RFC 8259, section 8.1). */
export function parseJsonAnswer(text: string): unknown {
  return parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
