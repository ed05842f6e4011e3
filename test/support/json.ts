/** What the program printed as JSON. */

export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** One value a line. */
export function parseJsonLines(text: string): unknown[] {
  return text.split("\n").filter(Boolean).map(parseJson);
}

/** The error that a command with `--json` ended with, as the last line that it said. */
export const errorOf = (stderr: string): unknown => parseJson(stderr.trimEnd().split("\n").at(-1) ?? "");
