/** What the program printed as JSON. */

export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** One value a line. */
export function parseJsonLines(text: string): unknown[] {
  return text.split("\n").filter(Boolean).map(parseJson);
}
