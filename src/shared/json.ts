/** JSON as it comes from a server. */

/** A byte order mark is skipped (RFC 8259, section 8.1). `undefined` where the text isn't JSON. */
export function parseJson(text: string): unknown {
  // Most answers to a status change are empty, and an exception for each is the dearest thing in a long run.
  if (text === "") return undefined;
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
