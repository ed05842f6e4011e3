/** Nothing that comes from outside reaches a terminal as it is. */

/**
 * C0 and C1 controls (ESC, CR and the line feed among them), DEL, the bidirectional controls, the line and
 * paragraph separators, and a byte order mark can move the cursor, hide text or change its order.
 */
// eslint-disable-next-line no-control-regex -- the controls are what this pattern is for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Puts the text on one line, and shows every character that a terminal would act upon as an escape such as `\x1b`. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escapeCharacter).toWellFormed();
}

/** Like {@link printable}, but keeps tabs and line ends, for a format that quotes them itself. */
export function printableLines(text: string): string {
  return text
    .replaceAll(unprintable, (character) =>
      /[\t\n\r]/.test(character) ? character : escapeCharacter(character),
    )
    .toWellFormed();
}

function escapeCharacter(character: string): string {
  const shortEscape = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
  if (shortEscape !== undefined) return shortEscape;
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/**
 * Escapes unprintable characters as `\u…`: `JSON.stringify` leaves DEL, C1 and the bidirectional controls as they are.
 * The value that a reader parses is the same.
 */
export function safeJson(value: unknown, indent?: number): string {
  return safeJsonText(JSON.stringify(value, undefined, indent));
}

/** Like {@link safeJson}, for a text that is valid JSON already: unprintable characters stand only in its strings. */
export function safeJsonText(json: string): string {
  return json.replaceAll(unprintable, (character) =>
    // Between tokens JSON may have line feeds and tabs; in its strings they are escaped already.
    /[\t\n\r]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
