/** Makes texts fit for where they are shown: escaped, broken between words, coloured. */
import { stripVTControlCharacters } from "node:util";

import { shownDate } from "../languages/language.js";

/**
 * C0 and C1 controls (ESC, CR and the line feed among them), DEL, the bidirectional controls, the line and
 * paragraph separators, and a byte order mark can move the cursor, hide text or change its order.
 */
// eslint-disable-next-line no-control-regex -- the controls are what this pattern is for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Shows every character that a terminal would act upon as an escape such as `\x1b`.
 *
 * @param keepsLines leaves tabs and line ends, for a format that quotes them itself; else the text is on one line
 */
export function printable(text: string, keepsLines = false): string {
  return text
    .replaceAll(unprintable, (character) =>
      keepsLines && /[\t\n\r]/.test(character) ? character : escapeCharacter(character),
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
export function safeJson(value: unknown): string {
  return safeJsonText(JSON.stringify(value));
}

/** Like {@link safeJson}, for a text that is valid JSON already: unprintable characters stand only in its strings. */
export function safeJsonText(json: string): string {
  return json.replaceAll(unprintable, (character) =>
    // Between tokens JSON may have line feeds and tabs; in its strings they are escaped already.
    /[\t\n\r]/.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * @param line blanks at its beginning, and a label with two blanks behind it, stand free before what is wrapped
 * @param width columns of the terminal; absent without one
 */
export function wrapWords(line: string, width: number | undefined): string {
  if (width === undefined || widthOf(line) <= width) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const below = " ".repeat(Math.min(indent.length, width / 4));
  // A command to type has a line of its own, so that it can be copied: `Sign in: comanda login …`.
  const [command] = /(?<=: )comanda [a-z].*$/.exec(line) ?? [];
  if (command !== undefined)
    return `${wrapWords(line.slice(0, -command.length).trimEnd(), width)}\n${below}${command}`;
  const [label = indent] = /^ *\S.*? {2,}(?=[^-\s])/.exec(line) ?? [];
  const words = line.slice(label.length).trim().split(/ +/);
  if (label !== indent && words.some((word) => label.length + widthOf(word) > width))
    return `${wrapWords(label.trimEnd(), width)}\n${wrapWords(`${below}    ${words.join(" ")}`, width)}`;
  const start = label.length <= width / 2 ? label : below;
  const lines: string[] = [];
  for (const word of line.slice(start.length).trim().split(/ +/)) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(start + word);
    else if (widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(start.length) + word);
  }
  return lines.join("\n");
}

/** Counts characters as columns, since comanda's own sentences have no letters that are two columns wide. */
function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

type Paint = (text: string) => string;

export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow", Paint>>;

/** The text has to say the same, since not everybody sees colours: good, bad, in doubt, and of no weight. */
export type Tone = "green" | "red" | "yellow" | "dim";

export const plainStyle: Style = { bold: String, dim: String, red: String, green: String, yellow: String };

/**
 * `--no-color` goes before the environment, in which FORCE_COLOR asks for colours, and NO_COLOR for none. chalk is loaded only
 * where there is something to paint.
 */
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
 * Shows a moment (in milliseconds since the epoch) as a clock on the store's wall does: `2026-11-20 21:00:00 -03:00`. The engine's
 * own formats take 25 ms to load, so that only an IANA zone asks them; without one it is this machine's.
 */
export function localTime(instant: number, zone?: string): string {
  let said = String(new Date(instant));
  try {
    if (zone !== undefined) {
      const format =
        formats.get(zone) ?? new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
      formats.set(zone, format);
      said = format.format(instant);
    }
  } catch {
    // Node 20 has no zones of an offset, such as -03:00. For a name that isn't a zone, UTC is also true.
    said = `GMT${zone}`;
  }
  const [, hours = "+00", minutes = "00"] = /GMT([+-]\d\d):?(\d\d)/.exec(said) ?? [];
  const offset = `${hours}:${minutes}`;
  const shift = Date.parse(`1970-01-01T00:00:00${offset}`);
  const [date = "", time = ""] = new Date(instant - shift).toISOString().split(/[T.]/);
  return `${shownDate(date)} ${time} ${offset}`;
}
