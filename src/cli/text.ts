/** Escapes, wraps and colors texts. */
import { stripVTControlCharacters } from "node:util";

import { shownDate, t } from "../languages/language.js";

/**
 * C0 and C1 controls (ESC, CR and the line feed among them), DEL, the bidirectional controls, the line and
 * paragraph separators, and a byte order mark can move the cursor, hide text or change its order.
 */
// eslint-disable-next-line no-control-regex -- this pattern finds control characters
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Replaces each character that controls a terminal by an escape such as `\x1b`.
 *
 * @param keepsLines keeps tabs and line ends, for a format that quotes them itself
 */
export function printable(text: string, keepsLines = false): string {
  return text
    .replaceAll(unprintable, (character) => {
      const shortEscape = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
      if (shortEscape !== undefined) return keepsLines ? character : shortEscape;
      const code = character.charCodeAt(0).toString(16);
      return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
    })
    .toWellFormed();
}

/**
 * Escapes unprintable characters as `\u…`, because `JSON.stringify` keeps DEL, C1 and bidirectional controls. The parsed value is
 * the same.
 */
export function safeJson(value: unknown): string {
  return safeJsonText(JSON.stringify(value));
}

/** Escapes the unprintable characters in the strings of a JSON text, like {@link safeJson}. */
export function safeJsonText(json: string): string {
  return json.replaceAll(unprintable, (character) =>
    // Line feeds and tabs are only between tokens; in strings, they are already escaped.
    /[\t\n\r]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Wraps lines between words. The next lines are indented like the line, or by the width of a label that two blanks follow, unless the
 * label is wide.
 *
 * @param width columns of the terminal; `undefined` without one
 */
export function wrapWords(text: string, width: number | undefined): string {
  return width === undefined ? text : text.replaceAll(/^.+$/gm, (line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string {
  // An example of a command is never broken.
  if (widthOf(line) <= width || line.startsWith("  $ ")) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const below = " ".repeat(Math.min(indent.length, width / 4));
  // A command at the end goes on a separate line, so that it can be copied: `Sign in: comanda login …`.
  const [command] = /(?<=: )comanda [a-z].*$/.exec(line) ?? [];
  if (command !== undefined)
    return `${wrapLine(line.slice(0, -command.length).trimEnd(), width)}\n${below}${command}`;
  const [label = indent] = /^ *\S.*? {2,}(?=[^-\s])/.exec(line) ?? [];
  const words = line.slice(label.length).trim().split(/ +/);
  const isWide = label.length > width / 2;
  if (label !== indent && (isWide || words.some((word) => label.length + widthOf(word) > width)))
    return `${wrapLine(label.trimEnd(), width)}\n${wrapLine(`${below}    ${words.join(" ")}`, width)}`;
  const start = isWide ? below : label;
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(start + word);
    else if (widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(start.length) + word);
  }
  return lines.join("\n");
}

/** Counts characters as columns, because comanda's sentences contain no wide letters. */
function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

const mostNamed = 10;

/** Returns the first ten of a list, and how many more there are. */
export function firstProblems(problems: readonly string[]): readonly string[] {
  const others = problems.length - mostNamed;
  return others > 0 ? [...problems.slice(0, mostNamed), t`… and ${others} more`] : problems;
}

/** @param store the store's name in sentences */
export function zoneIsGuessed(store: string, zone: string): string {
  return t`Sales of ${store} are counted by day in this machine's time zone, ${zone}.`;
}

export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow", (text: string) => string>>;

/** Colors for good, bad, uncertain and unimportant. The text must say the same, because not everyone sees colors. */
export type Tone = "green" | "red" | "yellow" | "dim";

export const plainStyle: Style = { bold: String, dim: String, red: String, green: String, yellow: String };

/** Creates the colors of a stream. `--no-color` overrides FORCE_COLOR, which overrides NO_COLOR. Loads chalk only if needed. */
export async function createStyle(
  { isTTY }: { readonly isTTY?: boolean | undefined },
  { FORCE_COLOR: forced, NO_COLOR: none }: Readonly<Record<string, string | undefined>>,
  color: boolean,
): Promise<Style> {
  const isPainted = forced ? forced !== "0" && forced !== "false" : isTTY === true && !none;
  return isPainted && color ? new (await import("chalk")).Chalk({ level: 1 }) : plainStyle;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats milliseconds since the epoch in a time zone, by default this machine's: `2026-11-20 21:00:00 -03:00`. Only a named zone
 * loads the formats of the engine, which takes 25 ms.
 */
export function localTime(instant: number, zone?: string): string {
  let formatted = String(new Date(instant));
  try {
    if (zone !== undefined) {
      const format =
        formats.get(zone) ?? new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
      formats.set(zone, format);
      formatted = format.format(instant);
    }
  } catch {
    // Node 20 doesn't support zones such as -03:00. A name that isn't a zone becomes UTC.
    formatted = `GMT${zone}`;
  }
  const [, hours = "+00", minutes = "00"] = /GMT([+-]\d\d):?(\d\d)/.exec(formatted) ?? [];
  const offset = `${hours}:${minutes}`;
  const shift = Date.parse(`1970-01-01T00:00:00${offset}`);
  const [date = "", time = ""] = new Date(instant - shift).toISOString().split(/[T.]/);
  return `${shownDate(date)} ${time} ${offset}`;
}
