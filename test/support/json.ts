/** Parses what the program printed as JSON. */

export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** Parses one value per line. */
export function parseJsonLines(text: string): unknown[] {
  return text.split("\n").filter(Boolean).map(parseJson);
}

/** Returns the error of a command with `--json`, which is its last line. */
export const errorOf = (stderr: string): unknown => parseJson(stderr.trimEnd().split("\n").at(-1) ?? "");
